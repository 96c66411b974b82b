//! What there is to choose from: rules, players, levels for people.

use axum::{Json, extract::State};
use nebel_kriegspiel::Rules;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::App;

/// What there is to choose from.
#[derive(Serialize, ToSchema)]
pub(crate) struct Meta {
    version: &'static str,
    rules: Vec<RulesFacts>,
    players: Vec<PlayerFacts>,
    levels: Vec<Level>,
    limits: LimitFacts,
}

/// A ruleset.
#[derive(Serialize, ToSchema)]
struct RulesFacts {
    name: String,
    title: String,
    /// The data of the rules.
    announces: Value,
    /// Whether one may ask "any?".
    any: bool,
}

/// A kind of player.
#[derive(Serialize, ToSchema)]
struct PlayerFacts {
    kind: &'static str,
    title: String,
    about: &'static str,
    options: Vec<OptionFacts>,
}

/// An option of a player that a visitor may choose.
#[derive(Serialize, ToSchema)]
struct OptionFacts {
    name: &'static str,
    default: &'static str,
    about: &'static str,
    /// What it takes here, in words: `from 1 to 100`.
    takes: String,
}

/// A strength for people.
#[derive(Serialize, ToSchema)]
struct Level {
    name: &'static str,
    spec: &'static str,
    move_ms: u64,
    about: &'static str,
}

/// What the server allows.
#[derive(Serialize, ToSchema)]
struct LimitFacts {
    view_bytes: usize,
    analysis_seconds: u64,
    belief_positions: usize,
}

/// Strengths from the weakest to the strongest.
const LEVELS: [Level; 5] = [
    Level { name: "Beginner", spec: "random", move_ms: 300, about: "moves at random" },
    Level { name: "Easy", spec: "greedy", move_ms: 300, about: "takes back, and uses its pawn tries" },
    Level { name: "Medium", spec: "los:k=50", move_ms: 500, about: "judges by the last announcement" },
    Level { name: "Hard", spec: "hs", move_ms: 1000, about: "remembers all it has heard" },
    Level {
        name: "Expert",
        spec: "c",
        move_ms: 1000,
        about: "weighs what the umpire may say, and mates from tables",
    },
];

/// What there is to choose from.
#[utoipa::path(get, path = "/api/meta", responses((status = 200, body = Meta)))]
pub(crate) async fn meta(State(app): State<App>) -> Json<Meta> {
    let rules = Rules::KNOWN.map(|rules| rules()).into_iter().map(|rules| RulesFacts {
        title: title(&rules.name),
        name: rules.name.to_string(),
        any: rules.may_ask(),
        announces: serde_json::to_value(&rules).unwrap_or_default(),
    });
    let players =
        nebel_players::kinds().iter().filter(|kind| nebel_players::check_untrusted(kind.name).is_ok());
    let players = players.map(|kind| PlayerFacts {
        kind: kind.name,
        title: title(kind.name),
        about: kind.about,
        options: kind
            .options()
            .iter()
            .filter_map(|option| {
                let takes = option.open()?.to_string();
                let default = option.default.unwrap_or_default();
                Some(OptionFacts { name: option.name, default, about: option.help, takes })
            })
            .collect(),
    });
    let limits = &app.config.limits;
    Json(Meta {
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.collect(),
        players: players.collect(),
        levels: LEVELS.into(),
        limits: LimitFacts {
            view_bytes: limits.body_bytes / 2,
            analysis_seconds: limits.analysis_time.as_secs(),
            belief_positions: limits.belief_positions,
        },
    })
}

/// A name as a title: `berkeley-any` is `Berkeley, any?`.
fn title(name: &str) -> String {
    match name {
        "icc" => "ICC (wild 16)".to_owned(),
        "rand" => "RAND".to_owned(),
        "berkeley-any" => "Berkeley, with \"any?\"".to_owned(),
        "los" | "aos" | "aosp" | "hs" => name.to_uppercase(),
        _ => name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect(),
    }
}
