//! Players by name: the specs that commands take, such as `random` or `exec:./bot --fast`.

use thiserror::Error;

use crate::{Exec, Greedy, Player, Random};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name that specs begin with.
    pub name: &'static str,
    /// What comes behind the colon, if anything does.
    pub options: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    make: fn(Option<&str>) -> Option<Box<dyn Player>>,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        options: "",
        about: "tries attempts that make sense, each equally likely",
        make: |options| options.is_none().then(|| Box::<Random>::default() as _),
    },
    Kind {
        name: "greedy",
        options: "",
        about: "takes back, uses pawn tries, and else moves at random",
        make: |options| options.is_none().then(|| Box::<Greedy>::default() as _),
    },
    Kind {
        name: "exec",
        options: "COMMAND",
        about: "a program outside, behind the bot protocol (JSON Lines on its standard input and output)",
        make: |options| {
            options
                .filter(|command| !command.trim().is_empty())
                .map(|command| Box::new(Exec::new(command)) as _)
        },
    },
];

/// All kinds of player.
pub fn kinds() -> &'static [Kind] {
    KINDS
}

/// The player that a spec names.
pub fn by_spec(spec: &str) -> Result<Box<dyn Player>, SpecError> {
    let (name, options) = spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
    let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| SpecError::Unknown {
        spec: spec.to_owned(),
        known: KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })?;
    (kind.make)(options).ok_or_else(|| SpecError::Options {
        player: name.to_owned(),
        given: options.unwrap_or("nothing").to_owned(),
        wanted: if kind.options.is_empty() { "no options" } else { kind.options },
    })
}

/// Why a spec names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Nobody has this name.
    #[error("unknown player `{spec}` (known: {known})")]
    Unknown {
        /// What was given.
        spec: String,
        /// The names there are.
        known: String,
    },
    /// The player does not take these options.
    #[error("player `{player}` takes {wanted}, not `{given}`")]
    Options {
        /// The player.
        player: String,
        /// What was given.
        given: String,
        /// What it takes.
        wanted: &'static str,
    },
}
