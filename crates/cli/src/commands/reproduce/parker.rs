//! `nebel reproduce parker`: Parker, Nau and Subrahmanian (2005).

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

use nebel_arena::{
    parker::Parker,
    runner::RunError,
    store::Store,
    time::{self, TimeControl},
};

use super::write_page;
use crate::{commands::arena::store_failure, failure::Failure, input};

/// The six pairings of Figures 2 and 3, resumable; a page and the material by move.
#[derive(clap::Args, Debug)]
pub(crate) struct ParkerArgs {
    /// Games for each pairing.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Time for each attempt; the paper gave 30s.
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    attempt_time: String,
    /// A budget of nodes for each attempt instead of time: the same games on any machine.
    #[arg(long, value_name = "N", conflicts_with = "attempt_time")]
    nodes: Option<u64>,
    /// Who values boards: `ab`, or an engine outside such as `uci/gnuchess -u` (the paper's) or `uci/stockfish`.
    #[arg(long, value_name = "SPEC", default_value = "ab")]
    eval: String,
    /// A game is drawn after so many moves of each side.
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_moves: u32,
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Two games a pairing at 5ms, to see that it works.
    #[arg(long)]
    quick: bool,
    /// Keep the games in this file, and go on where an earlier run was.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Where to write the page and its figures.
    #[arg(long, short, value_name = "DIR", default_value = "parker")]
    output: PathBuf,
}

/// Plays and writes the page.
pub(super) fn run(args: &ParkerArgs) -> Result<(), Failure> {
    let (games, attempt_time) = if args.quick { (2, "5ms") } else { (args.games, &*args.attempt_time) };
    let time = time::parse_duration(attempt_time).map_err(|error| Failure::input("--attempt-time", error))?;
    let experiment = Parker {
        games,
        time: args.nodes.filter(|_| !args.quick).map_or(TimeControl::Attempt(time), TimeControl::Nodes),
        jobs: args.jobs.clamp(1, 256),
        max_moves: args.max_moves,
        seed: args.seed,
        options: (args.eval != "ab").then(|| format!("eval={}", args.eval)),
    };
    let place = args.store.as_deref().map_or_else(|| "memory".to_owned(), input::place);
    let store = args.store.as_deref().map_or_else(Store::in_memory, Store::open);
    let store = store.map_err(|error| store_failure(&place, error))?;
    let interactive = io::stderr().is_terminal();
    let page = experiment.run(&store, |pairing, progress| {
        if interactive {
            eprint!("\r{pairing}: {}/{} games   ", progress.done, progress.of);
        }
    });
    if interactive {
        eprintln!();
    }
    let page = page.map_err(|error| match error {
        RunError::Spec(error) => Failure::BadInput(error.to_string()),
        RunError::Store(error) => store_failure(&place, error),
    })?;
    let files = page.files.iter().map(|(name, text)| (&**name, &**text));
    write_page(&args.output, files, ("parker.md", &page.markdown))
}
