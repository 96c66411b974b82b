//! `nebel problems bench`: algorithms over a collection, in parallel, resumable, with the cumulative curve.

use std::{io, path::PathBuf};

use nebel_experiments::russell_wolfe::{
    Measurement, Row, RowFile, SearchTerms, Task, WorkError, curve, seconds,
};
use nebel_search::Algorithm;

use super::{read_entries, show_done};
use crate::{args::OutputArg, commands::farm::FarmArgs, failure::Failure, input, progress::Line};

#[derive(clap::Args, Debug)]
pub(super) struct BenchArgs {
    /// The collection.
    file: PathBuf,
    /// The algorithms, by name, separated by commas.
    #[arg(long, value_name = "NAMES", default_value = "gl-dbu,auto", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Give a problem up after so many seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    time: f64,
    /// Only the first so many problems [default: all].
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Search to this depth instead of the collection's.
    #[arg(long, value_name = "D")]
    plies: Option<u32>,
    /// Give up when a search holds more than so many mebibytes.
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: usize,
    /// Threads for `auto`.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Problems at a time. Searches that share a machine slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    farm: FarmArgs,
    /// Draw how many problems are decided after so many seconds, as SVG.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Write rows to this file as they come instead of standard output, and leave out those that it holds already.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Measures, and says the totals on standard error.
pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let algorithms = args.algorithms.iter().map(|name| name.parse::<Algorithm>());
    let mut algorithms =
        algorithms.collect::<Result<Vec<_>, _>>().map_err(|error| Failure::input("--algorithms", error))?;
    let mut seen = Vec::new();
    algorithms.retain(|&algorithm| {
        let new = !seen.contains(&algorithm);
        seen.push(algorithm);
        new
    });
    // Before a file is touched.
    seconds(args.time)?;
    let entries = read_entries(&args.file)?.into_iter().enumerate().take(args.first.unwrap_or(usize::MAX));
    let tasks: Vec<Task> = entries
        .map(|(index, entry)| Task { index, plies: args.plies.unwrap_or(entry.plies), entry })
        .collect();
    let place = input::place(&args.file);
    if tasks.is_empty() {
        return Err(Failure::input(&place, "no problem to measure"));
    }
    let at = args.farm.place(args.jobs.clamp(1, 256), args.output.as_deref())?;
    let measurement = Measurement {
        place: &place,
        algorithms: &algorithms,
        terms: SearchTerms { time: args.time, memory: args.memory, threads: args.threads },
        at: &at,
    };
    let table = match &args.output {
        Some(path) => RowFile::open(path)?,
        None => RowFile::new("standard output", Box::new(io::stdout()))?,
    };
    let line = Line::default();
    let rows = measurement.run(&tasks, table, |done, of| show_done(&line, done, of))?;
    drop(line);
    if let Some(path) = &args.curve {
        let title = format!("{} problems", tasks.len());
        let svg = curve(&title, &algorithms, args.time, &rows).ok_or(WorkError::Undrawn("curve"))?;
        OutputArg { output: Some(path.clone()) }.write(svg.as_bytes())?;
    }
    for algorithm in algorithms {
        totals(algorithm, &rows);
    }
    Ok(())
}

fn totals(algorithm: Algorithm, rows: &[Row]) {
    let rows = || rows.iter().filter(|row| row.algorithm == algorithm);
    let spent: f64 = rows().map(Row::charged).sum();
    let constructed: u64 = rows().map(|row| row.counters.constructed).sum();
    let undecided = rows().filter(|row| !row.decided()).count();
    let rate = constructed as f64 / spent / 1e6;
    eprintln!(
        "{algorithm:8} {spent:10.3} s, {constructed:12} constructed, {rate:6.2} million a second, {undecided} undecided"
    );
}
