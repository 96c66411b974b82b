//! A hidden move in two bytes, which can be made again in another position.
//!
//! Particles remember the moves that led to them, so that a stretch of a history can be drawn anew and the rest repeated.

use nebel_position::{Key, key::Code, moves::castling_rook};
use shakmaty::{Role, Square};

/// A move of a hidden man: where it stood, where it went, and what it was then. Castling is the king's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved(u16);

impl Moved {
    /// A man that went from one square to another and is of this role there.
    pub fn new(from: Square, to: Square, role: Role) -> Moved {
        Moved(u16::from(u8::from(from)) << 9 | u16::from(u8::from(to)) << 3 | Code::of(role) as u16)
    }

    /// The move that led from one position to the next.
    pub fn between(before: Key, after: Key) -> Option<Moved> {
        let left = before.occupied() & !after.occupied();
        let come = after.occupied() & !before.occupied();
        let is_king = |square: &Square| after.code_at(*square) == Some(Code::King);
        let castles = come.more_than_one();
        let to = if castles { come.into_iter().find(is_king) } else { come.first() }?;
        let was_king = |square: &Square| before.code_at(*square) == Some(Code::King);
        let from = if castles { left.into_iter().find(was_king) } else { left.first() }?;
        Some(Moved::new(from, to, after.code_at(to)?.role()))
    }

    /// Where the man stood.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0 >> 9))
    }

    /// Where it went.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(u32::from(self.0 >> 3 & 63))
    }

    /// What it is there.
    #[inline]
    pub fn role(self) -> Role {
        Code::of_bits(self.0 as u8).role()
    }

    /// The position after the move, of a man that must be there; no pawn is marked as capturable en passant.
    #[inline]
    pub fn apply(self, key: Key) -> Key {
        let (from, to, role) = (self.from(), self.to(), self.role());
        let base = if role == Role::King { key.without_castling() } else { key };
        let moved = base.without(from).with(to, Code::of(role));
        if role == Role::King && from.distance(to) == 2 {
            let (rook, arrives) = castling_rook(from, to);
            return moved.without(rook).with(arrives, Code::Rook);
        }
        moved
    }
}
