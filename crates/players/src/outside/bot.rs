//! The bot's end of the protocol: one of our players behind JSON Lines on standard input and output. [`crate::Exec`] is the
//! other end.

use std::io::{self, BufRead, Write};

use nebel_kriegspiel::{Event, OwnSide};
use serde::Deserialize as _;
use serde_json::Value;
use thiserror::Error;

use super::message::{FromBot, ToBot, line};
use crate::Player;

/// Why a bot stopped serving.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A message cannot be understood.
    #[error("line {line}: {cause}")]
    Message {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: String,
    },
    /// The other end is gone, or cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves a player over the bot protocol until `quit` or the end of input.
pub fn serve(player: &mut dyn Player, input: impl BufRead, mut output: impl Write) -> Result<(), ServeError> {
    let mut own: Option<OwnSide> = None;
    for (index, text) in input.lines().enumerate() {
        let text = text?;
        let wrong = |cause: String| ServeError::Message { line: index + 1, cause };
        if text.trim().is_empty() {
            continue;
        }
        // First as any JSON, so that text that is none is told apart from a message that nobody knows.
        let message: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let message = ToBot::deserialize(message).map_err(|_| wrong("no known `type`".to_owned()))?;
        let answer = match message {
            ToBot::New(new) => {
                let game = new.game().map_err(wrong)?;
                own = Some(OwnSide::new(game.rules.clone(), &game.start, game.side));
                player.allow(new.clock.into());
                player.start(game).map_err(|fault| wrong(fault.to_string()))?;
                let version = Some(env!("CARGO_PKG_VERSION").to_owned());
                Some(FromBot::Ready { name: player.spec(), version })
            }
            ToBot::Event(fields) => {
                let own = own.as_mut().ok_or_else(|| wrong("an event before `new`".to_owned()))?;
                let event = Event::from_json(&Value::Object(fields).to_string());
                let event = event.map_err(|error| wrong(error.to_string()))?;
                let heard = own.take(event).map_err(|error| wrong(error.to_string()))?;
                player.hear(&heard).map_err(|fault| wrong(fault.to_string()))?;
                None
            }
            ToBot::Go { clock } => {
                let choice = player.choose(&clock.into()).map_err(|fault| wrong(fault.to_string()))?;
                Some(choice.into())
            }
            ToBot::Over { .. } => None,
            ToBot::Quit => return Ok(()),
        };
        if let Some(answer) = answer {
            writeln!(output, "{}", line(&answer))?;
            output.flush()?;
        }
    }
    Ok(())
}
