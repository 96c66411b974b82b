//! The JSON API: one module a subject. Every route stands in the router with its description, from which
//! `/openapi.json` is made.

pub(crate) mod answer;
pub(crate) mod belief;
pub(crate) mod body;
pub(crate) mod course;
pub(crate) mod error;
pub(crate) mod farm;
pub(crate) mod games;
pub(crate) mod meta;
pub(crate) mod opinion;
pub(crate) mod problems;
pub(crate) mod results;
pub(crate) mod review;
pub(crate) mod solve;
pub(crate) mod strategy;
pub(crate) mod study;
pub(crate) mod tables;
pub(crate) mod umpire;

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    http::header,
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use nebel_search::Cancel;
use serde::Serialize;
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::error::ApiError;
use crate::{
    App,
    games::messages::{Request, Told},
    guard::{self, Guard},
    intake::{self, Intake},
    pages,
    quota::{Rates, steady},
};

/// What is said of the API as a whole, and the messages of its WebSocket.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Nebel",
        description = "Kriegspiel: games, what could be known in them, proofs, tables, results"
    ),
    components(schemas(Request, Told, strategy::Any, strategy::Step, strategy::Strategy))
)]
struct Description;

/// All routes, guarded.
pub(crate) fn router(app: App) -> Router {
    let limits = &app.config.limits;
    let rates = Rates::new(steady(limits.requests_a_second, limits.burst));
    let guard = Arc::new(Guard { rates, host: app.config.host.clone() });
    let intake = Arc::new(Intake::new(limits));
    let (routes, description) = described().split_for_parts();
    // It never changes, so it is written once.
    let description = Bytes::from(description.to_json().unwrap_or_default());
    let routes = routes.route("/openapi.json", get(move || async move { in_json(description) }));
    let routes = routes
        .fallback(pages::file)
        // The intake has seen to the length.
        .layer(axum::extract::DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(intake, intake::take_in))
        .layer(middleware::from_fn_with_state(guard, guard::check));
    let routes = guard::HEADERS.into_iter().fold(in_one_form(routes), |routes, (name, value)| {
        routes.layer(SetResponseHeaderLayer::overriding(name, value))
    });
    routes.with_state(app)
}

/// Whatever goes wrong in these routes is told as all errors are, panics included.
fn in_one_form<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    let panicked = |_| ApiError::failed("The server failed in this request.").into_response();
    routes.layer(CatchPanicLayer::custom(panicked)).layer(middleware::map_response(error::in_json))
}

/// The routes with their descriptions.
fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(meta::meta))
        .routes(routes!(games::create))
        .routes(routes!(games::facts))
        .routes(routes!(games::socket))
        .routes(routes!(games::transcript))
        .routes(routes!(review::of_game))
        .routes(routes!(review::of_text))
        .routes(routes!(belief::belief))
        .routes(routes!(study::begin_study))
        .routes(routes!(study::study_progress))
        .routes(routes!(study::study_step))
        .routes(routes!(opinion::opinion))
        .routes(routes!(opinion::opinion_progress))
        .routes(routes!(solve::begin))
        .routes(routes!(solve::look, solve::cancel))
        .routes(routes!(solve::place))
        .routes(routes!(problems::collections))
        .routes(routes!(problems::list))
        .routes(routes!(problems::show))
        .routes(routes!(answer::answer))
        .routes(routes!(umpire::umpire))
        .routes(routes!(tables::list))
        .routes(routes!(tables::probe_set))
        .routes(routes!(results::all))
        .routes(routes!(results::one))
        .routes(routes!(results::game))
        .routes(routes!(farm::farm))
}

impl App {
    /// Has an analysis done and written down off the async threads, and waits for it; who goes away cancels it.
    async fn analyse<T: Serialize>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let written =
            self.work_out(move |cancel| serde_json::to_vec(&work(cancel)?).map_err(ApiError::failed));
        Ok(in_json(written.await?.into()))
    }

    /// Has something worked out off the async threads, and waits for it; who goes away cancels it.
    async fn work_out<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let mut job = self.analysis.run(work)?;
        job.wait().await.map_err(ApiError::failed)?
    }
}

/// An answer that is JSON already.
fn in_json(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Text that browsers save as a file.
fn download(text: Vec<u8>, name: &str) -> impl IntoResponse + use<> {
    let disposition = format!("attachment; filename=\"{name}\"");
    (
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        text,
    )
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::Request};
    use tower::ServiceExt;

    use super::*;

    /// The types of the front end are made from this file, so it must be what the server says of itself.
    #[test]
    fn the_front_end_knows_the_api_as_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
        let described = described().to_openapi().to_pretty_json().unwrap() + "\n";
        if std::env::var_os("NEBEL_BLESS").is_some() {
            std::fs::write(path, &described).unwrap();
        }
        let known = std::fs::read_to_string(path).unwrap_or_default();
        let first = known.lines().zip(described.lines()).position(|(known, described)| known != described);
        assert!(
            known == described,
            "web/openapi.json differs from line {} on: `NEBEL_BLESS=1 cargo test -p nebel-server --lib` writes it anew, \
             then `npm run types` in web/ makes the types",
            first.unwrap_or_default() + 1
        );
    }

    #[tokio::test]
    async fn a_panic_is_an_error_in_json_like_any_other() {
        let fails = get(|| async { panic!("on purpose") as &'static str });
        let plain = get(|| async { (axum::http::StatusCode::IM_A_TEAPOT, "short and stout") });
        let routes = in_one_form(Router::new().route("/fails", fails).route("/plain", plain));
        for (path, status, sentence) in
            [("/fails", 500, "The server failed in this request."), ("/plain", 418, "short and stout")]
        {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let answer = routes.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), status);
            let body = axum::body::to_bytes(answer.into_body(), 1000).await.unwrap();
            assert_eq!(&body[..], format!("{{\"error\":\"{sentence}\"}}").as_bytes());
        }
    }
}
