//! Under rules with "any?" no strategy of `auto` opens with a question that it could do without.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_kriegspiel::{Rules, start};
use nebel_prover::domain::ASK;
use nebel_prover::{Position, Problem, Strategy, verify};
use nebel_search::{Algorithm, Limits, Strategy as SearchStrategy, Verdict, exhaustive};

fn problem(rules: &str, fens: &[&str]) -> Problem {
    let positions = fens.iter().map(|fen| start::position(fen).unwrap()).collect();
    Problem::new(Rules::by_name(rules).unwrap(), positions).unwrap()
}

/// The strategy, which the umpire has replayed.
fn strategy(problem: &Problem, plies: u32, algorithm: Algorithm) -> SearchStrategy {
    let report = problem.solve(plies, algorithm, &Limits::default()).unwrap();
    assert_eq!(report.verdict, Verdict::Guaranteed, "{algorithm}");
    let strategy = report.strategy.unwrap();
    let rules = problem.domain().rules();
    verify(rules, problem.positions(), &Strategy::of(&strategy, rules), plies, None).unwrap();
    strategy
}

#[test]
fn a_strategy_opens_with_a_question_only_where_no_move_would_do() {
    for (rules, plies, fens) in [
        (
            "berkeley-any",
            3,
            &["8/K1p2R2/1Q6/P7/8/8/6k1/8 w - - 0 1", "8/K4R2/1Q6/P1p5/8/8/6k1/8 w - - 0 1"][..],
        ),
        ("english", 3, &["8/4p3/8/8/6P1/1Kp5/7Q/k3N3 w - - 0 1", "8/5p2/8/8/1p4P1/1K6/7Q/k3N3 w - - 0 1"]),
        ("english", 5, &["8/8/8/1R6/8/5K2/7k/8 w - - 0 1", "8/8/8/1R6/8/5K2/8/6k1 w - - 0 1"]),
        // The only mate is by a pawn that captures, which under English rules is tried after the question alone.
        ("english", 1, &["7k/6p1/5P1K/8/8/1B6/8/8 w - - 0 1"]),
    ] {
        let problem = problem(rules, fens);
        let belief: Vec<Position> = problem.belief().collect();
        let winning = exhaustive::winning_attempts(problem.domain(), &belief, plies);
        assert!(winning.contains(&ASK), "asking never hurts");
        for algorithm in [Algorithm::Auto, Algorithm::GlDbu] {
            let opening = strategy(&problem, plies, algorithm).attempt;
            assert!(winning.contains(&opening));
            assert!(opening != ASK || winning == [ASK], "{rules}, {fens:?}: {algorithm} asks needlessly");
        }
    }
}
