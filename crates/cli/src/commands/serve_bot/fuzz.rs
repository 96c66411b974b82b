//! Answers of the site against garbage and damage: no panic, what is refused is refused in one line, and what is tried is allowed.

#[path = "../../../../kriegspiel/tests/common/damage.rs"]
mod damage;

use std::time::Duration;

use damage::{damaged, garbage, one_line};
use nebel_kriegspiel::{Color, Rules};
use nebel_players::Choice;
use proptest::prelude::*;
use serde_json::json;

use super::{messages::State, scoresheet::Sheet, table::Table};

fn right() -> String {
    let own = |messages: &[&str], uci: &str, kind: &str| json!({"kind": kind, "actor": "self", "messages": messages, "move_uci": uci});
    let other = |messages: &[&str], kind: &str| json!({"kind": kind, "actor": "opponent", "messages": messages, "move_uci": null});
    let status = |message: &str| json!({"kind": "status", "messages": [message]});
    let turns = json!([
        {"turn": 1, "white": [own(&["Illegal move"], "e2d3", "illegal_move"), own(&["Move complete"], "e2e4", "move")],
         "black": [status("No pawn captures"), other(&["Move complete"], "move")]},
        {"turn": 2, "white": [status("1 pawn try"), own(&["Pawn captured at D5"], "e4d5", "capture")],
         "black": [status("No pawn captures"), other(&["Pawn captured at D5", "Double check"], "capture")]},
        {"turn": 3, "white": [status("No pawn captures")], "black": []},
    ]);
    let state = json!({"state": "active", "turn": "white", "your_color": "white", "allowed_moves": ["a2a3", "g1f3", "e1e2"],
        "possible_actions": ["move"], "scoresheet": {"viewer_color": "white", "last_move_number": 2, "turns": turns},
        "clock": {"white_remaining": 600.5, "black_remaining": 1, "active_color": "white"}});
    state.to_string()
}

/// What the bot does with an answer; whether the player could follow it.
fn judged(answer: &[u8]) -> Option<bool> {
    let state: State = serde_json::from_slice(answer).ok()?;
    let side = Color::from(state.your_color);
    let mut table = Table::new("greedy", side, Rules::icc(), 1);
    match Sheet::read(&state.scoresheet, side, table.rules()) {
        Ok(sheet) => table.hear(&sheet.told),
        Err(why) => table.give_up(why),
    }
    let lost = table.lost();
    if let Some(why) = &lost {
        one_line(why);
    }
    if let Some(Choice::Try(attempt)) = table.choose(&state, Duration::from_millis(1)) {
        assert!(state.allowed_moves.contains(&attempt.to_string()), "{attempt}");
    }
    Some(lost.is_none())
}

#[test]
fn what_is_right_is_followed() {
    assert_eq!(judged(right().as_bytes()), Some(true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn states(seed in any::<u64>()) {
        judged(&damaged(right(), seed));
        judged(&garbage(seed, 100));
    }
}
