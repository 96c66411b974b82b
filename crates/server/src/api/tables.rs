//! The table explorer: White's men, the squares where the king may be, and what to do.

use std::time::Duration;

use axum::{extract::State, response::Response};
use nebel_kriegspiel::{Announcement, Color, Direction, Directions, Over, Reason, Square, over::GameResult};
use nebel_tablebase::{
    Board, Ending, Mask, Placement, Progress, Store, TableAnnouncement, TableAnswer, TableKnowledge, Tables,
    Tie, answers, bit, message, probe, probe_by_search, squares_of, tables_of,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    body::Body,
    error::{ApiError, ErrorBody},
};
use crate::App;

/// The endings that the explorer offers, and how long their longest forced mate is where that is known without a table.
const ENDINGS: [&str; 12] =
    ["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQQK", "KQRK", "KRRK", "KQBK", "KQNK", "KRBK", "KRNK"];

/// How long a search may take where there is no table.
const TIME: Duration = Duration::from_secs(5);

/// The tables.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableList {
    endings: Vec<EndingFacts>,
}

/// An ending.
#[derive(Serialize, ToSchema)]
struct EndingFacts {
    name: String,
    /// Moves to mate in the worst case that is won; null until the table is built.
    #[schema(required)]
    longest: Option<u16>,
    built: bool,
}

/// The endings, and whose tables are built.
#[utoipa::path(get, path = "/api/tables", operation_id = "tables", responses((status = 200, body = TableList)))]
pub(crate) async fn list(State(app): State<App>) -> Result<Response, ApiError> {
    let store = store(&app);
    app.analyse(move |_| {
        let mut endings: Vec<Ending> = ENDINGS.iter().filter_map(|name| name.parse().ok()).collect();
        for path in store.files() {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let ending = name.trim_end_matches(".merged").parse();
            endings.extend(ending.ok().filter(|ending| !endings.contains(ending)));
        }
        let facts = endings.into_iter().map(|ending| {
            let table = store.open(&ending).ok();
            EndingFacts {
                name: ending.to_string(),
                longest: table.as_ref().map(nebel_tablebase::Table::longest),
                built: table.is_some(),
            }
        });
        Ok(TableList { endings: facts.collect() })
    })
    .await
}

fn store(app: &App) -> Store {
    let folder = app.config.tables.clone().unwrap_or_else(|| app.config.data.join("tablebases"));
    Store::new(folder)
}

/// White's men, and where the king may be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Probe {
    /// As in `Kc3 Ra1`.
    men: String,
    /// Squares, or `all`.
    king: KingSquares,
}

/// Squares, or all that are possible.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum KingSquares {
    /// These squares.
    Some(Vec<String>),
    /// `all`.
    All(String),
}

/// What the tables say.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProbeAnswer {
    /// Moves to mate, at most; null when no mate can be forced, or none was found.
    #[schema(required)]
    mate_in: Option<u16>,
    /// Whether it is proved that there is no shorter mate, or none at all.
    exact: bool,
    /// What to try.
    #[schema(required)]
    attempt: Option<String>,
    /// Where the king can be at all, of the squares asked for.
    king: Vec<String>,
    /// What may be heard then.
    answers: Vec<ProbeBranch>,
}

/// One thing that may be heard.
#[derive(Serialize, ToSchema)]
struct ProbeBranch {
    /// What is said of the attempt: `illegal`, or the announcement.
    announcement: String,
    /// What is said of the king's reply when he takes something.
    #[schema(required)]
    reply: Option<String>,
    /// Where the king may be then.
    king: Vec<String>,
    /// White's men then.
    men: String,
    /// Moves to mate then, at most; null when the game is over, or no table says.
    #[schema(required)]
    mate_in: Option<u16>,
    /// Whether it is proved that there is no shorter mate.
    exact: bool,
    mate: bool,
}

