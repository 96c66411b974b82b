//! The men of one side as bitboards, with what else belongs to a position's identity: which rooks may
//! castle, and which pawn may be captured en passant.
//!
//! In a belief the own [`Men`] are shared by all positions; the opponent's are unpacked from a
//! [`crate::Key`] when a position is looked at.

use nebel_kriegspiel::OwnMen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, PositionError,
    Role, Setup, Square,
};

use crate::side::{Side, forward};

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
    ///
    /// # Panics
    ///
    /// Without a king, which no side of a position is.
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

    /// No men yet: the king is to be [put](Men::put) on his square before anything is asked.
    pub const EMPTY: Men = Men {
        all: Bitboard::EMPTY,
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        queens: Bitboard::EMPTY,
        king: Square::A1,
        castling: Bitboard::EMPTY,
        passed: Bitboard::EMPTY,
    };

    /// Puts a man on a square that is free.
    #[inline]
    pub fn put(&mut self, role: Role, square: Square) {
        match role {
            Role::Pawn => self.pawns.add(square),
            Role::Knight => self.knights.add(square),
            Role::Bishop => self.bishops.add(square),
            Role::Rook => self.rooks.add(square),
            Role::Queen => self.queens.add(square),
            Role::King => self.king = square,
        }
        self.all.add(square);
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

    /// The men after one of this role has gone to a square that was free: no rook or king that moved may castle, and no pawn is
    /// marked as capturable en passant.
    #[inline]
    #[must_use]
    pub fn moved(&self, role: Role, from: Square, to: Square) -> Men {
        let both = Bitboard::from_square(from) | Bitboard::from_square(to);
        let mut men = Men { all: self.all ^ both, passed: Bitboard::EMPTY, ..*self };
        match role {
            Role::Pawn => men.pawns ^= both,
            Role::Knight => men.knights ^= both,
            Role::Bishop => men.bishops ^= both,
            Role::Rook => {
                men.rooks ^= both;
                men.castling.discard(from);
            }
            Role::Queen => men.queens ^= both,
            Role::King => {
                men.king = to;
                men.castling = Bitboard::EMPTY;
            }
        }
        men
    }

    fn place(&self, color: Color, board: &mut Board) {
        for square in self.all {
            if let Some(role) = self.role_at(square) {
                board.set_piece_at(square, Piece { color, role });
            }
        }
    }
}

impl Side for &Men {
    #[inline]
    fn all(self) -> Bitboard {
        self.all
    }

    #[inline]
    fn pawns(self) -> Bitboard {
        self.pawns
    }

    #[inline]
    fn knights(self) -> Bitboard {
        self.knights
    }

    #[inline]
    fn bishops(self) -> Bitboard {
        self.bishops
    }

    #[inline]
    fn rooks(self) -> Bitboard {
        self.rooks
    }

    #[inline]
    fn queens(self) -> Bitboard {
        self.queens
    }

    #[inline]
    fn king(self) -> Square {
        self.king
    }

    #[inline]
    fn castling(self) -> Bitboard {
        self.castling
    }

    #[inline]
    fn passed(self) -> Bitboard {
        self.passed
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

/// The square one rank back for a pawn of this colour.
fn behind(square: Square, color: Color) -> Bitboard {
    forward(Bitboard::from_square(square), !color)
}
