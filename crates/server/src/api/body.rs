//! Bodies and queries that are read with our own sentences when they are wrong.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{StatusCode, header, request::Parts},
};
use serde::de::DeserializeOwned;

use super::error::ApiError;
use crate::App;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// Bodies up to this length are read at once; longer ones take more than a moment, and other threads read them.
const SHORT: usize = 16 << 10;

/// Strategies nest by their refusals; nothing that is sent here nests deeper.
const DEEPEST: usize = 400;

impl<T: DeserializeOwned + Send + 'static> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, ApiError> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_json = content_type.is_some_and(|value| value.trim_start().starts_with("application/json"));
        if !is_json {
            let sentence = "The request must be JSON, and say so (Content-Type: application/json).";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
        }
        let bytes = Bytes::from_request(request, app).await;
        let bytes =
            bytes.map_err(|error| ApiError::new(error.status(), "The request is too large or broken."))?;
        let body =
            if bytes.len() <= SHORT { read(&bytes) } else { app.work_out(move |_| read(&bytes)).await };
        body.map(Body)
    }
}

/// Reads JSON of bounded depth; the library's own bound is less than strategies need.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ApiError::bad("The request is not UTF-8 text."))?;
    if nebel_prover::strategy::nesting(text) > DEEPEST {
        return Err(ApiError::bad("The request is nested too deep."));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| ApiError::bad(format!("The request cannot be understood: {error}.")))
}

/// The query of an address.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, ApiError> {
        let query = Query::from_request_parts(parts, state).await;
        query.map(|Query(value)| Asked(value)).map_err(|error| ApiError::bad(error.body_text()))
    }
}
