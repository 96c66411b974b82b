//! What the tree-searching players can be told.

use std::{path::Path, sync::Arc};

use super::{
    approach::{Approach, Through},
    boards::Boards,
    expectation::{ChoiceBy, Expectation},
    hybrid::Hybrid,
    messages::Messages,
    numbers::NUMBERS,
    premises::{LegalityBy, Premises, Replies},
    presets::{self, PRESET},
    worth::Worth,
};
use crate::options::{Given, OptionError, PlayerOption, SWITCH, Strangers, Takes};
use nebel_belief::{
    matrices::spread::Spreading,
    opponent::{Gradient, Model, file::ModelError},
};

/// The constant of UCT has another default in each approach, because their values have other scales.
const fn exploration(default: &'static str) -> PlayerOption {
    PlayerOption {
        name: "c",
        takes: Takes::Number { least: 0.0, most: 1000.0 },
        default: Some(default),
        help: "the constant of UCT: how much is explored",
        strangers: Strangers::Open,
    }
}

const MOVES: PlayerOption = PlayerOption {
    name: "k",
    takes: Takes::Whole { least: 1, most: 100 },
    default: Some("3"),
    help: "moves that messages are drawn for",
    strangers: Strangers::UpTo(10),
};
pub(crate) const THREADS: PlayerOption = PlayerOption {
    name: "threads",
    takes: Takes::Whole { least: 1, most: 64 },
    default: Some("1"),
    help: "threads that share the attempts",
    strangers: Strangers::Closed,
};
const ITERATIONS: PlayerOption = PlayerOption {
    name: "iterations",
    takes: Takes::Whole { least: 1, most: 1_000_000_000 },
    default: None,
    help: "ways down the tree at most; as many as time and nodes allow if left out",
    strangers: Strangers::Closed,
};
const WORTH: PlayerOption = PlayerOption {
    name: "worth",
    takes: Takes::Word(&["classic", "count", "men"]),
    default: Some("classic"),
    help: "what men are worth: the usual scale, the program's count, or the paper's, in which every man is one",
    strangers: Strangers::Open,
};
const SAFETY: PlayerOption = PlayerOption {
    name: "safety",
    takes: Takes::Number { least: 0.0, most: 1000.0 },
    default: Some("4"),
    help: "turns that an exposed man counts as exposed at the end of a line; 0 in the paper",
    strangers: Strangers::Open,
};
const BACKUP: PlayerOption = PlayerOption {
    name: "backup",
    takes: Takes::Word(&["blend", "half", "max"]),
    default: Some("blend"),
    help: "how values travel up: blended with a turn's own, half and half as in the program, or the paper's maximum",
    strangers: Strangers::Open,
};
const TREE: PlayerOption = PlayerOption {
    name: "tree",
    takes: Takes::Word(&["silence", "messages"]),
    default: Some("silence"),
    help: "what the search goes on through: silence only, or every message as in the paper's Figure 3",
    strangers: Strangers::Open,
};
const LEGALITY: PlayerOption = PlayerOption {
    name: "legality",
    takes: Takes::Word(&["factors", "subtracted"]),
    default: Some("factors"),
    help: "how control and pins make a move illegal: as factors, or subtracted as the paper prints",
    strangers: Strangers::Open,
};
const REPLIES: PlayerOption = PlayerOption {
    name: "replies",
    takes: Takes::Word(&["rates", "constant"]),
    default: Some("rates"),
    help: "how likely the opponent takes: by the control of the square, or the paper's constants",
    strangers: Strangers::Open,
};
const SPREAD: PlayerOption = PlayerOption {
    name: "spread",
    takes: Takes::Word(&["each", "printed", "corrected"]),
    default: Some("each"),
    help: "how an unseen move spreads: by each man's moves, as the paper prints, or that with each man as likely to move",
    strangers: Strangers::Open,
};
const GRADIENT: PlayerOption = PlayerOption {
    name: "gradient",
    takes: Takes::Word(&["rises", "centred"]),
    default: Some("rises"),
    help: "what attracts an unseen man: where densities rise, or their differences scaled and centred as the paper says",
    strangers: Strangers::Open,
};
const CHOICE: PlayerOption = PlayerOption {
    name: "choice",
    takes: Takes::Word(&["value", "visits"]),
    default: Some("value"),
    help: "which root attempt is chosen: the best value, or the most visits as in the paper",
    strangers: Strangers::Open,
};
const TERMS: PlayerOption = PlayerOption {
    name: "terms",
    takes: SWITCH,
    default: Some("on"),
    help: "whether stalemate, repetition and want of progress count, and a little noise; none does in the paper",
    strangers: Strangers::Open,
};
const PARALLEL: PlayerOption = PlayerOption {
    name: "parallel",
    takes: Takes::Word(&["deal", "trees"]),
    default: Some("deal"),
    help: "how threads share the work: each has a part of the attempts, or a tree of its own and all are added up",
    strangers: Strangers::Open,
};
const PLANS: PlayerOption = PlayerOption {
    name: "plans",
    takes: SWITCH,
    default: Some("off"),
    help: "whether each way down follows a plan to attack a square",
    strangers: Strangers::Open,
};
const FEW: PlayerOption = PlayerOption {
    name: "few",
    takes: Takes::Whole { least: 0, most: 15 },
    default: Some("2"),
    help: "minimax takes over when so few hidden men are left beside the king",
    strangers: Strangers::Open,
};
pub(crate) const MODEL: PlayerOption = PlayerOption {
    name: "model",
    takes: Takes::File,
    default: None,
    help: "a model of the opponent (`nebel model fit`); the standard one if left out",
    strangers: Strangers::Closed,
};
const TABLES: PlayerOption = crate::darkboard::TABLES;

