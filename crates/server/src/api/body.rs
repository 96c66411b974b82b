//! Bodies and queries that are read with our own sentences when they are wrong.

use axum::{
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(value)) => Ok(Body(value)),
            Err(error @ JsonRejection::BytesRejection(_)) => {
                Err(ApiError::new(error.status(), "The request is too large or broken."))
            }
            Err(error @ JsonRejection::MissingJsonContentType(_)) => Err(ApiError::new(
                error.status(),
                "The request must be JSON, and say so (Content-Type: application/json).",
            )),
            Err(error) => Err(ApiError::new(StatusCode::BAD_REQUEST, error.body_text())),
        }
    }
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
