//! `nebel problems`: collections of mate problems.

mod bench;
mod check;
mod deepen;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use nebel_experiments::russell_wolfe::{Gathered, Generation, Settings, material_wins};
use nebel_kriegspiel::start;
use nebel_prover::Strategy;
use nebel_prover::collection::Entry;
use nebel_search::{Algorithm, Limits};
use serde_json::json;

use crate::{
    args::{OutputArg, RulesArg},
    commands::farm::FarmArgs,
    commands::solve::plies_text,
    failure::Failure,
    input,
    progress::Line,
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
    /// Prove every problem of a collection again, and replay what mates.
    Verify(check::CheckArgs),
    /// Show one problem: its positions, its verdict and a strategy.
    Show(ShowArgs),
}

#[derive(clap::Args, Debug)]
struct GenerateArgs {
    /// How many mates and how many near-misses: the first that are found, so that fewer are the beginning of more.
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// How many near-misses, if not as many as mates.
    #[arg(long, value_name = "N")]
    near_misses: Option<usize>,
    /// The depth.
    #[arg(long, value_name = "D", default_value_t = 3)]
    plies: u32,
    /// The first game's seed; the others count on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take an ending for won that a table of one man wins for every square that the bare king may be on.
    #[arg(long)]
    material_wins: bool,
    /// Threads to use.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    farm: FarmArgs,
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
        ProblemsCommand::Verify(args) => check::run(args),
        ProblemsCommand::Show(args) => show(args),
    }
}

fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let defaults = Settings::default();
    let rules = args.rules.or(defaults.rules.clone())?;
    let settings = Settings { rules, plies: args.plies, material_wins: args.material_wins, ..defaults };
    let place = args.farm.place(args.threads.clamp(1, 256), None)?;
    let near_misses = args.near_misses.unwrap_or(args.count);
    let generation = Generation { settings, mates: args.count, near_misses, seed: args.seed, place };
    let line = Line::default();
    let mut games_played = 0;
    let entries = generation.run(|Gathered { games, mates, near_misses }| {
        games_played = games;
        line.show(&format!("{games} games, {mates} mates, {near_misses} near-misses"));
    });
    drop(line);
    let entries = entries?;
    eprintln!("{} problems from {games_played} games", entries.len());
    write_entries(&args.output, &entries)
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
    let tables = material_wins();
    let report = problem.solve_with(
        entry.plies,
        Algorithm::Auto,
        &Limits::default(),
        entry.material_wins.then_some(&tables),
    );
    let report = report.map_err(|error| at(&args.file, args.number - 1, &error))?;
    match report.strategy {
        None => writeln!(output, "No mate can be forced within {}.", plies_text(entry.plies))?,
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

fn at(path: &Path, index: usize, error: &dyn std::fmt::Display) -> Failure {
    Failure::input(&input::place(path), format_args!("line {}: {error}", index + 1))
}

/// Shows how many problems are done.
pub(crate) fn show_done(line: &Line, done: usize, of: usize) {
    line.show(&format!("{done} of {of} problems"));
}
