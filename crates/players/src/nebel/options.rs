//! What `nebel` can be told.

use std::{path::Path, sync::Arc};

use nebel_belief::{
    opponent::{Model, policy::Policy},
    particles::{Diversity, ParticleLimits},
};

use super::{
    outcome::Utility,
    value::{Value, ValueError},
};
use crate::{
    darkboard::TABLES,
    favini::{MODEL, THREADS, read_model},
    options::{Given, OptionError, PlayerOption, SWITCH, Strangers, Takes},
};

/// What the player can be told.
pub(crate) const OPTIONS: &[PlayerOption] = &[
    PlayerOption {
        name: "positions",
        takes: Takes::Whole { least: 1, most: 10_000 },
        default: Some("100"),
        help: "positions of its belief in which attempts are valued",
        strangers: Strangers::UpTo(400),
    },
    PlayerOption {
        name: "particles",
        takes: Takes::Whole { least: 10, most: 1_000_000 },
        default: Some("4000"),
        help: "positions that its belief keeps when there are more",
        strangers: Strangers::UpTo(20_000),
    },
    PlayerOption {
        name: "ahead",
        takes: Takes::Whole { least: 0, most: 100 },
        default: Some("16"),
        help: "so many of the best attempts are valued by the own turn after the reply as well",
        strangers: Strangers::UpTo(32),
    },
    PlayerOption {
        name: "lines",
        takes: Takes::Whole { least: 1, most: 100_000 },
        default: Some("1200"),
        help: "so many replies are drawn for that, for all of them together; with a clock, as many as there is time for",
        strangers: Strangers::UpTo(4_000),
    },
    PlayerOption {
        name: "preset",
        takes: Takes::Word(&["champion", "recipe"]),
        default: Some("champion"),
        help: "what the options are that are left out: the best known, or those of the first recipe, the mark to beat",
        strangers: Strangers::Open,
    },
    PlayerOption {
        name: "level",
        takes: Takes::Whole { least: 1, most: LEVELS.len() as u64 },
        default: Some("8"),
        help: "how strong it is: below the highest it keeps fewer positions in mind and looks less far",
        strangers: Strangers::Open,
    },
    PlayerOption {
        name: "missed",
        takes: Takes::Number { least: 0.0, most: 1.0 },
        default: Some("0.05"),
        help: "the share of positions that a sample may have missed in which an attempt is legal; 0 in the recipe",
        strangers: Strangers::Open,
    },
    PlayerOption {
        name: "utility",
        takes: Takes::Word(&["pawns", "chance"]),
        default: Some("chance"),
        help: "what it maximises: pawns, as the recipe does, or the chance to win",
        strangers: Strangers::Open,
    },
    switch("weights", "whether positions are weighed by how likely the other side has played so"),
    PlayerOption {
        name: "recovery",
        takes: SWITCH,
        default: Some("off"),
        help: "whether it keeps positions of every kind, and goes back to earlier ones when few are left, which may take a third of a second",
        strangers: Strangers::Closed,
    },
    switch("mates", "whether replies that mate are looked for"),
    PlayerOption {
        name: "mating",
        takes: Takes::Number { least: 0.0, most: 1.0 },
        default: Some("0.5"),
        help: "the least chance that the other side mates where it can, whatever the model says; 0 in the recipe",
        strangers: Strangers::Open,
    },
    switch("hunt", "whether a king with next to nothing left is hunted"),
    PlayerOption {
        name: "value",
        takes: Takes::File,
        default: None,
        help: "a learned value (`nebel train`) that corrects the values of the best attempts; none if left out",
        strangers: Strangers::Closed,
    },
    THREADS,
    TABLES,
    MODEL,
];

const fn switch(name: &'static str, help: &'static str) -> PlayerOption {
    PlayerOption { name, takes: SWITCH, default: Some("on"), help, strangers: Strangers::Open }
}

