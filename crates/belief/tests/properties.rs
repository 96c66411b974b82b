//! Properties of beliefs over random games under every ruleset, questions and nonsense included.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{SIDES, STARTS, fens, naive::Naive, random_game};
use nebel_belief::{
    Announce, History, HistorySampler, Key, Limit, Statistics, Stream, TrackError, Tracker, sample,
};
use nebel_kriegspiel::{
    Announcement, Chess, Color, Event, Role, Rules, Square, Transcript, Umpire, View, start,
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::{Piece, Position};

/// Random games under every ruleset from every start, so many of each.
fn games(each: u64, moves: usize) -> impl Iterator<Item = Transcript> {
    let count = Rules::KNOWN.len() * STARTS.len();
    (0..count as u64 * each).map(move |number| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        let number = number as usize;
        let rules = Rules::KNOWN[number % Rules::KNOWN.len()]();
        let start = STARTS[number / Rules::KNOWN.len() % STARTS.len()];
        random_game(rules, start, moves, &mut rng)
    })
}

#[test]
fn belief_equals_the_naive_estimate_after_every_event() {
    let (mut events, mut positions) = (0, 0);
    for game in games(6, 10) {
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let mut naive = Naive::new(header.rules.clone(), &header.start, side);
            let mut tracker = Tracker::new(header.rules.clone(), &header.start, side, Limit::default());
            for event in view.events() {
                naive.hear(event);
                tracker.hear(event).unwrap();
                let expected: Vec<String> = naive.positions.keys().cloned().collect();
                assert_eq!(
                    fens(tracker.positions()),
                    expected,
                    "{}\n{:?}",
                    header.to_json(Some(side)),
                    view.events()
                );
                events += 1;
                positions += expected.len();
                if expected.len() > 300 {
                    break;
                }
            }
        }
    }
    println!("{events} events, {positions} positions");
}

#[test]
fn belief_always_contains_the_true_position() {
    for game in games(4, 24) {
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let mut tracker =
                Tracker::new(header.rules.clone(), &header.start, side, Limit::positions(20_000));
            let mut complete = true;
            for event in view.events() {
                if tracker.hear(event).is_err() {
                    complete = false;
                    break;
                }
            }
            if complete {
                let truth = start::fen_without_counters(game.umpire().position());
                assert!(fens(tracker.positions()).binary_search(&truth).is_ok(), "{truth}");
            }
        }
    }
}

/// The belief at the end of a view, unless it grows too large for a test.
fn small_belief(view: &View) -> Option<Tracker> {
    Tracker::of_view(view, Limit::positions(20_000)).ok()
}

fn sorted(keys: impl Iterator<Item = Key>) -> Vec<Key> {
    let mut keys: Vec<Key> = keys.collect();
    keys.sort_unstable();
    keys
}

#[test]
fn breadth_first_equals_depth_first() {
    for game in games(3, 16) {
        for side in SIDES {
            let view = game.view(side);
            let Some(tracker) = small_belief(&view) else {
                continue;
            };
            let history = History::of_view(&view).unwrap();
            let expected = sorted(tracker.set().iter());
            for cache in [1, 64, Stream::CACHE] {
                // Without much of a cache a stream takes its time.
                if cache < 100 && tracker.peak() > 200 {
                    continue;
                }
                let set = history.stream(cache).collect_set(Limit::default()).unwrap();
                assert_eq!(sorted(set.iter()), expected);
            }
        }
    }
}

#[test]
fn samples_are_in_the_belief_and_repeat_by_seed() {
    for game in games(2, 16) {
        for side in SIDES {
            let view = game.view(side);
            let Some(tracker) = small_belief(&view) else {
                continue;
            };
            let belief = sorted(tracker.set().iter());
            let drawn = sample::uniform(tracker.set(), 10, 7);
            assert_eq!(drawn.len(), belief.len().min(10));
            assert_eq!(drawn, sample::uniform(tracker.set(), 10, 7));
            let history = History::of_view(&view).unwrap();
            let walked: Vec<Key> =
                HistorySampler::new(&history, 7, 10_000).take(10).map(|walked| walked.key).collect();
            let again: Vec<Key> =
                HistorySampler::new(&history, 7, 10_000).take(10).map(|walked| walked.key).collect();
            assert_eq!(walked, again);
            assert!(drawn.iter().chain(&walked).all(|key| belief.binary_search(key).is_ok()));
        }
    }
}

