//! `nebel bot`: any player behind the bot protocol.

use std::{io, path::Path};

use nebel_players::{ServeError, by_spec, serve};

use crate::{failure::Failure, input};

/// Put any player behind the bot protocol (JSON Lines on standard input and output).
#[derive(clap::Args, Debug)]
pub(crate) struct BotArgs {
    /// The player.
    spec: String,
}

/// Serves until told to quit.
pub(crate) fn run(args: &BotArgs) -> Result<(), Failure> {
    let mut player = by_spec(&args.spec).map_err(|error| Failure::BadInput(error.to_string()))?;
    serve(&mut *player, input::open(Path::new("-"))?, io::stdout().lock()).map_err(|error| match error {
        ServeError::Io(error) => error.into(),
        error @ ServeError::Message { .. } => Failure::input("standard input", error),
    })
}
