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
