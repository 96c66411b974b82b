//! `nebel bench`: fixed work on one thread, its speeds, and a signature of its results.
//!
//! Every part does the same work on every machine: seeds and node budgets are fixed, and no clock, no number of threads and
//! no byte of memory goes into its signature. A change that is meant to keep what the program does keeps the
//! signature; one that changes it says so. Speeds stand beside it and are of the machine.

mod beliefs;
mod games;
mod knowledge;
mod players;
mod provers;
mod signature;
mod tables;
mod umpire;

use std::{
    io::{self, Write},
    time::Instant,
};

use serde_json::{Map, Value, json};

use self::signature::Signature;
use crate::{failure::Failure, progress::Line};

/// Run fixed work on one thread: speeds, and a signature of the results that a refactoring keeps.
#[derive(clap::Args, Debug)]
pub(crate) struct BenchArgs {
    /// A twentieth of the work, with signatures of its own.
    #[arg(long)]
    quick: bool,
    /// Other work of the same kind, with other signatures.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How much of what to do.
#[derive(Clone, Copy, Debug)]
struct Work {
    seed: u64,
    quick: bool,
}

impl Work {
    /// A number of pieces of work, fewer for a quick run.
    fn pieces(self, whole: usize) -> usize {
        if self.quick { whole.div_ceil(20) } else { whole }
    }
}

/// What came of a part.
struct Done {
    signature: Signature,
    /// How much was done.
    count: u64,
    /// Of what.
    unit: &'static str,
}

/// A part: its name and its work.
type Part = (&'static str, fn(Work) -> Result<Done, Failure>);

const PARTS: [Part; 6] = [
    ("umpire", |work| Ok(umpire::run(work))),
    ("beliefs", beliefs::run),
    ("provers", provers::run),
    ("tables", tables::run),
    ("knowledge", |work| Ok(knowledge::run(work))),
    ("players", players::run),
];

/// Does all parts and prints.
pub(crate) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let work = Work { seed: args.seed, quick: args.quick };
    let (mut all, mut parts, mut speeds) = (Signature::default(), Map::new(), Map::new());
    let mut output = io::stdout().lock();
    for (name, part) in PARTS {
        let line = Line::default();
        line.show(name);
        let begun = Instant::now();
        let done = part(work)?;
        let seconds = begun.elapsed().as_secs_f64();
        drop(line);
        let speed = (done.count as f64 / seconds.max(1e-9)).round();
        all.part(done.signature);
        parts.insert(name.to_owned(), json!(done.signature.to_string()));
        speeds.insert(format!("{name}: {} a second", done.unit), json!(speed));
        if !args.json {
            let signature = done.signature;
            writeln!(output, "{name:<10} {signature} {speed:>12} {} a second, {seconds:.2} s", done.unit)?;
        }
    }
    if args.json {
        let line = json!({"signature": all.to_string(), "parts": Value::Object(parts), "speeds": Value::Object(speeds)});
        writeln!(output, "{line}")?;
    } else {
        writeln!(output, "{:<10} {all}", "all")?;
    }
    Ok(())
}
