//! Analysis: can White force mate? Long work, begun here, watched by its name, cancelled at will; and the strategies
//! found, place by place.

use std::time::{Duration, Instant};

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use nebel_kriegspiel::{Chess, Color, Rules, View, json::Side, start};
use nebel_prover::{
    Kriegspiel, Position, Problem, Strategy, ViewBelief,
    walk::{self, Next, Walk},
};
use nebel_search::{
    Algorithm, Cancel, Limits, Meter, Report, Source, Stop, Strategy as SearchStrategy, Verdict, solve_from,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
    in_json as answer_in_json,
    review::{read_game, view_of},
    strategy,
};
use crate::{
    App,
    games::seat::men_of,
    jobs::{Analysis, JobError},
    knowledge::{Squares, squares_of},
    listener::Peer,
};

/// A belief of White, and the question whether it can force mate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The name of the rules (for positions; a view has its own).
    #[serde(default)]
    rules: Option<String>,
    /// Mate within so many plies.
    plies: u32,
    /// The positions, as FEN.
    #[serde(default)]
    positions: Option<Vec<String>>,
    /// Or what White heard: JSON Lines or Kriegspiel PGN.
    #[serde(default)]
    view: Option<String>,
    /// Whose view to take of a full transcript; White's.
    #[serde(rename = "as", default)]
    side: Option<Side>,
    /// How to search.
    #[serde(default)]
    algorithm: Option<String>,
    /// Give up after so many seconds.
    #[serde(default)]
    time: Option<f64>,
}

/// The most positions that a request may name.
const MOST_POSITIONS: usize = 20_000;
/// Positions that are listed with a result, to go on from.
const LISTED: usize = 5000;
/// Positions that are listed at a place of a strategy.
const SHOWN: usize = 200;

/// An analysis that has begun.
#[derive(Serialize, ToSchema)]
pub(crate) struct BegunAnalysis {
    /// Its name.
    job: String,
}

/// Begins to look for a mate.
#[utoipa::path(post, path = "/api/solve", request_body = Question,
    responses((status = 202, body = BegunAnalysis), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Body(question): Body<Question>,
) -> Result<(StatusCode, Json<BegunAnalysis>), ApiError> {
    let algorithm: Algorithm = match &question.algorithm {
        None => Algorithm::Auto,
        Some(name) => name.parse().map_err(ApiError::bad)?,
    };
    let longest = app.config.limits.analysis_time;
    let time = question.time.map_or(Ok(longest), Duration::try_from_secs_f64);
    let time = time.map_err(|_| ApiError::bad("`time` is a number of seconds."))?.min(longest);
    if question.plies > nebel_search::MAX_PLIES {
        return Err(ApiError::bad(format!("At most {} plies can be searched.", nebel_search::MAX_PLIES)));
    }
    let (plies, bytes, events) =
        (question.plies, app.config.limits.proof_bytes, app.config.limits.game_events);
    let belief = app.work_out(move |_| belief_of(&question, events)).await?;
    let job = app.jobs.begin(&app.provers, peer.source(), move |cancel| {
        let result = search(&belief, plies, algorithm, time, bytes, cancel)?;
        serde_json::to_value(result).map_err(|error| error.to_string())
    });
    let job = job.map_err(|error| match error {
        JobError::TooMany => ApiError::new(StatusCode::TOO_MANY_REQUESTS, error),
        JobError::Busy(busy) => busy.into(),
        JobError::Randomness(error) => ApiError::failed(error),
    })?;
    Ok((StatusCode::ACCEPTED, Json(BegunAnalysis { job })))
}

/// Where the positions come from.
pub(crate) enum Belief {
    Listed(Problem),
    Heard(Box<View>),
}

pub(crate) fn belief_of(question: &Question, most_events: usize) -> Result<Belief, ApiError> {
    match (&question.positions, &question.view) {
        (Some(fens), None) => Ok(Belief::Listed(problem(question.rules.as_deref(), fens)?)),
        (None, Some(text)) => {
            let record = read_game(text, &Rules::berkeley(), most_events)?;
            let view = view_of(record, question.side.map_or(Color::White, Side::color))?;
            ViewBelief::new(&view).map_err(ApiError::bad)?;
            Ok(Belief::Heard(Box::new(view)))
        }
        _ => Err(ApiError::bad("Give `positions` or a `view`, one of them.")),
    }
}

