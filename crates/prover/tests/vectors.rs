//! The shared problems: every verdict with every algorithm, every strategy replayed, every view's belief.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use nebel_kriegspiel::transcript::Record;
use nebel_kriegspiel::{Chess, Color, Rules, json, start};
use nebel_prover::{Problem, Strategy, ViewBelief, verify};
use nebel_search::{Algorithm, Limits, Verdict};
use serde_json::Value;

/// One line of a file of problems.
struct Shared {
    id: u64,
    rules: Rules,
    positions: Vec<Chess>,
    plies: u32,
    guaranteed: bool,
    strategy: Option<Value>,
    view: Option<Value>,
}

/// The problems of a file, of which there must be so many: one that was cut short must not pass.
fn shared(file: &str, problems: usize) -> Vec<Shared> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(file);
    let Ok(text) = std::fs::read_to_string(path) else {
        // Not by a macro, so that a passing test shows it.
        let _ = writeln!(std::io::stderr(), "skipped: the shared vectors are not here ({file})");
        return Vec::new();
    };
    let read = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let fens = value["positions"].as_array().unwrap();
        Shared {
            id: value["id"].as_u64().unwrap(),
            rules: Rules::by_name(value["rules"].as_str().unwrap()).unwrap(),
            positions: fens.iter().map(|fen| start::position(fen.as_str().unwrap()).unwrap()).collect(),
            plies: value["plies"].as_u64().unwrap() as u32,
            guaranteed: value["guaranteed"].as_bool().unwrap(),
            strategy: value.get("strategy").filter(|value| !value.is_null()).cloned(),
            view: value.get("view").filter(|value| !value.is_null()).cloned(),
        }
    };
    let read: Vec<Shared> = text.lines().map(read).collect();
    assert_eq!(read.len(), problems, "{file}");
    read
}

fn check(file: &str, problems: usize) {
    let limits = Limits { time: Some(Duration::from_mins(1)), ..Limits::default() };
    for shared in shared(file, problems) {
        let problem = Problem::new(shared.rules.clone(), shared.positions).unwrap();
        for algorithm in Algorithm::ALL {
            let report = problem.solve(shared.plies, algorithm, &limits).unwrap();
            let expected = if shared.guaranteed { Verdict::Guaranteed } else { Verdict::Refuted };
            assert_eq!(report.verdict, expected, "{algorithm} on problem {}", shared.id);
            if let Some(strategy) = report.strategy {
                let plan = Strategy::of(&strategy, &shared.rules);
                let text = serde_json::to_string(&plan).unwrap();
                assert_eq!(Strategy::from_json(&text).unwrap(), plan, "what is written reads back");
                verify(&shared.rules, problem.positions(), &plan, shared.plies, None)
                    .unwrap_or_else(|flaw| panic!("{algorithm} on problem {}: {flaw}", shared.id));
            }
        }
        if let Some(strategy) = shared.strategy {
            let plan = Strategy::from_json(&strategy.to_string()).unwrap();
            verify(&shared.rules, problem.positions(), &plan, shared.plies, None)
                .unwrap_or_else(|flaw| panic!("the strategy of problem {}: {flaw}", shared.id));
        }
    }
}

#[test]
fn every_algorithm_finds_the_shared_verdicts() {
    check("problems.jsonl", 44);
}

#[test]
fn every_algorithm_finds_the_verdicts_under_other_rules() {
    check("problems-other-rules.jsonl", 36);
}

#[test]
fn a_view_streams_exactly_its_belief() {
    let problems = shared("problems.jsonl", 44);
    assert!(problems.is_empty() || problems.iter().filter(|problem| problem.view.is_some()).count() == 30);
    for shared in problems {
        let Some(view) = shared.view else { continue };
        let lines: Vec<String> = view.as_array().unwrap().iter().map(Value::to_string).collect();
        let record: Record = json::read(lines.join("\n").as_bytes()).unwrap();
        let view = record.into_view(Color::White).unwrap();
        let found: Vec<String> = ViewBelief::new(&view)
            .unwrap()
            .map(|position| start::fen_without_counters(&position.to_chess(Color::White).unwrap()))
            .collect();
        let set: BTreeSet<&String> = found.iter().collect();
        let expected: Vec<String> = shared.positions.iter().map(start::fen_without_counters).collect();
        assert_eq!(set, expected.iter().collect(), "problem {}", shared.id);
        assert_eq!(set.len(), found.len(), "no position comes twice");
    }
}
