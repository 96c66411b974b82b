//! Players by name: the specs that commands take, such as `random`, `hs:k=200` or `exec:./bot --fast`.
//!
//! A spec is judged by the declarations of its kind ([`PlayerOption`]) before anything is built. [`check_untrusted`] judges
//! without building anything at all.

use nebel_kriegspiel::start::shortened;
use thiserror::Error;

use crate::{
    Exec, Greedy, Minimax, Nebel, Player, Program, Random, Wolfe, darkboard,
    favini::{self, Mcts},
    nebel,
    options::{Given, OptionError, PlayerOption},
    parker::{self, Sampling, Source},
};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name that specs begin with.
    pub name: &'static str,
    /// What may come behind the colon.
    pub takes: Behind,
    /// What it does, in a line.
    pub about: &'static str,
    make: fn(Option<&str>) -> Made,
}

/// What may come behind the colon of a spec.
#[derive(Clone, Copy, Debug)]
pub enum Behind {
    /// These options, or nothing.
    Options(&'static [PlayerOption]),
    /// The command of a program to be started.
    Command,
}

/// A player, or the option that is wrong.
type Made = Result<Box<dyn Player>, OptionError>;

const NO_OPTIONS: Behind = Behind::Options(&[]);

const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        takes: NO_OPTIONS,
        about: "tries attempts that make sense, each equally likely",
        make: |_| Ok(Box::new(Random::default())),
    },
    Kind {
        name: "greedy",
        takes: NO_OPTIONS,
        about: "takes back, uses pawn tries, and else moves at random",
        make: |_| Ok(Box::new(Greedy::default())),
    },
    Kind {
        name: "los",
        takes: Behind::Options(parker::options(Source::Los)),
        about: "last observation sampling (Parker et al. 2005): k boards that agree with the last announcement",
        make: |options| Ok(Box::new(Sampling::new(Source::Los, options)?)),
    },
    Kind {
        name: "aos",
        takes: Behind::Options(parker::options(Source::Aos)),
        about: "all observation sampling: k random histories that agree with everything heard",
        make: |options| Ok(Box::new(Sampling::new(Source::Aos, options)?)),
    },
    Kind {
        name: "aosp",
        takes: Behind::Options(parker::options(Source::Aosp)),
        about: "all observation sampling with a pool of consistent positions, cut to `keep` above `pool`",
        make: |options| Ok(Box::new(Sampling::new(Source::Aosp, options)?)),
    },
    Kind {
        name: "hs",
        takes: Behind::Options(parker::options(Source::Hs)),
        about: "hybrid sampling: the pool, filled up with boards of the last observation (rule=answers values refusals)",
        make: |options| Ok(Box::new(Sampling::new(Source::Hs, options)?)),
    },
    Kind {
        name: "wolfe-white",
        takes: NO_OPTIONS,
        about: "the attacker of the problem collections (Russell and Wolfe 2005): exact estimation, a static look ahead",
        make: |_| Ok(Box::new(Wolfe::new(Program::White))),
    },
    Kind {
        name: "wolfe-black",
        takes: NO_OPTIONS,
        about: "its opponent there: part of its belief, captures and checks first",
        make: |_| Ok(Box::new(Wolfe::new(Program::Black))),
    },
    Kind {
        name: "minimax",
        takes: Behind::Options(darkboard::OPTIONS),
        about: "weighted maximax over metapositions (Darkboard 1, Ciancarini and Favini); tables=off plays endings by hand-made rules",
        make: |options| Ok(Box::new(Minimax::new(options)?)),
    },
    Kind {
        name: "a",
        takes: Behind::Options(favini::options("a")),
        about: "tree search that draws boards and plays games out (Ciancarini and Favini 2010, approach A)",
        make: |options| Ok(Box::new(Mcts::new("a", options)?)),
    },
    Kind {
        name: "b",
        takes: Behind::Options(favini::options("b")),
        about: "tree search that draws the umpire's messages for k moves (approach B)",
        make: |options| Ok(Box::new(Mcts::new("b", options)?)),
    },
    Kind {
        name: "c",
        takes: Behind::Options(favini::options("c")),
        about: "tree search over the expectation of one move and its exchange (approach C)",
        make: |options| Ok(Box::new(Mcts::new("c", options)?)),
    },
    Kind {
        name: "bc",
        takes: Behind::Options(favini::options("bc")),
        about: "the first move as in C, the moves behind it as in B",
        make: |options| Ok(Box::new(Mcts::new("bc", options)?)),
    },
    Kind {
        name: "nebel",
        takes: Behind::Options(nebel::OPTIONS),
        about: "the champion: one modelled reply over weighted positions, and the turn as a plan",
        make: |options| Ok(Box::new(Nebel::new(options)?)),
    },
    Kind {
        name: "exec",
        takes: Behind::Command,
        about: "a program outside, behind the bot protocol (JSON Lines on its standard input and output)",
        make: |command| Ok(Box::new(Exec::new(command.unwrap_or_default()))),
    },
];

