//! Results of the arena: matches with what they show, cross tables, curves, single games.

use std::{
    collections::BTreeMap,
    path::{Path as FilePath, PathBuf},
};

use axum::{
    extract::{Path, State},
    response::Response,
};
use nebel_arena::{
    standing::{self, UNKNOWN},
    statistics::{Ratings, elo},
    store::{KeptMatch, Row, Store, Versions},
};
use nebel_kriegspiel::{GameResult, Reason, json};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    course::{Course, Review},
    error::{ApiError, ErrorBody},
};
use crate::{App, ladder::Ladder};

/// All matches of the store.
#[derive(Serialize, ToSchema)]
pub(crate) struct Results {
    matches: Vec<MatchFacts>,
    table: CrossTable,
    /// The games between the levels, which come with the program.
    ladder: Ladder,
}

/// A match, seen from its first player.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchFacts {
    id: i64,
    a: String,
    /// The opponent, or the opponents.
    b: String,
    rules: String,
    time: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Null before the first game, and of a player that made all points or none.
    #[schema(required)]
    elo: Option<f64>,
    /// The 95% interval; an end is null where there is none.
    #[schema(required)]
    interval: Option<[Option<f64>; 2]>,
    /// Who played, where there are matches of other versions on the same terms, or it is not known; empty otherwise.
    versions: String,
}

/// Everybody against everybody.
#[derive(Serialize, ToSchema)]
struct CrossTable {
    /// Versions of one spec stand side by side, each with its mark.
    players: Vec<String>,
    /// One for each player, the mean being 0; null when games do not connect them.
    ratings: Vec<Option<Rating>>,
    /// `scores[a][b]`: a's wins, draws and losses against b.
    scores: Vec<Vec<[u32; 3]>>,
}

/// A rating with its 95% interval.
#[derive(Serialize, ToSchema)]
struct Rating {
    elo: f64,
    interval: [f64; 2],
}

/// One match in full.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchShown {
    #[serde(rename = "match")]
    facts: MatchFacts,
    reasons: BTreeMap<&'static str, u32>,
    curve: Vec<CurvePoint>,
    games: Vec<MatchGame>,
}

/// The score of the first player after so many games.
#[derive(Serialize, ToSchema)]
struct CurvePoint {
    game: u32,
    score: f64,
    #[schema(required)]
    elo: Option<f64>,
}

/// A game in a line.
#[derive(Serialize, ToSchema)]
struct MatchGame {
    number: u32,
    white: String,
    black: String,
    result: GameResult,
    reason: Reason,
    plies: u32,
    seconds: f64,
}

/// All matches of the store.
#[utoipa::path(get, path = "/api/results", responses((status = 200, body = Results)))]
pub(crate) async fn all(State(app): State<App>) -> Result<Response, ApiError> {
    let file = file(&app);
    app.analyse(move |_| {
        let ladder = Ladder::shipped().clone();
        let Some(store) = open(&file)? else {
            return Ok(Results { matches: Vec::new(), table: CrossTable::of(&[], &[]), ladder });
        };
        let rows = store.games(None).map_err(ApiError::failed)?;
        let kept = store.matches().map_err(ApiError::failed)?;
        let matches = kept.iter().map(|one| {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.match_id == one.id).collect();
            MatchFacts::of(one, &kept, &rows)
        });
        let table = CrossTable::of(&rows, &kept);
        Ok(Results { matches: matches.collect(), table, ladder })
    })
    .await
}

/// One match in full.
#[utoipa::path(get, path = "/api/results/{id}", params(("id" = i64, Path)),
    responses((status = 200, body = MatchShown), (status = 404, body = ErrorBody)))]
