//! Random play through the umpire, on one thread, beside two others in the same run: random playouts
//! on the bare chess library, and OpenSpiel's Kriegspiel where Python has it.
//!
//! ```text
//! cargo bench -p nebel-kriegspiel --bench random_play
//! ```
//!
//! OpenSpiel is measured by `open_spiel.py` beside this file with the Python in `PYTHON` (default
//! `python3`); `pip install open_spiel` provides it. Turns alternate between the three, because the
//! machine may be busy: the ratios are the result, not the rates.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run should say so loudly")]

use std::{
    hint::black_box,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Attempt, Chess, Color, Rules, Umpire};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Position;

/// How long each contestant runs in a round.
const ROUND: Duration = Duration::from_millis(500);
const ROUNDS: usize = 6;
/// Berkeley games need not end.
const LONGEST_GAME: usize = 1000;

/// Things done in some time.
#[derive(Default)]
struct Tally {
    done: u64,
    time: Duration,
}

impl Tally {
    fn add(&mut self, run: impl FnOnce() -> u64) {
        let begin = Instant::now();
        self.done += run();
        self.time += begin.elapsed();
    }

    fn rate(&self) -> f64 {
        self.done as f64 / self.time.as_secs_f64()
    }
}

/// Random moves on the bare library, from start to end, again and again.
fn bare_playouts(random: &mut Xoshiro256PlusPlus) -> u64 {
    let (begin, mut moves) = (Instant::now(), 0);
    while begin.elapsed() < ROUND {
        let mut position = Chess::new();
        for _ in 0..LONGEST_GAME {
            let legal = position.legal_moves();
            if legal.is_empty() || position.halfmoves() >= 100 || position.is_insufficient_material() {
                break;
            }
            position.play_unchecked(legal[random.random_range(0..legal.len())]);
            moves += 1;
        }
    }
    moves
}

/// Random sensible attempts through the umpire; both sides' announcements are made and dropped.
fn umpired_games(rules: &Rules, random: &mut Xoshiro256PlusPlus) -> u64 {
    let (begin, mut attempts) = (Instant::now(), 0);
    let mut sensible: Vec<Attempt> = Vec::new();
    while begin.elapsed() < ROUND {
        let mut umpire = Umpire::new(rules.clone());
        let mut moves = 0;
        while umpire.over().is_none() && moves < LONGEST_GAME {
            sensible.clear();
            umpire.turn().for_each_sensible(umpire.men(), rules, |attempt| sensible.push(attempt));
            // One list a turn: a refused attempt is taken out of it, as a player would.
            loop {
                let attempt = sensible.swap_remove(random.random_range(0..sensible.len()));
                let event = umpire.attempt(attempt).unwrap();
                attempts += 1;
                black_box(Color::ALL.map(|side| event.heard_by(side, rules)));
                if event.announcement().is_some() {
                    break;
                }
            }
            moves += 1;
        }
    }
    attempts
}

/// OpenSpiel's attempts a second, if it can be measured here.
fn open_spiel() -> Result<f64, String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/open_spiel.py");
    let output = Command::new(&python).arg(script).output().map_err(|error| format!("{python}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    said.trim().parse().map_err(|_| complaint.lines().last().unwrap_or("no output").to_owned())
}

fn main() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut bare = Tally::default();
    let mut umpired: Vec<(Rules, Tally)> = Rules::KNOWN.map(|rules| (rules(), Tally::default())).into();
    for _ in 0..ROUNDS {
        bare.add(|| bare_playouts(&mut random));
        for (rules, tally) in &mut umpired {
            tally.add(|| umpired_games(rules, &mut random));
        }
    }
    println!("bare chess library   {:>12.0} moves/s", bare.rate());
    for (rules, tally) in &umpired {
        let ratio = tally.rate() / bare.rate();
        println!(
            "umpire {:<13} {:>12.0} attempts/s   {ratio:.2} of the bare library",
            rules.name,
            tally.rate()
        );
    }
    match open_spiel() {
        Ok(rate) => {
            let icc = umpired.iter().find(|(rules, _)| rules.name == "icc").unwrap().1.rate();
            println!("OpenSpiel kriegspiel {rate:>12.0} attempts/s");
            println!("umpire icc / OpenSpiel: {:.1}", icc / rate);
        }
        Err(cause) => println!("OpenSpiel was not measured ({cause}); `pip install open_spiel` provides it"),
    }
}
