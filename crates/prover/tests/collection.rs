//! The shipped collections: a sample is proved again, and every strategy replayed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use nebel_prover::collection::{self, Entry, Kind};
use nebel_prover::{MaterialWins, Strategy, verify};
use nebel_search::{Algorithm, Limits, Verdict};
use nebel_tablebase::Store;

fn entries(file: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../collections").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_sample_of_the_collections_holds() {
    for file in ["berkeley-3.jsonl", "berkeley-5.jsonl", "icc-5.jsonl", "english-3.jsonl", "english-5.jsonl"]
    {
        let entries = entries(file);
        assert!(entries.len() > 100);
        for entry in entries.iter().step_by(entries.len() / 25) {
            let problem = entry.problem().unwrap();
            assert_eq!(problem.positions().len(), entry.states);
            for algorithm in [Algorithm::GlDbu, Algorithm::Auto] {
                let report = problem.solve(entry.plies, algorithm, &Limits::default()).unwrap();
                assert_eq!(Some(report.verdict == Verdict::Guaranteed), entry.guaranteed);
                if let Some(strategy) = report.strategy {
                    let rules = problem.domain().rules();
                    verify(rules, problem.positions(), &Strategy::of(&strategy, rules), entry.plies, None)
                        .unwrap();
                }
            }
        }
    }
}

#[test]
fn a_sample_of_the_deep_collections_holds() {
    for (file, plies, most) in [("berkeley-7.jsonl", 7, 500_000), ("berkeley-9.jsonl", 9, 4_000_000)] {
        let entries = entries(file);
        let mut decided = [0, 0];
        for (index, entry) in entries.iter().step_by(entries.len() / 40).enumerate() {
            // Every other one with two threads: the second joins in those that take long.
            let limits = Limits { nodes: Some(most), threads: 1 + index % 2, ..Limits::default() };
            assert_eq!(entry.plies, plies);
            let problem = entry.problem().unwrap();
            assert_eq!(problem.positions().len(), entry.states);
            let report = problem.solve(plies, Algorithm::Auto, &limits).unwrap();
            let guaranteed = match report.verdict {
                Verdict::Guaranteed => true,
                Verdict::Refuted => false,
                // The hard ones are left to `nebel problems bench`.
                Verdict::Unknown(_) => continue,
            };
            assert_eq!(Some(guaranteed), entry.guaranteed);
            decided[usize::from(guaranteed)] += 1;
            if let Some(strategy) = report.strategy {
                let rules = problem.domain().rules();
                let plan = Strategy::of(&strategy, rules);
                verify(rules, problem.positions(), &plan, plies, None).unwrap();
            }
        }
        assert!(decided[0] > 0 && decided[1] > 0, "{file}: {decided:?}");
    }
}

#[test]
fn near_misses_are_what_they_are_called() {
    let limits = Limits::default();
    for entry in entries("berkeley-3.jsonl").iter().rev().step_by(50) {
        let problem = entry.problem().unwrap();
        let expected = if entry.guaranteed == Some(true) { Kind::Mate } else { Kind::NearMiss };
        assert_eq!(collection::judge(&problem, entry.plies, &limits, None), Ok(expected));
    }
}

/// On one ply the largest part of this near-miss stays open, on three a plan for half of it is found.
#[test]
fn what_stays_open_at_few_plies_does_not_hide_what_is_plain_at_more() {
    let entry = &entries("berkeley-3.jsonl")[880];
    let limits = Limits { nodes: Some(200_000_000), ..Limits::default() };
    let half = entry.states.div_ceil(2);
    assert!(entry.problem().unwrap().part(1, half, &limits, None).is_err(), "another problem shows it");
    let folder = tempfile::tempdir().unwrap();
    let tables = MaterialWins::of_one_man(Store::new(folder.path()));
    assert!(collection::check(entry, &limits, &tables).is_ok());
}
