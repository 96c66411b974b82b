//! What `nebel` can be told.

use std::sync::Arc;

use nebel_belief::{
    opponent::{Model, policy::Policy},
    particles::ParticleLimits,
};

use super::outcome::Utility;
use crate::{
    darkboard::TABLES,
    favini::{MODEL, read_model},
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
        name: "preset",
        takes: Takes::Word(&["champion", "recipe"]),
        default: Some("champion"),
        help: "what the options are that are left out: the best known, or those of the first recipe, the mark to beat",
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
    switch("mates", "whether replies that mate are looked for"),
    switch("hunt", "whether a king with next to nothing left is hunted"),
    TABLES,
    MODEL,
];

const fn switch(name: &'static str, help: &'static str) -> PlayerOption {
    PlayerOption { name, takes: SWITCH, default: Some("on"), help, strangers: Strangers::Open }
}

/// How the player was told to play.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) positions: usize,
    pub(super) limits: ParticleLimits,
    /// The share of positions that a sample may have missed and in which an attempt is legal after all: an attempt that is refused
    /// nearly everywhere must be good where it is not, or it is no free question but a risk. Its default is by hand; what it is worth
    /// stands in `docs/champion.md`.
    pub(super) missed: f32,
    pub(super) utility: Utility,
    /// By which positions are weighed, if they are.
    pub(super) weighing: Option<Arc<Policy>>,
    pub(super) mates: bool,
    pub(super) hunt: bool,
    pub(super) tables: bool,
    pub(super) model: Arc<Model>,
}

impl Settings {
    pub(super) fn parse(text: Option<&str>) -> Result<Settings, OptionError> {
        let given = Given::judge(OPTIONS, text)?;
        let whole = |name: &str| given.whole(name).unwrap_or_default() as usize;
        let is_recipe = given.text("preset") == Some("recipe");
        // What is given goes before the preset, and the preset before the defaults.
        let chosen = |name: &str, recipe: &'static str| {
            if is_recipe { given.given(name).or(Some(recipe)) } else { given.text(name) }
        };
        let particles = whole("particles");
        let limits = ParticleLimits {
            most: 2 * particles,
            keep: particles,
            low: particles / 4,
            changes: particles / 4,
            rescues: 5 * particles,
        };
        let model = given.text("model").map_or_else(|| Ok(Model::standard()), read_model)?;
        Ok(Settings {
            positions: whole("positions"),
            limits,
            missed: chosen("missed", "0").and_then(|text| text.parse().ok()).unwrap_or_default(),
            utility: match chosen("utility", "pawns") {
                Some("pawns") => Utility::Pawns,
                _ => Utility::Chance,
            },
            weighing: given.is_on("weights").then(|| Arc::clone(&model.policy)),
            mates: given.is_on("mates"),
            hunt: given.is_on("hunt"),
            tables: given.is_on("tables"),
            model,
        })
    }
}
