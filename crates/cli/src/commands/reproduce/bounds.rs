//! `nebel reproduce bounds`: what the champion would win with knowledge that it cannot have.

use std::{fs, path::PathBuf};

use nebel_experiments::champion::bounds::Bounds;

use super::{refused, show, write_page};
use crate::{failure::Failure, input, progress::Line};

/// What the champion would win with knowledge that it cannot have.
#[derive(clap::Args, Debug)]
pub(crate) struct BoundsArgs {
    /// Games with each kind of knowledge; an even number, so that each start is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Two games of each.
    #[arg(long)]
    quick: bool,
    /// The champion's options.
    #[arg(long, value_name = "OPTIONS", default_value = "preset=recipe")]
    options: String,
    /// Who plays against it.
    #[arg(long, value_name = "SPEC", default_value = "minimax")]
    opponent: String,
    /// Nodes for each choice of the opponent.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    nodes: u64,
    /// Plies of the search on the true position.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=8))]
    depth: u8,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the page.
    #[arg(long, short, value_name = "DIR", default_value = "bounds")]
    output: PathBuf,
}

/// The other player's policy is learnt from so many games.
const TRAINING: u32 = 30;
/// Exact beliefs stand in up to so many positions: some tenths of a second a move.
const EXACT: usize = 1_000_000;
/// A game is drawn after so many moves of each side.
const MAX_MOVES: u32 = 250;

/// Plays all rows and writes the page.
pub(super) fn run(args: &BoundsArgs) -> Result<(), Failure> {
    let (games, training) = if args.quick { (2, 2) } else { (args.games, TRAINING) };
    let bounds = Bounds {
        options: args.options.clone(),
        opponent: args.opponent.clone(),
        games,
        nodes: args.nodes,
        training,
        depth: args.depth,
        exact: EXACT,
        max_moves: MAX_MOVES,
        seed: args.seed,
    };
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let line = Line::default();
    let page = bounds.run(&args.output, |done, of| show(&line, "bounds", done, of));
    drop(line);
    write_page(&args.output, "bounds.md", &page.map_err(refused)?)
}
