//! What the sampling players can be told.

use super::{Source, choose::Rule};
use crate::options::{Given, OptionError, PlayerOption, Strangers, Takes};
use nebel_belief::particles::ParticleLimits;

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
        help: "boards to value for a choice; with a clock, as many as there is time for if left out",
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
        name: "least",
        takes: Takes::Whole { least: 0, most: MOST_BOARDS },
        default: Some("0"),
        help: "boards to value in any case, whatever number of nodes was given",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "preset",
        takes: Takes::Word(&["usual", "paper"]),
        default: Some("usual"),
        help: "what the options are that are left out: the usual ones, or the paper's 350 boards a choice without a clock",
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
const WITHOUT_POOL: usize = 7;

/// What `preset=paper` says of options that are not given: 30 seconds allowed for "about 350 boards" (section 4.1), from a pool that is cut to
/// 10,000 when it exceeds 20,000.
const PAPER: &[(&str, &str)] =
    &[("k", "350"), ("least", "350"), ("rule", "legal"), ("pool", "20000"), ("keep", "10000")];

/// The options of a sampling player.
pub const fn options(source: Source) -> &'static [PlayerOption] {
    if source.has_pool() { OPTIONS } else { OPTIONS.split_at(WITHOUT_POOL).0 }
}

/// How many boards are valued for a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SampleSize {
    /// At most, without a clock.
    pub(super) boards: usize,
    /// At least, whatever number of nodes was given.
    pub(super) least: usize,
    /// At most, with a clock: as many as there is time for, unless a number was asked for.
    pub(super) with_clock: usize,
}

/// How a player was told to play.
pub(super) struct Settings<'a> {
    pub(super) sample_size: SampleSize,
    pub(super) rule: Rule,
    /// The evaluator's spec.
    pub(super) eval: &'a str,
    pub(super) depth: u8,
    pub(super) threads: usize,
    pub(super) limits: ParticleLimits,
}

impl<'a> Settings<'a> {
    /// Reads the text behind the colon.
    pub(super) fn read(source: Source, text: Option<&'a str>) -> Result<Settings<'a>, OptionError> {
        let judged = Given::judge(options(source), text)?;
        let is_k_given = judged.given("k").is_some();
        let is_paper = judged.text("preset") == Some("paper");
        let given = if is_paper { judged.with(PAPER) } else { judged };
        let size = |name: &str, otherwise: usize| given.whole(name).map_or(otherwise, |size| size as usize);
        let paper = ParticleLimits::default();
        let most = size("pool", paper.most);
        Ok(Settings {
            sample_size: SampleSize {
                boards: size("k", 1),
                least: size("least", 0),
                with_clock: if is_k_given { size("k", 1) } else { LARGEST_POOL as usize },
            },
            rule: if given.text("rule") == Some("answers") { Rule::Answers } else { Rule::Legal },
            eval: given.text("eval").unwrap_or_default(),
            depth: size("depth", 0) as u8,
            threads: size("threads", 1),
            limits: ParticleLimits::plain(most, size("keep", paper.keep).min(most)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_lifts_the_number_of_boards_unless_it_was_asked_for() {
        let size = |text: Option<&str>| Settings::read(Source::Hs, text).unwrap().sample_size;
        assert_eq!((size(None).boards, size(None).with_clock), (100, LARGEST_POOL as usize));
        assert_eq!((size(Some("k=7")).boards, size(Some("k=7")).with_clock), (7, 7));
        let paper = size(Some("preset=paper"));
        assert_eq!((paper.boards, paper.least, paper.with_clock), (350, 350, LARGEST_POOL as usize));
    }
}
