//! Games: begin one, look at one, play a side of one.

use std::sync::{Mutex, PoisonError};

use axum::{
    Extension, Json,
    extract::{Path, State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use nebel_kriegspiel::{
    Color,
    json::{self, Side},
    pgn,
    transcript::Record,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    body::{Asked, Body},
    download,
    error::{ApiError, ErrorBody},
};
use crate::{
    App,
    games::{
        Finished,
        messages::{NewSeat, OverFacts},
        socket,
        terms::NewGame,
    },
    limits::ServerLimits,
    listener::Peer,
    quota::{Rates, Share, Shares, Source, steady},
};

/// A game that has begun.
#[derive(Serialize, ToSchema)]
pub(crate) struct Begun {
    #[serde(flatten)]
    seat: NewSeat,
    /// The link for the other person, in games between two.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    invite: Option<String>,
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame,
    responses((status = 201, body = Begun), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Body(wanted): Body<NewGame>,
) -> Result<(StatusCode, Json<Begun>), ApiError> {
    let share = app.begun.one_more(peer.source(), &app)?;
    let (created, side) = app.games.create(&wanted).await?;
    app.begun.note(created.id.clone(), share);
    let seat = created.seat(side).ok_or_else(|| ApiError::failed("The game has no seat for you."))?;
    let invite = created.seat(!side).map(|other| format!("/#/play/{}/{}", other.id, other.token));
    Ok((StatusCode::CREATED, Json(Begun { seat, invite })))
}

/// The games in memory, by the address that began them.
#[derive(Debug)]
pub(crate) struct BegunGames {
    rates: Rates,
    shares: Shares,
    games: Mutex<Vec<(String, Share)>>,
}

impl BegunGames {
    pub(crate) fn new(limits: &ServerLimits) -> BegunGames {
        BegunGames {
            rates: Rates::new(steady(limits.games_a_minute / 60.0, limits.games_at_once)),
            shares: Shares::new(limits.games_an_address, usize::MAX),
            games: Mutex::default(),
        }
    }

    /// Room for one more game of this address.
    fn one_more(&self, source: Source, app: &App) -> Result<Share, ApiError> {
        let too_many = |sentence: &str| ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence);
        if !self.rates.allow(source) {
            return Err(too_many("Too many games are begun from your address: wait a moment."));
        }
        let held = app.games.held();
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|(id, _)| held.contains(id));
        self.shares.take(source, 1).ok_or_else(|| {
            too_many("Too many games begun from your address are under way: end some of them.")
        })
    }

    fn note(&self, id: String, share: Share) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).push((id, share));
    }
}

/// What everybody may know of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublicFacts {
    id: String,
    rules: String,
    start: String,
    white: String,
    black: String,
    practice: bool,
    link: bool,
    #[schema(required)]
    over: Option<OverFacts>,
    /// Whose turn it is, while the game goes on: both sides hear that.
    #[schema(required)]
    turn: Option<Side>,
}

/// What everybody may know of a game: nothing of its moves.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = 200, body = PublicFacts), (status = 404, body = ErrorBody)))]
pub(crate) async fn facts(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<PublicFacts>, ApiError> {
    let game = app.games.public(&id).await?;
    let facts = game.terms.facts(&id, &game.header, Color::White);
    Ok(Json(PublicFacts {
        id: facts.id,
        rules: facts.rules,
        start: facts.start,
        white: facts.white,
        black: facts.black,
        practice: facts.practice,
        link: facts.link,
        over: game.over,
        turn: game.turn.map(Side::of),
    }))
}

/// The longest message to a side: the state of the longest game, with all its events and what was said of them.
const LONGEST_STATE: usize = 4 << 20;

/// Plays a side of a game, through a WebSocket: the first message is `hello` with the secret of the side.
#[utoipa::path(get, path = "/api/games/{id}/socket", params(("id" = String, Path)),
    responses((status = 101, description = "Messages `Request` one way, `Told` the other"),
        (status = "4XX", body = ErrorBody)))]
pub(crate) async fn socket(
    State(app): State<App>,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|error| ApiError::new(error.status(), "This address is a WebSocket."))?;
    let permit = app.connections.clone().try_acquire_owned().map_err(|_| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "Too many connections: try again later.")
    })?;
    let longest = app.config.limits.message_bytes;
    let upgrade =
        upgrade.max_message_size(longest).max_frame_size(longest).max_write_buffer_size(LONGEST_STATE);
    Ok(upgrade.on_upgrade(move |socket| socket::serve(socket, app.games, id, permit)))
}

/// Which transcript.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// `white`, `black` or `full` (unless told).
    #[serde(rename = "as")]
    side: Option<String>,
    /// `jsonl` (unless told) or `pgn`.
    format: Option<String>,
}

/// The transcript of a game that is over, in full or as a side heard it.
#[utoipa::path(get, path = "/api/games/{id}/transcript", params(("id" = String, Path), Wanted),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn transcript(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<impl IntoResponse, ApiError> {
    let game = app.games.finished(&id).await?.ok_or_else(still_running)?;
    let (text, ending) = app.work_out(move |_| write(game, &wanted)).await?;
    Ok(download(text, &format!("nebel-{id}.{ending}")))
}

/// A game as it is wanted, and how its file's name ends.
fn write(game: Finished, wanted: &Wanted) -> Result<(Vec<u8>, &'static str), ApiError> {
    let record = match wanted.side.as_deref() {
        None | Some("full") => Record::Transcript(Box::new(game.transcript)),
        Some("white") => Record::View(Box::new(game.transcript.view(Color::White))),
        Some("black") => Record::View(Box::new(game.transcript.view(Color::Black))),
        Some(_) => return Err(ApiError::bad("`as` is white, black or full.")),
    };
    let mut text = Vec::new();
    let (written, ending) = match wanted.format.as_deref() {
        None | Some("jsonl") => (json::write(&record, &mut text), "jsonl"),
        Some("pgn") => (pgn::write(&record, &mut text), "pgn"),
        Some(_) => return Err(ApiError::bad("`format` is jsonl or pgn.")),
    };
    written.map_err(ApiError::failed)?;
    Ok((text, ending))
}

/// The answer to questions that only a finished game answers.
pub(crate) fn still_running() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "The game is not over: nothing of it is shown yet.")
}
