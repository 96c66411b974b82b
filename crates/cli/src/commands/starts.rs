//! Where the games of a match begin.

use std::path::{Path, PathBuf};

use nebel_arena::opening::Starts;

use crate::{args::StartArg, failure::Failure, input};

/// Starting positions of a match: one, a list, or random ones.
#[derive(clap::Args, Debug)]
pub(crate) struct StartsArgs {
    /// Starting positions, one FEN a line, each played with both colours; with --random-plies, how many there are.
    #[arg(long, value_name = "FILE|N", conflicts_with = "fen")]
    starts: Option<PathBuf>,
    /// Begin after so many random quiet plies, drawn from the seed: another start for every two games, or --starts N of them.
    #[arg(long, value_name = "N", conflicts_with = "fen", value_parser = clap::value_parser!(u8).range(..=MOST_PLIES))]
    random_plies: Option<u8>,
    #[command(flatten)]
    start: StartArg,
}

/// Plies beyond which random moves are no opening any more.
const MOST_PLIES: i64 = 40;
/// Starts beyond which a match should have another for every two games. All are among what it is known by.
const MOST_STARTS: u32 = 10_000;

impl StartsArgs {
    /// The positions, taken in turn.
    pub(crate) fn positions(&self, seed: u64) -> Result<Starts, Failure> {
        match (self.random_plies, &self.starts) {
            (Some(plies), None) => Ok(Starts::drawn(plies.into(), seed)),
            (Some(plies), Some(count)) => Ok(Starts::drawn(plies.into(), seed).first(read_count(count)?)),
            (None, Some(path)) => read_list(path),
            (None, None) => Ok(Starts::Listed(vec![self.start.position()?])),
        }
    }
}

fn read_count(text: &Path) -> Result<u32, Failure> {
    let count = text.to_str().and_then(|text| text.parse().ok());
    count.filter(|count| (1..=MOST_STARTS).contains(count)).ok_or_else(|| {
        let wanted =
            format_args!("with --random-plies a number from 1 to {MOST_STARTS}, not `{}`", text.display());
        Failure::input("--starts", wanted)
    })
}

fn read_list(path: &Path) -> Result<Starts, Failure> {
    let is_count = path.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    if is_count && !path.exists() {
        return Err(Failure::input("--starts", "a number of starts needs --random-plies"));
    }
    let starts = input::read_positions(path)?;
    if starts.is_empty() {
        return Err(Failure::input(&input::place(path), "no position in it"));
    }
    Ok(Starts::Listed(starts))
}
