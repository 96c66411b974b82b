//! What the game says for a solver who sees everything agrees with the definition, under all rules.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use nebel_kriegspiel::{Rules, start};
use nebel_prover::domain::ASK;
use nebel_prover::{Kriegspiel, Position, Problem};
use nebel_search::{Algorithm, Domain, Limits, Outcome, Reply, exhaustive};

/// The positions of the mixed problems.
fn fens() -> Vec<&'static str> {
    let lines = include_str!("mixed.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split('|').skip(3)).collect()
}

/// Looks at a turn, also after the question was asked and after one demanded capture was refused.
fn check(game: &Kriegspiel, state: &Position, seen: &mut usize) {
    let truth = exhaustive::is_guaranteed(game, &[*state], 1);
    if let Some(wins) = game.knows_win(state) {
        assert_eq!(wins, truth, "{} {state:?}", game.rules().name);
        *seen += 1;
    }
    let mut attempts = Vec::new();
    game.attempts(state, &mut attempts);
    let mut last = Vec::new();
    game.final_attempts(state, &mut last);
    for &attempt in &attempts {
        match game.outcome(state, attempt) {
            Outcome::Won(_) => assert!(last.contains(&attempt), "{} {state:?}", game.rules().name),
            Outcome::Answered { state: next, .. } => {
                assert!(last.contains(&attempt));
                check(game, &next, seen);
            }
            _ => assert_ne!(attempt, ASK),
        }
    }
}

#[test]
fn wins_at_once_are_those_of_the_definition() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        let game = Kriegspiel::new(rules.clone());
        let mut seen = 0;
        for fen in fens() {
            let root = Position::of(&start::position(fen).unwrap());
            check(&game, &root, &mut seen);
            let mut attempts = Vec::new();
            game.attempts(&root, &mut attempts);
            for &attempt in attempts.iter().step_by(5) {
                let Outcome::Moved { state, .. } = game.outcome(&root, attempt) else { continue };
                let mut replies = Vec::new();
                game.replies(&state, |reply| {
                    if let Reply::Continues { state, .. } = reply {
                        replies.push(state);
                    }
                    ControlFlow::Continue(())
                });
                replies.iter().step_by(3).for_each(|state| check(&game, state, &mut seen));
            }
        }
        assert!(seen > 500, "only {seen} under {}", rules.name);
    }
}

#[test]
fn the_guided_search_agrees_with_the_unguided_one_under_all_rules() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for fen in fens() {
            let problem = Problem::new(rules.clone(), vec![start::position(fen).unwrap()]).unwrap();
            let verdict = |algorithm| problem.solve(3, algorithm, &Limits::default()).unwrap().verdict;
            assert_eq!(verdict(Algorithm::Auto), verdict(Algorithm::GlDbu), "{} {fen}", rules.name);
        }
    }
}
