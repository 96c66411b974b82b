//! What a side could know at every step of a game: worked out from the first step to the last in the background, so that
//! each step is answered at once when it is asked for.

use axum::{
    Extension, Json,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use nebel_kriegspiel::{Color, Event, Rules, json::Side, side::name as side_name, transcript::Record};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    body::{Asked, Body},
    error::{ApiError, ErrorBody},
    games::still_running,
    in_json,
    review::{read_game, view_of},
};
use crate::{
    App,
    background::Weigh,
    jobs::JobError,
    knowledge::{Belief, BeliefKnown, Knowledge},
    listener::Peer,
};

/// A game that is over, by its name, or a text.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Subject {
    /// The name of a game of this server that is over.
    #[serde(default)]
    pub(crate) game: Option<String>,
    /// Or a transcript or a view: JSON Lines or Kriegspiel PGN.
    #[serde(default)]
    pub(crate) text: Option<String>,
}

/// A game to be worked through for a side.
#[derive(Deserialize, ToSchema)]
pub(crate) struct StudyAsked {
    /// Which game.
    #[serde(flatten)]
    subject: Subject,
    /// Whose knowledge.
    #[serde(rename = "as")]
    side: Side,
}

/// A game that is worked through.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudyBegun {
    /// The name to ask by.
    id: String,
}

/// How far a game is worked through.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudyProgress {
    /// Steps that are done, the start included.
    done: usize,
    /// Steps there are.
    total: usize,
    /// Why it has ended before the last.
    #[schema(required)]
    error: Option<String>,
    /// How many positions there were, from the step on that was asked for.
    sizes: Vec<StudySize>,
}

/// How many positions were possible at a step.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct StudySize {
    /// After so many steps of the game.
    step: usize,
    /// How many; null when there were too many to count.
    #[schema(required)]
    states: Option<usize>,
    known: BeliefKnown,
}

/// What was worked out of one step.
pub(crate) struct Studied {
    size: StudySize,
    /// The belief as it is sent.
    belief: Bytes,
}

impl Weigh for Studied {
    fn bytes(&self) -> usize {
        self.belief.len() + size_of::<Studied>()
    }
}

/// Exact up to so many positions: as many as particles are kept, so that no step takes long.
const EXACT: usize = 40_000;

