//! Both sides in nine words, copied freely: men, castling rights, en passant, and what was asked; no counters.
//!
//! Which side is to move is not stored, because whoever holds a position here knows; what the side to move has asked in its
//! turn is.

use nebel_kriegspiel::{Bitboard, Chess, Color, Role, Square, turn::Question};
use shakmaty::{Board, ByColor, ByRole, CastlingMode, EnPassantMode, FromSetup, Position as _, Rank, Setup};

use crate::{
    legal::{Legal, Sides},
    men::Men,
    side::{Side, forward, is_dead},
};

/// Men, castling rights, en passant, and what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) sides: [Bitboard; 2],
    /// The unmoved rooks with which a king may still castle.
    pub(crate) castling: Bitboard,
    /// The square behind a pawn that has just made a double step, or 64.
    pub(crate) en_passant: u8,
    /// What has become of the question "any?" in this turn.
    pub question: Question,
}

/// One side of a position.
#[derive(Clone, Copy, Debug)]
pub struct Half<'a> {
    position: &'a Position,
    color: Color,
}

/// No en passant square.
pub(crate) const NO_SQUARE: u8 = 64;

impl Position {
    /// The position of the chess library, with a fresh turn. The en passant square only counts where such a capture is
    /// legal.
    pub fn of(chess: &Chess) -> Position {
        let board = chess.board();
        let en_passant = chess.ep_square(EnPassantMode::Legal).map_or(NO_SQUARE, u8::from);
        Position {
            roles: Role::ALL.map(|role| board.by_role(role)),
            sides: [board.by_color(Color::White), board.by_color(Color::Black)],
            castling: chess.castles().castling_rights(),
            en_passant,
            question: Question::NotAsked,
        }
    }

    /// The position of these men, with a fresh turn. A pawn that may be captured en passant is one by its side's word.
    pub fn of_men(white: &Men, black: &Men) -> Position {
        let both = |role| white.by_role(role) | black.by_role(role);
        let passed = forward(black.passed, Color::White) | forward(white.passed, Color::Black);
        Position {
            roles: Role::ALL.map(both),
            sides: [white.all, black.all],
            castling: white.castling | black.castling,
            en_passant: passed.first().map_or(NO_SQUARE, u8::from),
            question: Question::NotAsked,
        }
    }

    /// The position for the chess library; `None` if it is none that can be played.
    pub fn to_chess(&self, turn: Color) -> Option<Chess> {
        Chess::from_setup(self.setup(turn)?, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// What a FEN says, with counters as at the start of a game; `None` if men stand on each other.
    pub(crate) fn setup(&self, turn: Color) -> Option<Setup> {
        let roles = ByRole {
            pawn: self.by_role(Role::Pawn),
            knight: self.by_role(Role::Knight),
            bishop: self.by_role(Role::Bishop),
            rook: self.by_role(Role::Rook),
            queen: self.by_role(Role::Queen),
            king: self.by_role(Role::King),
        };
        let colors = ByColor { white: self.side(Color::White), black: self.side(Color::Black) };
        Some(Setup {
            board: Board::try_from_bitboards(roles, colors).ok()?,
            turn,
            castling_rights: self.castling,
            ep_square: Square::try_from(self.en_passant).ok(),
            ..Setup::empty()
        })
    }

    /// One side.
    #[inline]
    pub fn half(&self, color: Color) -> Half<'_> {
        Half { position: self, color }
    }

    /// The position as a side to move meets it.
    #[inline]
    pub fn sides(&self, color: Color) -> Sides<Half<'_>, Half<'_>> {
        Sides { color, mover: self.half(color), other: self.half(!color) }
    }

    /// What is legal for a side to move.
    #[inline]
    pub fn legal(&self, color: Color) -> Legal<Half<'_>, Half<'_>> {
        self.sides(color).legal()
    }

    /// The men of a side.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.sides[usize::from(color == Color::Black)]
    }

    /// The men of a role, of both sides.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    /// The men of a side and a role.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.by_role(role)
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The square of a king.
    ///
    /// # Panics
    ///
    /// Never: positions come from the chess library with both kings, and no move captures one.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, Role::King).first().expect("both kings are there, and no move captures one")
    }

    /// The role of the man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.by_role(role).contains(square))
    }

    /// The men that give check to a side's king.
    #[inline]
    pub fn checkers(&self, color: Color) -> Bitboard {
        self.half(!color).attackers(!color, self.king(color), self.occupied())
    }

    /// Whether neither side can ever mate.
    pub fn is_dead(&self) -> bool {
        is_dead(self.half(Color::White), self.half(Color::Black))
    }

    /// A hash of 128 bits, good enough to stand for the position.
    #[inline]
    pub fn key(&self) -> u128 {
        let words = [
            self.roles[0].0,
            self.roles[1].0,
            self.roles[2].0,
            self.roles[3].0,
            self.roles[4].0,
            self.roles[5].0,
            self.sides[0].0,
            self.castling.0 ^ u64::from(self.en_passant) << 8 ^ (self.question as u64) << 16,
        ];
        let (mut low, mut high) = (0, 0);
        for (pair, seeds) in words.chunks_exact(2).zip(SEEDS.chunks_exact(4)) {
            low = folded(low ^ pair[0] ^ seeds[0], pair[1] ^ seeds[1]);
            high = folded(high ^ pair[0] ^ seeds[2], pair[1] ^ seeds[3]);
        }
        u128::from(high) << 64 | u128::from(low)
    }
}

impl Side for Half<'_> {
    #[inline]
    fn all(self) -> Bitboard {
        self.position.side(self.color)
    }

    #[inline]
    fn pawns(self) -> Bitboard {
        self.position.men(self.color, Role::Pawn)
    }

    #[inline]
    fn knights(self) -> Bitboard {
        self.position.men(self.color, Role::Knight)
    }

    #[inline]
    fn bishops(self) -> Bitboard {
        self.position.men(self.color, Role::Bishop)
    }

    #[inline]
    fn rooks(self) -> Bitboard {
        self.position.men(self.color, Role::Rook)
    }

    #[inline]
    fn queens(self) -> Bitboard {
        self.position.men(self.color, Role::Queen)
    }

    #[inline]
    fn king(self) -> Square {
        self.position.king(self.color)
    }

    #[inline]
    fn king_set(self) -> Bitboard {
        self.position.men(self.color, Role::King)
    }

    #[inline]
    fn castling(self) -> Bitboard {
        self.position.castling & self.all()
    }

    #[inline]
    fn passed(self) -> Bitboard {
        if self.position.en_passant == NO_SQUARE {
            return Bitboard::EMPTY;
        }
        let third = Bitboard::from(self.color.fold_wb(Rank::Third, Rank::Sixth));
        forward(Bitboard(1 << self.position.en_passant) & third, self.color)
    }

    #[inline]
    fn orthogonal(self) -> Bitboard {
        self.all() & (self.position.by_role(Role::Rook) | self.position.by_role(Role::Queen))
    }

    #[inline]
    fn diagonal(self) -> Bitboard {
        self.all() & (self.position.by_role(Role::Bishop) | self.position.by_role(Role::Queen))
    }
}

/// The two halves of a product: every bit of it depends on all bits of both factors.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Digits of pi: nothing up the sleeve.
const SEEDS: [u64; 16] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b,
    0xd131_0ba6_98df_b5ac,
    0x2ffd_72db_d01a_dfb7,
    0xb8e1_afed_6a26_7e96,
    0xba7c_9045_f12c_7f99,
    0x24a1_9947_b391_6cf7,
    0x0801_f2e2_858e_fc16,
    0x6369_20d8_7157_4e69,
];
