//! A belief that goes to disk is the belief that stays in memory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{SIDES, STARTS, random_game};
use nebel_belief::{
    Key, Limit, Spill, SpillError, SpillingTracker, TrackError, Tracker, sample, sample::UniformSample,
};
use nebel_kriegspiel::{Chess, Color, Event, Rules, Transcript};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Bytes: the least there is, some thousand positions, some ten thousand.
const MEMORIES: [usize; 3] = [0, 60_000, 1 << 20];
/// Larger beliefs are left to the next game.
const MOST: usize = 10_000;

fn game(number: u64) -> Transcript {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
    let rules = Rules::KNOWN[number as usize % Rules::KNOWN.len()]();
    let start = STARTS[number as usize / Rules::KNOWN.len() % STARTS.len()];
    random_game(rules, start, 16, &mut rng)
}

fn sorted(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort_unstable();
    keys
}

fn keys_of(tracker: &SpillingTracker) -> Vec<Key> {
    let mut keys = Vec::new();
    tracker.for_each(|key| keys.push(key)).unwrap();
    keys
}

fn drawn(tracker: &SpillingTracker) -> Vec<Key> {
    let mut sample = UniformSample::new(10, 7);
    tracker.for_each(|key| sample.see(key)).unwrap();
    sample.into_keys()
}

#[test]
fn a_belief_on_disk_equals_the_one_in_memory_after_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let (mut on_disk, mut came_back, mut merged) = ([0; 6], 0, 0);
    for number in 0..72 {
        let game = game(number);
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let (rules, start) = (&header.rules, &header.start);
            let mut plain = Tracker::new(rules.clone(), start, side, Limit::positions(MOST));
            let mut spilling = MEMORIES.map(|memory| {
                let spill = Spill::new(folder.path(), memory).unwrap();
                let threads = 1 + number as usize % 2;
                SpillingTracker::new(rules.clone(), start, side, MOST, spill).with_threads(threads)
            });
            for event in view.events() {
                let before = plain.len();
                let expected = plain.hear(event);
                for tracker in &mut spilling {
                    let was_on_disk = tracker.is_on_disk();
                    match (&expected, tracker.hear(event)) {
                        (Ok(()), Ok(())) => {}
                        (Err(expected), Err(SpillError::Track(error))) => assert_eq!(*expected, error),
                        different => panic!("{different:?}"),
                    }
                    assert_eq!(tracker.len(), plain.len());
                    on_disk[number as usize % 6] += usize::from(tracker.is_on_disk());
                    came_back += usize::from(was_on_disk && !tracker.is_on_disk());
                }
                merged += usize::from(expected.is_ok() && event.by() == Some(side) && plain.len() < before);
                if expected.is_err() {
                    break;
                }
                if before.is_multiple_of(5) {
                    let expected = sorted(plain.set().iter().collect());
                    for tracker in &spilling {
                        assert_eq!(sorted(keys_of(tracker)), expected);
                    }
                }
            }
            let expected = sorted(plain.set().iter().collect());
            for tracker in &spilling {
                assert_eq!(sorted(keys_of(tracker)), expected);
                assert_eq!(drawn(tracker), sample::uniform(plain.set(), 10, 7));
                assert_eq!((tracker.peak(), tracker.successors()), (plain.peak(), plain.successors()));
                assert_eq!(
                    tracker.is_on_disk() || tracker.spill().written() > 0,
                    tracker.spill().most_bytes() > 0
                );
            }
        }
    }
    assert!(
        on_disk.iter().all(|&events| events > 100) && came_back > 10 && merged > 100,
        "{on_disk:?} {came_back} {merged}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files without names");
}

fn event(line: &str) -> Event {
    Event::from_json(line).unwrap()
}

/// White's view of a long opening of which nothing is heard: the least memory makes more runs than are merged at once.
fn quiet_opening(tracker: &mut SpillingTracker, moves: usize) -> Result<(), SpillError> {
    for attempt in ["e2e4", "g1f3", "f1e2", "e1g1"].iter().take(moves) {
        tracker.hear(&event(&format!(r#"{{"by":"white","attempt":"{attempt}","answer":"moved"}}"#)))?;
        tracker.hear(&event(r#"{"by":"black","answer":"moved"}"#))?;
    }
    Ok(())
}

#[test]
fn very_many_runs_are_merged_in_between() {
    let folder = tempfile::tempdir().unwrap();
    let new = |memory| {
        let spill = Spill::new(folder.path(), memory).unwrap();
        SpillingTracker::new(Rules::berkeley(), &Chess::new(), Color::White, usize::MAX, spill)
    };
    let (mut tiny, mut large) = (new(0), new(1 << 30));
    quiet_opening(&mut tiny, 4).unwrap();
    quiet_opening(&mut large, 4).unwrap();
    assert!(tiny.is_on_disk() && !large.is_on_disk());
    assert_eq!((tiny.len(), tiny.peak(), tiny.successors()), (large.len(), large.peak(), large.successors()));
    assert_eq!(sorted(keys_of(&tiny)), sorted(keys_of(&large)));
    let final_bytes = tiny.len() as u64 * 16;
    assert!(tiny.spill().most_bytes() > final_bytes && large.spill().most_bytes() == 0);
}

#[test]
fn limits_and_stops_leave_the_belief_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = event(r#"{"by":"black","answer":"moved"}"#);
    for limit in [100, 8_000] {
        let spill = Spill::new(folder.path(), 0).unwrap();
        let mut tracker = SpillingTracker::new(Rules::berkeley(), &Chess::new(), Color::White, limit, spill);
        let error = quiet_opening(&mut tracker, 4).unwrap_err();
        assert!(matches!(error, SpillError::Track(TrackError::Positions(n)) if n == limit), "{error}");
        let before = sorted(keys_of(&tracker));
        assert!(before.len() <= limit);
        tracker.progress().stop();
        assert!(matches!(tracker.hear(&hidden), Err(SpillError::Track(TrackError::Stopped))));
        tracker.progress().go_on();
        assert!(matches!(tracker.hear(&hidden), Err(SpillError::Track(TrackError::Positions(_)))));
        assert_eq!(sorted(keys_of(&tracker)), before);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Spill::new(&folder.path().join("missing"), 1000).is_err());
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(Spill::new(&file, 1000).is_err());
}
