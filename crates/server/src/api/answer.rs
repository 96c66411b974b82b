//! Solving a problem by oneself, against an umpire that answers as badly as it can. Nothing is kept between
//! attempts: each brings the line that led to it.

use std::{collections::BTreeMap, time::Duration};

use axum::{extract::State, response::Response};
use nebel_kriegspiel::{Attempt, start};
use nebel_prover::walk::{self, Answers, Walk};
use nebel_search::Cancel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
    solve::{black_men, problem},
};
use crate::{App, games::seat::men_of, knowledge::Squares};

/// An attempt of somebody who solves a problem.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attempted {
    #[serde(default)]
    rules: Option<String>,
    positions: Vec<String>,
    plies: u32,
    /// What was tried and heard so far.
    #[serde(default)]
    line: Vec<Tried>,
    /// What is tried now.
    #[serde(rename = "try", default)]
    attempt: Option<String>,
    /// Or whether "any?" is asked now.
    #[serde(default)]
    ask: bool,
    /// Whether the positions that remain are listed, for somebody who wants them searched.
    #[serde(default)]
    list: bool,
}

/// One attempt and its answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tried {
    /// The attempt; none when "any?" was asked.
    #[serde(rename = "try", default)]
    attempt: Option<String>,
    #[serde(default)]
    ask: bool,
    /// `illegal`, `yes`, `no` or an announcement.
    heard: String,
    /// What was announced of Black's reply.
    #[serde(default)]
    then: Option<String>,
}

/// The answer to an attempt.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answered {
    /// `illegal`, `yes`, `no` or an announcement; null when nothing was tried.
    #[schema(required)]
    heard: Option<String>,
    /// What is announced of Black's reply.
    #[schema(required)]
    then: Option<String>,
    mate: bool,
    /// Why no mate can be forced any more.
    #[schema(required)]
    failed: Option<String>,
    states: usize,
    squares: Squares,
    white_men: BTreeMap<String, String>,
    attempts: Vec<String>,
    can_ask: bool,
    /// Plies that are left.
    plies: u32,
    /// What else could have been answered, mates left out: for who solves against every reply.
    others: Vec<OtherAnswer>,
    /// The positions that remain, if they were asked for.
    positions: Vec<String>,
}

/// Another answer to an attempt.
#[derive(Serialize, ToSchema)]
pub(crate) struct OtherAnswer {
    heard: String,
    #[schema(required)]
    then: Option<String>,
}

/// How long the prover may take for each answer that could be given.
const TIME: Duration = Duration::from_secs(2);

/// Answers an attempt as badly for White as can be: so that no mate remains if there is such an answer, else so that as many
/// positions as can be remain.
#[utoipa::path(post, path = "/api/problems/answer", request_body = Attempted,
    responses((status = 200, body = Answered), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn answer(
    State(app): State<App>,
    Body(asked): Body<Attempted>,
) -> Result<Response, ApiError> {
    app.analyse(move |cancel| answer_to(&asked, cancel)).await
}

pub(crate) fn answer_to(asked: &Attempted, cancel: &Cancel) -> Result<Answered, ApiError> {
    let problem = problem(asked.rules.as_deref(), &asked.positions)?;
    let mut walk = Walk::new(&problem).map_err(ApiError::bad)?;
    let mut plies = asked.plies;
    for step in &asked.line {
        let answers = put(&walk, step.attempt.as_deref(), step.ask)?;
        walk = walk::take(answers, &step.heard).map_err(ApiError::bad)?;
        if let Some(then) = &step.then {
            walk = walk::take(walk.replies().map_err(ApiError::bad)?, then).map_err(ApiError::bad)?;
            plies = plies.saturating_sub(2);
        }
    }
    if asked.attempt.is_none() && !asked.ask {
        let mut answered = Answered::new(&walk, None, None, plies);
        if asked.list {
            answered.positions = walk.positions().map(start::fen_without_counters).collect();
        }
        return Ok(answered);
    }
    let answers = put(&walk, asked.attempt.as_deref(), asked.ask)?;
    let mut outcomes = outcomes(answers, plies)?;
    let worst = (0..outcomes.len()).max_by_key(|&index| outcomes[index].badness(cancel));
    let worst = worst.ok_or_else(|| ApiError::bad("There is no answer to this."))?;
    let Outcome { heard, then, walk, plies } = outcomes.swap_remove(worst);
    let mut answered = Answered::new(&walk, Some(heard), then, plies);
    let others = outcomes.into_iter().filter(|outcome| !outcome.walk.is_won());
    answered.others = others.map(|Outcome { heard, then, .. }| OtherAnswer { heard, then }).collect();
    answered.failed = failure(&walk, plies, cancel);
    Ok(answered)
}

fn put(walk: &Walk, attempt: Option<&str>, ask: bool) -> Result<Answers, ApiError> {
    match (attempt, ask) {
        (Some(text), false) => {
            let attempt: Attempt = text.parse().map_err(ApiError::bad)?;
            walk.attempt(attempt).map_err(ApiError::bad)
        }
        (None, true) => walk.ask().map_err(ApiError::bad),
        _ => Err(ApiError::bad("Try an attempt, or ask: one of them.")),
    }
}

/// Something that White may hear, Black's reply included.
struct Outcome {
    heard: String,
    then: Option<String>,
    walk: Walk,
    plies: u32,
}

fn outcomes(answers: Answers, plies: u32) -> Result<Vec<Outcome>, ApiError> {
    let mut outcomes = Vec::new();
    for (heard, walk) in answers {
        let has_moved = walk.to_move() == nebel_kriegspiel::Color::Black;
        if !has_moved || walk.over().is_some() {
            outcomes.push(Outcome { heard, then: None, walk, plies });
            continue;
        }
        for (then, walk) in walk.replies().map_err(ApiError::bad)? {
            let plies = plies.saturating_sub(2);
            outcomes.push(Outcome { heard: heard.clone(), then: Some(then), walk, plies });
        }
    }
    Ok(outcomes)
}

impl Outcome {
    /// Larger is worse for White: no mate left, then not decided, then the number of positions; a mate last.
    fn badness(&self, cancel: &Cancel) -> (u8, usize) {
        let hope = if self.walk.is_won() {
            0
        } else if self.walk.over().is_some() || self.plies == 0 {
            3
        } else {
            match self.walk.can_mate(self.plies, TIME, cancel) {
                Some(true) => 1,
                None => 2,
                Some(false) => 3,
            }
        };
        (hope, self.walk.len())
    }
}

/// Why no mate can be forced any more, in a sentence.
fn failure(walk: &Walk, plies: u32, cancel: &Cancel) -> Option<String> {
    if walk.is_won() {
        return None;
    }
    if let Some(over) = walk.over() {
        return Some(format!("The game is over: {over}."));
    }
    if plies == 0 {
        return Some("No moves are left.".to_owned());
    }
    let is_lost = walk.can_mate(plies, TIME, cancel) == Some(false);
    is_lost.then(|| "From here no mate can be forced in the moves that are left.".to_owned())
}

impl Answered {
    fn new(walk: &Walk, heard: Option<String>, then: Option<String>, plies: u32) -> Answered {
        Answered {
            mate: walk.is_won(),
            heard,
            then,
            failed: None,
            states: walk.len(),
            squares: black_men(walk),
            white_men: walk.white_men().map(|men| men_of(&men)).unwrap_or_default(),
            attempts: walk.attempts().iter().map(ToString::to_string).collect(),
            can_ask: walk.ask().is_ok(),
            plies,
            others: Vec::new(),
            positions: Vec::new(),
        }
    }
}
