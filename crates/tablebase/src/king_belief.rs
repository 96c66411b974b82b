//! White's view of an ending as it is played: his men, and the squares where the bare king may be.

use nebel_kriegspiel::Attempt;
use shakmaty::Square;

use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, bit};
use crate::placement::Placement;

/// What White knows in a game against a bare king.
///
/// After an attempt tell it the answer ([`KingBelief::refused`] or [`KingBelief::moved`]), after a move also that Black has replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KingBelief {
    placement: Placement,
    set: Mask,
}

impl KingBelief {
    /// White to move with the king somewhere in `set`; squares where he cannot be are dropped. `None` if none is left.
    pub fn new(placement: Placement, set: Mask) -> Option<KingBelief> {
        let set = set & placement.king_squares(Board::CHESS);
        (set != 0).then_some(KingBelief { placement, set })
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
        self.set = self.placement.refused(Board::CHESS, attempt, self.set);
    }

    /// The umpire let `attempt` happen and said `message` (0 for silence). Nothing changes for an attempt that this
    /// placement does not have.
    pub fn moved(&mut self, attempt: Attempt, message: u8) {
        let effects = AttemptEffect::all(Board::CHESS, &self.placement);
        if let Some(effect) = effects.into_iter().find(|effect| effect.attempt == attempt) {
            let class = effect.classes.iter().find(|class| class.0 == message).map_or(0, |class| class.1);
            self.set &= class;
            self.placement = effect.after;
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
