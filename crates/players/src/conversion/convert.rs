//! Converting an advantage: what Darkboard lacked most, added to the values of root moves while the player is ahead.
//!
//! Its games against weak players were drawn with everything won: by stalemate (see `stalemate`), by moving to and fro until
//! the third repetition or the fiftieth move, and by leaving the last pawns alone because a capture that is not certain is
//! worth nothing in its search. So here standing as before costs, and the more the closer a repetition is; pawns are pushed
//! when the fifty moves run out; and with few enemy men left a move earns the share of a man that its target may hold.

use nebel_kriegspiel::{Announcement, Attempt, Role, Square};

use super::{
    past::Past,
    stalemate::{Cage, Flights as _, StalemateValue},
};
use crate::darkboard::{moves::Likely, numbers::NUMBERS, progress};
use nebel_belief::metaposition::Metaposition;

/// What to add to the value of a root move.
pub(crate) fn bonus(
    meta: &Metaposition,
    past: &Past,
    attempt: Attempt,
    likely: &Likely,
    stalemate: StalemateValue,
) -> f32 {
    if !progress::is_ahead(meta) {
        return 0.0;
    }
    let numbers = NUMBERS.conversion;
    let mut bonus = -numbers.drive.standing_again(past.visits(meta.own(), attempt));
    let prey = expected_prey(meta, attempt.to);
    if meta.census().men() <= numbers.few_men && !meta.surely_held().contains(attempt.to) {
        bonus += prey - price_of_success(meta, attempt, likely, stalemate);
    }
    let is_push = meta.own().by_role(Role::Pawn).contains(attempt.from);
    bonus + numbers.drive.hurry(past.idle()) * if is_push { 1.0 } else { (prey / numbers.pawn).min(1.0) }
}

/// What it costs if the move, which need not capture, does: the man captured may have been the last that could move.
fn price_of_success(
    meta: &Metaposition,
    attempt: Attempt,
    likely: &Likely,
    stalemate: StalemateValue,
) -> f32 {
    let chances = meta.chances(attempt.to);
    let chance = chances.pawn + chances.piece;
    if chance <= 0.0 || stalemate == StalemateValue::Win {
        return 0.0;
    }
    let capture = Some(likely.capture(meta, attempt));
    let mut after = meta.clone();
    after.moved(attempt, &Announcement { capture, ..Announcement::default() });
    progress::price(chance.min(1.0) * Cage::of(&after).stalemate_risk())
}

/// What is to be expected from capturing whatever may stand on a square.
fn expected_prey(meta: &Metaposition, square: Square) -> f32 {
    let chances = meta.chances(square);
    NUMBERS.conversion.pawn * chances.pawn + NUMBERS.conversion.piece * chances.piece
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, Event, Rules, start};

    use super::*;

    fn queen_and_pawn() -> Metaposition {
        let start = start::position("8/7p/8/3k4/7Q/8/8/K7 b - - 0 1").unwrap();
        let mut meta = Metaposition::new(&Rules::icc(), &start, Color::White);
        meta.hear(&Event::from_json(r#"{"by":"black","answer":"moved","tries":{"count":0}}"#).unwrap());
        meta
    }

    #[test]
    fn the_last_pawn_is_worth_a_look() {
        let (meta, past) = (queen_and_pawn(), Past::default());
        let likely = Likely::new(&Rules::icc());
        let bonus = |text: &str| bonus(&meta, &past, text.parse().unwrap(), &likely, StalemateValue::Draw);
        assert!(bonus("h4h6") > 0.5 && bonus("h4h7") > 0.5 && bonus("h4g5") < 0.1);
    }

    #[test]
    fn the_last_man_that_can_move_is_not_captured_into_stalemate() {
        let start = start::position("k7/2K5/8/3p4/7Q/8/8/8 b - - 0 1").unwrap();
        let mut meta = Metaposition::new(&Rules::icc(), &start, Color::White);
        // The pawn went to d4, or the king to a7.
        meta.hear(&Event::from_json(r#"{"by":"black","answer":"moved","tries":{"count":0}}"#).unwrap());
        let likely = Likely::new(&Rules::icc());
        let price =
            |text: &str| price_of_success(&meta, text.parse().unwrap(), &likely, StalemateValue::Draw);
        assert!(price("h4d4") > 100.0);
        assert!(price("h4g4") <= 0.0);
    }

    #[test]
    fn standing_as_before_costs_the_more_the_nearer_the_draw() {
        let meta = queen_and_pawn();
        let mut past = Past::default();
        let attempt: Attempt = "h4g4".parse().unwrap();
        let event = Event::from_json(r#"{"by":"white","attempt":"h4g4","answer":"moved"}"#).unwrap();
        let mut bonuses = Vec::new();
        for _ in 0..3 {
            bonuses.push(bonus(&meta, &past, attempt, &Likely::new(&Rules::icc()), StalemateValue::Draw));
            past.hear(&event, meta.own());
        }
        assert!(bonuses.is_sorted_by(|a, b| a > b), "{bonuses:?}");
    }
}
