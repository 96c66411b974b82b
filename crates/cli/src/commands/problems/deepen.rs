//! `nebel problems deepen`: the near-misses of a collection, judged at a greater depth.

use std::path::PathBuf;

use nebel_experiments::russell_wolfe::{Deepening, seconds};

use super::{read_entries, write_entries};
use crate::{args::OutputArg, commands::farm::FarmArgs, failure::Failure, input, progress::Line};

#[derive(clap::Args, Debug)]
pub(super) struct DeepenArgs {
    /// The collection.
    file: PathBuf,
    /// The depth.
    #[arg(long, value_name = "D")]
    plies: u32,
    /// Give a search up after so many seconds; a problem takes two.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    time: f64,
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
    // Before a file is read.
    seconds(args.time)?;
    let entries = read_entries(&args.file)?;
    let place = input::place(&args.file);
    let journal = args.output.output.as_ref().map(|output| {
        let mut path = output.clone().into_os_string();
        path.push(".journal");
        PathBuf::from(path)
    });
    let mut deepening = Deepening::begin(&place, &entries, args.plies, args.time, journal.as_deref())?;
    let line = Line::default();
    let at = args.farm.place(args.jobs.clamp(1, 256), args.output.output.as_deref())?;
    let deeper = deepening.run(&at, |judged| {
        line.show(&format!("{} of {}: {judged}", judged.problem, entries.len()));
    })?;
    drop(line);
    write_entries(&args.output, &deeper)?;
    Ok(deepening.end()?)
}
