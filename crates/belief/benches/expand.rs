//! Speed of tracking against the chess library's perft, in the same run.
//!
//! `cargo bench -p nebel-belief --bench expand [-- POSITIONS]` plays seeded random games under `icc`
//! until White's belief, Black to move, holds at least so many positions (a million unless told), and
//! times the event that follows: every successor generated, announcements judged, duplicates merged.
//! Beside it stands the chess library: all legal moves of the same positions generated, each played
//! on a copy. Successors are counted before merging, and only those that agree with what was heard.
//! Rates on one thread are by time on the processor, the gain of two threads is by the clock.

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::{hint::black_box, time::Instant};

use nebel_belief::{Limit, Tracker};
use nebel_kriegspiel::{Chess, Color, Event, Rules, Umpire};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Position;

const GAMES: usize = 4;

fn main() {
    let wanted = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    println!(
        "seed positions    legal moves  successors   merged  perft M/s  one thread M/s  ratio  two threads  bytes"
    );
    let (mut ratios, mut gains) = (Vec::new(), Vec::new());
    for seed in 0.. {
        if ratios.len() == GAMES {
            break;
        }
        if let Some((tracker, event)) = large_belief(seed, wanted) {
            let (ratio, gain) = measure(seed, &tracker, &event);
            ratios.push(ratio);
            gains.push(gain);
        }
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    println!(
        "successors a second, of perft moves a second: {:.3} (at least 0.12 wanted, 0.25 hoped for)",
        mean(&ratios)
    );
    println!("two threads against one: {:.2} (at least 1.7 wanted)", mean(&gains));
}

/// A random game's belief of White with Black to move, and the event that follows.
fn large_belief(seed: u64, wanted: usize) -> Option<(Tracker, Event)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rules = Rules::icc();
    let limit = Limit::positions(wanted * 20);
    let mut tracker = Tracker::new(rules.clone(), &Chess::new(), Color::White, limit).with_threads(2);
    let mut umpire = Umpire::new(rules.clone());
    while umpire.over().is_none() {
        let attempts = umpire.sensible_attempts();
        let event = umpire.attempt(*attempts.choose(&mut rng)?).unwrap();
        let Some(heard) = event.heard_by(Color::White, &rules) else {
            continue;
        };
        let is_large = tracker.len() >= wanted && event.by() == Some(Color::Black);
        if is_large && event.announcement().is_some_and(|said| said.capture.is_none() && said.over.is_none())
        {
            return Some((tracker, heard.into_event()));
        }
        tracker.hear(&heard).ok()?;
    }
    None
}

fn measure(seed: u64, tracker: &Tracker, event: &Event) -> (f64, f64) {
    let positions: Vec<Chess> = tracker.positions().collect();
    let begin = Clock::now();
    let moves: u64 = positions.iter().map(perft).sum();
    let perft_rate = moves as f64 / begin.on_processor();
    drop(positions);
    let (one, busy, after) = time(tracker.clone().with_threads(1), event);
    let (two, _, _) = time(tracker.clone().with_threads(2), event);
    let successors = after.successors() - tracker.successors();
    let rate = successors as f64 / busy;
    println!(
        "{seed:4} {:9} {moves:14} {successors:11} {:8} {:10.1} {:15.1} {:6.3} {:12.2}  {:.1} at rest, {:.1} at the peak",
        tracker.len(),
        after.len(),
        perft_rate / 1e6,
        rate / 1e6,
        rate / perft_rate,
        one / two,
        after.bytes() as f64 / after.len() as f64,
        after.peak_bytes() as f64 / after.len() as f64,
    );
    (rate / perft_rate, one / two)
}

fn perft(position: &Chess) -> u64 {
    let moves = position.legal_moves();
    for &m in &moves {
        let mut next = position.clone();
        next.play_unchecked(m);
        black_box(&next);
    }
    moves.len() as u64
}

/// Seconds by the clock and on the processor, and the tracker after the event.
fn time(mut tracker: Tracker, event: &Event) -> (f64, f64, Tracker) {
    let begin = Clock::now();
    tracker.hear(event).unwrap();
    (begin.wall.elapsed().as_secs_f64(), begin.on_processor(), tracker)
}

/// Time on the processor, so that a busy machine does not decide the ratio; by the clock where the
/// system does not tell.
struct Clock {
    wall: Instant,
    busy: Option<f64>,
}

impl Clock {
    fn now() -> Clock {
        Clock { busy: busy_seconds(), wall: Instant::now() }
    }

    fn on_processor(&self) -> f64 {
        match (self.busy, busy_seconds()) {
            (Some(begin), Some(end)) => end - begin,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// The time that this thread has spent on a processor, as Linux counts it.
fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}