/// The shortest forced mate, the attempt to make, and what happens for each answer.
#[utoipa::path(post, path = "/api/tables/probe", request_body = Probe,
    responses((status = 200, body = ProbeAnswer), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn probe_set(
    State(app): State<App>,
    Body(asked): Body<Probe>,
) -> Result<Response, ApiError> {
    let (placement, set) = king_set(&asked)?;
    let store = store(&app);
    app.analyse(move |_| explore(&store, &placement, set)).await
}

/// White's men, and where the king may be, checked.
pub(crate) fn king_set(asked: &Probe) -> Result<(Placement, Mask), ApiError> {
    let placement = Placement::parse(Board::CHESS, &asked.men).map_err(ApiError::bad)?;
    let set = king_squares(&placement, &asked.king)?;
    Ok((placement, set))
}

fn king_squares(placement: &Placement, asked: &KingSquares) -> Result<Mask, ApiError> {
    let possible = placement.king_squares(Board::CHESS);
    let set = match asked {
        KingSquares::All(word) if word == "all" => possible,
        KingSquares::All(_) => return Err(ApiError::bad("`king` is a list of squares, or \"all\".")),
        KingSquares::Some(names) => {
            let mut set = 0;
            for name in names {
                let square: Square =
                    name.parse().map_err(|_| ApiError::bad("`king` holds something that is no square."))?;
                set |= bit(square);
            }
            set & possible
        }
    };
    if set == 0 {
        return Err(ApiError::bad(
            "The king cannot be on any of these squares: they are occupied or attacked, with White to move.",
        ));
    }
    Ok(set)
}

fn explore(store: &Store, placement: &Placement, set: Mask) -> Result<ProbeAnswer, ApiError> {
    let mut silent = |_: Progress<'_>| {};
    // Nobody waits minutes for a page: two men whose table was not built beforehand are searched.
    let ending = placement.ending();
    let has_file = store.path(&ending).is_file() || store.merged_path(&ending).is_file();
    let is_at_hand = has_file || ending.men().len() <= 1;
    let (probed, tables) = if is_at_hand {
        let probed = probe(store, placement, set, Tie::FewestSquares, TIME, &mut silent);
        (probed, tables_of(store, &ending, &mut silent).map_err(ApiError::failed)?)
    } else {
        (probe_by_search(store, placement, set, TIME, &mut silent), None)
    };
    let probed = probed.map_err(ApiError::failed)?;
    let tables = tables.unwrap_or_default();
    let branches = probed.mate.map(|(_, attempt)| answers(Board::CHESS, placement, set, attempt));
    let branches = branches.unwrap_or_default().into_iter().map(|answer| branch(&tables, &answer));
    Ok(ProbeAnswer {
        mate_in: probed.mate.map(|mate| mate.0),
        exact: probed.is_exact(),
        attempt: probed.mate.map(|mate| mate.1.to_string()),
        king: names(set),
        answers: branches.collect(),
    })
}

fn branch(tables: &Tables, answer: &TableAnswer) -> ProbeBranch {
    let directions = |bits: u8| -> Directions {
        let name = |name: &str| Direction::ALL.into_iter().find(|direction| direction.name() == name);
        message::NAMES.iter().filter(|(bit, _)| bits & bit != 0).filter_map(|(_, word)| name(word)).collect()
    };
    let say = |bits, over| {
        Announcement { check: directions(bits), over, ..Announcement::default() }.text(Color::Black)
    };
    let mate = Over { result: GameResult::White, reason: Reason::Checkmate };
    let announcement = match answer.heard {
        TableAnnouncement::Refused => "illegal".to_owned(),
        TableAnnouncement::Mate(bits) => say(bits, Some(mate)),
        TableAnnouncement::Stalemate => say(0, Some(Over::draw(Reason::Stalemate))),
        TableAnnouncement::Quiet(bits) | TableAnnouncement::Taken(bits, _) => say(bits, None),
    };
    let reply = match answer.heard {
        TableAnnouncement::Taken(_, square) => Some(format!("Capture on {square}.")),
        _ => None,
    };
    let is_over = answer.king == 0;
    let known = if is_over { TableKnowledge::Nothing } else { tables.known(&answer.placement, answer.king) };
    ProbeBranch {
        announcement,
        reply,
        king: names(answer.king),
        men: answer.placement.to_string(),
        mate_in: known.moves(),
        exact: is_over || matches!(known, TableKnowledge::Mate(_)),
        mate: matches!(answer.heard, TableAnnouncement::Mate(_)),
    }
}

fn names(set: Mask) -> Vec<String> {
    squares_of(set).map(|square| square.to_string()).collect()
}
