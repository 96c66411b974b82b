//! Every way to hear an unseen move, position by position, against the chess library.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;

use common::{STARTS, fens};
use nebel_belief::{Step, ViewState};
use nebel_kriegspiel::{Answer, Chess, Event, Rules, Umpire};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Position;

/// Expands one position for every announcement that a move of the hidden side can bring about.
fn compare(rules: &Rules, position: &Chess) -> usize {
    let mut heard: BTreeMap<String, (Event, Vec<Chess>)> = BTreeMap::new();
    for m in position.legal_moves() {
        let mut umpire = Umpire::at(rules.clone(), position.clone());
        let event = umpire.attempt(nebel_kriegspiel::Attempt::of_move(m)).unwrap();
        let event = event.heard_by(!position.turn(), rules).unwrap().into_event();
        let text = event.to_json(rules);
        heard.entry(text).or_insert((event, Vec::new())).1.push(umpire.position().clone());
    }
    for (text, (event, positions)) in &heard {
        assert!(matches!(event, Event::Attempt { answer: Answer::Moved(_), .. }));
        let mut hearing = ViewState::new(rules.clone(), position, !position.turn());
        let start = hearing.start();
        let Some(step @ Step::Hidden(_)) = hearing.hear(event).unwrap() else {
            panic!("an unseen move is expanded");
        };
        let mut found = Vec::new();
        step.follow(start, |key| found.push(hearing.position(key).unwrap()));
        assert_eq!(
            fens(found.into_iter()),
            fens(positions.iter().cloned()),
            "{} {text}",
            nebel_kriegspiel::start::fen(position)
        );
    }
    heard.len()
}

#[test]
fn unseen_moves_lead_where_the_chess_library_says() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut compared = 0;
    for round in 0..240 {
        let mut position = nebel_kriegspiel::start::position(STARTS[round % STARTS.len()]).unwrap();
        for ply in 0..60 {
            // Fifty moves would end the umpire's game; positions after dead material are not reached.
            let moves = position.legal_moves();
            let Some(&m) = moves.choose(&mut rng) else { break };
            if position.halfmoves() < 90 && !nebel_kriegspiel::over::is_dead(position.board()) {
                compared += compare(&Rules::KNOWN[(round + ply) % 6](), &position);
            }
            position.play_unchecked(m);
        }
    }
    println!("{compared} announcements");
    assert!(compared > 10_000);
}

/// White's pawns stand between their king and a bishop, rook or queen: pinned, with men between, with something to capture on the line
/// and beside it, and with a piece about to come.
const PINS: [&str; 9] = [
    "4k3/8/8/q7/1n6/2p5/3P4/4K3 b - - 0 1",
    "4k3/8/8/q7/8/2p1p3/3P4/4K3 b - - 0 1",
    "4k3/8/8/q7/1n6/4p3/3P4/4K3 b - - 0 1",
    "4r1k1/8/4n3/8/3p4/5b2/4P3/4K3 b - - 0 1",
    "4r1k1/4r3/8/8/8/3p1b2/4P3/4K3 b - - 0 1",
    "6k1/8/8/7b/6p1/5n2/4P1P1/3K4 b - - 0 1",
    "b5k1/8/8/3n4/4p3/3p1p2/6P1/7K b - - 0 1",
    "6k1/2q5/8/8/7b/4n1p1/5P2/4K3 b - - 0 1",
    "k2q4/3r4/8/3b4/2n1p3/3P4/8/3K4 b - - 0 1",
];

#[test]
fn tries_of_pawns_that_may_be_pinned_are_counted() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut compared = 0;
    for fen in PINS {
        for round in 0..24 {
            let mut position = nebel_kriegspiel::start::position(fen).unwrap();
            for _ in 0..8 {
                let moves = position.legal_moves();
                let Some(&m) = moves.choose(&mut rng) else { break };
                if nebel_kriegspiel::over::is_dead(position.board()) {
                    break;
                }
                compared += compare(&Rules::KNOWN[round % 6](), &position);
                position.play_unchecked(m);
            }
        }
    }
    println!("{compared} announcements");
    assert!(compared > 2_000);
}
