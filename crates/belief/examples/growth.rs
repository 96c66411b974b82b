//! How fast beliefs grow in games of random play, or in games that were played elsewhere.
//!
//! `cargo run --release -p nebel-belief --example growth -- [--rules icc] [--games 20] [--seed 0]
//! [--limit 1000000] [--threads 2] [--trace] [--played FILE] [--spill DIR] [--memory 1024]`
//!
//! Plays seeded games in which both sides try what makes sense to them, at random, and tracks White's
//! belief; with `--played`, follows the games that `nebel results STORE --export jsonl` wrote. For 10^4, 10^6 and 10^8 positions (as far as the limit goes) it prints up to which move the
//! belief stayed below: quartiles over games, where a game that ends first counts by its length. With
//! `--trace` it prints every move of White's hearing, with sizes, seconds and memory. With `--spill` beliefs go to files in that
//! folder when positions take more than `--memory` mebibytes.

#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use std::{fs::File, io::BufReader, path::Path, time::Instant};

use nebel_belief::{Limit, Spill, SpillingTracker, Tracker};
use nebel_kriegspiel::{Chess, Color, Event, Rules, Umpire, json};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

const BOUNDS: [usize; 3] = [10_000, 1_000_000, 100_000_000];

struct Options {
    rules: Rules,
    games: u64,
    seed: u64,
    limit: usize,
    threads: usize,
    trace: bool,
    played: Option<String>,
    spill: Option<String>,
    memory: usize,
}

/// A tracker, in memory or with files.
enum Either {
    Memory(Tracker),
    Spilling(SpillingTracker),
}

impl Either {
    fn new(options: &Options) -> Either {
        let (rules, start, side) = (options.rules.clone(), Chess::new(), Color::White);
        let Some(folder) = &options.spill else {
            let limit = Limit::positions(options.limit);
            return Either::Memory(Tracker::new(rules, &start, side, limit).with_threads(options.threads));
        };
        let spill = Spill::new(Path::new(folder), options.memory << 20).unwrap();
        let tracker = SpillingTracker::new(rules, &start, side, options.limit, spill);
        Either::Spilling(tracker.with_threads(options.threads))
    }

    /// The size of the belief after an event, unless it is too large.
    fn hear(&mut self, event: &Event) -> Option<usize> {
        match self {
            Either::Memory(tracker) => tracker.hear(event).ok().map(|()| tracker.len()),
            Either::Spilling(tracker) => {
                if let Err(error) = tracker.hear(event) {
                    println!("{error}");
                    return None;
                }
                Some(tracker.len())
            }
        }
    }

    /// What the files took, if there are any.
    fn disk(&self) -> String {
        match self {
            Either::Memory(_) => String::new(),
            Either::Spilling(tracker) => {
                let (most, written) = (tracker.spill().most_bytes(), tracker.spill().written());
                let in_gigabytes = |bytes: u64| bytes as f64 / 1e9;
                format!(
                    ", disk {:.1} GB at the peak, {:.1} written, {:.2} GB for positions in memory, {} found",
                    in_gigabytes(most),
                    in_gigabytes(written),
                    in_gigabytes(tracker.peak_bytes() as u64),
                    tracker.successors()
                )
            }
        }
    }
}

fn main() {
    let options = Options::read();
    let bounds: Vec<usize> = BOUNDS.into_iter().filter(|&bound| bound <= options.limit).collect();
    let mut moves: Vec<Vec<u32>> = vec![Vec::new(); bounds.len()];
    let mut ended = vec![0; bounds.len()];
    for game in games(&options) {
        let (reached, length) = follow(&options, game, &bounds);
        for (index, at) in reached.iter().enumerate() {
            moves[index].push(at.unwrap_or(length));
            ended[index] += u32::from(at.is_none());
        }
    }
    println!("{}, {} games:", options.rules.name, moves.first().map_or(0, Vec::len));
    for ((bound, mut moves), ended) in bounds.into_iter().zip(moves).zip(ended) {
        moves.sort_unstable();
        let quartile = |of: usize| moves[(moves.len() - 1) * of / 4];
        println!(
            "below {bound:>11} up to move {} (quartiles {} and {}); never above in {ended}",
            quartile(2),
            quartile(1),
            quartile(3),
        );
    }
}

