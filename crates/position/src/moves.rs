//! Moves, and what becomes of a [`Position`] by one.

use nebel_kriegspiel::{Bitboard, Color, File, Role, Square, turn::Question};
use shakmaty::attacks;

use crate::{
    announced::Captured,
    demand::Demand,
    position::{NO_SQUARE, Position},
    sensible,
    side::Side,
};

/// A move: the king's two steps for castling, the diagonal step for en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What it is.
    pub role: Role,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// A move that was made: the position after it, and the captured man.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The move.
    pub m: Move,
    /// The position after it.
    pub next: Position,
    /// What it captured.
    pub captured: Option<Captured>,
}

impl Move {
    /// Whether it is a diagonal step of a pawn.
    #[inline]
    pub fn is_pawn_capture(self) -> bool {
        self.role == Role::Pawn && self.from.file() != self.to.file()
    }

    /// Whether it is castling.
    #[inline]
    pub fn is_castling(self) -> bool {
        self.role == Role::King && self.from.distance(self.to) == 2
    }
}

impl Made {
    /// Whether the move has left too little to mate with. Only captures and promotions do.
    #[inline]
    pub fn kills(&self) -> bool {
        (self.captured.is_some() || self.m.promotion.is_some()) && self.next.is_dead()
    }
}

impl Position {
    /// Makes the move that an attempt asks for, if it is legal.
    #[inline]
    pub fn make_if_legal(
        &self,
        color: Color,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Made> {
        let m = self.sensible(color, from, to, promotion)?;
        let made = self.make_capturing(color, m, self.capture_by(color, m)?);
        made.next.checkers(color).is_empty().then_some(made)
    }

    /// The move that an attempt asks for, if it makes sense to a side that sees its own men alone.
    #[inline]
    pub fn sensible(&self, color: Color, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let own = self.half(color);
        let role = own.role_at(from)?;
        let promotes = role == Role::Pawn && to.rank() == (!color).backrank();
        (promotes == promotion.is_some() && sensible::targets(color, own, role, from).contains(to))
            .then_some(Move { from, to, role, promotion })
    }

    /// What a move that [makes sense](Position::sensible) captures; `None` if the other side's men leave no room for it. The safety
    /// of the own king is not looked at, but where he castles.
    #[inline]
    pub fn capture_by(&self, color: Color, m: Move) -> Option<Option<Captured>> {
        let demand = Demand::new(self.half(color), m.role, m.from, m.to)?;
        demand.met_by(self.half(!color), !color, m.to, self.occupied())
    }

    /// Makes a move of `mover` that is legal but for its own king's safety.
    #[inline]
    pub fn make(&self, mover: Color, m: Move) -> Made {
        let captured = if self.side(!mover).contains(m.to) {
            self.role_at(m.to).map(|role| Captured { square: m.to, role, passing: None })
        } else if m.is_pawn_capture() {
            let square = Square::from_coords(m.to.file(), m.from.rank());
            Some(Captured { square, role: Role::Pawn, passing: Some(m.to) })
        } else {
            None
        };
        self.make_capturing(mover, m, captured)
    }

    #[inline]
    fn make_capturing(&self, mover: Color, m: Move, captured: Option<Captured>) -> Made {
        let mut next = *self;
        next.play(mover, m, captured);
        Made { m, next, captured }
    }

    /// Makes a move of `mover` that captures this and is legal but for its own king's safety, in place.
    #[inline]
    pub fn play(&mut self, mover: Color, m: Move, captured: Option<Captured>) {
        let (from, to) = (m.from, m.to);
        let own = usize::from(mover == Color::Black);
        self.en_passant = NO_SQUARE;
        self.question = Question::NotAsked;
        if let Some(Captured { square, role, .. }) = captured {
            self.sides[1 - own].discard(square);
            self.roles[role as usize - 1].discard(square);
        }
        self.shift(own, m.role, from, to);
        match m.role {
            Role::Pawn => {
                if let Some(role) = m.promotion {
                    self.roles[Role::Pawn as usize - 1].discard(to);
                    self.roles[role as usize - 1].add(to);
                } else if (u8::from(from)).abs_diff(u8::from(to)) == 16 {
                    self.pass(mover, Square::new(u32::midpoint(u32::from(from), u32::from(to))));
                }
            }
            Role::King => {
                if m.is_castling() {
                    let (rook_from, rook_to) = castling_rook(from, to);
                    self.shift(own, Role::Rook, rook_from, rook_to);
                }
                self.castling &= !Bitboard::from(mover.backrank());
            }
            _ => {}
        }
        self.castling &= !(Bitboard::from_square(from) | Bitboard::from_square(to));
    }

    /// Remembers that a pawn of `mover` has passed a square, if it can be captured there: so equal positions are equal.
    #[inline]
    fn pass(&mut self, mover: Color, square: Square) {
        if (attacks::pawn_attacks(mover, square) & self.men(!mover, Role::Pawn)).any() {
            self.en_passant = u8::from(square);
            if !self.legal(!mover).may_capture_passed() {
                self.en_passant = NO_SQUARE;
            }
        }
    }

    #[inline]
    fn shift(&mut self, own: usize, role: Role, from: Square, to: Square) {
        let both = Bitboard::from_square(from) | Bitboard::from_square(to);
        self.sides[own] ^= both;
        self.roles[role as usize - 1] ^= both;
    }
}

/// The rook's part in castling: where it stands and where it goes, by the king's two squares.
pub fn castling_rook(king_from: Square, king_to: Square) -> (Square, Square) {
    let rank = king_from.rank();
    if king_to > king_from {
        (Square::from_coords(File::H, rank), Square::from_coords(File::F, rank))
    } else {
        (Square::from_coords(File::A, rank), Square::from_coords(File::D, rank))
    }
}
