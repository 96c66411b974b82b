//! `nebel reproduce watched`: whether the champion's chance to win comes true, whether its belief lives, and by what it loses.

use std::{fs, path::PathBuf};

use nebel_experiments::champion::watched::Watched;

use super::{refused, show, write_page};
use crate::{failure::Failure, input, progress::Line};

/// Whether the champion's chance to win comes true, whether its belief lives, and by what it loses.
#[derive(clap::Args, Debug)]
pub(crate) struct WatchedArgs {
    /// Games against each opponent; an even number, so that each start is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Two games against each.
    #[arg(long)]
    quick: bool,
    /// The champion's options.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// Against whom.
    #[arg(long, value_name = "SPEC", num_args = 1.., default_values = ["minimax", "c", "hs:k=50", "nebel"])]
    opponents: Vec<String>,
    /// Nodes for each choice of the opponents.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    nodes: u64,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the page.
    #[arg(long, short, value_name = "DIR", default_value = "watched")]
    output: PathBuf,
}

/// A game is drawn after so many moves of each side.
const MAX_MOVES: u32 = 250;

/// Plays the games and writes the page.
pub(super) fn run(args: &WatchedArgs) -> Result<(), Failure> {
    let watched = Watched {
        options: args.options.clone(),
        opponents: args.opponents.clone(),
        games: if args.quick { 2 } else { args.games },
        nodes: args.nodes,
        max_moves: MAX_MOVES,
        seed: args.seed,
    };
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let line = Line::default();
    let page = watched.run(&args.output, |done, of| show(&line, "watched", done, of));
    drop(line);
    write_page(&args.output, "watched.md", &page.map_err(refused)?)
}
