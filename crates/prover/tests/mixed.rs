//! `auto` is never far behind the best of its parts: castling, promotion, en passant, pins, "any?", long forced lines.
//!
//! Nothing is timed. Searches are compared by the states that they construct, weighed by what one costs an algorithm (a state of
//! a tree in memory takes two and a half times as long), and `auto` must decide within twice the best, and fifty
//! milliseconds' worth.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_kriegspiel::{Rules, start};
use nebel_prover::domain::ASK;
use nebel_prover::{Problem, Strategy, verify};
use nebel_search::{Algorithm, Limits, Step, Strategy as SearchStrategy, Verdict};

/// The single algorithms, with the weight of a state in tenths.
const SINGLE: [(Algorithm, u64); 4] =
    [(Algorithm::GlDbu, 10), (Algorithm::LeDfs, 10), (Algorithm::EPns, 25), (Algorithm::Ipns, 25)];

/// Half of the states of `auto` may be those of proof numbers, by time.
const AUTO: u64 = 15;

/// States that each single algorithm may construct.
const MOST: u64 = 400_000;

/// States in fifty milliseconds, at the twelve million a second that were measured on these problems.
const ALLOWANCE: u64 = 600_000;

fn problems() -> Vec<(String, u32, Problem)> {
    let lines = include_str!("mixed.txt").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('|').collect();
        let positions = fields[3..].iter().map(|fen| start::position(fen).unwrap()).collect();
        let problem = Problem::new(Rules::by_name(fields[1]).unwrap(), positions).unwrap();
        (line.to_owned(), fields[2].parse().unwrap(), problem)
    };
    lines.map(read).collect()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), memory: Some(512 << 20), ..Limits::default() }
}

/// Whether every question in it has answers after which different things are done.
fn asks_only_for_use(strategy: &SearchStrategy) -> bool {
    let answers: Vec<&SearchStrategy> = strategy
        .heard
        .values()
        .filter_map(|step| match step {
            Step::Answered(next) => Some(next.as_ref()),
            _ => None,
        })
        .collect();
    let used = strategy.attempt != ASK || answers.len() < 2 || answers[0] != answers[1];
    let below = strategy.heard.values().flat_map(|step| match step {
        Step::Replied(next) => next.values().collect(),
        Step::Answered(next) => vec![next.as_ref()],
        Step::Won | Step::Settled => Vec::new(),
    });
    used && below.chain(strategy.refused.as_deref()).all(asks_only_for_use)
}

#[test]
fn auto_is_within_twice_the_best_of_the_others() {
    let mut decided = 0;
    for (line, plies, problem) in problems() {
        let mut best: Option<(u64, Verdict)> = None;
        for (algorithm, weight) in SINGLE {
            let most = best.map_or(MOST, |(cost, _)| MOST.min(cost / weight + 1));
            let report = problem.solve(plies, algorithm, &nodes(most)).unwrap();
            if matches!(report.verdict, Verdict::Unknown(_)) {
                continue;
            }
            let cost = report.counters.constructed * weight;
            assert!(best.is_none_or(|(_, verdict)| verdict == report.verdict), "{line}: {algorithm}");
            best = Some((best.map_or(cost, |(least, _)| least.min(cost)), report.verdict));
        }
        let Some((cost, verdict)) = best else { continue };
        decided += 1;
        let report =
            problem.solve(plies, Algorithm::Auto, &nodes((2 * cost + 10 * ALLOWANCE) / AUTO)).unwrap();
        assert_eq!(report.verdict, verdict, "{line}: the best needs {} states", cost / 10);
        if let Some(strategy) = report.strategy {
            let rules = problem.domain().rules();
            let plan = Strategy::of(&strategy, rules);
            verify(rules, problem.positions(), &plan, plies, None).unwrap();
            assert!(asks_only_for_use(&strategy), "{line}: {}", plan.to_text());
        }
    }
    assert!(decided >= 24, "only {decided} are decided by anybody");
}
