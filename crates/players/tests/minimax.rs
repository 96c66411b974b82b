//! Whole games of `minimax`: they repeat, never break the rules, and are won.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{SIDES, TestGame, play};
use nebel_kriegspiel::{Answer, Chess, Color, Event, Reason, Rules, start};
use nebel_players::{Budget, Choice, Game, by_spec};

/// The events of a game as text.
fn events(table: &TestGame<'_>) -> Vec<String> {
    let mut events = Vec::new();
    play(table, |_, event| events.push(event.to_json(table.rules)));
    events
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game() {
    let (rules, start) = (&Rules::icc(), &Chess::new());
    let game =
        |seed| events(&TestGame { rules, start, specs: ["minimax", "minimax"], seed, nodes: 300, plies: 60 });
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2), "a seed makes a difference");
}

#[test]
fn whole_games_under_every_ruleset_without_nonsense() {
    for rules in &Rules::KNOWN.map(|rules| rules()) {
        for (seed, side) in SIDES.into_iter().enumerate() {
            for spec in ["minimax", "minimax:tables=off", "minimax:preset=paper,nodes=200"] {
                let specs = if side == Color::White { [spec, "random"] } else { ["random", spec] };
                let table = TestGame {
                    rules,
                    start: &Chess::new(),
                    specs,
                    seed: seed as u64,
                    nodes: 200,
                    plies: 300,
                };
                let mut moves = 0;
                play(&table, |_, event| {
                    if let Event::Attempt { by, answer, .. } = event
                        && *by == side
                    {
                        assert_ne!(*answer, Answer::Nonsense, "{spec} under {}", rules.name);
                        moves += usize::from(event.announcement().is_some());
                    }
                });
                assert!(moves > 10, "{spec} under {}", rules.name);
            }
        }
    }
}

/// Won endings, with everything a player needs to stalemate in.
const WON: [&str; 6] = [
    "4k3/8/8/8/8/8/QR6/4K3 w - - 0 1",
    "8/8/3k4/8/8/8/3P4/3QK3 w - - 0 1",
    "4k3/p7/P7/8/8/8/1P6/3QK3 w - - 0 1",
    "4k3/p6p/P6P/8/8/8/PPP5/1RBQK3 w - - 0 1",
    "6k1/5p1p/8/8/8/8/5PPP/Q2R2K1 w - - 0 1",
    "4k2n/8/8/8/8/8/3PPP2/R2QKB2 w - - 0 1",
];

#[test]
fn won_endings_are_won() {
    let rules = &Rules::icc();
    for fen in WON {
        let start = &start::position(fen).unwrap();
        for (seed, opponent) in ["random", "greedy", "random"].into_iter().enumerate() {
            let table = TestGame {
                rules,
                start,
                specs: ["minimax", opponent],
                seed: 7 + seed as u64,
                nodes: 500,
                plies: 400,
            };
            let over = play(&table, |_, _| {}).over();
            let won = over.is_some_and(|over| over.reason == Reason::Checkmate);
            assert!(won && over.unwrap().result.winner() == Some(Color::White), "{fen} {opponent}: {over:?}");
        }
    }
}

#[test]
fn a_choice_without_any_time_is_still_a_sensible_attempt() {
    let mut player = by_spec("minimax").unwrap();
    let game = Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 1 };
    player.start(game).unwrap();
    let now = std::time::Instant::now();
    let budget = Budget { aim: Some(now), limit: Some(now), ..Budget::unlimited() };
    assert!(matches!(player.choose(&budget), Ok(Choice::Try(_))));
    let explanation = player.explain().unwrap();
    assert!(explanation.belief.is_some() && explanation.attempts.len() >= 20);
}

#[test]
fn wrong_options_are_named() {
    let error = by_spec("minimax:tables=some").err().unwrap().to_string();
    assert_eq!(error, "player `minimax` takes tables as on or off, not `tables=some`");
}
