//! `nebel problems verify`: every problem of a collection proved again, and what mates replayed before the umpire.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

use nebel_experiments::russell_wolfe::material_wins;
use nebel_prover::collection::{Entry, check};
use nebel_search::Limits;

use super::{at, read_entries, show_done};
use crate::{failure::Failure, input, progress::Line};

#[derive(clap::Args, Debug)]
pub(super) struct CheckArgs {
    /// The collections.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only every so manieth problem.
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Give a search up after so many states; a problem that takes more is a failure.
    #[arg(long, value_name = "N", default_value_t = 200_000_000)]
    nodes: u64,
}

/// Checks, and says how many there are of each kind. The first problem that is not what it is called ends it.
pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let tables = material_wins();
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    for file in &args.files {
        let entries = read_entries(file)?;
        let line = Line::default();
        let mut peaks = Vec::new();
        for (index, entry) in entries.iter().enumerate().step_by(args.every.get()) {
            peaks.push(check(entry, &limits, &tables).map_err(|error| at(file, index, &error))?);
            show_done(&line, index + 1, entries.len());
        }
        drop(line);
        if let Some(error) = tables.take_error() {
            return Err(Failure::Run(error.into()));
        }
        writeln!(io::stdout(), "{}: {}; {}", input::place(file), counted(&entries), largest(peaks))?;
    }
    Ok(())
}

/// How large White's belief has become on the way to those that were checked.
fn largest(mut peaks: Vec<usize>) -> String {
    peaks.sort_unstable();
    let at = |share: usize| peaks.get(peaks.len().saturating_sub(1) * share / 100).copied().unwrap_or(0);
    format!(
        "{} checked; White's belief on the way at most {} positions for half of them, {} for nine of ten, {} for all",
        peaks.len(),
        at(50),
        at(90),
        at(100)
    )
}

/// How many there are of each kind; mates of a single position, which are ordinary chess, are counted apart.
fn counted(entries: &[Entry]) -> String {
    let count = |of: &dyn Fn(&Entry) -> bool| entries.iter().filter(|entry| of(entry)).count();
    let mates = count(&|entry| entry.guaranteed == Some(true));
    let single = count(&|entry| entry.guaranteed == Some(true) && entry.states == 1);
    let misses = count(&|entry| entry.guaranteed == Some(false));
    let open = count(&|entry| entry.guaranteed.is_none());
    format!("{mates} mates, {single} of them of a single position, {misses} near-misses, {open} undecided")
}
