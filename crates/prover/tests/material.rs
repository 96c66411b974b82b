//! Endings that a table wins, as leaves: found by every algorithm, checked by the verifier.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_kriegspiel::{Chess, Rules, start};
use nebel_prover::strategy::AfterAttempt;
use nebel_prover::verify::FlawKind;
use nebel_prover::{MaterialWins, Problem, Strategy, WithTables, verify};
use nebel_search::{Algorithm, Limits, Verdict, solve};
use nebel_tablebase::Store;

fn tables(directory: &tempfile::TempDir) -> MaterialWins {
    MaterialWins::new(Store::new(directory.path()), |_| {})
}

fn positions(fens: &[&str]) -> Vec<Chess> {
    fens.iter().map(|fen| start::position(fen).unwrap()).collect()
}

/// What the algorithms, which must agree, find within `plies`; each strategy is verified.
fn plan(fens: &[&str], plies: u32, tables: &MaterialWins) -> Option<Strategy> {
    let rules = Rules::berkeley();
    let problem = Problem::new(rules.clone(), positions(fens)).unwrap();
    let game = WithTables::new(problem.domain().clone(), tables);
    let mut plans = Vec::new();
    for algorithm in Algorithm::ALL {
        let report = solve(&game, problem.belief(), plies, algorithm, &Limits::default()).unwrap();
        let plan = report.strategy.map(|strategy| Strategy::of(&strategy, &rules));
        assert_eq!(report.verdict == Verdict::Guaranteed, plan.is_some());
        if let Some(plan) = &plan {
            let verified = verify(&rules, problem.positions(), plan, plies, Some(tables));
            assert!(verified.is_ok(), "{algorithm}: {}", verified.unwrap_err());
        }
        plans.push(plan);
        assert_eq!(plans[0].is_some(), plans[plans.len() - 1].is_some(), "{algorithm} on {fens:?}");
    }
    plans.pop().flatten()
}

/// The black king stands near a knight that the rook takes; then it is king and rook against king.
const KNIGHT_FALLS: [&str; 2] = ["8/8/4k3/8/8/2K5/8/R6n w - - 0 1", "8/8/8/4k3/8/2K5/8/R6n w - - 0 1"];

#[test]
fn a_capture_that_leaves_a_won_ending_is_a_leaf() {
    let directory = tempfile::tempdir().unwrap();
    let tables = tables(&directory);
    let found = plan(&KNIGHT_FALLS, 1, &tables).expect("the rook takes the knight");
    let Strategy::Try { attempt, legal, .. } = found else { panic!("no attempt") };
    assert_eq!(attempt, "a1h1");
    assert!(legal.values().all(|step| *step == AfterAttempt::Table), "{legal:?}");
    // Without tables there is no mate in one.
    let problem = Problem::new(Rules::berkeley(), positions(&KNIGHT_FALLS)).unwrap();
    let report = problem.solve(3, Algorithm::Auto, &Limits::default()).unwrap();
    assert_eq!(report.verdict, Verdict::Refuted);
}

#[test]
fn a_table_must_win_for_the_whole_belief() {
    let directory = tempfile::tempdir().unwrap();
    let tables = tables(&directory);
    // The rook is attacked from one of two squares and cannot be saved from both.
    let each = ["8/8/8/8/8/1k6/R7/7K w - - 0 1", "8/8/8/8/8/k7/1R6/7K w - - 0 1"];
    for fen in each {
        assert!(plan(&[fen], 1, &tables).is_some(), "the king's square is known: {fen}");
    }
    let everywhere: Vec<String> = (1..=8)
        .flat_map(|rank| "abcdefgh".chars().map(move |file| format!("{file}{rank}")))
        .filter_map(|square| fen_with_king(&square))
        .collect();
    let fens: Vec<&str> = everywhere.iter().map(String::as_str).collect();
    assert!(fens.len() > 20);
    for fen in &fens {
        assert!(plan(&[fen], 1, &tables).is_some(), "{fen}");
    }
    assert!(plan(&fens, 1, &tables).is_none(), "the rook may be lost whatever is tried");
}

/// White's king on h1 and rook on c3, Black's king on some square that he may be on.
fn fen_with_king(square: &str) -> Option<String> {
    let file = square.as_bytes()[0] - b'a';
    let rank = square.as_bytes()[1] - b'1';
    let mut board = [['1'; 8]; 8];
    board[0][7] = 'K';
    board[2][2] = 'R';
    if board[usize::from(rank)][usize::from(file)] != '1' {
        return None;
    }
    board[usize::from(rank)][usize::from(file)] = 'k';
    let rows: Vec<String> = board.iter().rev().map(|row| row.iter().collect()).collect();
    let fen = format!("{} w - - 0 1", rows.join("/"));
    start::position(&fen).is_ok().then_some(fen)
}

#[test]
fn the_verifier_asks_the_tables_itself() {
    let directory = tempfile::tempdir().unwrap();
    let tables = tables(&directory);
    let rules = Rules::berkeley();
    let claim = |attempt: &str| {
        let text = format!(r#"{{"try":"{attempt}","legal":{{"Black to move.":"table"}},"illegal":null}}"#);
        Strategy::from_json(&text).unwrap()
    };
    let rook_hangs = positions(&["8/8/8/8/8/1k6/R7/7K w - - 0 1"]);
    let flaw = |plan: &Strategy, tables| verify(&rules, &rook_hangs, plan, 1, tables).unwrap_err().kind;
    assert_eq!(flaw(&claim("a2a8"), None), FlawKind::NoTables);
    assert_eq!(flaw(&claim("h1h2"), Some(&tables)), FlawKind::NotWon, "the rook is taken");
    verify(&rules, &rook_hangs, &claim("a2a8"), 1, Some(&tables)).unwrap();
    let pawn_left = positions(&["8/8/8/8/p7/1k6/R7/7K w - - 0 1"]);
    let kind = verify(&rules, &pawn_left, &claim("a2h2"), 1, Some(&tables)).unwrap_err().kind;
    assert_eq!(kind, FlawKind::NotWon, "the king is not bare");
}

#[test]
fn the_file_system_is_asked_once_for_each_ending() {
    let directory = tempfile::tempdir().unwrap();
    let tables = tables(&directory);
    assert!(plan(&KNIGHT_FALLS, 1, &tables).is_some());
    // Whatever becomes of the files now makes no difference: none is looked at again.
    directory.close().unwrap();
    assert!(plan(&KNIGHT_FALLS, 1, &tables).is_some());
    assert!(tables.take_error().is_none());
}

#[test]
fn tables_of_one_man_are_asked_alone_where_nothing_may_depend_on_files() {
    let directory = tempfile::tempdir().unwrap();
    let tables = MaterialWins::of_one_man(Store::new(directory.path()));
    assert!(plan(&KNIGHT_FALLS, 1, &tables).is_some());
    // Two men beside the king win whatever they do, by a table that is not asked, be it there or not.
    let two = ["8/8/4k3/8/8/2K5/1Q6/R6n w - - 0 1"];
    assert!(plan(&two, 1, &tables).is_none());
}
