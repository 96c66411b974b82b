//! The men of one side as bitboards, with what else belongs to a position's identity: which rooks may
//! castle, and which pawn may be captured en passant.
//!
//! In a belief the own [`Men`] are shared by all positions; the opponent's are unpacked from a
//! [`crate::Key`] when a position is looked at.

use nebel_kriegspiel::OwnMen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, PositionError,
    Role, Setup, Square, attacks,
};

/// The men of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men {
    /// All squares they stand on.
    pub all: Bitboard,
    /// The pawns.
    pub pawns: Bitboard,
    /// The knights.
    pub knights: Bitboard,
    /// The bishops.
    pub bishops: Bitboard,
    /// The rooks, those that may castle among them.
    pub rooks: Bitboard,
    /// The queens.
    pub queens: Bitboard,
    /// The king.
    pub king: Square,
    /// The rooks with which the king may still castle.
    pub castling: Bitboard,
    /// The pawn that has just made a double step and may be captured en passant, or nothing.
    pub passed: Bitboard,
}

impl Men {
    /// The men of one side of a position. The pawn that passed is set only where capturing it is
    /// legal, as a position's identity demands.
    pub fn of(position: &Chess, color: Color) -> Men {
        let passed = match position.ep_square(EnPassantMode::Legal) {
            Some(square) if position.turn() != color => behind(square, !color),
            _ => Bitboard::EMPTY,
        };
        Men { passed, ..Men::own(&OwnMen::of(position, color)) }
    }

    /// The men that a side knows to be its own. No pawn is marked as capturable en passant.
    pub fn own(men: &OwnMen) -> Men {
        Men {
            all: men.squares(),
            pawns: men.by_role(Role::Pawn),
            knights: men.by_role(Role::Knight),
            bishops: men.by_role(Role::Bishop),
            rooks: men.by_role(Role::Rook),
            queens: men.by_role(Role::Queen),
            king: men.king(),
            castling: men.rooks_to_castle(),
            passed: Bitboard::EMPTY,
        }
    }

    /// Rooks and queens.
    #[inline]
    pub fn orthogonal(&self) -> Bitboard {
        self.rooks | self.queens
    }

    /// Bishops and queens.
    #[inline]
    pub fn diagonal(&self) -> Bitboard {
        self.bishops | self.queens
    }

    /// The role of the man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        if !self.all.contains(square) {
            None
        } else if self.pawns.contains(square) {
            Some(Role::Pawn)
        } else if self.knights.contains(square) {
            Some(Role::Knight)
        } else if self.bishops.contains(square) {
            Some(Role::Bishop)
        } else if self.rooks.contains(square) {
            Some(Role::Rook)
        } else if self.queens.contains(square) {
            Some(Role::Queen)
        } else {
            Some(Role::King)
        }
    }

    /// The men of one role.
    pub fn by_role(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.bishops,
            Role::Rook => self.rooks,
            Role::Queen => self.queens,
            Role::King => Bitboard::from_square(self.king),
        }
    }

    /// What pawns, knights and king attack: the part of a side's attacks that no other man can block.
    pub fn steady_attacks(&self, color: Color) -> Bitboard {
        let mut attacked = attacks::king_attacks(self.king);
        attacked |= west_captures(self.pawns, color) | east_captures(self.pawns, color);
        for knight in self.knights {
            attacked |= attacks::knight_attacks(knight);
        }
        attacked
    }

    /// What bishops, rooks and queens attack when these squares are occupied.
    #[inline]
    pub fn sliding_attacks(&self, occupied: Bitboard) -> Bitboard {
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
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::knight_attacks(square) & self.knights)
            | (attacks::pawn_attacks(!color, square) & self.pawns)
            | (attacks::king_attacks(square) & Bitboard::from_square(self.king))
            | (attacks::rook_attacks(square, occupied) & self.orthogonal())
            | (attacks::bishop_attacks(square, occupied) & self.diagonal())
    }

    /// Takes a man off the board.
    #[inline]
    pub fn lift(&mut self, square: Square) {
        let others = !Bitboard::from_square(square);
        self.all &= others;
        self.pawns &= others;
        self.knights &= others;
        self.bishops &= others;
        self.rooks &= others;
        self.queens &= others;
        self.castling &= others;
        self.passed &= others;
    }

    fn place(self, color: Color, board: &mut Board) {
        for square in self.all {
            if let Some(role) = self.role_at(square) {
                board.set_piece_at(square, Piece { color, role });
            }
        }
    }
}

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

/// The full position of the chess library, with counters as at the start of a game.
///
/// `None` only for men that no game can produce, such as two kings on one square.
pub fn position(white: &Men, black: &Men, turn: Color) -> Option<Chess> {
    let mut board = Board::empty();
    white.place(Color::White, &mut board);
    black.place(Color::Black, &mut board);
    let passed = turn.fold_wb(black.passed, white.passed);
    let setup = Setup {
        board,
        turn,
        castling_rights: white.castling | black.castling,
        ep_square: passed.first().and_then(|pawn| pawn.offset(turn.fold_wb(8, -8))),
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// Whether neither side can ever mate, whosever men these are.
#[inline]
pub fn is_dead(one: &Men, two: &Men) -> bool {
    if (one.pawns | two.pawns | one.orthogonal() | two.orthogonal()).any() {
        return false;
    }
    let knights = one.knights | two.knights;
    let minors = knights | one.bishops | two.bishops;
    let on_one_colour =
        (minors & Bitboard::LIGHT_SQUARES).is_empty() || (minors & Bitboard::DARK_SQUARES).is_empty();
    minors.count() <= 1 || (knights.is_empty() && on_one_colour)
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

/// The square one rank back for a pawn of this colour.
fn behind(square: Square, color: Color) -> Bitboard {
    forward(Bitboard::from_square(square), !color)
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