/// The first version, the mark to beat: it counts pawns, believes its sample, and values one reply.
const RECIPE: &[(&str, &str)] = &[("missed", "0"), ("utility", "pawns"), ("mating", "0"), ("ahead", "0")];

/// What a level says of the options that are left out, the first level first. A weaker one knows less of what was heard and compares
/// attempts in fewer positions, as weaker people do; it makes no mistakes on purpose. The sizes are by hand, what they
/// come to stands in `docs/champion.md`.
const LEVELS: [&[(&str, &str)]; 8] = [
    &[("particles", "10"), ("positions", "1"), ("weights", "off"), ("mates", "off"), ("ahead", "0")],
    &[("particles", "10"), ("positions", "3"), ("weights", "off"), ("ahead", "0")],
    &[("particles", "20"), ("positions", "6"), ("ahead", "0")],
    &[("particles", "60"), ("positions", "12"), ("ahead", "0")],
    &[("particles", "200"), ("positions", "20"), ("ahead", "0")],
    &[("particles", "800"), ("positions", "40"), ("ahead", "0")],
    &[("ahead", "0")],
    &[],
];

/// How the player was told to play.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) positions: usize,
    pub(super) ahead: usize,
    pub(super) lines: usize,
    pub(super) threads: usize,
    pub(super) limits: ParticleLimits,
    /// The share of positions that a sample may have missed and in which an attempt is legal after all: an attempt that is refused
    /// nearly everywhere must be good where it is not, or it is no free question but a risk. Its default is by hand; what it is worth
    /// stands in `docs/champion.md`.
    pub(super) missed: f32,
    pub(super) utility: Utility,
    /// By which positions are weighed, if they are.
    pub(super) weighing: Option<Arc<Policy>>,
    pub(super) mates: bool,
    /// The least chance that the other side mates where it can.
    pub(super) mating: f32,
    pub(super) hunt: bool,
    pub(super) tables: bool,
    pub(super) model: Arc<Model>,
    /// What corrects the values of the best attempts, if anything does.
    pub(super) value: Option<Arc<Value>>,
}

impl Settings {
    pub(super) fn parse(text: Option<&str>) -> Result<Settings, OptionError> {
        let given = Given::judge(OPTIONS, text)?;
        let preset = if given.text("preset") == Some("recipe") { RECIPE } else { &[] };
        let level = given.whole("level").and_then(|level| LEVELS.get(level as usize - 1));
        let given = given.with(preset).with(level.copied().unwrap_or_default());
        let whole = |name: &str| given.whole(name).unwrap_or_default() as usize;
        let particles = whole("particles");
        let limits = ParticleLimits {
            most: 2 * particles,
            keep: particles,
            low: particles / 4,
            changes: particles / 4,
            rescues: 5 * particles,
            // By default what is lost stays lost, or listening would sometimes take longer than a turn may.
            diversity: if given.is_on("recovery") { Diversity::EveryKind } else { Diversity::ByWeight },
        };
        let model = given.text("model").map_or_else(|| Ok(Model::standard()), read_model)?;
        Ok(Settings {
            positions: whole("positions"),
            ahead: whole("ahead"),
            lines: whole("lines"),
            threads: whole("threads"),
            limits,
            missed: given.number("missed").unwrap_or_default(),
            utility: match given.text("utility") {
                Some("pawns") => Utility::Pawns,
                _ => Utility::Chance,
            },
            weighing: given.is_on("weights").then(|| Arc::clone(&model.policy)),
            mates: given.is_on("mates"),
            mating: given.number("mating").unwrap_or_default(),
            hunt: given.is_on("hunt"),
            tables: given.is_on("tables"),
            model,
            value: given.text("value").map(read_value).transpose()?,
        })
    }
}

fn read_value(path: &str) -> Result<Arc<Value>, OptionError> {
    let unreadable =
        |error: ValueError| OptionError::Build { given: format!("value={path}"), cause: error.to_string() };
    Value::read(Path::new(path)).map(Arc::new).map_err(unreadable)
}
