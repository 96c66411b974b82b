//! Players by name: the specs that commands take, such as `random`, `hs:k=200` or `exec:./bot --fast`.

use std::{collections::BTreeMap, str::FromStr};

use thiserror::Error;

use crate::{
    Exec, Greedy, Minimax, Player, Program, Random, Wolfe,
    mcts::{self, Mcts},
    minimax,
    sampling::{self, Sampling, Source},
};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name that specs begin with.
    pub name: &'static str,
    /// What may come behind the colon, with defaults; nothing if it takes no options.
    pub options: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    make: fn(Option<&str>) -> Made,
}

/// A player, or the option that is wrong.
type Made = Result<Box<dyn Player>, String>;

const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        options: "",
        about: "tries attempts that make sense, each equally likely",
        make: |options| without_options(options, Random::default()),
    },
    Kind {
        name: "greedy",
        options: "",
        about: "takes back, uses pawn tries, and else moves at random",
        make: |options| without_options(options, Greedy::default()),
    },
    Kind {
        name: "los",
        options: sampling::OPTIONS,
        about: "last observation sampling (Parker et al. 2005): k boards that agree with the last announcement",
        make: |options| Ok(Box::new(Sampling::new(Source::Los, options)?)),
    },
    Kind {
        name: "aos",
        options: sampling::OPTIONS,
        about: "all observation sampling: k random histories that agree with everything heard",
        make: |options| Ok(Box::new(Sampling::new(Source::Aos, options)?)),
    },
    Kind {
        name: "aosp",
        options: sampling::OPTIONS,
        about: "all observation sampling with a pool of consistent positions, cut to `keep` above `pool`",
        make: |options| Ok(Box::new(Sampling::new(Source::Aosp, options)?)),
    },
    Kind {
        name: "hs",
        options: sampling::OPTIONS,
        about: "hybrid sampling: the pool, filled up with boards of the last observation (rule=answers values refusals)",
        make: |options| Ok(Box::new(Sampling::new(Source::Hs, options)?)),
    },
    Kind {
        name: "wolfe-white",
        options: "",
        about: "the attacker of the problem collections (Russell and Wolfe 2005): exact estimation, a static look ahead",
        make: |options| without_options(options, Wolfe::new(Program::White)),
    },
    Kind {
        name: "wolfe-black",
        options: "",
        about: "its opponent there: part of its belief, captures and checks first",
        make: |options| without_options(options, Wolfe::new(Program::Black)),
    },
    Kind {
        name: "minimax",
        options: minimax::OPTIONS,
        about: "weighted maximax over metapositions (Darkboard 1, Ciancarini and Favini); tables=off plays endings by hand-made rules",
        make: |options| Ok(Box::new(Minimax::new(options)?)),
    },
    Kind {
        name: "a",
        options: mcts::OPTIONS,
        about: "tree search that draws boards and plays games out (Ciancarini and Favini 2010, approach A)",
        make: |options| Ok(Box::new(Mcts::new("a", options)?)),
    },
    Kind {
        name: "b",
        options: mcts::OPTIONS,
        about: "tree search that draws the umpire's messages for k moves (approach B)",
        make: |options| Ok(Box::new(Mcts::new("b", options)?)),
    },
    Kind {
        name: "c",
        options: mcts::OPTIONS,
        about: "tree search over the expectation of one move and its exchange (approach C)",
        make: |options| Ok(Box::new(Mcts::new("c", options)?)),
    },
    Kind {
        name: "bc",
        options: mcts::OPTIONS,
        about: "the first move as in C, the moves behind it as in B",
        make: |options| Ok(Box::new(Mcts::new("bc", options)?)),
    },
    Kind {
        name: "exec",
        options: "COMMAND",
        about: "a program outside, behind the bot protocol (JSON Lines on its standard input and output)",
        make: |options| match options {
            Some(command) if !command.trim().is_empty() => Ok(Box::new(Exec::new(command))),
            _ => Err("nothing".to_owned()),
        },
    },
];

fn without_options(options: Option<&str>, player: impl Player + 'static) -> Made {
    options.map_or_else(|| Ok(Box::new(player) as _), |options| Err(options.to_owned()))
}

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
    (kind.make)(options).map_err(|given| SpecError::Options {
        player: name.to_owned(),
        given,
        wanted: if kind.options.is_empty() { "no options" } else { kind.options },
    })
}

/// The largest number in the options of a spec that a stranger may choose.
const LARGEST_OPTION: u64 = 100_000;

/// Whether a stranger may choose this player: it starts no program, reads no file, and its options ask for no more memory
/// than a player needs.
pub fn within_the_machine(spec: &str) -> Result<(), MachineError> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let values = options.split(',').filter_map(|option| option.split_once('=')).map(|(_, value)| value);
    let reads_a_file = options.split(',').any(|option| option.trim_start().starts_with("model="));
    if name == "exec" || reads_a_file || values.clone().any(|value| value.contains('/')) {
        return Err(MachineError::Program);
    }
    if values.filter_map(|value| value.parse::<u64>().ok()).any(|value| value > LARGEST_OPTION) {
        return Err(MachineError::Large);
    }
    by_spec(spec)?;
    Ok(())
}

/// Why a stranger may not choose a player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MachineError {
    /// There is none of this spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It would start a program outside, or read a file.
    #[error("players that start programs or read files cannot be chosen here")]
    Program,
    /// It would take too much.
    #[error("no option of a player may be above {LARGEST_OPTION} here")]
    Large,
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

/// The options of a spec, `name=value` with commas between them. An error is the option that is wrong.
pub(crate) struct Options<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Options<'a> {
    /// Takes the text behind the colon apart.
    pub(crate) fn parse(text: Option<&'a str>) -> Result<Options<'a>, String> {
        let mut options = BTreeMap::new();
        for option in text.into_iter().flat_map(|text| text.split(',')) {
            let (name, value) = option.split_once('=').ok_or_else(|| option.to_owned())?;
            if options.insert(name, value).is_some() {
                return Err(format!("{name} twice"));
            }
        }
        Ok(Options(options))
    }

    /// A number, or its default.
    pub(crate) fn number<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else { return Ok(default) };
        value.parse().map_err(|_| format!("{name}={value}"))
    }

    /// A word, or its default.
    pub(crate) fn text(&mut self, name: &str, default: &str) -> String {
        self.0.remove(name).unwrap_or(default).to_owned()
    }

    /// Complains of an option that nobody asked for.
    pub(crate) fn none_left(self) -> Result<(), String> {
        self.0.into_iter().next().map_or(Ok(()), |(name, value)| Err(format!("{name}={value}")))
    }
}
