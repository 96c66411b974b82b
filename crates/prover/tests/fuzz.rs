//! Strategies and collections against garbage and damage: no panic, and what is refused is refused in one line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../kriegspiel/tests/common/damage.rs"]
mod damage;

use std::sync::LazyLock;

use damage::{damaged_text, garbage, judged};
use nebel_kriegspiel::{Chess, Rules, start};
use nebel_prover::collection::{Entry, SHIPPED};
use nebel_prover::{Problem, Strategy, verify};
use nebel_search::{Algorithm, Limits};
use proptest::prelude::*;

const KINGS: [&str; 2] = ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1", "7k/8/5K2/8/Q7/8/8/8 w - - 0 1"];

fn positions() -> Vec<Chess> {
    KINGS.map(|fen| start::position(fen).unwrap()).to_vec()
}

/// A strategy that mates, as it is written.
static WRITTEN: LazyLock<String> = LazyLock::new(|| {
    let problem = Problem::new(Rules::berkeley(), positions()).unwrap();
    let report = problem.solve(3, Algorithm::Auto, &Limits::default()).unwrap();
    serde_json::to_string(&Strategy::of(&report.strategy.unwrap(), &Rules::berkeley())).unwrap()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn strategies(seed in any::<u64>(), depth in 0..3000usize) {
        judged(Strategy::from_json(&String::from_utf8_lossy(&garbage(seed, 100))));
        judged(Strategy::from_json(&"{\"illegal\":".repeat(depth)));
        let Some(plan) = judged(Strategy::from_json(&damaged_text(&WRITTEN, seed))) else { return Ok(()) };
        let again = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(Strategy::from_json(&again).unwrap(), plan.clone());
        judged(verify(&Rules::berkeley(), &positions(), &plan, 3, None));
    }

    #[test]
    fn collections(seed in any::<u64>(), number in any::<prop::sample::Index>()) {
        let (_, text) = SHIPPED.iter().find(|(name, _)| *name == "berkeley-3").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let line = damaged_text(lines[number.index(lines.len())], seed);
        // What the JSON library says may quote a field of many lines; whoever shows it sees to that.
        if let Ok(entry) = serde_json::from_str::<Entry>(&line) {
            judged(entry.view());
            judged(entry.problem());
        }
    }
}
