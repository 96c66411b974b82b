//! The umpire at a board that nobody keeps: what one side hears of a line of attempts. Lessons are played on it; whoever asks knows the
//! whole position, having sent it.

use axum::{extract::State, response::Response};
use nebel_kriegspiel::{Header, Rules, Transcript, json::Side, start};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
};
use crate::{
    App,
    games::{
        messages::Told,
        seat::{Outside, Seat},
        terms::GameTerms,
    },
};

/// A line that was put to the umpire.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lines {
    /// The name of the rules.
    rules: String,
    /// The position that it begins with.
    start: String,
    /// Who listens.
    #[serde(rename = "as")]
    side: Side,
    /// Attempts and `any?`, each of the side that is to move then.
    said: Vec<String>,
}

/// Longer than any lesson.
const MOST_LINES: usize = 100;
/// As long as an attempt can be in any form.
const LONGEST_LINE: usize = 16;

/// What a side is told after a line: as in a game, whose name is empty.
#[utoipa::path(post, path = "/api/umpire", request_body = Lines,
    responses((status = 200, body = Told), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn umpire(State(app): State<App>, Body(lines): Body<Lines>) -> Result<Response, ApiError> {
    app.analyse(move |_| told_of(&lines)).await
}

pub(crate) fn told_of(lines: &Lines) -> Result<Told, ApiError> {
    if lines.said.len() > MOST_LINES {
        return Err(ApiError::bad(format!("At most {MOST_LINES} attempts and questions are answered.")));
    }
    let rules = Rules::by_name(&lines.rules).map_err(ApiError::bad)?;
    let position = start::position(&lines.start).map_err(|error| ApiError::bad(format!("start: {error}")))?;
    let header = Header::at(rules.clone(), position);
    let side = lines.side.color();
    let nobody = GameTerms { machine: None, clock: None, practice: false };
    let outside = Outside { clock: None, machine: None, hurried_to: None };
    let mut seat = Seat::new(nobody.facts("", &header, side), header.clone(), side);
    let mut game = Transcript::new(header);
    for (index, line) in lines.said.iter().enumerate() {
        let wrong = |why: &str| ApiError::bad(format!("line {}: {why}", index + 1));
        if line.len() > LONGEST_LINE {
            return Err(wrong("an attempt is not so long"));
        }
        let event = game.hear(line).map_err(|_| wrong("the game is over"))?;
        if let Some(heard) = event.heard_by(side, &rules) {
            seat.hear(heard, &outside);
        }
    }
    Ok(seat.state(&outside))
}
