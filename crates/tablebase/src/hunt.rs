//! White's view of an ending as it is played: his men, and the squares where the bare king may be.

use shakmaty::Square;

use crate::board::{Board, Mask, bit};
use crate::placement::Placement;
use crate::turn::{Attempt, Turn};

/// What White knows in a game against a bare king.
///
/// After an attempt tell it the answer ([`Hunt::refused`] or [`Hunt::moved`]), after a move also that Black has replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunt {
    placement: Placement,
    set: Mask,
}

impl Hunt {
    /// White to move with the king somewhere in `set`; squares where he cannot be are dropped. `None` if none is left.
    pub fn new(placement: Placement, set: Mask) -> Option<Hunt> {
        let set = set & placement.king_squares(Board::CHESS);
        (set != 0).then_some(Hunt { placement, set })
    }

    /// White's men.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Where the king may be.
    pub fn set(&self) -> Mask {
        self.set
    }

    /// The umpire refused `attempt`.
    pub fn refused(&mut self, attempt: Attempt) {
        self.set = attempt.refused(Board::CHESS, &self.placement, self.set);
    }

    /// The umpire let `attempt` happen and said `message` (0 for silence). Nothing changes for an attempt that this
    /// placement does not have.
    pub fn moved(&mut self, attempt: Attempt, message: u8) {
        let turns = Turn::all(Board::CHESS, &self.placement);
        if let Some(turn) = turns.into_iter().find(|turn| turn.attempt == attempt) {
            let class = turn.classes.iter().find(|class| class.0 == message).map_or(0, |class| class.1);
            self.set &= class;
            self.placement = turn.after;
        }
    }

    /// Black replied, taking the man on `taken` if any.
    pub fn replied(&mut self, taken: Option<Square>) {
        match taken {
            Some(square) => {
                self.placement = self.placement.without(square);
                self.set = bit(square);
            }
            None => {
                self.set = Board::CHESS.neighbours(self.set) & self.placement.king_squares(Board::CHESS);
            }
        }
    }
}
