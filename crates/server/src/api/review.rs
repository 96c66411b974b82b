//! Review: a game that is over, or one from a file, step by step from every side.

use axum::{
    extract::{Path, State},
    response::Response,
};
use nebel_kriegspiel::{
    Color, Rules, View,
    json::{self, Side},
    pgn,
    transcript::Record,
    words,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    body::Body,
    course::{Course, Review},
    error::{ApiError, ErrorBody},
    games::still_running,
};
use crate::App;

/// A game to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// A transcript or a view: JSON Lines or Kriegspiel PGN.
    pub(crate) text: String,
    /// Only what this side heard.
    #[serde(rename = "as", default)]
    side: Option<Side>,
}

/// A game that is over, step by step.
#[utoipa::path(get, path = "/api/games/{id}/review", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn of_game(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let game = app.games.finished(&id).await?.ok_or_else(still_running)?;
    Ok(Course::new(Record::Transcript(Box::new(game.transcript))).into_answer())
}

/// A game from a text, step by step.
#[utoipa::path(post, path = "/api/review", request_body = Text,
    responses((status = 200, body = Review), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn of_text(State(app): State<App>, Body(asked): Body<Text>) -> Result<Response, ApiError> {
    let most = app.config.limits.game_events;
    let read = app.work_out(move |_| {
        let record = read_game(&asked.text, &Rules::icc(), most)?;
        match asked.side {
            None => Ok(record),
            Some(side) => Ok(Record::View(Box::new(view_of(record, side.color())?))),
        }
    });
    Ok(Course::new(read.await?).into_answer())
}

/// The one game of a text, whose form shows in its first character, of so many events at most.
pub(crate) fn read_game(text: &str, default_rules: &Rules, most_events: usize) -> Result<Record, ApiError> {
    let too_long = || ApiError::bad(format!("A game has at most {most_events} events."));
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        // Each event is a line, so that much need not be read to the end.
        let lines = text.lines().filter(|line| !line.trim().is_empty()).take(most_events + 2).count();
        if lines > most_events + 1 {
            return Err(too_long());
        }
        return json::read(text.as_bytes()).map_err(ApiError::bad);
    }
    if text.is_empty() {
        return Err(ApiError::bad("The text is empty: a game begins with its header."));
    }
    let games = pgn::read(text, default_rules).map_err(ApiError::bad)?;
    let count = games.len();
    let [game] = <[_; 1]>::try_from(games).map_err(|_| ApiError::bad(format!("{count} games: give one.")))?;
    if game.events().len() > most_events { Err(too_long()) } else { Ok(game) }
}

/// A game as one side heard it.
pub(crate) fn view_of(record: Record, side: Color) -> Result<View, ApiError> {
    let sentence = format!("This is the other side's view: it holds no view of {}.", words::side(side));
    record.into_view(side).ok_or_else(|| ApiError::bad(sentence))
}
