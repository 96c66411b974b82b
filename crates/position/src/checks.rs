//! Which moves of a side check a king: masks over landing squares.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::side::Side;

/// The squares from which the men of one side would check the king of the other.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// For a pawn.
    pub pawn: Bitboard,
    /// For a knight.
    pub knight: Bitboard,
    /// For a bishop.
    pub bishop: Bitboard,
    /// For a rook.
    pub rook: Bitboard,
    /// Men that uncover a check when they leave the line.
    pub discoverers: Bitboard,
}

impl Checks {
    /// Checks on the king of this colour by these men. Only men on `lines` are looked at as such that may uncover one.
    #[inline]
    pub fn on(king: Square, color: Color, men: impl Side, occupied: Bitboard, lines: Bitboard) -> Checks {
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        let mut discoverers = Bitboard::EMPTY;
        if ((bishop | rook) & men.all() & lines).any() {
            for sniper in men.snipers(king) {
                let between = attacks::between(king, sniper) & occupied;
                if between.any() && !between.more_than_one() {
                    discoverers |= between & men.all();
                }
            }
        }
        Checks {
            king,
            pawn: attacks::pawn_attacks(color, king),
            knight: attacks::knight_attacks(king),
            bishop,
            rook,
            discoverers,
        }
    }

    /// The men that check already.
    #[inline]
    pub fn given(&self, men: impl Side) -> Bitboard {
        (self.pawn & men.pawns())
            | (self.knight & men.knights())
            | (self.bishop & men.diagonal())
            | (self.rook & men.orthogonal())
    }

    /// The targets with which the man on `from` gives check, if it checks from these squares.
    #[inline]
    pub fn by(&self, from: Square, squares: Bitboard) -> Bitboard {
        if self.discoverers.contains(from) { squares | !attacks::ray(self.king, from) } else { squares }
    }

    /// The squares on which a man of this role other than the king, coming from there, may give check: all of them for a man that
    /// may uncover one, and for a pawn the last rank too, where it becomes something else. En passant is left out.
    #[inline]
    pub fn perhaps(&self, role: Role, from: Square) -> Bitboard {
        if self.discoverers.contains(from) {
            return Bitboard::FULL;
        }
        match role {
            Role::Pawn => self.pawn | Bitboard::BACKRANKS,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        }
    }
}