/// A game as it is followed: what it is called, and its events.
struct Followed {
    name: String,
    events: Box<dyn Iterator<Item = Event>>,
}

/// The games that were asked for.
fn games(options: &Options) -> Vec<Followed> {
    let Some(path) = &options.played else {
        let seeds = options.seed..options.seed + options.games;
        let random = |seed| Followed {
            name: format!("seed {seed}"),
            events: Box::new(random_game(options.rules.clone(), seed)),
        };
        return seeds.map(random).collect();
    };
    let file = BufReader::new(File::open(path).unwrap());
    let played = json::Games::of(file).enumerate().map(|(index, record)| {
        let record = record.unwrap();
        assert_eq!(record.header().rules, options.rules, "games are followed under their own rules");
        Followed { name: format!("game {index}"), events: Box::new(record.events().to_vec().into_iter()) }
    });
    played.collect()
}

/// Both sides try what makes sense to them, each attempt equally likely, for 200 moves at most.
fn random_game(rules: Rules, seed: u64) -> impl Iterator<Item = Event> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut umpire = Umpire::new(rules);
    let mut plies = 0;
    std::iter::from_fn(move || {
        let attempts = umpire.sensible_attempts();
        let event = umpire.attempt(*attempts.choose(&mut rng)?).ok()?;
        plies += u32::from(event.announcement().is_some());
        (plies <= 400).then_some(event)
    })
}

/// The move at which each bound was passed, and the length of the game as far as it was followed.
fn follow(options: &Options, game: Followed, bounds: &[usize]) -> (Vec<Option<u32>>, u32) {
    let rules = &options.rules;
    let mut tracker = Either::new(options);
    let mut reached = vec![None; bounds.len()];
    let mut moves = 1;
    let begun = Instant::now();
    for event in game.events {
        let Some(heard) = event.heard_by(Color::White, rules) else {
            continue;
        };
        let result = tracker.hear(&heard);
        let size = result.unwrap_or(usize::MAX);
        for (at, &bound) in reached.iter_mut().zip(bounds) {
            if at.is_none() && size >= bound {
                *at = Some(moves);
            }
        }
        if options.trace && event.announcement().is_some() {
            let (by, seconds) = (event.by().unwrap(), begun.elapsed().as_secs_f64());
            let size = result.map_or("too many".to_owned(), |size| size.to_string());
            println!(
                "{} move {moves} {by}: {size} positions, {seconds:.1} s ({:.1} s on processors), {}{}",
                game.name,
                busy_seconds().unwrap_or_default(),
                peak_memory().unwrap_or_default(),
                tracker.disk()
            );
        }
        if result.is_none() {
            break;
        }
        if event.announcement().is_some() && event.by() == Some(Color::Black) {
            moves += 1;
        }
    }
    (reached, moves)
}

/// The most memory that the process has held, as Linux counts it.
fn peak_memory() -> Option<String> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(format!("{} at the peak", line.trim()))
}

/// The time that all threads of the process have spent on processors, as Linux counts it, in hundredths of a second.
fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some((ticks(11)? + ticks(12)?) as f64 / 100.0)
}

impl Options {
    fn read() -> Options {
        let mut options = Options {
            rules: Rules::icc(),
            games: 20,
            seed: 0,
            limit: 1_000_000,
            threads: 2,
            trace: false,
            played: None,
            spill: None,
            memory: 1024,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("an option is followed by its value");
            match argument.as_str() {
                "--rules" => options.rules = Rules::by_name(&value()).unwrap(),
                "--games" => options.games = value().parse().unwrap(),
                "--seed" => options.seed = value().parse().unwrap(),
                "--limit" => options.limit = value().parse().unwrap(),
                "--threads" => options.threads = value().parse().unwrap(),
                "--trace" => options.trace = true,
                "--played" => options.played = Some(value()),
                "--spill" => options.spill = Some(value()),
                "--memory" => options.memory = value().parse().unwrap(),
                other => panic!("unknown option {other}"),
            }
        }
        options
    }
}
