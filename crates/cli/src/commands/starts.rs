//! Where the games of a match begin.

use std::path::PathBuf;

use nebel_arena::opening;
use nebel_kriegspiel::Chess;

use crate::{args::StartArg, failure::Failure, input};

/// Starting positions of a match: one, a list, or random ones.
#[derive(clap::Args, Debug)]
pub(crate) struct StartsArgs {
    /// Starting positions, one FEN a line; each is played with both colours.
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    starts: Option<PathBuf>,
    /// Begin after so many random quiet plies: fifty starts, each played with both colours.
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "starts"], value_parser = clap::value_parser!(u8).range(..=MOST_PLIES))]
    random_plies: Option<u8>,
    #[command(flatten)]
    start: StartArg,
}

/// Plies beyond which random moves are no opening any more.
const MOST_PLIES: i64 = 40;

impl StartsArgs {
    /// The positions, taken in turn.
    pub(crate) fn positions(&self, seed: u64) -> Result<Vec<Chess>, Failure> {
        if let Some(plies) = self.random_plies {
            return Ok(opening::starts(plies.into(), seed));
        }
        let Some(path) = &self.starts else {
            return Ok(vec![self.start.position()?]);
        };
        let starts = input::read_positions(path)?;
        if starts.is_empty() {
            return Err(Failure::input(&input::place(path), "no position in it"));
        }
        Ok(starts)
    }
}
