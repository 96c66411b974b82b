//! `nebel problems deepen`: the near-misses of a collection, judged at a greater depth.

use std::path::PathBuf;

use nebel_experiments::russell_wolfe::{DeepenTerms, Deepening};

use super::{read_entries, write_entries};
use crate::{args::OutputArg, commands::farm::FarmArgs, failure::Failure, input, progress::Line};

#[derive(clap::Args, Debug)]
pub(super) struct DeepenArgs {
    /// The collection.
    file: PathBuf,
    /// The depth.
    #[arg(long, value_name = "D")]
    plies: u32,
    /// Give a search up after so many states, some ten seconds' worth if nothing is said. The clock is no limit: so the
    /// same collection gives the same deeper one on any machine.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    nodes: u64,
    /// Only the first so many mates and the first so many near-misses; what comes behind them is not judged [default: all].
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Write what the limit left undecided to this file, instead of behind the others.
    #[arg(long, value_name = "FILE")]
    open: Option<PathBuf>,
    /// Problems at a time. Searches that share a machine slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    farm: FarmArgs,
    #[command(flatten)]
    output: OutputArg,
}

/// Judges the near-misses, with a journal beside the output as long as that is not written; output that goes nowhere in
/// particular has none.
pub(super) fn run(args: &DeepenArgs) -> Result<(), Failure> {
    let entries = read_entries(&args.file)?;
    let place = input::place(&args.file);
    let journal = args.output.output.as_ref().map(|output| {
        let mut path = output.clone().into_os_string();
        path.push(".journal");
        PathBuf::from(path)
    });
    let terms = DeepenTerms { plies: args.plies, nodes: args.nodes, count: args.count };
    let mut deepening = Deepening::begin(&place, &entries, terms, journal.as_deref())?;
    let line = Line::default();
    let at = args.farm.place(args.jobs.clamp(1, 256), args.output.output.as_deref())?;
    let mut deeper = deepening.run(&at, |judged| {
        line.show(&format!("{} of {}: {judged}", judged.problem, entries.len()));
    })?;
    drop(line);
    match &args.open {
        Some(path) => write_entries(&OutputArg { output: Some(path.clone()) }, &deeper.open)?,
        None => deeper.problems.append(&mut deeper.open),
    }
    write_entries(&args.output, &deeper.problems)?;
    Ok(deepening.end()?)
}
