//! `auto` is never far behind the best of its parts: castling, promotion, en passant, pins, "any?", long forced lines.
//!
//! Nothing is timed. Searches are compared by the states that they construct, weighed by what one costs an algorithm (a state of
//! a tree in memory takes two and a half times as long), and `auto` must decide within twice the best, and fifty
//! milliseconds' worth.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::Range;

use nebel_kriegspiel::{Rules, start};
use nebel_prover::domain::ASK;
use nebel_prover::{Problem, Strategy, verify};
use nebel_search::{Algorithm, Limits, Step, Strategy as SearchStrategy, Verdict};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The single algorithms, with the weight of a state in tenths.
const SINGLE: [(Algorithm, u64); 4] =
    [(Algorithm::GlDbu, 10), (Algorithm::LeDfs, 10), (Algorithm::EPns, 25), (Algorithm::Ipns, 25)];

/// Half of the states of `auto` may be those of proof numbers, by time.
const AUTO: u64 = 15;

/// States that each single algorithm may construct.
const MOST: u64 = 1_000_000;

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

/// The cost of the best single algorithm and its verdict, which all that decide must share.
fn best_of_the_others(name: &str, plies: u32, problem: &Problem) -> Option<(u64, Verdict)> {
    let mut best: Option<(u64, Verdict)> = None;
    for (algorithm, weight) in SINGLE {
        let most = best.map_or(MOST, |(cost, _)| MOST.min(cost / weight + 1));
        let report = problem.solve(plies, algorithm, &nodes(most)).unwrap();
        if matches!(report.verdict, Verdict::Unknown(_)) {
            continue;
        }
        let cost = report.counters.constructed * weight;
        assert!(best.is_none_or(|(_, verdict)| verdict == report.verdict), "{name}: {algorithm}");
        best = Some((best.map_or(cost, |(least, _)| least.min(cost)), report.verdict));
    }
    best
}

/// Lets `auto` search within what it may spend beside the best of the others, and replays what it finds. False if it did not
/// decide.
fn auto_keeps_up(name: &str, plies: u32, problem: &Problem, cost: u64, verdict: Verdict) -> bool {
    let most = nodes((2 * cost + 10 * ALLOWANCE) / AUTO);
    let report = problem.solve(plies, Algorithm::Auto, &most).unwrap();
    if let Some(strategy) = &report.strategy {
        let rules = problem.domain().rules();
        let plan = Strategy::of(strategy, rules);
        verify(rules, problem.positions(), &plan, plies, None).unwrap();
        assert!(asks_only_for_use(strategy), "{name}: {}", plan.to_text());
    }
    assert!(matches!(report.verdict, Verdict::Unknown(_)) || report.verdict == verdict, "{name}");
    report.verdict == verdict
}

#[test]
fn auto_is_within_twice_the_best_of_the_others() {
    let mut decided = 0;
    for (line, plies, problem) in problems() {
        let Some((cost, verdict)) = best_of_the_others(&line, plies, &problem) else { continue };
        decided += 1;
        let keeps_up = auto_keeps_up(&line, plies, &problem, cost, verdict);
        assert!(keeps_up, "{line}: the best needs {} states", cost / 10);
    }
    assert!(decided >= 70, "only {decided} are decided by anybody");
}

