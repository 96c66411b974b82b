//! The shipped problems: listed and shown.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{
    extract::{Path, State},
    response::Response,
};
use nebel_kriegspiel::start;
use nebel_prover::{
    collection::{Entry, SHIPPED},
    walk::Walk,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    body::Asked,
    error::{ApiError, ErrorBody},
    solve::black_men,
};
use crate::{App, games::seat::men_of, knowledge::Squares};

/// A collection that comes with the program.
struct Collection {
    name: &'static str,
    title: &'static str,
    plies: u32,
    entries: Vec<Entry>,
}

/// Read when somebody first asks, which takes a while.
static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
    let titles = [
        ("berkeley-3", "Mate in 2, Berkeley rules", 3),
        ("berkeley-5", "Mate in 3, Berkeley rules", 5),
        ("berkeley-7", "Mate in 4, Berkeley rules", 7),
        ("berkeley-9", "Mate in 5, Berkeley rules", 9),
    ];
    let files = titles.map(|(name, title, plies)| {
        let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
        (name, title, plies, shipped.map_or("", |(_, text)| text))
    });
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
pub(crate) async fn collections(State(app): State<App>) -> Result<Response, ApiError> {
    app.analyse(|_| Ok(all_facts())).await
}

fn all_facts() -> Vec<CollectionFacts> {
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
    facts.collect()
}

/// Which problems.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
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
    #[schema(required)]
    guaranteed: Option<bool>,
    white_men: BTreeMap<String, String>,
}

/// Some problems of a collection.
#[utoipa::path(get, path = "/api/collections/{name}", operation_id = "problems", params(("name" = String, Path), Range),
    responses((status = 200, body = Listed), (status = 404, body = ErrorBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    Path(name): Path<String>,
    Asked(range): Asked<Range>,
) -> Result<Response, ApiError> {
    app.analyse(move |_| {
        let collection = named(&name)?;
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
        Ok(Listed { problems: facts.collect::<Result<_, ApiError>>()?, total: collection.entries.len() })
    })
    .await
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
    #[schema(required)]
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
) -> Result<Response, ApiError> {
    app.analyse(move |_| {
        let entry = named(&name)?.entries.get(number.wrapping_sub(1));
        let entry = entry.ok_or_else(|| ApiError::missing("There is no problem of this number."))?;
        let problem = entry.problem().map_err(ApiError::failed)?;
        let walk = Walk::new(&problem).map_err(ApiError::failed)?;
        Ok(ProblemShown {
            number,
            rules: problem.domain().rules().name.to_string(),
            plies: entry.plies,
            guaranteed: entry.guaranteed,
            positions: problem.positions().iter().map(start::fen_without_counters).collect(),
            white_men: walk.white_men().map(|men| men_of(&men)).unwrap_or_default(),
            squares: black_men(&walk),
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_collection_has_its_mates_first() {
        for collection in COLLECTIONS.iter() {
            let mates = collection.entries.iter().take_while(|entry| entry.guaranteed == Some(true)).count();
            let all = collection.entries.iter().filter(|entry| entry.guaranteed == Some(true)).count();
            assert!(mates == all && mates > 50, "{}: {mates} of {all}", collection.name);
        }
    }
}
