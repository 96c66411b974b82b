//! `nebel reproduce rw-fig4`: Russell and Wolfe (2005), Figure 4 and the table of section 6.4.

mod page;

use std::{fs, path::PathBuf};

use nebel_prover::collection::Entry;
use nebel_search::Algorithm;

use self::page::Page;
use super::write_page;
use crate::{
    commands::problems::{Measurement, RowFile, SearchTerms, Task, curve, read_entries},
    failure::Failure,
    input,
};

/// All algorithms over mates and near-misses, resumable; a page with both rankings and the curves.
#[derive(clap::Args, Debug)]
pub(crate) struct RwFig4Args {
    /// The collection; the paper's problems were of 5 plies.
    #[arg(long, value_name = "FILE", default_value = "collections/berkeley-5.jsonl")]
    collection: PathBuf,
    /// So many mates and so many near-misses, the first of the collection.
    #[arg(long, value_name = "N", default_value_t = 20)]
    problems: usize,
    /// Give a problem up after so many seconds; the paper gave 2000.
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    time: f64,
    /// Problems at a time. Searches that share a machine slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Three problems of each kind at 0.2 s, to see that it works.
    #[arg(long)]
    quick: bool,
    /// Where to write the page, its data and its figures; data of an earlier run there are gone on with.
    #[arg(long, short, value_name = "DIR", default_value = "rw-fig4")]
    output: PathBuf,
}

/// A search is given up when it holds more than so many mebibytes.
const MEMORY: usize = 1024;

/// Measures and writes the page.
pub(super) fn run(args: &RwFig4Args) -> Result<(), Failure> {
    let (problems, time) = if args.quick { (3, 0.2) } else { (args.problems, args.time) };
    crate::commands::problems::seconds(time)?;
    let entries = read_entries(&args.collection)?;
    let mates = tasks(&entries, true, problems);
    let misses = tasks(&entries, false, problems);
    for (kind, tasks) in [("mate", &mates), ("near-miss", &misses)] {
        if tasks.is_empty() {
            let cause = format_args!("no {kind} to measure");
            return Err(Failure::input(&input::place(&args.collection), cause));
        }
    }
    let rows_of_mates = mates.len() * Algorithm::ALL.len();
    let all: Vec<Task> = mates.into_iter().chain(misses).collect();
    let measurement = Measurement {
        collection: &args.collection,
        algorithms: &Algorithm::ALL,
        terms: SearchTerms { time, memory: MEMORY, threads: 1 },
        jobs: args.jobs,
    };
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let table = RowFile::open(Some(&args.output.join("rw-fig4.csv")))?;
    let rows = measurement.run(&all, table)?;
    let (mates, misses) = rows.split_at(rows_of_mates);
    let page = Page { mates, misses, time, jobs: args.jobs.max(1) }.to_string();
    let draw = |title, rows| {
        curve(title, &Algorithm::ALL, time, rows)
            .ok_or_else(|| Failure::Run(anyhow::anyhow!("the curve cannot be drawn")))
    };
    let drawings = [draw("Mates", mates)?, draw("Near-misses", misses)?];
    let files = [("mates.svg", &*drawings[0]), ("near-misses.svg", &*drawings[1])];
    write_page(&args.output, files, ("rw-fig4.md", &page))
}

/// The first problems of a kind.
fn tasks(entries: &[Entry], guaranteed: bool, count: usize) -> Vec<Task> {
    let of_kind = entries.iter().enumerate().filter(|(_, entry)| entry.guaranteed == Some(guaranteed));
    of_kind
        .take(count)
        .map(|(index, entry)| Task { index, plies: entry.plies, entry: entry.clone() })
        .collect()
}
