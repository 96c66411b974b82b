//! The champion: under all rules, with both colours, the same again with the same seed, and what it must see.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{TestGame, play};
use nebel_kriegspiel::{Answer, Attempt, Chess, Color, Event, Rules, Umpire, start};
use nebel_players::{Budget, Choice, Game, Nebel, Player};

/// Plays some moves of the champion against `greedy`; all that was said.
fn game(rules: &Rules, specs: [&str; 2], seed: u64) -> Vec<String> {
    let mut said = Vec::new();
    let table = TestGame { rules, start: &Chess::new(), specs, seed, nodes: 300, plies: 50 };
    play(&table, |_, event| {
        let is_nonsense = matches!(event, Event::Attempt { answer: Answer::Nonsense, .. });
        assert!(!is_nonsense, "nonsense under {}: {}", rules.name, event.to_json(rules));
        said.push(event.to_json(rules));
    });
    said
}

#[test]
fn it_plays_under_all_rules_with_both_colours_and_repeats() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for specs in [["nebel:particles=500", "greedy"], ["greedy", "nebel:particles=500"]] {
            let said = game(&rules, specs, 3);
            assert!(said.len() > 20);
            assert_eq!(said, game(&rules, specs, 3), "{specs:?} under {}", rules.name);
        }
    }
}

/// What it tries first where the start of a game is all it knows, so that nothing is hidden.
fn first(fen: &str, options: &str) -> Attempt {
    let position: Chess = start::position(fen).unwrap();
    let side = nebel_kriegspiel::Position::turn(&position);
    let mut player = Nebel::new(Some(options)).unwrap();
    player.start(Game { side, rules: Rules::icc(), start: position, seed: 1 }).unwrap();
    let Choice::Try(attempt) = player.choose(&Budget::unlimited()).unwrap() else { panic!("no attempt") };
    let explained = player.explain().unwrap();
    assert_eq!(explained.attempts[0].attempt, attempt);
    assert!(explained.belief.is_some() && !explained.notes.is_empty());
    attempt
}

#[test]
fn it_sees_mates_captures_and_what_is_taken_back() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    assert_eq!(first(mate, "positions=10").to_string(), "a1a8");
    let hanging = "3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3RK3 w - - 0 1";
    assert_eq!(first(hanging, "positions=10").to_string(), "d1d8");
    // A pawn that a pawn guards is no food for a queen.
    let guarded = "4k3/2p5/3p4/8/8/8/3Q1PPP/4K3 w - - 0 1";
    assert_ne!(first(guarded, "positions=10").to_string(), "d2d6");
    // Black turned over.
    let mate = "r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
    assert_eq!(first(mate, "positions=10").to_string(), "a8a1");
}

#[test]
fn it_does_not_leave_itself_to_a_mate() {
    // Whatever else it does, the back rank must not stay as it is: Black's rook goes to d1.
    let back_rank = "3r2k1/5ppp/1p6/8/1P6/8/R4PPP/6K1 w - - 0 1";
    let with = first(back_rank, "positions=10,mates=on");
    let after = {
        let position: Chess = start::position(back_rank).unwrap();
        let m = nebel_kriegspiel::Position::legal_moves(&position)
            .into_iter()
            .find(|&m| Attempt::of_move(m) == with)
            .unwrap();
        let mut after = position;
        nebel_kriegspiel::Position::play_unchecked(&mut after, m);
        after
    };
    let mates = nebel_kriegspiel::Position::legal_moves(&after).into_iter().any(|m| {
        let mut mated = after.clone();
        nebel_kriegspiel::Position::play_unchecked(&mut mated, m);
        nebel_kriegspiel::Position::is_checkmate(&mated)
    });
    assert!(!mates, "{with} lets Black mate");
}

#[test]
fn a_bare_king_is_left_to_the_tables() {
    assert_eq!(first("7k/5K2/8/8/8/8/8/R7 w - - 0 1", "positions=10").to_string(), "a1h1");
    let mut player = Nebel::new(None).unwrap();
    let position: Chess = start::position("7k/5K2/8/8/8/8/8/R7 w - - 0 1").unwrap();
    player.start(Game { side: Color::White, rules: Rules::icc(), start: position, seed: 1 }).unwrap();
    player.choose(&Budget::unlimited()).unwrap();
    let notes = player.explain().unwrap().notes.join(" ");
    assert!(notes.contains("mate"), "{notes}");
}

/// A knight that forks king and rook takes nothing at once: only the own next turn shows what it wins.
const FORK: &str = "r3k3/8/8/3N4/8/8/5PPP/6K1 w - - 0 1";

#[test]
fn it_sees_what_its_next_turn_wins() {
    assert_eq!(first(FORK, "positions=10").to_string(), "d5c7");
    assert_ne!(first(FORK, "positions=10,ahead=0").to_string(), "d5c7");
}

#[test]
fn threads_come_to_the_same_by_nodes() {
    let position: Chess = start::position("r1bqk2r/ppp2ppp/8/8/8/8/PPP2PPP/R1BQK2R w KQkq - 0 1").unwrap();
    let weighed = |options: &str| {
        let mut player = Nebel::new(Some(options)).unwrap();
        let game = Game { side: Color::White, rules: Rules::icc(), start: position.clone(), seed: 1 };
        player.start(game).unwrap();
        let mut umpire = Umpire::at(Rules::icc(), position.clone());
        for attempt in ["d1d3", "d8d6"] {
            let event = umpire.attempt(attempt.parse().unwrap()).unwrap();
            player.hear(&event.heard_by(Color::White, &Rules::icc()).unwrap()).unwrap();
        }
        player.choose(&Budget { nodes: Some(20_000), ..Budget::unlimited() }).unwrap();
        let explained = player.explain().unwrap();
        explained.attempts.iter().map(|w| (w.attempt, w.value)).collect::<Vec<_>>()
    };
    let one = weighed("threads=1");
    assert!(one.len() > 1);
    assert_eq!(one, weighed("threads=3"));
}

#[test]
fn every_level_plays() {
    for level in 1..=8 {
        let spec = format!("nebel:level={level}");
        assert!(game(&Rules::icc(), [&spec, "greedy"], 5).len() > 20, "level {level}");
    }
    assert!(Nebel::new(Some("level=9")).is_err());
}
