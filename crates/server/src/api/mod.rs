//! The JSON API: one module a subject. Every route stands in the router with its description, from which
//! `/openapi.json` is made.

pub(crate) mod answer;
pub(crate) mod belief;
pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod games;
pub(crate) mod meta;
pub(crate) mod problems;
pub(crate) mod results;
pub(crate) mod review;
pub(crate) mod solve;
pub(crate) mod tables;

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    http::{StatusCode, header},
    middleware,
    response::IntoResponse,
    routing::get,
};
use nebel_search::Cancel;
use tower_http::{limit::RequestBodyLimitLayer, set_header::SetResponseHeaderLayer, timeout::TimeoutLayer};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::error::ApiError;
use crate::{
    App,
    games::messages::{Request, Told},
    guard::{self, Guard},
    limits::Rates,
    pages,
};

/// What is said of the API as a whole, and the messages of its WebSocket.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Nebel",
        description = "Kriegspiel: games, what could be known in them, proofs, tables, results"
    ),
    components(schemas(Request, Told))
)]
struct Description;

/// How long any answer may take; the work behind it goes on as long as its own limit allows.
const LONGEST_ANSWER: Duration = Duration::from_mins(2);

/// All routes, guarded.
pub(crate) fn router(app: App) -> Router {
    let limits = &app.config.limits;
    let guard = Arc::new(Guard { rates: Rates::new(limits), host: app.config.host.clone() });
    let body = limits.body_bytes;
    let (routes, description) = described().split_for_parts();
    let description = Arc::new(description);
    let routes = routes.route("/openapi.json", get(move || async move { Json((*description).clone()) }));
    let routes = routes
        .fallback(pages::file)
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST_ANSWER))
        .layer(RequestBodyLimitLayer::new(body))
        .layer(axum::extract::DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(guard, guard::check));
    let routes = guard::HEADERS
        .into_iter()
        .fold(routes, |routes, (name, value)| routes.layer(SetResponseHeaderLayer::overriding(name, value)));
    routes.with_state(app)
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
        .routes(routes!(solve::begin))
        .routes(routes!(solve::look, solve::cancel))
        .routes(routes!(solve::place))
        .routes(routes!(problems::collections))
        .routes(routes!(problems::list))
        .routes(routes!(problems::show))
        .routes(routes!(answer::answer))
        .routes(routes!(tables::list))
        .routes(routes!(tables::probe_set))
        .routes(routes!(results::all))
        .routes(routes!(results::one))
        .routes(routes!(results::game))
}

impl App {
    /// Has an analysis done off the async threads, and waits for it; who goes away cancels it.
    async fn analyse<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Json<T>, ApiError> {
        let mut job = self.analysis.run(work)?;
        job.wait().await.map_err(ApiError::failed)?.map(Json)
    }
}

/// Text that browsers save as a file.
fn download(text: String, name: &str) -> impl IntoResponse + use<> {
    let disposition = format!("attachment; filename=\"{name}\"");
    (
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        text,
    )
}
