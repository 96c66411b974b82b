//! Review: a game that is over, or one from a file, step by step from every side.

use axum::{
    Json,
    extract::{Path, State},
};
use nebel_kriegspiel::{
    Color, Event, OwnMen, OwnSide, Rules, Transcript, View, json, pgn, side::name, start, transcript::Record,
    words,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
    games::still_running,
};
use crate::{
    App,
    games::{
        messages::OverFacts,
        seat::{json_of, men_of},
    },
};

/// A game to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// A transcript or a view: JSON Lines or Kriegspiel PGN.
    text: String,
    /// Only what this side heard.
    #[serde(rename = "as", default)]
    side: Option<Side>,
}

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// A game step by step.
#[derive(Serialize, ToSchema)]
pub(crate) struct Review {
    rules: String,
    start: String,
    white: Option<String>,
    black: Option<String>,
    /// Whose view it is; null for the whole game.
    view: Option<&'static str>,
    over: Option<OverFacts>,
    steps: Vec<ReviewStep>,
    /// The same as a transcript.
    jsonl: String,
}

/// One event.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewStep {
    /// The whole event, or what the side of a view heard of it.
    event: Value,
    /// What White heard of it.
    white: Option<Value>,
    /// What Black heard of it.
    black: Option<Value>,
    white_text: Option<String>,
    black_text: Option<String>,
    /// The event as the referee says it.
    text: String,
    /// The position after it; null in views.
    board: Option<String>,
    /// The men of the side of a view after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    men: Option<std::collections::BTreeMap<String, String>>,
}

/// A game that is over, step by step.
#[utoipa::path(get, path = "/api/games/{id}/review", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn of_game(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Review>, ApiError> {
    let game = app.games.finished(&id).await?.ok_or_else(still_running)?;
    Ok(Json(review(&Record::Transcript(Box::new(game.transcript)))?))
}

/// A game from a text, step by step.
#[utoipa::path(post, path = "/api/review", request_body = Text,
    responses((status = 200, body = Review), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn of_text(
    State(app): State<App>,
    Body(asked): Body<Text>,
) -> Result<Json<Review>, ApiError> {
    app.analyse(move |_| {
        let record = read_game(&asked.text, &Rules::icc())?;
        let record = match asked.side {
            None => record,
            Some(side) => Record::View(Box::new(view_of(record, side.into())?)),
        };
        review(&record)
    })
    .await
}

/// The one game of a text, whose form shows in its first character.
pub(crate) fn read_game(text: &str, default_rules: &Rules) -> Result<Record, ApiError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return json::read(text.as_bytes()).map_err(ApiError::bad);
    }
    if text.is_empty() {
        return Err(ApiError::bad("The text is empty: a game begins with its header."));
    }
    let games = pgn::read(text, default_rules).map_err(ApiError::bad)?;
    let count = games.len();
    let [game] = <[_; 1]>::try_from(games).map_err(|_| ApiError::bad(format!("{count} games: give one.")))?;
    Ok(game)
}

/// A game as one side heard it.
pub(crate) fn view_of(record: Record, side: Color) -> Result<View, ApiError> {
    let sentence = format!("This is the other side's view: it holds no view of {}.", words::side(side));
    record.into_view(side).ok_or_else(|| ApiError::bad(sentence))
}

/// A game step by step.
pub(crate) fn review(record: &Record) -> Result<Review, ApiError> {
    let header = record.header();
    let mut jsonl = Vec::new();
    json::write(record, &mut jsonl).map_err(ApiError::failed)?;
    let mut steps = Vec::new();
    match record {
        Record::Transcript(transcript) => {
            // Replayed, for the position after each event.
            let mut replayed = Transcript::new(header.clone());
            for event in transcript.events() {
                replayed.add(event).map_err(ApiError::failed)?;
                steps.push(ReviewStep {
                    board: Some(start::fen(replayed.umpire().position())),
                    ..step(event, &header.rules)
                });
            }
        }
        Record::View(view) => {
            let mut own = OwnSide::new(header.rules.clone(), &header.start, view.side());
            for event in view.events() {
                own.hear(event).map_err(ApiError::failed)?;
                let men: &OwnMen = own.men();
                steps.push(ReviewStep {
                    men: Some(men_of(men)),
                    ..step_of_view(event, view.side(), &header.rules)
                });
            }
        }
    }
    Ok(Review {
        rules: header.rules.name.to_string(),
        start: header.start_fen.clone(),
        white: header.white.clone(),
        black: header.black.clone(),
        view: record.side().map(name),
        over: record.events().last().and_then(Event::over).map(OverFacts::from),
        steps,
        jsonl: String::from_utf8_lossy(&jsonl).into_owned(),
    })
}

fn step(event: &Event, rules: &Rules) -> ReviewStep {
    let [white, black] = [Color::White, Color::Black].map(|side| {
        let heard = event.heard_by(side, rules)?;
        Some((json_of(&heard, rules), words::for_player(&heard, side, rules)))
    });
    let ((white, white_text), (black, black_text)) = (white.unzip(), black.unzip());
    ReviewStep {
        event: json_of(event, rules),
        white,
        black,
        white_text,
        black_text,
        text: words::for_referee(event, rules),
        board: None,
        men: None,
    }
}

/// What a view holds is all there is: the other side's share is not known.
fn step_of_view(event: &Event, side: Color, rules: &Rules) -> ReviewStep {
    let (heard, text) = (json_of(event, rules), words::for_player(event, side, rules));
    let [white, black] =
        [Color::White, Color::Black].map(|of| (of == side).then(|| (heard.clone(), text.clone())));
    let ((white, white_text), (black, black_text)) = (white.unzip(), black.unzip());
    ReviewStep { event: heard.clone(), white, black, white_text, black_text, text, board: None, men: None }
}
