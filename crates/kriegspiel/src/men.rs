//! One side's own men: all that a side may use to decide what makes sense to ask.
//!
//! [`OwnMen`] holds no man of the other side, no en passant right and no check, so nothing computed
//! from it can tell of them.

use shakmaty::{Bitboard, ByRole, CastlingSide, Chess, Color, Position, Rank, Role, Square, attacks};

use crate::attempt::{Attempt, PROMOTIONS};

/// The men and castling rights of one side.
///
/// ```
/// use nebel_kriegspiel::{Chess, Color, OwnMen};
///
/// let men = OwnMen::of(&Chess::new(), Color::White);
/// let mut attempts = Vec::new();
/// men.for_each_attempt(|attempt| attempts.push(attempt));
/// assert_eq!(attempts.len(), 34); // 20 moves and 14 pawn captures
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnMen {
    color: Color,
    roles: ByRole<Bitboard>,
    all: Bitboard,
    /// The unmoved rooks with which the king may still castle.
    rooks_to_castle: Bitboard,
}

impl OwnMen {
    /// The men of one side of a position.
    #[inline]
    pub fn of(position: &Chess, color: Color) -> OwnMen {
        let board = position.board();
        let all = board.by_color(color);
        OwnMen {
            color,
            roles: ByRole::new_with(|role| board.by_role(role) & all),
            all,
            rooks_to_castle: position.castles().castling_rights() & Bitboard::from(color.backrank()),
        }
    }

    /// Whose men these are.
    pub const fn color(&self) -> Color {
        self.color
    }

    /// The squares they stand on.
    pub const fn squares(&self) -> Bitboard {
        self.all
    }

    /// The king's square.
    ///
    /// # Panics
    ///
    /// Never: every position of the chess library has both kings, and [`OwnMen::lose`] takes none off.
    #[inline]
    pub fn king(&self) -> Square {
        self.roles.king.first().expect("a side keeps its king")
    }

    /// The squares of the men of this role.
    pub fn by_role(&self, role: Role) -> Bitboard {
        *self.roles.get(role)
    }

    /// The man on this square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles.find(|&squares| squares.contains(square))
    }

    /// The rooks with which the king may still castle, as far as his own moves decide it.
    pub const fn rooks_to_castle(&self) -> Bitboard {
        self.rooks_to_castle
    }

    /// Whether the attempt could be legal for some placement of the other side's men: a legal move
    /// on a board with these men alone, or a diagonal pawn step onto a square that they leave free.
    #[inline]
    pub fn could_make(&self, attempt: Attempt) -> bool {
        let Some(role) = self.role_at(attempt.from) else {
            return false;
        };
        let promotes = role == Role::Pawn && attempt.to.rank() == self.last_rank();
        promotes == attempt.promotion.is_some() && self.targets(role, attempt.from).contains(attempt.to)
    }

    /// Whether the attempt is a diagonal step of a pawn.
    #[inline]
    pub fn is_pawn_capture(&self, attempt: Attempt) -> bool {
        attempt.from.file() != attempt.to.file() && self.roles.pawn.contains(attempt.from)
    }

    /// Calls `each` with every attempt that [could be legal](OwnMen::could_make).
    #[inline]
    pub fn for_each_attempt(&self, mut each: impl FnMut(Attempt)) {
        for from in self.all {
            let Some(role) = self.role_at(from) else { continue };
            for to in self.targets(role, from) {
                if role == Role::Pawn && to.rank() == self.last_rank() {
                    for promotion in PROMOTIONS {
                        each(Attempt { from, to, promotion: Some(promotion) });
                    }
                } else {
                    each(Attempt::new(from, to));
                }
            }
        }
    }

    /// Makes an own move that the umpire allowed.
    pub fn make(&mut self, attempt: Attempt) {
        let Attempt { from, to, promotion } = attempt;
        let Some(role) = self.role_at(from) else { return };
        if role == Role::King
            && let Some((rook, side)) = self.castling_rook(from, to)
        {
            self.lift(rook, Role::Rook);
            self.put(Square::from_coords(side.rook_to_file(), from.rank()), Role::Rook);
        }
        self.lift(from, role);
        self.put(to, promotion.unwrap_or(role));
        if role == Role::King {
            self.rooks_to_castle = Bitboard::EMPTY;
        } else {
            self.rooks_to_castle.discard(from);
        }
    }

    /// Takes a captured man off the board. A king is not captured: `None`, as for an empty square.
    pub fn lose(&mut self, square: Square) -> Option<Role> {
        let role = self.role_at(square).filter(|&role| role != Role::King)?;
        self.lift(square, role);
        self.rooks_to_castle.discard(square);
        Some(role)
    }

    fn lift(&mut self, square: Square, role: Role) {
        self.roles.get_mut(role).discard(square);
        self.all.discard(square);
    }

    fn put(&mut self, square: Square, role: Role) {
        self.roles.get_mut(role).add(square);
        self.all.add(square);
    }

    fn last_rank(&self) -> Rank {
        (!self.color).backrank()
    }

    #[inline]
    fn targets(&self, role: Role, from: Square) -> Bitboard {
        let reached = match role {
            Role::Pawn => self.pawn_targets(from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, self.all),
            Role::Rook => attacks::rook_attacks(from, self.all),
            Role::Queen => attacks::queen_attacks(from, self.all),
            Role::King => attacks::king_attacks(from) | self.castling_targets(from),
        };
        reached.without(self.all)
    }

    #[inline]
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let forward = |squares: Bitboard| match self.color {
            Color::White => squares.shift(8),
            Color::Black => squares.shift(-8),
        };
        let one = forward(Bitboard::from_square(from)).without(self.all);
        let third = self.color.fold_wb(Rank::Third, Rank::Sixth);
        let two = forward(one & Bitboard::from(third));
        one | two | attacks::pawn_attacks(self.color, from)
    }

    #[inline]
    fn castling_targets(&self, king: Square) -> Bitboard {
        let mut targets = Bitboard::EMPTY;
        for rook in self.rooks_to_castle {
            if (attacks::between(king, rook) & self.all).is_empty() {
                let side = CastlingSide::from_queen_side(rook < king);
                targets.add(Square::from_coords(side.king_to_file(), king.rank()));
            }
        }
        targets
    }

    /// The rook that castles when the king goes from here to there.
    fn castling_rook(&self, king: Square, to: Square) -> Option<(Square, CastlingSide)> {
        if king.distance(to) != 2 {
            return None;
        }
        let side = CastlingSide::from_queen_side(to < king);
        let rook = self.rooks_to_castle.into_iter().find(|&rook| (rook < king) == (to < king))?;
        Some((rook, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_is_never_lost() {
        let before = OwnMen::of(&Chess::new(), Color::White);
        let mut men = before.clone();
        assert_eq!(men.lose(Square::E1), None);
        assert_eq!(men, before);
        assert_eq!(men.lose(Square::D1), Some(Role::Queen));
        men.make(Attempt::new(Square::E1, Square::D1));
        assert_eq!(men.king(), Square::D1);
    }
}
