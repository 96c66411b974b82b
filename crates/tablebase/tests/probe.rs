//! What a probe says, and that it calls exact only what was proved: merged tables, files of another ending, searches
//! that stop.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;
use std::time::Duration;

use nebel_tablebase::{
    Board, Ending, Mask, Placement, Probed, Store, StoreError, Table, TableKnowledge, Tables, Tie, bit,
    probe, probe_by_search, solve, squares_of,
};

fn ending(name: &str) -> Ending {
    name.parse().unwrap()
}

/// The exact tables of an ending's closure.
fn exact(name: &str) -> Tables {
    let mut tables = Tables::new();
    for part in ending(name).closure() {
        let table = solve(Board::CHESS, &part, tables.all(), |_| {}).unwrap();
        tables.add(Arc::new(table));
    }
    tables
}

fn merged(tables: &Tables, name: &str) -> Table {
    tables.get(&ending(name)).unwrap().merged().unwrap()
}

fn store(name: &str) -> (Store, std::path::PathBuf) {
    let folder = std::env::temp_dir().join(format!("nebel-probe-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    (Store::new(&folder), folder)
}

fn ask(store: &Store, placement: &Placement, set: Mask) -> Probed {
    probe(store, placement, set, Tie::FewestSquares, Duration::ZERO, &mut |_| {}).unwrap()
}

/// A merged table lists every won set, but not every attempt: where that of its entry is certain to be refused, what else to
/// try depends on the endings it leads to.
#[test]
fn a_merged_table_never_calls_a_won_set_lost_nor_its_number_exact() {
    let tables = exact("KPK");
    let (store, folder) = store("merged");
    for part in ["KQK", "KRK", "KPK"] {
        store.keep(&merged(&tables, part)).unwrap();
    }
    let table = tables.get(&ending("KPK")).unwrap();
    let (mut won, mut lost) = (0, 0);
    for number in (0..table.index().placements().len()).step_by(83) {
        let placement = &table.index().placements()[number];
        for square in squares_of(placement.king_squares(Board::CHESS)).step_by(5) {
            let set = bit(square);
            let probed = ask(&store, placement, set);
            if let TableKnowledge::Mate(moves) = tables.known(placement, set) {
                let most = probed.mate.expect("a won set").0;
                assert!(
                    most >= moves && !probed.is_exact(),
                    "{placement} {square}: {probed:?}, exactly {moves}"
                );
                won += 1;
            } else {
                assert!(probed.mate.is_none() && probed.is_exact(), "{placement} {square}: {probed:?}");
                lost += 1;
            }
        }
    }
    assert!(won > 20 && lost > 20, "{won} {lost}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_merged_table_is_no_source_of_another() {
    let tables = exact("KQK");
    let merged = Arc::new(merged(&tables, "KQK"));
    let rook = Arc::new(solve(Board::CHESS, &ending("KRK"), &[], |_| {}).unwrap());
    assert!(solve(Board::CHESS, &ending("KPK"), &[merged, rook], |_| {}).is_none());
}

#[test]
fn a_merged_table_of_another_ending_is_refused() {
    let (store, folder) = store("foreign");
    let path = store.keep(&merged(&exact("KRK"), "KRK")).unwrap();
    std::fs::rename(path, store.merged_path(&ending("KQK"))).unwrap();
    let placement = Placement::parse(Board::CHESS, "Kf6 Qa4").unwrap();
    let set = placement.king_squares(Board::CHESS);
    let probed = probe(&store, &placement, set, Tie::FewestSquares, Duration::ZERO, &mut |_| {});
    let error = probed.expect_err("the file holds another ending");
    assert!(
        matches!(error, StoreError::File(_)) && error.to_string().contains("it holds KRK, not KQK"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_search_that_stops_says_what_it_has_proved() {
    let (store, folder) = store("search");
    let placement = Placement::parse(Board::CHESS, "Ke3 Rd2 Rb8").unwrap();
    let set = placement.king_squares(Board::CHESS);
    let search = |limit| probe_by_search(&store, &placement, set, limit, &mut |_| {}).unwrap();
    let nothing = search(Duration::ZERO);
    assert!(nothing.stopped && !nothing.is_exact(), "{nothing:?}");
    let short = search(Duration::from_millis(300));
    assert!(short.mate.is_none_or(|mate| mate.0 > short.not_within), "{short:?}");
    assert_eq!(short.is_exact(), !short.stopped, "{short:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
