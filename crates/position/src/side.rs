//! One side of a position, however its men are kept, and what can be said of it alone.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// The men of one side.
pub trait Side: Copy {
    /// All squares they stand on.
    fn all(self) -> Bitboard;
    /// The pawns.
    fn pawns(self) -> Bitboard;
    /// The knights.
    fn knights(self) -> Bitboard;
    /// The bishops.
    fn bishops(self) -> Bitboard;
    /// The rooks, those that may castle among them.
    fn rooks(self) -> Bitboard;
    /// The queens.
    fn queens(self) -> Bitboard;
    /// The king.
    fn king(self) -> Square;
    /// The king's square as a set.
    #[inline]
    fn king_set(self) -> Bitboard {
        Bitboard::from_square(self.king())
    }
    /// The rooks with which the king may still castle.
    fn castling(self) -> Bitboard;
    /// The pawn that has just made a double step and may be captured en passant, or nothing.
    fn passed(self) -> Bitboard;

    /// Rooks and queens.
    #[inline]
    fn orthogonal(self) -> Bitboard {
        self.rooks() | self.queens()
    }

    /// Bishops and queens.
    #[inline]
    fn diagonal(self) -> Bitboard {
        self.bishops() | self.queens()
    }

    /// The men of one role.
    #[inline]
    fn by_role(self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawns(),
            Role::Knight => self.knights(),
            Role::Bishop => self.bishops(),
            Role::Rook => self.rooks(),
            Role::Queen => self.queens(),
            Role::King => self.king_set(),
        }
    }

    /// The role of the man on a square.
    #[inline]
    fn role_at(self, square: Square) -> Option<Role> {
        if !self.all().contains(square) {
            None
        } else if self.pawns().contains(square) {
            Some(Role::Pawn)
        } else if self.knights().contains(square) {
            Some(Role::Knight)
        } else if self.bishops().contains(square) {
            Some(Role::Bishop)
        } else if self.rooks().contains(square) {
            Some(Role::Rook)
        } else if self.queens().contains(square) {
            Some(Role::Queen)
        } else {
            Some(Role::King)
        }
    }

    /// What pawns, knights and king attack: the part of a side's attacks that no other man can block.
    #[inline]
    fn steady_attacks(self, color: Color) -> Bitboard {
        let mut attacked = attacks::king_attacks(self.king()) | pawn_captures(self.pawns(), color);
        for knight in self.knights() {
            attacked |= attacks::knight_attacks(knight);
        }
        attacked
    }

    /// What bishops, rooks and queens attack when these squares are occupied.
    #[inline]
    fn sliding_attacks(self, occupied: Bitboard) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for from in self.diagonal() {
            attacked |= attacks::bishop_attacks(from, occupied);
        }
        for from in self.orthogonal() {
            attacked |= attacks::rook_attacks(from, occupied);
        }
        attacked
    }

    /// Which of these men, of this colour, attack a square when these squares are occupied.
    #[inline]
    fn attackers(self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::knight_attacks(square) & self.knights())
            | (attacks::pawn_attacks(!color, square) & self.pawns())
            | (attacks::king_attacks(square) & self.king_set())
            | (attacks::rook_attacks(square, occupied) & self.orthogonal())
            | (attacks::bishop_attacks(square, occupied) & self.diagonal())
    }

    /// The men that would attack a square if nothing stood between.
    #[inline]
    fn snipers(self, square: Square) -> Bitboard {
        (attacks::rook_attacks(square, Bitboard::EMPTY) & self.orthogonal())
            | (attacks::bishop_attacks(square, Bitboard::EMPTY) & self.diagonal())
    }
}

/// The squares that a man attacks, other than a king or a pawn of Black.
#[inline]
pub fn attacks_of(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(Color::White, from),
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}

/// The squares that a man of this colour attacks.
#[inline]
pub fn man_attacks(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    if role == Role::Pawn { attacks::pawn_attacks(color, from) } else { attacks_of(role, from, occupied) }
}

/// The squares next to any of these: where kings standing on them can step.
#[inline]
pub const fn neighbours(squares: Bitboard) -> Bitboard {
    let sides = (squares.0 << 1) & !FILE_A | (squares.0 >> 1) & !FILE_H;
    let row = squares.0 | sides;
    Bitboard(sides | row << 8 | row >> 8)
}

/// Whether neither side can ever mate, whosever men these are; the umpire ends the game then.
#[inline]
pub fn is_dead(one: impl Side, two: impl Side) -> bool {
    if (one.pawns() | two.pawns() | one.orthogonal() | two.orthogonal()).any() {
        return false;
    }
    let knights = one.knights() | two.knights();
    let minors = knights | one.bishops() | two.bishops();
    let on_one_colour =
        (minors & Bitboard::LIGHT_SQUARES).is_empty() || (minors & Bitboard::DARK_SQUARES).is_empty();
    minors.count() <= 1 || (knights.is_empty() && on_one_colour)
}

/// Where pawns of this colour step when only these squares are not free: one rank, or two from home.
#[inline]
pub fn pawn_steps(pawns: Bitboard, color: Color, occupied: Bitboard) -> Bitboard {
    let one = forward(pawns, color) & !occupied;
    let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
    one | (forward(one & third, color) & !occupied)
}

/// Where pawns of this colour capture.
#[inline]
pub fn pawn_captures(pawns: Bitboard, color: Color) -> Bitboard {
    west_captures(pawns, color) | east_captures(pawns, color)
}

/// Where pawns of this colour capture towards the a-file.
#[inline]
pub fn west_captures(pawns: Bitboard, color: Color) -> Bitboard {
    let pawns = u64::from(pawns) & !FILE_A;
    Bitboard(color.fold_wb(pawns << 7, pawns >> 9))
}

/// Where pawns of this colour capture towards the h-file.
#[inline]
pub fn east_captures(pawns: Bitboard, color: Color) -> Bitboard {
    let pawns = u64::from(pawns) & !FILE_H;
    Bitboard(color.fold_wb(pawns << 9, pawns >> 7))
}

/// The squares one rank ahead for this colour.
#[inline]
pub fn forward(squares: Bitboard, color: Color) -> Bitboard {
    let squares = u64::from(squares);
    Bitboard(color.fold_wb(squares << 8, squares >> 8))
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