#[test]
fn threads_do_not_change_the_belief() {
    for game in games(1, 30).filter(|game| game.header().start == shakmaty::Chess::new()) {
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let new = || Tracker::new(header.rules.clone(), &header.start, side, Limit::positions(200_000));
            let (mut one, mut three) = (new(), new().with_threads(3));
            for event in view.events() {
                let results = (one.hear(event), three.hear(event));
                assert_eq!(results.0.is_ok(), results.1.is_ok());
                if results.0.is_err() {
                    break;
                }
            }
            assert_eq!(sorted(one.set().iter()), sorted(three.set().iter()));
            assert_eq!(one.successors(), three.successors());
        }
    }
}

#[test]
fn statistics_count_what_the_chess_library_counts() {
    for game in games(3, 12) {
        for side in SIDES {
            let view = game.view(side);
            let Some(tracker) = small_belief(&view).filter(|tracker| tracker.len() < 200) else {
                continue;
            };
            let statistics =
                Statistics::gather(tracker.hearing(), tracker.set().iter(), Announce::Everything);
            let positions: Vec<Chess> = tracker.positions().collect();
            assert_eq!(statistics.positions(), positions.len() as u64);
            for square in Square::ALL {
                for role in Role::ALL {
                    let stands =
                        |p: &&Chess| p.board().piece_at(square) == Some(Piece { color: !side, role });
                    assert_eq!(statistics.men(square, role), positions.iter().filter(stands).count() as u64);
                }
            }
            for attempt in statistics.attempts() {
                let mut legal = 0;
                let mut announcements: Vec<(Announcement, u64)> = Vec::new();
                for position in &positions {
                    let mut umpire = Umpire::at(tracker.own().rules().clone(), position.clone());
                    let answered = umpire.attempt(attempt.attempt).unwrap();
                    if let Some(&announcement) = answered.announcement() {
                        legal += 1;
                        match announcements.iter_mut().find(|(known, _)| *known == announcement) {
                            Some((_, count)) => *count += 1,
                            None => announcements.push((announcement, 1)),
                        }
                    }
                }
                assert_eq!(attempt.legal, legal, "{}", attempt.attempt);
                assert_eq!(attempt.announcements.len(), announcements.len());
                assert!(announcements.iter().all(|entry| attempt.announcements.contains(entry)));
            }
        }
    }
}

#[test]
fn a_limit_leaves_the_tracker_at_the_last_event() {
    let event = |line| Event::from_json(line).unwrap();
    let moved = event(r#"{"by":"white","attempt":"e2e4","answer":"moved"}"#);
    let hidden = event(r#"{"by":"black","answer":"moved"}"#);
    let mut tracker = Tracker::new(Rules::berkeley(), &Chess::new(), Color::White, Limit::positions(19));
    tracker.hear(&moved).unwrap();
    assert_eq!(tracker.hear(&hidden), Err(TrackError::Positions(19)));
    assert_eq!((tracker.len(), tracker.own().to_move()), (1, Color::Black));
    let mut tracker = Tracker::new(Rules::berkeley(), &Chess::new(), Color::White, Limit::positions(20));
    tracker.hear(&moved).unwrap();
    tracker.hear(&hidden).unwrap();
    assert_eq!(tracker.len(), 20);
    // No black man can be on e5 and yet let the pawn advance: one event says so, the next denies it.
    tracker.hear(&event(r#"{"by":"white","attempt":"e4e5","answer":"illegal"}"#)).unwrap();
    assert_eq!(tracker.len(), 1);
    let denied = tracker.hear(&event(r#"{"by":"white","attempt":"d1h5","answer":"illegal"}"#));
    assert_eq!(denied, Err(TrackError::NoPosition));
    assert_eq!(tracker.len(), 1);
    let refused_twice = tracker.hear(&event(r#"{"by":"white","attempt":"e4e5","answer":"illegal"}"#));
    assert!(matches!(refused_twice, Err(TrackError::Contradiction(_))));
}

#[test]
fn a_limit_on_bytes_is_kept() {
    let bytes = 200_000;
    let mut reached = 0;
    for game in games(1, 30).filter(|game| game.header().start == Chess::new()) {
        let view = game.view(Color::White);
        let header = view.header();
        let mut tracker =
            Tracker::new(header.rules.clone(), &header.start, Color::White, Limit::bytes(bytes))
                .with_threads(2);
        for event in view.events() {
            let (before, to_move) = (sorted(tracker.set().iter()), tracker.own().to_move());
            if let Err(error) = tracker.hear(event) {
                assert_eq!(error, TrackError::Bytes(bytes));
                assert_eq!((sorted(tracker.set().iter()), tracker.own().to_move()), (before, to_move));
                reached += 1;
                break;
            }
            assert!(tracker.peak_bytes() <= bytes);
        }
    }
    assert!(reached > 0);
}
