//! Errors as the API tells them: a status and one clear sentence.

use axum::{
    Json,
    body::to_bytes,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use nebel_kriegspiel::start::in_one_line;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{games::GameError, pool::Busy};

/// What went wrong.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
}

/// The body of an answer that is an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// One clear sentence.
    error: String,
}

/// What an error says: anything that can be shown.
pub(crate) struct Sentence(String);

impl<T: std::fmt::Display> From<T> for Sentence {
    fn from(shown: T) -> Sentence {
        Sentence(in_one_line(&shown.to_string()))
    }
}

impl ApiError {
    /// An error with its sentence.
    pub(crate) fn new(status: StatusCode, sentence: impl Into<Sentence>) -> ApiError {
        ApiError { status, sentence: sentence.into().0 }
    }

    /// What it says.
    #[cfg(test)]
    pub(crate) fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What was asked makes no sense.
    pub(crate) fn bad(sentence: impl Into<Sentence>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// What was asked for is not there.
    pub(crate) fn missing(sentence: impl Into<Sentence>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, sentence)
    }

    /// The server failed.
    pub(crate) fn failed(sentence: impl Into<Sentence>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self.sentence })).into_response()
    }
}

/// The longest sentence of a library that is passed on.
const LONGEST_SENTENCE: usize = 500;

/// Errors that come from libraries (no such method, no number where one is wanted) in the form of all others.
pub(crate) async fn in_json(response: Response) -> Response {
    let status = response.status();
    let content = response.headers().get(header::CONTENT_TYPE);
    let is_json = content.is_some_and(|content| content.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = to_bytes(body, LONGEST_SENTENCE).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let sentence = match status {
        StatusCode::METHOD_NOT_ALLOWED => "This address does not take such requests.",
        _ if said.trim().is_empty() => status.canonical_reason().unwrap_or("It went wrong."),
        _ => said.trim(),
    };
    let mut response = ApiError::new(status, sentence).into_response();
    // What else was said of it, such as the methods that are allowed.
    for (name, value) in &parts.headers {
        response.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    response
}

impl From<Busy> for ApiError {
    fn from(busy: Busy) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, busy)
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> ApiError {
        let status = match error {
            GameError::Unknown => StatusCode::NOT_FOUND,
            GameError::TooMany | GameError::TooManyMachines | GameError::Busy(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            GameError::Rules(_) | GameError::Start(_) | GameError::Over(_) | GameError::Terms(_) => {
                StatusCode::BAD_REQUEST
            }
            GameError::Store(_) | GameError::Damaged | GameError::Randomness(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        ApiError::new(status, error)
    }
}
