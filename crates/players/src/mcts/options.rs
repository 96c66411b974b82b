//! What the tree-searching players can be told.

use std::{fs, sync::Arc};

use super::{search::Approach, worth::Worth};
use crate::{model::Model, spec::Options};

/// The options of `a`, `b`, `c` and `bc`, with their defaults.
pub const OPTIONS: &str = "k=3 (b and bc),c=UCT constant,threads=1,iterations=N,worth=classic|count,safety=4,backup=blend|max (c),plans=off,few=2,tables=on,model=FILE";

/// How much of a turn's own value stays in approach C when its best move is known; the program's half plays worse.
const CONSERVED: f32 = 0.7;

/// How a player was told to play.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) approach: Approach,
    /// The constant of UCT.
    pub(crate) c: f32,
    pub(crate) threads: usize,
    pub(crate) iterations: Option<u64>,
    pub(crate) worth: Worth,
    /// See `Terms::safety`.
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
    /// Reads options behind the name of an approach; an error is the option that is wrong.
    pub(crate) fn parse(name: &str, options: Option<&str>) -> Result<Settings, String> {
        let mut given = Options::parse(options)?;
        let conservation = match &*given.text("backup", "blend") {
            "max" => 0.0,
            "blend" => CONSERVED,
            other => return Err(format!("backup={other}")),
        };
        let k: u32 = given.number("k", 3)?;
        if k == 0 || k > 100 {
            return Err(format!("k={k}"));
        }
        let (approach, c) = match name {
            "a" => (Approach::Boards, 0.7),
            "b" => (Approach::Messages { k }, 8.0),
            "bc" => (Approach::Hybrid { k }, 3.0),
            _ => (Approach::Expectation { conservation }, 5.0),
        };
        let c = given.number("c", c)?;
        if !f32::is_finite(c) || c < 0.0 {
            return Err(format!("c={c}"));
        }
        let threads = given.number("threads", 1)?;
        if !(1..=64).contains(&threads) {
            return Err(format!("threads={threads}"));
        }
        let iterations = given.number("iterations", 0)?;
        let worth = match &*given.text("worth", "classic") {
            "classic" => Worth::Classic,
            "count" => Worth::Count,
            other => return Err(format!("worth={other}")),
        };
        let safety = given.number("safety", 4.0)?;
        if !(0.0..=1000.0).contains(&safety) {
            return Err(format!("safety={safety}"));
        }
        let few = given.number("few", 2)?;
        let plans = switch(&mut given, "plans", "off")?;
        let tables = switch(&mut given, "tables", "on")?;
        let model = match &*given.text("model", "") {
            "" => Model::standard(),
            path => Arc::new(read_model(path)?),
        };
        given.none_left()?;
        let iterations = (iterations > 0).then_some(iterations);
        Ok(Settings {
            approach,
            c,
            threads,
            iterations,
            worth,
            safety,
            plans,
            few,
            tables,
            model,
            effort: (0, 0),
        })
    }
}

fn switch(given: &mut Options<'_>, name: &str, default: &str) -> Result<bool, String> {
    match &*given.text(name, default) {
        "on" => Ok(true),
        "off" => Ok(false),
        other => Err(format!("{name}={other}")),
    }
}

fn read_model(path: &str) -> Result<Model, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("model={path} ({error})"))?;
    // Some editors put a byte order mark in front.
    Model::from_json(text.trim_start_matches('\u{feff}')).map_err(|error| format!("model={path} ({error})"))
}
