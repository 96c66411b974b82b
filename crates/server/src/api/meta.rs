//! What there is to choose from: rules, players, levels for people.

use axum::{Extension, Json, extract::State};
use nebel_kriegspiel::Rules;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    App,
    listener::Peer,
    opponents::{Level, levels, offered_kinds},
};

/// What there is to choose from.
#[derive(Serialize, ToSchema)]
pub(crate) struct Meta {
    version: &'static str,
    rules: Vec<RulesFacts>,
    players: Vec<PlayerFacts>,
    levels: Vec<Level>,
    limits: LimitFacts,
    /// The pages of this server as other machines open them. Told to this machine alone: who asks from elsewhere knows one.
    elsewhere: Vec<String>,
}

/// A ruleset.
#[derive(Serialize, ToSchema)]
struct RulesFacts {
    name: String,
    title: String,
    /// The data of the rules.
    announces: Rules,
    /// Whether one may ask "any?".
    any: bool,
}

/// A kind of player, which is chosen by its name alone.
#[derive(Serialize, ToSchema)]
struct PlayerFacts {
    kind: &'static str,
    title: String,
    about: &'static str,
}

/// What the server allows.
#[derive(Serialize, ToSchema)]
struct LimitFacts {
    view_bytes: usize,
    /// Events of a game that is given as a text.
    game_events: usize,
    analysis_seconds: u64,
    belief_positions: usize,
}

/// What there is to choose from.
#[utoipa::path(get, path = "/api/meta", responses((status = 200, body = Meta)))]
pub(crate) async fn meta(State(app): State<App>, Extension(peer): Extension<Peer>) -> Json<Meta> {
    let rules = Rules::KNOWN.map(|rules| rules()).into_iter().map(|rules| RulesFacts {
        title: title(&rules.name),
        name: rules.name.to_string(),
        any: rules.may_ask(),
        announces: rules,
    });
    let players = offered_kinds().iter().map(|kind| PlayerFacts {
        kind: kind.name,
        title: title(kind.name),
        about: kind.about,
    });
    let limits = &app.config.limits;
    Json(Meta {
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.collect(),
        players: players.collect(),
        levels: levels().to_vec(),
        limits: LimitFacts {
            view_bytes: limits.body_bytes / 2,
            game_events: limits.game_events,
            analysis_seconds: limits.analysis_time.as_secs(),
            belief_positions: limits.belief_positions,
        },
        elsewhere: if peer.source().is_this_machine() { app.elsewhere.to_vec() } else { Vec::new() },
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