/// Prints what is worth to be kept in `mixed.txt`: problems that take some work, and whether `auto` keeps up. `MIXED` is the first seed and
/// the number of problems, as in `MIXED=1,200 cargo test -p nebel-prover --test mixed -- --ignored --nocapture`.
#[test]
#[ignore = "a search for violations, not a check"]
fn random_problems() {
    let text = std::env::var("MIXED").unwrap_or_else(|_| "1,100".to_owned());
    let (first, count) = text.split_once(',').unwrap();
    let first: u64 = first.parse().unwrap();
    let mut behind = 0;
    for seed in first..first + count.parse::<u64>().unwrap() {
        let Some((line, plies, problem)) = random_problem(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
        else {
            continue;
        };
        let Some((cost, verdict)) = best_of_the_others(&line, plies, &problem) else { continue };
        let keeps_up = auto_keeps_up(&line, plies, &problem, cost, verdict);
        behind += usize::from(!keeps_up);
        if !keeps_up || (cost > 20_000 && verdict == Verdict::Guaranteed) {
            println!("{} {verdict:?} {:8} {line}", if keeps_up { "ok    " } else { "BEHIND" }, cost / 10);
        }
    }
    assert_eq!(behind, 0);
}

/// A theme, rules, a depth, White's men, and Black's in one to three ways.
fn random_problem(random: &mut Xoshiro256PlusPlus) -> Option<(String, u32, Problem)> {
    let theme =
        *["castling", "promotion", "en passant", "pin", "any", "long", "long", "long"].choose(random)?;
    let rules = match theme {
        "any" => *["english", "berkeley-any"].choose(random)?,
        _ => *["english", "berkeley", "icc"].choose(random)?,
    };
    let plies = match theme {
        "long" => *[9, 11, 13, 15, 17].choose(random)?,
        _ => *[3, 5, 7].choose(random)?,
    };
    let own = *["Q", "RR", "QN", "RBP", "QP", "BNP", "RP", "QR", "BBP", "NPP"].choose(random)?;
    let other = *["", "", "p", "r", "n", "bp", "pp"].choose(random)?;
    let ways = if theme == "long" { 1 } else { random.random_range(1..=2) };
    let mut white: Vec<(usize, char)> = Vec::new();
    let mut place =
        |men: &mut Vec<(usize, char)>, taken: &[(usize, char)], man: char, squares: Range<usize>| {
            for _ in 0..100 {
                let square = random.random_range(squares.clone());
                if men.iter().chain(taken).all(|&(other, _)| other != square) {
                    men.push((square, man));
                    return;
                }
            }
        };
    let mut rights = "-";
    let mut passed = "-".to_owned();
    match theme {
        "castling" => {
            white.extend([(4, 'K'), (7, 'R')]);
            rights = "K";
        }
        "promotion" => place(&mut white, &[], 'P', 48..56),
        "en passant" => {
            place(&mut white, &[], 'P', 33..39);
            let beside = white[0].0 + 1;
            passed = format!("{}6", char::from(b'a' + (beside % 8) as u8));
        }
        _ => {}
    }
    if theme != "castling" {
        place(&mut white, &[], 'K', 0..64);
    }
    for man in own.chars() {
        let squares = if man == 'P' { 8..48 } else { 0..64 };
        place(&mut white, &[], man, squares);
    }
    let mut fens = Vec::new();
    for _ in 0..ways {
        let mut black = Vec::new();
        if passed != "-" {
            black.push((white[0].0 + 1, 'p'));
        }
        place(&mut black, &white, 'k', 0..64);
        for man in other.chars() {
            let squares = if man == 'p' { 8..48 } else { 0..64 };
            place(&mut black, &white, man, squares);
        }
        let fen = format!("{} w {rights} {passed} 0 1", board(white.iter().chain(&black)));
        start::position(&fen).ok()?;
        fens.push(fen);
    }
    fens.dedup();
    let line = format!("{theme}|{rules}|{plies}|{}", fens.join("|"));
    let positions = fens.iter().map(|fen| start::position(fen).unwrap()).collect();
    Some((line, plies, Problem::new(Rules::by_name(rules).unwrap(), positions).ok()?))
}

/// The men's part of a FEN; square 0 is a1.
fn board<'a>(men: impl Iterator<Item = &'a (usize, char)>) -> String {
    let mut squares = [['1'; 8]; 8];
    for &(square, man) in men {
        squares[square / 8][square % 8] = man;
    }
    squares.iter().rev().map(|rank| rank.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}
