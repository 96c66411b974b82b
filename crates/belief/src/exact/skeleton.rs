//! What changes least in a game, by which positions of a belief are kept together.

use nebel_position::Men;
use shakmaty::{Bitboard, Square};

/// What changes least in a game: pawns and king.
///
/// Positions of one skeleton are kept together, because a move of another man stays within it: when a
/// belief is expanded skeleton by skeleton, what is found goes to few places, and those are still in
/// the cache from the position before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skeleton {
    pawns: Bitboard,
    king: Square,
}

impl Skeleton {
    /// The skeleton of these men.
    #[inline]
    pub const fn of(men: &Men) -> Skeleton {
        Skeleton { pawns: men.pawns, king: men.king }
    }

    /// The skeleton after a pawn has moved.
    #[inline]
    pub(crate) fn with_pawn(self, from: Square, to: Square) -> Skeleton {
        Skeleton { pawns: (self.pawns & !Bitboard::from_square(from)) | Bitboard::from_square(to), ..self }
    }

    /// The skeleton after the king has moved.
    #[inline]
    pub(crate) const fn with_king(self, king: Square) -> Skeleton {
        Skeleton { king, ..self }
    }

    /// Where positions of this skeleton belong, of two to the power of `bits` shares.
    #[inline]
    pub(crate) fn share(self, bits: u32) -> usize {
        let king = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * u64::from(self.king.to_u32()) + 1);
        let product = u128::from(u64::from(self.pawns) ^ 0x243f_6a88_85a3_08d3) * u128::from(king);
        let hash = (product >> 64) as u64 ^ product as u64;
        // Shifted twice, so that no bits give zero.
        (hash >> 1 >> (63 - bits)) as usize
    }
}
