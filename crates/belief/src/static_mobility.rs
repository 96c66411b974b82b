//! Facts about the own men that hold wherever the opponent's men stand.
//!
//! Every successor of an unseen move asks whether the own side can still move (else the game would
//! have ended) and which own pawns are pinned. Mostly the own men alone give the answer.

use nebel_position::{Men, side::forward};
use shakmaty::{Bitboard, Color, Square, attacks};

/// Which own men can never be pinned, and whether some own man can always move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticMobility {
    unpinnable: Bitboard,
    /// Out of check there is a legal move in every position.
    always: bool,
    unpinnable_pawns: Bitboard,
}

impl StaticMobility {
    pub(crate) fn new(men: &Men) -> StaticMobility {
        // Only the first own man on a line from the king can be pinned on it.
        let on_orthogonal = attacks::rook_attacks(men.king, men.all) & men.all;
        let on_diagonal = attacks::bishop_attacks(men.king, men.all) & men.all;
        let unpinnable = men.all & !(on_orthogonal | on_diagonal);
        let has_room = |squares: Bitboard| (squares & !men.all).any();
        // A sliding man next to a square that is not its own side's can move there. If it is pinned on
        // a line on which it moves, it can step towards the pinning man.
        let rook = |from: Square| has_room(attacks::rook_attacks(from, Bitboard::FULL));
        let bishop = |from: Square| has_room(attacks::bishop_attacks(from, Bitboard::FULL));
        let always =
            (men.knights & unpinnable).into_iter().any(|from| has_room(attacks::knight_attacks(from)))
                || (men.rooks & !on_diagonal).into_iter().any(rook)
                || (men.bishops & !on_orthogonal).into_iter().any(bishop)
                || men.queens.into_iter().any(|from| rook(from) || bishop(from));
        StaticMobility { unpinnable, always, unpinnable_pawns: men.pawns & unpinnable }
    }

    /// The men that cannot be pinned.
    pub(crate) const fn unpinnable(&self) -> Bitboard {
        self.unpinnable
    }

    /// Whether the own side surely has a legal move after any hidden move that gives no check, made
    /// where these squares are occupied. `false` means that one has to look.
    #[inline]
    pub(crate) fn has_move(&self, occupied: Bitboard, color: Color) -> bool {
        // One hidden move blocks one pawn at most.
        self.always || (forward(self.unpinnable_pawns, color) & !occupied).more_than_one()
    }
}
