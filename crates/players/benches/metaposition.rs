//! Metapositions a second, beside the exact tracker's successors a second in the same run.
//!
//! `cargo bench -p nebel-players --bench metaposition` plays seeded random games under `icc` and, at every turn of White,
//! evolves his metaposition through an own move and a silent reply, as the search does, again and again. Beside it
//! the exact tracker follows the same unseen move while its belief is small: how many positions it finds a second. The last line is the
//! rate of a whole search: metapositions evolved, judged and sorted.

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::{hint::black_box, time::Instant};

use nebel_belief::metaposition::Metaposition;
use nebel_belief::{Limit, Tracker};
use nebel_kriegspiel::{Announcement, Chess, Color, Event, Rules, Tries, Umpire};
use nebel_players::{Budget, Game, Player, by_spec};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: u64 = 20;
const TIMES: usize = 200;
const NODES: u64 = 20_000;

fn main() {
    let (mut evolved, mut seconds) = (0, 0.0);
    let (mut found, mut tracking) = (0, 0.0);
    let (mut searched, mut searching) = (0, 0.0);
    for seed in 0..GAMES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = Rules::icc();
        let (mut umpire, start) = (Umpire::new(rules.clone()), Chess::new());
        let mut meta = Metaposition::new(&rules, &start, Color::White);
        let mut tracker = Some(Tracker::new(rules.clone(), &start, Color::White, Limit::positions(100_000)));
        let mut player = by_spec("minimax").unwrap();
        player.start(Game { side: Color::White, rules: rules.clone(), start, seed }).unwrap();
        while umpire.over().is_none() {
            let attempts = umpire.sensible_attempts();
            let attempt = *attempts.choose(&mut rng).unwrap();
            if umpire.to_move() == Color::White {
                let begin = Instant::now();
                for _ in 0..TIMES {
                    let mut next = meta.clone();
                    next.moved(black_box(attempt), &Announcement::default());
                    next.other_moved(&silence());
                    black_box(&next);
                }
                seconds += begin.elapsed().as_secs_f64();
                evolved += TIMES;
                if umpire.turn().refused().is_empty() && searched < 800_000 {
                    let budget = Budget { nodes: Some(NODES), ..Budget::unlimited() };
                    let begin = Instant::now();
                    black_box(player.choose(&budget).unwrap());
                    searching += begin.elapsed().as_secs_f64();
                    searched += visits(&*player);
                }
            }
            let event = umpire.attempt(attempt).unwrap();
            let Some(heard) = event.heard_by(Color::White, &rules) else { continue };
            meta.hear(&heard);
            player.hear(&heard).unwrap();
            tracker = tracker.take().and_then(|tracker| track(tracker, &heard, &mut found, &mut tracking));
        }
    }
    println!("metapositions evolved a second:        {:>10.0}", evolved as f64 / seconds);
    println!("exact successors found a second:       {:>10.0}", found as f64 / tracking);
    println!("metapositions searched a second:       {:>10.0}", searched as f64 / searching);
}

/// The metapositions that the last choice looked at.
fn visits(player: &dyn Player) -> u64 {
    player.explain().map_or(0, |explanation| explanation.attempts.iter().map(|weighed| weighed.visits).sum())
}

fn silence() -> Announcement {
    Announcement { tries: Some(Tries::Count(0)), ..Announcement::default() }
}

/// Follows an event exactly, if the belief stays small, and counts what an unseen move leads to.
fn track(mut tracker: Tracker, event: &Event, found: &mut u64, seconds: &mut f64) -> Option<Tracker> {
    let (before, begin) = (tracker.successors(), Instant::now());
    tracker.hear(event).ok()?;
    if event.by() == Some(Color::Black) {
        *seconds += begin.elapsed().as_secs_f64();
        *found += tracker.successors() - before;
    }
    Some(tracker)
}