impl Kind {
    /// The options that may come behind the colon.
    pub const fn options(&self) -> &'static [PlayerOption] {
        match self.takes {
            Behind::Options(options) => options,
            Behind::Command => &[],
        }
    }

    /// How it is written with all that it takes: `minimax:tables=on`.
    pub fn usage(&self) -> String {
        let behind = match self.takes {
            Behind::Options([]) => return self.name.to_owned(),
            Behind::Options(options) => {
                options.iter().map(PlayerOption::written).collect::<Vec<_>>().join(",")
            }
            Behind::Command => "COMMAND".to_owned(),
        };
        format!("{}:{behind}", self.name)
    }

    pub(crate) fn wrong(&self, error: OptionError) -> SpecError {
        SpecError::Options { player: self.name, error }
    }
}

/// All kinds of player.
pub fn kinds() -> &'static [Kind] {
    KINDS
}

/// The player that a spec names.
pub fn by_spec(spec: &str) -> Result<Box<dyn Player>, SpecError> {
    let (kind, behind) = kind_of(spec)?;
    let wrong = |error| kind.wrong(error);
    match kind.takes {
        Behind::Options(declared) => drop(Given::judge(declared, behind).map_err(wrong)?),
        Behind::Command if behind.is_none_or(|command| command.trim().is_empty()) => {
            return Err(wrong(OptionError::Command));
        }
        Behind::Command => {}
    }
    (kind.make)(behind).map_err(wrong)
}

/// Whether a stranger may choose this player: it starts no program and reads no file, and of its options only those are
/// given that are open to strangers. Nothing is built.
pub fn check_untrusted(spec: &str) -> Result<(), SpecError> {
    let (kind, behind) = kind_of(spec)?;
    match kind.takes {
        Behind::Options(declared) => {
            Given::judge_stranger(declared, behind).map(|_| ()).map_err(|error| kind.wrong(error))
        }
        Behind::Command => Err(SpecError::Program(kind.name)),
    }
}

/// Whether this player stays within this process: it starts no program and reads no file. Nothing is built.
pub fn check_contained(spec: &str) -> Result<(), SpecError> {
    let (kind, behind) = kind_of(spec)?;
    match kind.takes {
        Behind::Options(declared) => {
            Given::judge_contained(declared, behind).map(|_| ()).map_err(|error| kind.wrong(error))
        }
        Behind::Command => Err(SpecError::Program(kind.name)),
    }
}

/// The kind that a spec names, and the text behind the colon.
pub(crate) fn kind_of(spec: &str) -> Result<(&'static Kind, Option<&str>), SpecError> {
    let (name, behind) = spec.split_once(':').map_or((spec, None), |(name, behind)| (name, Some(behind)));
    let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| SpecError::Unknown {
        spec: shortened(spec),
        known: KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })?;
    Ok((kind, behind))
}

/// Why a spec names no player, or none that may be chosen.
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
    #[error("player `{player}` {error}")]
    Options {
        /// The player.
        player: &'static str,
        /// What is wrong.
        error: OptionError,
    },
    /// It starts a program outside.
    #[error("player `{0}` starts a program and cannot be chosen here")]
    Program(&'static str),
}
