//! What the sampling players can be told.

use super::{Source, choose::Rule};
use crate::options::{Given, OptionError, PlayerOption, Strangers, Takes};
use nebel_belief::particles::PoolLimits;

/// The most plies that boards may be searched: beyond that not one board is valued in any time that a game allows.
const DEEPEST: u64 = 20;
/// More threads than this are a mistake.
const MOST_THREADS: u64 = 64;
/// More boards than this change no average.
const MOST_BOARDS: u64 = 10_000;
/// The largest pool: each of its positions has some thirty followers, and all of them are there at once when it is updated.
const LARGEST_POOL: u64 = 200_000;

/// All options; those of the pool come last.
const OPTIONS: &[PlayerOption] = &[
    PlayerOption {
        name: "k",
        takes: Takes::Whole { least: 1, most: MOST_BOARDS },
        default: Some("100"),
        help: "boards to value for a choice",
        strangers: Strangers::UpTo(100),
    },
    PlayerOption {
        name: "rule",
        takes: Takes::Word(&["legal", "answers"]),
        default: Some("legal"),
        help: "how values become a choice: by the boards that allow the attempt, or by the umpire's answers too",
        strangers: Strangers::Open,
    },
    PlayerOption {
        name: "eval",
        takes: Takes::Program { word: "ab", prefix: "uci/" },
        default: Some("ab"),
        help: "who values boards: the built-in alpha-beta search, or a UCI engine",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "depth",
        takes: Takes::Whole { least: 0, most: DEEPEST },
        default: Some("1"),
        help: "plies that a board is searched before it is valued",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "threads",
        takes: Takes::Whole { least: 1, most: MOST_THREADS },
        default: Some("1"),
        help: "threads that value boards",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "pool",
        takes: Takes::Whole { least: 1, most: LARGEST_POOL },
        default: Some("20000"),
        help: "positions above which the pool is cut",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "keep",
        takes: Takes::Whole { least: 1, most: LARGEST_POOL },
        default: Some("10000"),
        help: "positions that are kept then, at most all of them",
        strangers: Strangers::Closed,
    },
];

/// How many of the options have nothing to do with the pool.
const WITHOUT_POOL: usize = 5;

/// The options of a sampling player.
pub const fn options(source: Source) -> &'static [PlayerOption] {
    if source.has_pool() { OPTIONS } else { OPTIONS.split_at(WITHOUT_POOL).0 }
}

/// How a player was told to play.
pub(super) struct Settings<'a> {
    pub(super) sample_size: usize,
    pub(super) rule: Rule,
    /// The evaluator's spec.
    pub(super) eval: &'a str,
    pub(super) depth: u8,
    pub(super) threads: usize,
    pub(super) limits: PoolLimits,
}

impl<'a> Settings<'a> {
    /// Reads the text behind the colon.
    pub(super) fn read(source: Source, text: Option<&'a str>) -> Result<Settings<'a>, OptionError> {
        let given = Given::judge(options(source), text)?;
        let size = |name: &str, otherwise: usize| given.whole(name).map_or(otherwise, |size| size as usize);
        let paper = PoolLimits::default();
        let most = size("pool", paper.most);
        Ok(Settings {
            sample_size: size("k", 1),
            rule: if given.text("rule") == Some("answers") { Rule::Answers } else { Rule::Legal },
            eval: given.text("eval").unwrap_or_default(),
            depth: size("depth", 0) as u8,
            threads: size("threads", 1),
            limits: PoolLimits { most, keep: size("keep", paper.keep).min(most) },
        })
    }
}