#[rustfmt::skip]
const OF_A: &[PlayerOption] =
    &[exploration("0.7"), THREADS, ITERATIONS, WORTH, FEW, TABLES, MODEL, PRESET, SPREAD, GRADIENT, TERMS];
#[rustfmt::skip]
const OF_B: &[PlayerOption] = &[
    MOVES, exploration("8"), THREADS, ITERATIONS, WORTH, SAFETY, PLANS, FEW, TABLES, MODEL,
    PRESET, TREE, LEGALITY, REPLIES, SPREAD, GRADIENT, TERMS, PARALLEL,
];
#[rustfmt::skip]
const OF_C: &[PlayerOption] = &[
    exploration("5"), THREADS, ITERATIONS, WORTH, SAFETY, BACKUP, PLANS, FEW, TABLES, MODEL,
    PRESET, TREE, LEGALITY, REPLIES, SPREAD, GRADIENT, CHOICE, TERMS, PARALLEL,
];
#[rustfmt::skip]
const OF_BC: &[PlayerOption] = &[
    MOVES, exploration("3"), THREADS, ITERATIONS, WORTH, SAFETY, PLANS, FEW, TABLES, MODEL,
    LEGALITY, REPLIES, SPREAD, GRADIENT, TERMS, PARALLEL,
];

/// The options of a player by the name of its approach; of `c` for any other name.
pub const fn options(name: &str) -> &'static [PlayerOption] {
    match name.as_bytes() {
        b"a" => OF_A,
        b"b" => OF_B,
        b"bc" => OF_BC,
        _ => OF_C,
    }
}

/// How threads share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parallel {
    /// Each has a part of the root's attempts.
    Deal,
    /// Each grows a tree of its own from all of them, and the roots are added up: root parallelism (Ciancarini and Favini 2010,
    /// section 6.1).
    Trees,
}

/// How a player was told to play.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) approach: Arc<dyn Approach>,
    /// The constant of UCT.
    pub(crate) c: f32,
    pub(crate) threads: usize,
    pub(crate) iterations: Option<u64>,
    pub(crate) worth: Worth,
    /// See `SearchParams::safety`.
    pub(crate) safety: f32,
    pub(crate) plans: bool,
    pub(crate) premises: Premises,
    /// Whether stalemate, repetition and progress count, and noise.
    pub(crate) terms: bool,
    pub(crate) parallel: Parallel,
    /// With so few hidden men left, the king not counted, `minimax` takes over.
    pub(crate) few: u32,
    pub(crate) tables: bool,
    pub(crate) model: Arc<Model>,
    /// Nodes and iterations of the last choice.
    pub(crate) effort: (u64, u64),
}

impl Settings {
    /// Reads options behind the name of an approach.
    pub(crate) fn parse(name: &str, text: Option<&str>) -> Result<Settings, OptionError> {
        let given = presets::complete(name, Given::judge(options(name), text)?, options(name));
        let is = |option: &str, word: &str| given.text(option) == Some(word);
        let whole = |name: &str, otherwise: u64| given.whole(name).unwrap_or(otherwise);
        let k = whole("k", 1) as u32;
        let conservation = match given.text("backup") {
            Some("max") => 0.0,
            Some("half") => NUMBERS.conserved_by_program,
            _ => NUMBERS.conserved,
        };
        let through = if is("tree", "messages") { Through::Messages } else { Through::Silence };
        let choice = if is("choice", "visits") { ChoiceBy::Visits } else { ChoiceBy::Value };
        let model = given.text("model").map_or_else(|| Ok(Model::standard()), read_model)?;
        let centred = || Arc::new(Model::clone(&model).with_gradient(Gradient::Centred));
        let approach: Arc<dyn Approach> = match name {
            "a" => Arc::new(Boards),
            "b" => Arc::new(Messages { k, through }),
            "bc" => Arc::new(Hybrid { k }),
            _ => Arc::new(Expectation { conservation, through, choice }),
        };
        Ok(Settings {
            approach,
            c: given.number("c").unwrap_or_default(),
            threads: whole("threads", 1) as usize,
            iterations: given.whole("iterations"),
            worth: match given.text("worth") {
                Some("men") => Worth::Men,
                Some("count") => Worth::Count,
                _ => Worth::Classic,
            },
            premises: Premises {
                legality: if is("legality", "subtracted") {
                    LegalityBy::Subtracting
                } else {
                    LegalityBy::Factors
                },
                replies: if is("replies", "constant") { Replies::Constant } else { Replies::Rates },
                spreading: match given.text("spread") {
                    Some("printed") => Spreading::Printed,
                    Some("corrected") => Spreading::Corrected,
                    _ => Spreading::Each,
                },
            },
            terms: given.is_on("terms"),
            parallel: if is("parallel", "trees") { Parallel::Trees } else { Parallel::Deal },
            safety: given.number("safety").unwrap_or_default(),
            plans: given.is_on("plans"),
            few: whole("few", 0) as u32,
            tables: given.is_on("tables"),
            model: if is("gradient", "centred") { centred() } else { model },
            effort: (0, 0),
        })
    }
}

pub(crate) fn read_model(path: &str) -> Result<Arc<Model>, OptionError> {
    let unreadable =
        |error: ModelError| OptionError::Build { given: format!("model={path}"), cause: error.to_string() };
    Model::read(Path::new(path)).map(Arc::new).map_err(unreadable)
}