/// What an analysis found.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolveResult {
    /// Whether White can force mate; null when that was not decided.
    #[schema(required)]
    guaranteed: Option<bool>,
    /// The plies of the mate, or those that were asked for.
    plies: u32,
    /// How many positions were looked at.
    states: usize,
    /// Whether these are all that White takes for possible.
    whole: bool,
    /// Nodes that were expanded.
    expanded: u64,
    seconds: f64,
    /// How to mate.
    #[schema(required, value_type = Option<strategy::Strategy>)]
    strategy: Option<Strategy>,
    /// What ended the search before it was decided.
    #[schema(required)]
    stopped: Option<String>,
    rules: String,
    /// Some of the positions.
    positions: Vec<String>,
}

/// Positions that White takes for possible, checked.
pub(crate) fn problem(rules: Option<&str>, fens: &[String]) -> Result<Problem, ApiError> {
    let rules = rules.map_or(Ok(Rules::berkeley()), Rules::by_name).map_err(ApiError::bad)?;
    if fens.len() > MOST_POSITIONS {
        return Err(ApiError::bad(format!("At most {MOST_POSITIONS} positions can be given.")));
    }
    let position = |(index, fen): (usize, &String)| {
        start::position(fen).map_err(|error| ApiError::bad(format!("position {}: {error}", index + 1)))
    };
    let positions = fens.iter().enumerate().map(position).collect::<Result<Vec<_>, _>>()?;
    Problem::new(rules, positions).map_err(ApiError::bad)
}

fn search(
    belief: &Belief,
    plies: u32,
    algorithm: Algorithm,
    time: Duration,
    bytes: usize,
    cancel: &Cancel,
) -> Result<SolveResult, String> {
    let limits =
        Limits { time: Some(time), memory: Some(bytes), cancel: cancel.clone(), ..Limits::default() };
    let begun = Instant::now();
    let (rules, report, positions) = match belief {
        Belief::Listed(problem) => {
            let report = problem.solve(plies, algorithm, &limits).map_err(|error| error.to_string())?;
            (problem.domain().rules().clone(), report, fens(problem.positions().iter().take(LISTED)))
        }
        Belief::Heard(view) => {
            let rules = view.header().rules.clone();
            let belief = ViewBelief::new(view).map_err(|error| error.to_string())?;
            let mut heard = Noting { belief, found: Vec::new() };
            let mut meter = Meter::new(&limits);
            let report =
                solve_from(&Kriegspiel::new(rules.clone()), &mut heard, plies, algorithm, &mut meter);
            let report = report.map_err(|_| "No position agrees with all that was heard.".to_owned())?;
            let positions = heard.listed(&mut meter);
            (rules, report, fens(positions.iter()))
        }
    };
    Ok(result_of(&report, &rules, plies, begun.elapsed(), positions))
}

/// The belief of a view that notes its first positions as the search takes them, so that they are computed once and
/// within the search's limits.
struct Noting {
    belief: ViewBelief,
    found: Vec<Position>,
}

impl Noting {
    /// The first positions of the belief: what a search that was decided early has left of the limits finds more of
    /// them.
    fn listed(mut self, meter: &mut Meter) -> Vec<Chess> {
        while self.found.len() < LISTED && matches!(self.find_next(meter), Ok(Some(_))) {}
        self.found.iter().filter_map(|position| position.to_chess(Color::White)).collect()
    }
}

impl Source for Noting {
    type State = Position;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<Position>, Stop> {
        let found = self.belief.find_next(meter)?;
        self.found.extend(found.filter(|_| self.found.len() < LISTED));
        Ok(found)
    }
}

fn result_of(
    report: &Report,
    rules: &Rules,
    plies: u32,
    taken: Duration,
    positions: Vec<String>,
) -> SolveResult {
    let stopped = match report.verdict {
        Verdict::Unknown(stop) => Some(stop.to_string()),
        Verdict::Guaranteed | Verdict::Refuted => None,
    };
    SolveResult {
        guaranteed: stopped.is_none().then_some(report.verdict == Verdict::Guaranteed),
        plies: report.strategy.as_ref().map_or(plies, SearchStrategy::plies),
        states: report.states,
        whole: report.whole,
        expanded: report.counters.expanded,
        seconds: taken.as_secs_f64(),
        strategy: report.strategy.as_ref().map(|strategy| Strategy::of(strategy, rules)),
        stopped,
        rules: rules.name.to_string(),
        positions,
    }
}

