//! The shipped problems: listed, shown, and solved by oneself against an umpire that answers as badly as it can.

use std::{collections::BTreeMap, sync::LazyLock, time::Duration};

use axum::{
    Json,
    extract::{Path, State},
};
use nebel_kriegspiel::{Attempt, start};
use nebel_prover::{
    collection::Entry,
    walk::{self, Answers, Walk},
};
use nebel_search::Cancel;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    body::{Asked, Body},
    error::{ApiError, ErrorBody},
    solve::{black_men, problem},
};
use crate::{App, games::seat::men_of, knowledge::Squares};

/// A collection that comes with the program.
struct Collection {
    name: &'static str,
    title: &'static str,
    plies: u32,
    entries: Vec<Entry>,
}

static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
    let files = [
        (
            "berkeley-3",
            "Mate in 2, Berkeley rules",
            3,
            include_str!("../../../../collections/berkeley-3.jsonl"),
        ),
        (
            "berkeley-5",
            "Mate in 3, Berkeley rules",
            5,
            include_str!("../../../../collections/berkeley-5.jsonl"),
        ),
    ];
    let read = |(name, title, plies, text): (_, _, _, &str)| Collection {
        name,
        title,
        plies,
        entries: text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    files.map(read).into()
});

/// A collection in numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct CollectionFacts {
    name: &'static str,
    title: &'static str,
    rules: &'static str,
    plies: u32,
    problems: usize,
    /// Those in which White can force mate.
    mates: usize,
    /// Those in which it cannot.
    none: usize,
}

/// The collections that come with the program.
#[utoipa::path(get, path = "/api/collections", responses((status = 200, body = Vec<CollectionFacts>)))]
pub(crate) async fn collections() -> Json<Vec<CollectionFacts>> {
    let facts = COLLECTIONS.iter().map(|collection| {
        let with = |guaranteed| {
            collection.entries.iter().filter(|entry| entry.guaranteed == Some(guaranteed)).count()
        };
        CollectionFacts {
            name: collection.name,
            title: collection.title,
            rules: "berkeley",
            plies: collection.plies,
            problems: collection.entries.len(),
            mates: with(true),
            none: with(false),
        }
    });
    Json(facts.collect())
}

/// Which problems.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    /// From this one on, counted from 0.
    #[serde(default)]
    offset: usize,
    /// So many; 50 unless told, 200 at most.
    limit: Option<usize>,
}

/// Some problems.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed {
    problems: Vec<ProblemFacts>,
    total: usize,
}

/// A problem at a glance.
#[derive(Serialize, ToSchema)]
struct ProblemFacts {
    /// Counted from 1.
    number: usize,
    states: usize,
    plies: u32,
    guaranteed: Option<bool>,
    white_men: BTreeMap<String, String>,
}

/// Some problems of a collection.
#[utoipa::path(get, path = "/api/collections/{name}", params(("name" = String, Path), Range),
    responses((status = 200, body = Listed), (status = 404, body = ErrorBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    Path(name): Path<String>,
    Asked(range): Asked<Range>,
) -> Result<Json<Listed>, ApiError> {
    let collection = named(&name)?;
    let mut job = app.analysis.run(move |_| {
        let count = range.limit.unwrap_or(50).min(200);
        let entries = collection.entries.iter().enumerate().skip(range.offset).take(count);
        let facts = entries.map(|(index, entry)| {
            let men = entry.view().map(|view| men_of(view.own().men())).map_err(ApiError::failed)?;
            Ok(ProblemFacts {
                number: index + 1,
                states: entry.states,
                plies: entry.plies,
                guaranteed: entry.guaranteed,
                white_men: men,
            })
        });
        Ok::<_, ApiError>(Listed {
            problems: facts.collect::<Result<_, ApiError>>()?,
            total: collection.entries.len(),
        })
    })?;
    job.wait().await.map_err(ApiError::failed)?.map(Json)
}

fn named(name: &str) -> Result<&'static Collection, ApiError> {
    let found = COLLECTIONS.iter().find(|collection| collection.name == name);
    found.ok_or_else(|| ApiError::missing("There is no such collection."))
}

/// A problem in full.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemShown {
    number: usize,
    rules: String,
    plies: u32,
    guaranteed: Option<bool>,
    positions: Vec<String>,
    white_men: BTreeMap<String, String>,
    squares: Squares,
}

/// A problem in full.
#[utoipa::path(get, path = "/api/collections/{name}/{number}", params(("name" = String, Path), ("number" = usize, Path)),
    responses((status = 200, body = ProblemShown), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(
    State(app): State<App>,
    Path((name, number)): Path<(String, usize)>,
) -> Result<Json<ProblemShown>, ApiError> {
    let entry = named(&name)?.entries.get(number.wrapping_sub(1));
    let entry = entry.ok_or_else(|| ApiError::missing("There is no problem of this number."))?;
    let mut job = app.analysis.run(move |_| {
        let problem = entry.problem().map_err(ApiError::failed)?;
        let walk = Walk::new(&problem).map_err(ApiError::failed)?;
        Ok::<_, ApiError>(ProblemShown {
            number,
            rules: problem.domain().rules().name.to_string(),
            plies: entry.plies,
            guaranteed: entry.guaranteed,
            positions: problem.positions().iter().map(start::fen_without_counters).collect(),
            white_men: walk.white_men().map(|men| men_of(&men)).unwrap_or_default(),
            squares: black_men(&walk),
        })
    })?;
    job.wait().await.map_err(ApiError::failed)?.map(Json)
}

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
    line: Vec<Heard>,
    /// What is tried now.
    #[serde(rename = "try", default)]
    attempt: Option<String>,
    /// Or whether "any?" is asked now.
    #[serde(default)]
    ask: bool,
}

/// One attempt and its answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heard {
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
    heard: Option<String>,
    /// What is announced of Black's reply.
    then: Option<String>,
    mate: bool,
    /// Why no mate can be forced any more.
    failed: Option<String>,
    states: usize,
    squares: Squares,
    white_men: BTreeMap<String, String>,
    attempts: Vec<String>,
    can_ask: bool,
    /// Plies that are left.
    plies: u32,
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
) -> Result<Json<Answered>, ApiError> {
    let mut job = app.analysis.run(move |cancel| answer_to(&asked, cancel))?;
    job.wait().await.map_err(ApiError::failed)?.map(Json)
}

fn answer_to(asked: &Attempted, cancel: &Cancel) -> Result<Answered, ApiError> {
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
        return Ok(Answered::new(&walk, None, None, plies));
    }
    let answers = put(&walk, asked.attempt.as_deref(), asked.ask)?;
    let worst = outcomes(answers, plies)?.into_iter().max_by_key(|outcome| outcome.badness(cancel));
    let Outcome { heard, then, walk, plies } =
        worst.ok_or_else(|| ApiError::bad("There is no answer to this."))?;
    let mut answered = Answered::new(&walk, Some(heard), then, plies);
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
        }
    }
}
