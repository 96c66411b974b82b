//! What the tree-searching players can be told.

use std::{path::Path, sync::Arc};

use super::{
    approach::Approach, boards::Boards, expectation::Expectation, hybrid::Hybrid, messages::Messages,
    numbers::NUMBERS, worth::Worth,
};
use crate::options::{Given, OptionError, PlayerOption, SWITCH, Strangers, Takes};
use nebel_belief::opponent::{Model, file::ModelError};

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
    takes: Takes::Word(&["classic", "count"]),
    default: Some("classic"),
    help: "what men are worth: the usual scale, or the paper's count",
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
    takes: Takes::Word(&["blend", "max"]),
    default: Some("blend"),
    help: "how values travel up: blended with a turn's own, or the paper's maximum",
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

const OF_A: &[PlayerOption] = &[exploration("0.7"), ITERATIONS, WORTH, FEW, TABLES, MODEL];
const OF_B: &[PlayerOption] =
    &[MOVES, exploration("8"), THREADS, ITERATIONS, WORTH, SAFETY, PLANS, FEW, TABLES, MODEL];
const OF_C: &[PlayerOption] =
    &[exploration("5"), THREADS, ITERATIONS, WORTH, SAFETY, BACKUP, PLANS, FEW, TABLES, MODEL];
const OF_BC: &[PlayerOption] =
    &[MOVES, exploration("3"), THREADS, ITERATIONS, WORTH, SAFETY, PLANS, FEW, TABLES, MODEL];

/// The options of a player by the name of its approach; of `c` for any other name.
pub const fn options(name: &str) -> &'static [PlayerOption] {
    match name.as_bytes() {
        b"a" => OF_A,
        b"b" => OF_B,
        b"bc" => OF_BC,
        _ => OF_C,
    }
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
        let given = Given::judge(options(name), text)?;
        let whole = |name: &str, otherwise: u64| given.whole(name).unwrap_or(otherwise);
        let k = whole("k", 1) as u32;
        let conservation = if given.text("backup") == Some("max") { 0.0 } else { NUMBERS.conserved };
        let approach: Arc<dyn Approach> = match name {
            "a" => Arc::new(Boards),
            "b" => Arc::new(Messages { k }),
            "bc" => Arc::new(Hybrid { k }),
            _ => Arc::new(Expectation { conservation }),
        };
        Ok(Settings {
            approach,
            c: given.number("c").unwrap_or_default(),
            threads: whole("threads", 1) as usize,
            iterations: given.whole("iterations"),
            worth: if given.text("worth") == Some("count") { Worth::Count } else { Worth::Classic },
            safety: given.number("safety").unwrap_or_default(),
            plans: given.is_on("plans"),
            few: whole("few", 0) as u32,
            tables: given.is_on("tables"),
            model: given.text("model").map_or_else(|| Ok(Model::standard()), read_model)?,
            effort: (0, 0),
        })
    }
}

pub(crate) fn read_model(path: &str) -> Result<Arc<Model>, OptionError> {
    let unreadable =
        |error: ModelError| OptionError::Build { given: format!("model={path}"), cause: error.to_string() };
    Model::read(Path::new(path)).map(Arc::new).map_err(unreadable)
}