/// Begins to work through a game, if nobody has.
#[utoipa::path(post, path = "/api/studies", request_body = StudyAsked,
    responses((status = 200, body = StudyBegun), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn begin_study(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Body(asked): Body<StudyAsked>,
) -> Result<Json<StudyBegun>, ApiError> {
    let record = record_of(&app, &asked.subject).await?;
    let id = format!("{}-{}", name_of(&record), side_name(asked.side.color()));
    if app.studies.look(&id, |work| matches!(work.ended, Some(Err(_)))) == Some(false) {
        return Ok(Json(StudyBegun { id }));
    }
    let side = asked.side.color();
    let slices = app.work_out(move |_| steps(record, side)).await?;
    begun(app.studies.begin(&app.analysis, peer.source(), &id, slices, |_| ()))?;
    Ok(Json(StudyBegun { id }))
}

/// Tells why work in the background did not begin.
pub(crate) fn begun(result: Result<(), JobError>) -> Result<(), ApiError> {
    result.map_err(|error| match error {
        JobError::TooMany => ApiError::new(StatusCode::TOO_MANY_REQUESTS, error),
        JobError::Busy(busy) => busy.into(),
        JobError::Randomness(error) => ApiError::failed(error),
    })
}

/// The game that is meant. One of this server must be over.
pub(crate) async fn record_of(app: &App, subject: &Subject) -> Result<Record, ApiError> {
    match (&subject.game, &subject.text) {
        (Some(game), None) => {
            let game = app.games.finished(game).await?.ok_or_else(still_running)?;
            Ok(Record::Transcript(Box::new(game.transcript)))
        }
        (None, Some(text)) => {
            let (text, most) = (text.clone(), app.config.limits.game_events);
            app.work_out(move |_| read_game(&text, &Rules::icc(), most)).await
        }
        _ => Err(ApiError::bad("Give a `game` or a `text`, one of them.")),
    }
}

/// A name for a game by what happened in it: who has the same game gets the same work.
pub(crate) fn name_of(record: &Record) -> String {
    let rules = &record.header().rules;
    let mut hash = blake3::Hasher::new();
    hash.update(record.header().to_json(record.side()).as_bytes());
    for event in record.events() {
        hash.update(b"\n");
        hash.update(event.to_json(rules).as_bytes());
    }
    hash.finalize().to_hex().as_str()[..32].to_owned()
}

/// The start and every step that the side heard, each with what could be known then.
fn steps(
    record: Record,
    side: Color,
) -> Result<(usize, impl Iterator<Item = Result<Studied, String>> + Send + 'static), ApiError> {
    let header = record.header().clone();
    let heard: Vec<(usize, Event)> = match &record {
        Record::Transcript(transcript) => {
            let events = transcript.events().iter().enumerate();
            let heard =
                events.filter_map(|(index, event)| Some((index + 1, event.heard_by(side, &header.rules)?)));
            heard.map(|(step, event)| (step, event.into_event())).collect()
        }
        Record::View(_) => {
            let view = view_of(record, side)?;
            view.events().iter().cloned().enumerate().map(|(index, event)| (index + 1, event)).collect()
        }
    };
    let mut knowledge = Knowledge::new(header.rules.clone(), &header.start, side, EXACT);
    let total = heard.len() + 1;
    let steps = std::iter::once((0, None)).chain(heard.into_iter().map(|(step, event)| (step, Some(event))));
    let studied = steps.map(move |(step, event)| {
        let begun = std::time::Instant::now();
        if let Some(event) = event {
            knowledge.hear(&event).map_err(|error| format!("Step {step}: {error}."))?;
        }
        let belief = knowledge.belief(begun);
        let how_many = StudySize { step, states: belief.states, known: belief.known };
        let belief = serde_json::to_vec(&belief).map_err(|error| error.to_string())?;
        Ok(Studied { size: how_many, belief: belief.into() })
    });
    Ok((total, studied))
}

/// From which step on sizes are wanted.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    /// So many sizes are known already.
    #[serde(default)]
    from: usize,
}

fn unknown() -> ApiError {
    ApiError::missing("This game is not worked through any more: ask for it again.")
}

/// How far a game is worked through.
#[utoipa::path(get, path = "/api/studies/{id}", params(("id" = String, Path), From),
    responses((status = 200, body = StudyProgress), (status = 404, body = ErrorBody)))]
pub(crate) async fn study_progress(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(From { from }): Asked<From>,
) -> Result<Json<StudyProgress>, ApiError> {
    let progress = app.studies.look(&id, |work| StudyProgress {
        done: work.done.len(),
        total: work.total,
        error: work.ended.clone().and_then(Result::err),
        sizes: work.done.iter().skip(from).map(|studied| studied.size.clone()).collect(),
    });
    progress.map(Json).ok_or_else(unknown)
}

/// What a side could know after a step; status 202 and how far the work is while it has not come so far.
#[utoipa::path(get, path = "/api/studies/{id}/{step}", params(("id" = String, Path), ("step" = usize, Path)),
    responses((status = 200, body = Belief), (status = 202, body = StudyProgress), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn study_step(
    State(app): State<App>,
    Path((id, step)): Path<(String, usize)>,
) -> Result<Response, ApiError> {
    let found = app.studies.look(&id, |work| {
        let after = work.done.partition_point(|studied| studied.size.step <= step);
        let is_known = after < work.done.len() || work.ended == Some(Ok(()));
        // The last that is known is the one unless another may follow before the step.
        let last = work.done.get(after.wrapping_sub(1)).filter(|last| is_known || last.size.step == step);
        match (last, &work.ended) {
            (Some(last), _) => Ok(Some(last.belief.clone())),
            (None, Some(Err(error))) => Err(ApiError::failed(error)),
            (None, _) => Ok(None),
        }
    });
    if let Some(belief) = found.ok_or_else(unknown)?? {
        return Ok(in_json(belief));
    }
    let from = From { from: usize::MAX };
    let progress = study_progress(State(app), Path(id), Asked(from)).await?;
    Ok((StatusCode::ACCEPTED, progress).into_response())
}
