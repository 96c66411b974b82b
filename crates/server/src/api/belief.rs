//! Beliefs: what a side could know after so many events of a game that is over, or of one from a file.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use axum::{extract::State, response::Response};
use nebel_kriegspiel::{Color, Event, Header, Rules, json::Side, transcript::Record};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
    review::{read_game, view_of},
};
use crate::{
    App,
    knowledge::{Belief, Knowledge},
};

/// A moment of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Moment {
    /// A transcript or a view: JSON Lines or Kriegspiel PGN.
    text: String,
    /// Whose belief.
    #[serde(rename = "as")]
    side: Side,
    /// After so many steps of the text; all unless told.
    #[serde(default)]
    events: Option<usize>,
    /// Exact up to so many positions.
    #[serde(default)]
    limit: Option<usize>,
}

/// Beliefs exact up to so many positions unless told otherwise: a step takes a fraction of a second.
const DEFAULT_LIMIT: usize = 300_000;

/// What a side could know at a moment of a game.
#[utoipa::path(post, path = "/api/belief", request_body = Moment,
    responses((status = 200, body = Belief), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn belief(State(app): State<App>, Body(moment): Body<Moment>) -> Result<Response, ApiError> {
    let cache = app.knowledge.clone();
    let (most, events) = (app.config.limits.belief_positions, app.config.limits.game_events);
    app.analyse(move |cancel| {
        let begun = Instant::now();
        let record = read_game(&moment.text, &Rules::icc(), events)?;
        let side = moment.side.color();
        let (header, events) = heard(record, side, moment.events)?;
        let limit = moment.limit.unwrap_or(DEFAULT_LIMIT).min(most);
        let mut knowledge = cache.longest(&header, side, &events, limit);
        for (index, event) in events.iter().enumerate().skip(knowledge.heard()) {
            if cancel.is_cancelled() {
                return Err(ApiError::failed("Nobody waits any more."));
            }
            knowledge.hear(event).map_err(|error| {
                ApiError::bad(format!("event {} ({}): {error}", index + 1, event.to_json(&header.rules)))
            })?;
        }
        let belief = knowledge.belief(begun);
        cache.keep(&header, side, limit, knowledge);
        Ok(belief)
    })
    .await
}

/// What a side has heard after so many events of a record.
fn heard(record: Record, side: Color, events: Option<usize>) -> Result<(Header, Vec<Event>), ApiError> {
    let header = record.header().clone();
    let count = events.unwrap_or(usize::MAX);
    let heard = match record {
        Record::Transcript(transcript) => {
            let events = transcript.events().iter().take(count);
            let heard = events.filter_map(|event| event.heard_by(side, &header.rules));
            heard.map(nebel_kriegspiel::ViewEvent::into_event).collect()
        }
        view @ Record::View(_) => view_of(view, side)?.events().iter().take(count).cloned().collect(),
    };
    Ok((header, heard))
}

/// The last few computed, so that stepping on through a game costs one step.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Vec<(String, Color, usize, Knowledge)>>);

/// So many are kept…
const KEPT: usize = 8;
/// …unless they have more positions than this in all.
const KEPT_POSITIONS: usize = 3_000_000;

impl Cache {
    /// The knowledge that has heard most of these events and no others.
    fn longest(&self, header: &Header, side: Color, events: &[Event], limit: usize) -> Knowledge {
        let name = header.to_json(None);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = kept.iter().filter(|(of, whose, most, known)| {
            *of == name && *whose == side && *most == limit && events.starts_with(known.events())
        });
        let longest = fits.max_by_key(|(.., known)| known.heard()).map(|(.., known)| known.clone());
        longest.unwrap_or_else(|| Knowledge::new(header.rules.clone(), &header.start, side, limit))
    }

    fn keep(&self, header: &Header, side: Color, limit: usize, knowledge: Knowledge) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((header.to_json(None), side, limit, knowledge));
        let positions =
            |kept: &[(_, _, _, Knowledge)]| kept.iter().map(|(.., known)| known.len()).sum::<usize>();
        while kept.len() > KEPT || positions(&kept) > KEPT_POSITIONS {
            kept.remove(0);
        }
    }
}