pub(crate) async fn one(State(app): State<App>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let file = file(&app);
    app.analyse(move |_| {
        let missing = || ApiError::missing("There is no such match.");
        let results = open(&file)?.ok_or_else(missing)?;
        let matches = results.matches().map_err(ApiError::failed)?;
        let kept = matches.iter().find(|kept| kept.id == id).ok_or_else(missing)?;
        let rows = results.games(Some(id)).map_err(ApiError::failed)?;
        let rows: Vec<&Row> = rows.iter().collect();
        let facts = MatchFacts::of(kept, &matches, &rows);
        let course = standing::course(rows.iter().copied(), &facts.a);
        let curve = course.iter().map(|score| {
            let elo = elo(score).map(|elo| elo.difference).filter(|elo| elo.is_finite());
            CurvePoint { game: score.games(), score: score.points(), elo }
        });
        let curve = curve.collect();
        let games = rows.iter().map(|row| MatchGame {
            number: row.number,
            white: row.white.clone(),
            black: row.black.clone(),
            result: row.over.result,
            reason: row.over.reason,
            plies: row.plies,
            seconds: (row.white_account.time + row.black_account.time).as_secs_f64(),
        });
        Ok(MatchShown {
            games: games.collect(),
            reasons: course.last().map(|score| score.reasons.clone()).unwrap_or_default(),
            curve,
            facts,
        })
    })
    .await
}

/// A game of a match, step by step.
#[utoipa::path(get, path = "/api/results/{id}/games/{number}", params(("id" = i64, Path), ("number" = u32, Path)),
    responses((status = 200, body = Review), (status = 404, body = ErrorBody)))]
pub(crate) async fn game(
    State(app): State<App>,
    Path((id, number)): Path<(i64, u32)>,
) -> Result<Response, ApiError> {
    let file = file(&app);
    let read = app.work_out(move |_| {
        let missing = || ApiError::missing("There is no such game.");
        let store = open(&file)?.ok_or_else(missing)?;
        let row = store.game(id, number).map_err(ApiError::failed)?.ok_or_else(missing)?;
        json::read(row.transcript.as_bytes()).map_err(ApiError::failed)
    });
    Ok(Course::new(read.await?).into_answer())
}

/// The file of the results.
fn file(app: &App) -> PathBuf {
    app.config.results.clone().unwrap_or_else(|| app.config.data.join("arena.db"))
}

/// The store in this file, if there is one: a store is not begun by looking at it.
fn open(file: &FilePath) -> Result<Option<Store>, ApiError> {
    let store = file.is_file().then(|| Store::open_to_read(file)).transpose();
    store.map_err(|error| ApiError::failed(format!("{}: {error}", file.display())))
}

impl MatchFacts {
    fn of(kept: &KeptMatch, all: &[KeptMatch], rows: &[&Row]) -> MatchFacts {
        let players = standing::players(&kept.terms);
        let a = players.first().copied().unwrap_or_default();
        let score = standing::course(rows.iter().copied(), a).pop().unwrap_or_default();
        let found = elo(&score);
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        MatchFacts {
            id: kept.id,
            a: a.to_owned(),
            b: players.get(1..).unwrap_or_default().join(", "),
            rules: kept.terms["rules"]["name"].as_str().unwrap_or("?").to_owned(),
            time: kept.terms["time"].as_str().unwrap_or("?").to_owned(),
            games: rows.len() as u32,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            elo: found.and_then(|elo| finite(elo.difference)),
            interval: found.map(|elo| elo.interval.map(finite)),
            versions: versions(kept, all),
        }
    }
}

/// Who played, where that tells a match from others on the same terms.
fn versions(kept: &KeptMatch, all: &[KeptMatch]) -> String {
    let Some(contestants) = &kept.contestants else { return UNKNOWN.to_owned() };
    let is_alone = all.iter().all(|other| other.id == kept.id || other.terms != kept.terms);
    let named = contestants.iter().map(|identity| format!("{} {identity}", identity.spec));
    if is_alone { String::new() } else { named.collect::<Vec<_>>().join(", ") }
}

impl CrossTable {
    fn of(rows: &[Row], matches: &[KeptMatch]) -> CrossTable {
        let standing::CrossTable { players, scores } =
            standing::CrossTable::of(rows, matches, Versions::Same);
        let rated = Ratings::of(&scores, None).players;
        let shown =
            |rating: nebel_arena::statistics::Rating| Rating { elo: rating.elo, interval: rating.interval };
        CrossTable {
            ratings: rated.into_iter().map(|rating| rating.map(shown)).collect(),
            scores: scores
                .iter()
                .map(|row| row.iter().map(|score| [score.wins, score.draws, score.losses]).collect())
                .collect(),
            players,
        }
    }
}
