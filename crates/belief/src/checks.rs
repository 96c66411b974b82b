//! Which moves of the opponent check the own king: masks over landing squares.

use nebel_kriegspiel::Color;
use shakmaty::{Bitboard, Square, attacks};

use crate::{legal::snipers, men::Men};

/// The squares from which hidden men would check the own king.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks {
    king: Square,
    pub(crate) pawn: Bitboard,
    pub(crate) knight: Bitboard,
    pub(crate) bishop: Bitboard,
    pub(crate) rook: Bitboard,
    /// Hidden men that uncover a check when they leave the line.
    discoverers: Bitboard,
    /// Hidden men that check already, though it is their turn: only before the first move of a game
    /// that began so.
    pub(crate) given: Bitboard,
}

impl Checks {
    /// Checks on the king of this colour by these men.
    #[inline]
    pub(crate) fn on(king: Square, color: Color, hidden: &Men, occupied: Bitboard) -> Checks {
        let pawn = attacks::pawn_attacks(color, king);
        let knight = attacks::knight_attacks(king);
        let mut discoverers = Bitboard::EMPTY;
        let mut given = (pawn & hidden.pawns) | (knight & hidden.knights);
        for sniper in snipers(king, hidden) {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                given |= Bitboard::from_square(sniper);
            } else if !between.more_than_one() {
                discoverers |= between & hidden.all;
            }
        }
        Checks {
            king,
            pawn,
            knight,
            given,
            bishop: attacks::bishop_attacks(king, occupied),
            rook: attacks::rook_attacks(king, occupied),
            discoverers,
        }
    }

    /// The targets with which the man on `from` gives check, if it checks from these squares.
    #[inline]
    pub(crate) fn by(&self, from: Square, squares: Bitboard) -> Bitboard {
        if self.discoverers.contains(from) { squares | !attacks::ray(self.king, from) } else { squares }
    }
}
