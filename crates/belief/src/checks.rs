//! Which moves of the opponent check the own king, and which answer the heard number of pawn tries:
//! both as masks over landing squares.

use nebel_kriegspiel::{Color, Tries};
use shakmaty::{Bitboard, Square, attacks};

use crate::{
    legal::snipers,
    men::{Men, east_captures, west_captures},
};

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
}

impl Checks {
    /// Checks on the king of this colour by these men.
    #[inline]
    pub(crate) fn on(king: Square, color: Color, hidden: &Men, occupied: Bitboard) -> Checks {
        let mut discoverers = Bitboard::EMPTY;
        for sniper in snipers(king, hidden) {
            let between = attacks::between(king, sniper) & occupied;
            if !between.more_than_one() {
                discoverers |= between & hidden.all;
            }
        }
        Checks {
            king,
            pawn: attacks::pawn_attacks(color, king),
            knight: attacks::knight_attacks(king),
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

/// Where hidden men stand to be captured by own pawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TryMasks {
    /// Targets towards the a-file of pawns that cannot be pinned.
    west: Bitboard,
    /// Targets towards the h-file of pawns that cannot be pinned.
    east: Bitboard,
    /// Targets of pawns that might be pinned.
    unsure: Bitboard,
}

impl TryMasks {
    /// The masks of pawns of this colour, of which some can surely not be pinned.
    pub(crate) fn new(pawns: Bitboard, unpinnable: Bitboard, color: Color) -> TryMasks {
        let sure = pawns & unpinnable;
        let unsure = pawns & !unpinnable;
        TryMasks {
            west: west_captures(sure, color),
            east: east_captures(sure, color),
            unsure: west_captures(unsure, color) | east_captures(unsure, color),
        }
    }

    /// Where a hidden man may land so that the tries are those heard: surely, and perhaps. The other
    /// hidden men stand on `rest`, and the own king is not in check.
    #[inline]
    pub(crate) fn agreeing(&self, tries: Option<Tries>, rest: Bitboard) -> (Bitboard, Bitboard) {
        let TryMasks { west, east, unsure } = *self;
        let agreeing = match tries {
            None => return (Bitboard::FULL, Bitboard::EMPTY),
            Some(Tries::From(_)) => return (Bitboard::EMPTY, Bitboard::FULL),
            _ if (rest & unsure).any() => return (Bitboard::EMPTY, Bitboard::FULL),
            Some(Tries::Count(count)) => {
                let already = (rest & west).count() + (rest & east).count();
                match usize::from(count).checked_sub(already) {
                    Some(0) => !(west | east),
                    Some(1) => west ^ east,
                    Some(2) => west & east,
                    _ => Bitboard::EMPTY,
                }
            }
            Some(Tries::Any(any)) => match ((rest & (west | east)).any(), any) {
                (true, true) => Bitboard::FULL,
                (true, false) => Bitboard::EMPTY,
                (false, true) => west | east,
                (false, false) => !(west | east),
            },
        };
        (agreeing & !unsure, unsure)
    }
}
