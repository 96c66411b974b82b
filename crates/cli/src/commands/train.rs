//! `nebel train`: a value for the champion, learned from its own games.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use nebel_experiments::champion::train::Training;

use super::reproduce::refused;
use crate::{args::OutputArg, failure::Failure, input, progress::Line};

/// Learn a value for the champion from its own games.
#[derive(clap::Args, Debug)]
pub(crate) struct TrainArgs {
    /// Games of self-play; an even number, so that each start is played with both colours. More may be asked for later.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The options of the champion that plays against itself, as behind `nebel:`.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// A game is drawn after so many moves of each side.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_moves: u32,
    /// How much a target believes later turns and the result: 0 the search at the next turn alone, 1 the result alone.
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = share)]
    lambda: f32,
    /// Units of the hidden layer.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=256))]
    units: u32,
    /// Times that all samples are gone through.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    epochs: u32,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder that keeps the games: a run that was killed goes on from there.
    #[arg(long, value_name = "DIR", default_value = "train")]
    store: PathBuf,
    #[command(flatten)]
    output: OutputArg,
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(format!("{text} is not from 0 to 1")) }
}

/// Plays, learns, writes the weights, and tells what was learned: where the weights go to standard output, on standard error.
pub(crate) fn run(args: &TrainArgs) -> Result<(), Failure> {
    let training = Training {
        options: args.options.clone(),
        games: args.games,
        max_moves: args.max_moves,
        lambda: args.lambda,
        units: args.units as usize,
        epochs: args.epochs,
        seed: args.seed,
    };
    fs::create_dir_all(&args.store).map_err(|error| Failure::input(&input::place(&args.store), error))?;
    let line = Line::default();
    let trained = training.run(&args.store, |done, of| line.show(&format!("train: {done}/{of} games")));
    drop(line);
    let trained = trained.map_err(refused)?;
    args.output.write(trained.value.to_json().as_bytes())?;
    if args.output.output.is_some() {
        Ok(write!(io::stdout(), "{}", trained.report)?)
    } else {
        Ok(write!(io::stderr(), "{}", trained.report)?)
    }
}
