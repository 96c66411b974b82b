//! `nebel problems`: collections of mate problems.

mod bench;
mod curve;
mod deepen;
mod hash;
pub(crate) mod measure;
mod table;

pub(crate) use curve::{curve, stairs};
pub(crate) use measure::{Measurement, Task};
pub(crate) use table::{Row, RowFile, SearchTerms};

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nebel_kriegspiel::start;
use nebel_prover::Strategy;
use nebel_prover::collection::{self, Entry, Kind, Settings};
use nebel_search::{Algorithm, Limits};
use serde_json::json;

use crate::{
    args::{OutputArg, RulesArg},
    failure::Failure,
    input,
};

/// Collections of mate problems.
#[derive(clap::Args, Debug)]
pub(crate) struct ProblemsArgs {
    #[command(subcommand)]
    command: ProblemsCommand,
}

#[derive(clap::Subcommand, Debug)]
enum ProblemsCommand {
    /// Gather problems from games of two simple programs.
    Generate(GenerateArgs),
    /// Judge the near-misses of a collection at a greater depth.
    Deepen(deepen::DeepenArgs),
    /// Run algorithms over a collection; one CSV line for each problem and algorithm.
    Bench(bench::BenchArgs),
    /// Show one problem: its positions, its verdict and a strategy.
    Show(ShowArgs),
}

#[derive(clap::Args, Debug)]
struct GenerateArgs {
    /// How many mates and how many near-misses.
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// The depth.
    #[arg(long, value_name = "D", default_value_t = 3)]
    plies: u32,
    /// The first game's seed; the others count on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads to use.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    output: OutputArg,
}

#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// The collection.
    file: PathBuf,
    /// Which problem, from 1.
    number: usize,
}

/// Does what was asked.
pub(crate) fn run(args: &ProblemsArgs) -> Result<(), Failure> {
    match &args.command {
        ProblemsCommand::Generate(args) => generate(args),
        ProblemsCommand::Deepen(args) => deepen::run(args),
        ProblemsCommand::Bench(args) => bench::run(args),
        ProblemsCommand::Show(args) => show(args),
    }
}

/// Plays games until there are enough of both kinds. What is found depends on the seed alone: games are taken in their
/// order, whoever plays them.
fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let defaults = Settings::default();
    let rules = args.rules.or(defaults.rules.clone())?;
    let settings = Settings { rules, plies: args.plies, ..defaults };
    let (mut mates, mut misses) = (Vec::new(), Vec::new());
    let batch = args.threads.max(1) as u64 * 8;
    let mut seed = args.seed;
    while mates.len() < args.count || misses.len() < args.count {
        for (view, kind) in games(&settings, seed, batch, args.threads) {
            let list = if kind == Kind::Mate { &mut mates } else { &mut misses };
            let known = list.iter().any(|known: &Entry| Some(&known.view) == Some(&view.view));
            if list.len() < args.count && !known {
                list.push(view);
            }
        }
        seed += batch;
        progress(&format!("{} games, {} mates, {} near-misses", seed - args.seed, mates.len(), misses.len()));
    }
    mates.append(&mut misses);
    write_entries(&args.output, &mates)
}

/// The problems of some games, in the order of their seeds; at most one of each kind a game, so that problems differ.
fn games(settings: &Settings, first: u64, count: u64, threads: usize) -> Vec<(Entry, Kind)> {
    let next = AtomicU64::new(first);
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        break;
                    }
                    let mut problems = collection::play(settings, seed);
                    let mut kinds = Vec::new();
                    problems.retain(|(_, kind)| {
                        let new = !kinds.contains(kind);
                        kinds.push(*kind);
                        new
                    });
                    found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((seed, problems));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|(seed, _)| *seed);
    let entry = |(view, kind): (nebel_kriegspiel::View, Kind)| {
        let mut entry = Entry::new(view, settings.plies, Some(kind == Kind::Mate), 0);
        entry.states = entry.problem().map_or(0, |problem| problem.positions().len());
        (entry, kind)
    };
    found.into_iter().flat_map(|(_, problems)| problems).map(entry).collect()
}

fn show(args: &ShowArgs) -> Result<(), Failure> {
    let entries = read_entries(&args.file)?;
    let entry = args.number.checked_sub(1).and_then(|index| entries.get(index));
    let entry = entry.ok_or_else(|| {
        let place = input::place(&args.file);
        Failure::input(&place, format_args!("no problem {} of {}", args.number, entries.len()))
    })?;
    let problem = entry.problem().map_err(|error| at(&args.file, args.number - 1, &error))?;
    let mut output = io::stdout().lock();
    for position in problem.positions() {
        writeln!(output, "{}", start::fen_without_counters(position))?;
    }
    let report = problem.solve(entry.plies, Algorithm::Auto, &Limits::default());
    let report = report.map_err(|error| at(&args.file, args.number - 1, &error))?;
    match report.strategy {
        None => writeln!(output, "No mate can be forced within {} plies.", entry.plies)?,
        Some(strategy) => {
            output.write_all(Strategy::of(&strategy, problem.domain().rules()).to_text().as_bytes())?;
        }
    }
    Ok(())
}

pub(crate) fn read_entries(path: &Path) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    for (index, line) in input::open(path)?.lines().enumerate() {
        let line = line.map_err(|error| at(path, index, &error))?;
        if !line.trim().is_empty() {
            entries.push(serde_json::from_str(&line).map_err(|error| at(path, index, &error))?);
        }
    }
    Ok(entries)
}

fn write_entries(output: &OutputArg, entries: &[Entry]) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut bytes, &json!(entry)).map_err(|error| Failure::Run(error.into()))?;
        bytes.push(b'\n');
    }
    output.write(&bytes)
}

pub(crate) fn at(path: &Path, index: usize, error: &dyn std::fmt::Display) -> Failure {
    Failure::input(&input::place(path), format_args!("line {}: {error}", index + 1))
}

pub(crate) fn seconds(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::input("--time", format_args!("{seconds} is no number of seconds")))
}

/// One line that is overwritten, where somebody is looking.
pub(crate) fn progress(text: &str) {
    if io::stderr().is_terminal() {
        eprint!("\r{text}\x1b[K");
    }
}

/// Goes on below the line of progress.
pub(crate) fn progress_ends() {
    if io::stderr().is_terminal() {
        eprintln!();
    }
}