fn fens<'a>(positions: impl Iterator<Item = &'a Chess>) -> Vec<String> {
    positions.map(start::fen_without_counters).collect()
}

/// How an analysis stands: `running`, `done` with its `result`, `failed` or `cancelled`.
#[utoipa::path(get, path = "/api/jobs/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Analysis), (status = 404, body = ErrorBody)))]
pub(crate) async fn look(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    app.jobs.look(&id).map(answer_in_json).ok_or_else(unknown)
}

/// Ends an analysis.
#[utoipa::path(delete, path = "/api/jobs/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Analysis), (status = 404, body = ErrorBody)))]
pub(crate) async fn cancel(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    app.jobs.cancel(&id).map(answer_in_json).ok_or_else(unknown)
}

fn unknown() -> ApiError {
    ApiError::missing("There is no such analysis, or it was forgotten.")
}

/// A place in a strategy.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceAsked {
    #[serde(default)]
    rules: Option<String>,
    positions: Vec<String>,
    #[schema(value_type = strategy::Strategy)]
    strategy: Value,
    /// What was heard on the way: `legal:…`, `then:…`, `illegal`, `yes`, `no`.
    path: Vec<String>,
}

/// What White takes for possible at a place.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlaceFacts {
    states: usize,
    /// Some of the positions.
    positions: Vec<String>,
    squares: Squares,
    white_men: std::collections::BTreeMap<String, String>,
    /// The rest of the strategy.
    #[schema(value_type = strategy::Rest)]
    strategy: Value,
    turn: Side,
}

/// What White takes for possible at a place in a strategy.
#[utoipa::path(post, path = "/api/strategy/node", request_body = PlaceAsked,
    responses((status = 200, body = PlaceFacts), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn place(
    State(app): State<App>,
    Body(asked): Body<PlaceAsked>,
) -> Result<Response, ApiError> {
    app.analyse(move |_| place_of(&asked)).await
}

pub(crate) fn place_of(asked: &PlaceAsked) -> Result<PlaceFacts, ApiError> {
    let problem = problem(asked.rules.as_deref(), &asked.positions)?;
    let plan = Strategy::from_json(&asked.strategy.to_string()).map_err(ApiError::bad)?;
    let place = walk::follow(&problem, &plan, &asked.path).map_err(ApiError::bad)?;
    let rest = match place.next {
        Next::Turn(plan) => serde_json::to_value(plan),
        Next::After(step) => serde_json::to_value(step),
    };
    Ok(PlaceFacts {
        states: place.walk.len(),
        positions: fens(place.walk.positions().take(SHOWN)),
        squares: black_men(&place.walk),
        white_men: place.walk.white_men().map(|men| men_of(&men)).unwrap_or_default(),
        strategy: rest.map_err(ApiError::failed)?,
        turn: Side::of(place.walk.to_move()),
    })
}

/// Where Black's men may be.
pub(crate) fn black_men(walk: &Walk) -> Squares {
    squares_of(walk.positions(), Color::Black)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Header, Transcript};

    use super::*;

    #[test]
    fn a_view_is_analysed_within_its_time_whatever_the_algorithm() {
        // Nothing is announced of these moves, so that after them Black may stand in countless ways.
        let moves = "e2e4 e7e5 d2d3 d7d6 g1f3 g8f6 b1c3 b8c6 c1d2 c8d7 d1e2 d8e7 e1c1 e8c8 h2h3 h7h6 a2a3 a7a6 g2g3 g7g6";
        let mut transcript = Transcript::new(Header::new(Rules::berkeley()));
        for said in moves.split(' ') {
            let event = transcript.hear(said).expect("the game goes on");
            assert!(event.announcement().is_some(), "{said} is legal");
        }
        let belief = Belief::Heard(Box::new(transcript.view(Color::White)));
        for algorithm in [Algorithm::Dfs, Algorithm::Pns, Algorithm::Ipns] {
            let begun = Instant::now();
            let time = Duration::from_millis(300);
            let result = search(&belief, 3, algorithm, time, 1 << 30, &Cancel::default());
            let result = result.expect("a belief that is not empty");
            assert!(begun.elapsed() < Duration::from_secs(3), "{algorithm}: {:?}", begun.elapsed());
            assert_eq!((result.stopped.as_deref(), result.whole), (Some("time"), false), "{algorithm}");
            let (listed, states) = (result.positions.len(), result.states);
            assert!(listed > 0 && listed == states.min(LISTED), "{algorithm}: {listed} of {states}");
        }
    }
}
