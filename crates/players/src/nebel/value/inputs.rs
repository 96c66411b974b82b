//! What a learned value is told of an attempt, by name, and what the own side remembers of a game for it.

use nebel_kriegspiel::{Answer, Bitboard, Event, Input};

/// The numbers, by name, in the order in which they are told.
pub const NAMES: [&str; 74] = [
    // What the search says of the attempt.
    "value",
    "legal",
    "captures",
    "checks",
    "lost",
    "lost beyond a pawn",
    "spread",
    "later",
    // The man that moves.
    "pawn moves",
    "knight moves",
    "bishop moves",
    "rook moves",
    "queen moves",
    "king moves",
    "piece goes forward",
    "castles",
    "shown man leaves",
    "steps into attack",
    "steps into attack unguarded",
    // The own men after it.
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "pawns forward",
    "knights forward",
    "bishops forward",
    "rooks forward",
    "queens forward",
    "king forward",
    "pawns central",
    "knights central",
    "bishops central",
    "rooks central",
    "queens central",
    "king central",
    "knights mobile",
    "bishops mobile",
    "rooks mobile",
    "queens mobile",
    "king at home",
    "king's shield",
    "pawns in the centre",
    "pawns doubled",
    "pawns isolated",
    "men unguarded",
    "open files for rooks",
    // What may happen to them.
    "pawns attacked",
    "minors attacked",
    "rooks attacked",
    "queens attacked",
    "pawns attacked unguarded",
    "minors attacked unguarded",
    "rooks attacked unguarded",
    "queens attacked unguarded",
    "shown men attacked",
    "king's squares attacked",
    // What they may do.
    "hidden men attacked by pawns",
    "hidden men attacked by pieces",
    "near the hidden king",
    "distance of the kings",
    // The other side, and the clock.
    "hidden pawns",
    "hidden knights",
    "hidden bishops",
    "hidden rooks",
    "hidden queens",
    "hidden pawns forward",
    "hidden pawn about to promote",
    "men left",
    "queens left",
    "hidden king unknown",
    "positions",
    "whole belief",
    "idle",
];

/// The numbers of one attempt.
pub type Inputs = [f32; NAMES.len()];

/// The place of the share of men that are left, which calibration goes by.
pub(super) const MEN_LEFT: usize = 68;
/// What the own side remembers of a game for this purpose.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::nebel) struct History {
    /// Own men that the other side knows to be there, since they captured there and have not moved.
    pub(super) shown: Bitboard,
}

impl History {
    /// Takes in an event of the own view.
    pub(in crate::nebel) fn hear(&mut self, event: &Event) {
        let Some(announcement) = event.announcement() else { return };
        let captured = announcement.capture.map(|capture| capture.square);
        if let Event::Attempt { said: Some(Input::Attempt(attempt)), answer: Answer::Moved(_), .. } = event {
            self.shown.discard(attempt.from);
            if captured.is_some() {
                self.shown.add(attempt.to);
            }
        } else if let Some(square) = captured {
            self.shown.discard(square);
        }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color, Square, start};

    use super::*;

    #[test]
    fn men_are_shown_by_capturing_until_they_move_or_fall() {
        let rules = nebel_kriegspiel::Rules::icc();
        let position: Chess = start::position("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let mut umpire = nebel_kriegspiel::Umpire::at(rules.clone(), position);
        let mut history = History::default();
        for (attempt, shown) in [
            ("e4d5", Bitboard::from_square(Square::D5)),
            ("e6d5", Bitboard::EMPTY),
            ("e1e2", Bitboard::EMPTY),
        ] {
            let event = umpire.attempt(attempt.parse().unwrap()).unwrap();
            history.hear(&event.heard_by(Color::White, &rules).unwrap());
            assert_eq!(history.shown, shown, "{attempt}");
        }
        // The other side's own captures are not ours.
        assert!(history.shown.is_empty());
    }
}
