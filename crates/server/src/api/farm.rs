//! The farm, live: who works and how far runs are, if the app was started with `--farm URL`.
//!
//! The farm is asked at most every two seconds, however many look.

use std::time::{Duration, Instant};

use axum::{Json, extract::State};
use nebel_arena::farm::status::{self, RunStatus, Status, WorkerStatus};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::App;

/// What is known of the farm.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct FarmShown {
    /// Null without `--farm`.
    #[schema(required)]
    farm: Option<FarmFacts>,
    /// Why the farm cannot be asked.
    #[schema(required)]
    error: Option<String>,
}

/// A farm at a moment.
#[derive(Clone, Default, Serialize, ToSchema)]
struct FarmFacts {
    workers: Vec<FarmWorker>,
    runs: Vec<FarmRun>,
}

/// A worker, as it speaks of itself.
#[derive(Clone, Serialize, ToSchema)]
struct FarmWorker {
    name: String,
    version: String,
    cores: u64,
    /// Units at a time.
    jobs: u64,
    busy: u64,
    done: u64,
    /// Units done in the last minute.
    per_minute: u64,
    /// Runs that it takes nothing of, and why.
    refused: Vec<String>,
}

/// A run.
#[derive(Clone, Serialize, ToSchema)]
struct FarmRun {
    run: String,
    title: String,
    kind: String,
    version: String,
    /// Null when its collector is away.
    #[schema(required)]
    done: Option<u64>,
    /// Units in all, if that is known.
    #[schema(required)]
    of: Option<u64>,
    #[schema(required)]
    per_minute: Option<f64>,
    #[schema(required)]
    seconds_left: Option<f64>,
    /// Units that wait.
    waiting: u64,
    /// Units that are being done.
    in_hand: u64,
    /// How often units were handed out again.
    again: u64,
    /// Results that were thrown away.
    refused: u64,
}

/// What was told last, and when.
pub(crate) type LastTold = Mutex<Option<(Instant, FarmShown)>>;

/// So long an answer is good for.
const FRESH: Duration = Duration::from_secs(2);
/// How long workers have to answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Who works on the farm, and how far its runs are.
#[utoipa::path(get, path = "/api/farm", responses((status = 200, body = FarmShown)))]
pub(crate) async fn farm(State(app): State<App>) -> Json<FarmShown> {
    let Some(broker) = &app.config.farm else {
        return Json(FarmShown { farm: None, error: None });
    };
    // Whoever comes while it is asked waits for the same answer.
    let mut last = app.farm.lock().await;
    if let Some((when, told)) = &*last
        && when.elapsed() < FRESH
    {
        return Json(told.clone());
    }
    let told = match status::asked(broker, PATIENCE).await {
        Ok(status) => FarmShown { farm: Some(FarmFacts::of(status)), error: None },
        Err(error) => FarmShown { farm: Some(FarmFacts::default()), error: Some(error.to_string()) },
    };
    *last = Some((Instant::now(), told.clone()));
    Json(told)
}

impl FarmFacts {
    fn of(Status { workers, runs }: Status) -> FarmFacts {
        let worker = |worker: WorkerStatus| FarmWorker {
            name: worker.name,
            version: worker.version,
            cores: worker.cores as u64,
            jobs: worker.jobs as u64,
            busy: worker.busy as u64,
            done: worker.done,
            per_minute: worker.per_minute,
            refused: worker.refused,
        };
        let run = |run: RunStatus| FarmRun {
            run: run.run,
            title: run.title,
            kind: run.kind,
            version: run.version,
            done: run.standing.map(|standing| standing.done),
            of: run.standing.and_then(|standing| standing.of),
            per_minute: run.per_minute,
            seconds_left: run.seconds_left,
            waiting: run.waiting.saturating_sub(run.in_hand),
            in_hand: run.in_hand,
            again: run.standing.map_or(run.redelivered, |standing| standing.again),
            refused: run.standing.map_or(0, |standing| standing.refused),
        };
        FarmFacts {
            workers: workers.into_iter().map(worker).collect(),
            runs: runs.into_iter().map(run).collect(),
        }
    }
}
