//! `nebel reproduce parker`: Parker, Nau and Subrahmanian (2005).

use std::path::PathBuf;

use nebel_arena::time::{self, TimeControl};
use nebel_experiments::parker::Parker;

use super::{Kept, show, write_page};
use crate::{commands::arena::run_failure, failure::Failure, progress::Line};

/// The six pairings of Figures 2 and 3, resumable; a page and the material by move.
#[derive(clap::Args, Debug)]
pub(crate) struct ParkerArgs {
    /// Games for each pairing.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Time for each attempt; the paper gave 30s.
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    attempt_time: String,
    /// A budget of nodes for each attempt instead of time, and 350 boards in any case as in the paper: the same games on any machine.
    #[arg(long, value_name = "N", conflicts_with = "attempt_time")]
    nodes: Option<u64>,
    /// Who values boards: `ab`, or an engine outside such as `uci/gnuchess -u` (the paper's) or `uci/stockfish`.
    #[arg(long, value_name = "SPEC", default_value = "ab")]
    eval: String,
    /// Two games a pairing at 5ms, to see that it works.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    kept: Kept,
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
        place: args.kept.games.place()?,
        max_moves: args.kept.max_moves,
        seed: args.kept.games.seed,
        versions: args.kept.games.versions(),
        options: options(args),
    };
    let (store, place) = args.kept.games.open()?;
    let line = Line::default();
    let page = experiment.run(&store, |pairing, progress| show(&line, pairing, progress.done, progress.of));
    drop(line);
    write_page(&args.output, "parker.md", &page.map_err(|error| run_failure(&place, error))?)
}

/// The options of the sampling players. By nodes alone they would value two or three boards, where the paper's had some 350.
fn options(args: &ParkerArgs) -> Option<String> {
    let preset = args.nodes.filter(|_| !args.quick).map(|_| "preset=paper".to_owned());
    let eval = (args.eval != "ab").then(|| format!("eval={}", args.eval));
    let given: Vec<String> = preset.into_iter().chain(eval).collect();
    (!given.is_empty()).then(|| given.join(","))
}
