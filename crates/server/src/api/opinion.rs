//! The machine's opinion of a game that is over, or of one from a file: worked out in the background, kept with the game.

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use nebel_kriegspiel::{Color, json::Side, side::name as side_name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
    study::{Subject, begun, name_of, record_of},
};
use crate::{
    App,
    games::writer::Change,
    listener::Peer,
    opinion::{Opinion, Told, Turns, VERSION},
};

/// A game of which an opinion is wanted.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OpinionAsked {
    /// Which game.
    #[serde(flatten)]
    subject: Subject,
    /// Whose game.
    #[serde(rename = "as")]
    side: Side,
    /// Whether it is to be worked out if there is none.
    #[serde(default)]
    begin: bool,
}

/// How an opinion stands.
#[derive(Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(crate) enum OpinionTold {
    /// Nobody has asked for one.
    None,
    /// It is worked out.
    Working {
        /// The name to ask again by.
        id: String,
        /// Turns that are done.
        done: usize,
        /// Turns there are.
        total: usize,
        /// What there is so far.
        opinion: Opinion,
    },
    /// It is there.
    Done {
        /// The opinion.
        opinion: Opinion,
    },
    /// It could not be worked out.
    Failed {
        /// One sentence.
        error: String,
    },
}

/// The machine's opinion of a game; with `begin` it is worked out if there is none.
#[utoipa::path(post, path = "/api/opinions", request_body = OpinionAsked,
    responses((status = 200, body = OpinionTold), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn opinion(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Body(asked): Body<OpinionAsked>,
) -> Result<Json<OpinionTold>, ApiError> {
    let side = asked.side.color();
    if let Some(game) = &asked.subject.game
        && let Some(opinion) = kept(&app, game, side).await?
    {
        return Ok(Json(OpinionTold::Done { opinion }));
    }
    let record = record_of(&app, &asked.subject).await?;
    let name = format!("{}-{}", name_of(&record), side_name(asked.side.color()));
    if let Some(told) = told(&app, &name, asked.side)
        && !(asked.begin && matches!(told, OpinionTold::Failed { .. }))
    {
        return Ok(Json(told));
    }
    if !asked.begin {
        return Ok(Json(OpinionTold::None));
    }
    let slices = app.work_out(move |_| Turns::new(&record, side).map_err(ApiError::bad)).await?;
    let (store, game, of) = (app.games.store(), asked.subject.game, asked.side);
    let keep = move |told: &[Told]| {
        let Some(game) = game else { return };
        let Ok(text) = serde_json::to_string(&Opinion::of(of, told)) else { return };
        tokio::spawn(async move {
            // A disk that fails is said by the thread that writes to it; the opinion is shown all the same.
            let _ = store
                .write(Change::Opinion { game, is_white: side == Color::White, version: VERSION, text })
                .await;
        });
    };
    begun(app.opinions.begin(&app.analysis, peer.source(), &name, slices, keep))?;
    Ok(Json(told(&app, &name, asked.side).unwrap_or(OpinionTold::None)))
}

/// How an opinion that is worked out stands.
#[utoipa::path(get, path = "/api/opinions/{id}", params(("id" = String, Path)),
    responses((status = 200, body = OpinionTold), (status = 404, body = ErrorBody)))]
pub(crate) async fn opinion_progress(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<OpinionTold>, ApiError> {
    let side = if id.ends_with(side_name(Color::Black)) { Side::Black } else { Side::White };
    let told = told(&app, &id, side).ok_or_else(|| {
        ApiError::new(StatusCode::NOT_FOUND, "No such opinion is worked out: ask for it again.")
    })?;
    Ok(Json(told))
}

fn told(app: &App, name: &str, side: Side) -> Option<OpinionTold> {
    app.opinions.look(name, |work| {
        let opinion = Opinion::of(side, &work.done);
        match &work.ended {
            None => OpinionTold::Working {
                id: name.to_owned(),
                done: work.done.len(),
                total: work.total,
                opinion,
            },
            Some(Ok(())) => OpinionTold::Done { opinion },
            Some(Err(error)) => OpinionTold::Failed { error: error.clone() },
        }
    })
}

/// The opinion that is kept with a game, if it is of this version. One that cannot be read is worked out anew.
async fn kept(app: &App, game: &str, side: Color) -> Result<Option<Opinion>, ApiError> {
    let text = app.games.store().opinion(game, side == Color::White, VERSION).await;
    let text = text.map_err(ApiError::failed)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}
