//! A position made for speed: bitboards and rights, no counters, copied freely.
//!
//! Which side is to move is not stored, because whoever holds a position here knows; what the solver has asked in its
//! turn is.

use nebel_kriegspiel::{Bitboard, Chess, Color, Role, Square};
use shakmaty::{
    Board, ByColor, ByRole, CastlingMode, EnPassantMode, FromSetup, Position as _, Setup, attacks,
};

use crate::moves::{Captured, Move};

/// Men, castling rights, en passant, and what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
    /// The unmoved rooks with which a king may still castle.
    pub(crate) castling: Bitboard,
    /// The square behind a pawn that has just made a double step, or 64.
    pub(crate) en_passant: u8,
    /// What has become of the question "any?" in this turn.
    pub(crate) question: Question,
}

/// What has become of the question "any?" in the solver's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Question {
    #[default]
    NotAsked,
    No,
    Yes,
    /// Answered "yes", and nothing is demanded any more.
    Settled,
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

    /// The position for the chess library; `None` if it is none that can be played.
    pub fn to_chess(&self, turn: Color) -> Option<Chess> {
        let setup = Setup {
            board: Board::try_from_bitboards(
                ByRole {
                    pawn: self.by_role(Role::Pawn),
                    knight: self.by_role(Role::Knight),
                    bishop: self.by_role(Role::Bishop),
                    rook: self.by_role(Role::Rook),
                    queen: self.by_role(Role::Queen),
                    king: self.by_role(Role::King),
                },
                ByColor { white: self.side(Color::White), black: self.side(Color::Black) },
            )
            .ok()?,
            turn,
            castling_rights: self.castling,
            ep_square: Square::try_from(self.en_passant).ok(),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// The men of a side.
    #[inline]
    pub(crate) fn side(&self, color: Color) -> Bitboard {
        self.sides[usize::from(color == Color::Black)]
    }

    /// The men of a role, of both sides.
    #[inline]
    pub(crate) fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    /// The men of a side and a role.
    #[inline]
    pub(crate) fn men(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.by_role(role)
    }

    /// All men.
    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The square of a king. Every position here has both: [`Position::of`] takes them from the chess library, and no
    /// legal move captures one.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.men(color, Role::King).first().expect("a position has both kings")
    }

    /// The role of the man on a square.
    #[inline]
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.by_role(role).contains(square))
    }

    /// The men of `by` that attack a square, if `occupied` were all the men there are.
    #[inline]
    pub(crate) fn attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.by_role(Role::Rook) | self.by_role(Role::Queen);
        let diagonal = self.by_role(Role::Bishop) | self.by_role(Role::Queen);
        self.side(by)
            & ((attacks::rook_attacks(square, occupied) & straight)
                | (attacks::bishop_attacks(square, occupied) & diagonal)
                | (attacks::knight_attacks(square) & self.by_role(Role::Knight))
                | (attacks::king_attacks(square) & self.by_role(Role::King))
                | (attacks::pawn_attacks(!by, square) & self.by_role(Role::Pawn)))
    }

    /// The men that give check to a side's king.
    #[inline]
    pub(crate) fn checkers(&self, color: Color) -> Bitboard {
        self.attackers(!color, self.king(color), self.occupied())
    }

    /// Makes a move of `mover` that is legal but for its own king's safety. Gives the captured man and its square.
    #[inline]
    pub(crate) fn make(&self, mover: Color, m: Move) -> (Position, Option<Captured>) {
        let mut next = *self;
        let (from, to) = (m.from, m.to);
        let own = usize::from(mover == Color::Black);
        next.en_passant = NO_SQUARE;
        next.question = Question::NotAsked;
        let mut captured = None;
        if self.sides[1 - own].contains(to) {
            captured = self.role_at(to).map(|role| (to, role));
        } else if m.role == Role::Pawn && from.file() != to.file() {
            captured = Some((Square::from_coords(to.file(), from.rank()), Role::Pawn));
        }
        if let Some((square, role)) = captured {
            next.sides[1 - own].discard(square);
            next.roles[role as usize - 1].discard(square);
        }
        next.shift(own, m.role, from, to);
        match m.role {
            Role::Pawn => {
                if let Some(role) = m.promotion {
                    next.roles[Role::Pawn as usize - 1].discard(to);
                    next.roles[role as usize - 1].add(to);
                } else if (u8::from(from)).abs_diff(u8::from(to)) == 16 {
                    next.en_passant = u8::midpoint(u8::from(from), u8::from(to));
                    next.settle_en_passant(!mover);
                }
            }
            Role::King => {
                if from.distance(to) == 2 {
                    let (rook_from, rook_to) = castling_rook(from, to);
                    next.shift(own, Role::Rook, rook_from, rook_to);
                }
                next.castling &= !Bitboard::from(mover.backrank());
            }
            _ => {}
        }
        next.castling &= !(Bitboard::from_square(from) | Bitboard::from_square(to));
        (next, captured)
    }

    #[inline]
    fn shift(&mut self, own: usize, role: Role, from: Square, to: Square) {
        let both = Bitboard::from_square(from) | Bitboard::from_square(to);
        self.sides[own] ^= both;
        self.roles[role as usize - 1] ^= both;
    }

    /// A hash of 128 bits, good enough to stand for the position.
    #[inline]
    pub(crate) fn key(&self) -> u128 {
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

    /// Forgets an en passant square at which no capture is legal for `captor`, so that equal positions are equal.
    #[inline]
    fn settle_en_passant(&mut self, captor: Color) {
        let Ok(square) = Square::try_from(self.en_passant) else { return };
        let captors = attacks::pawn_attacks(!captor, square) & self.men(captor, Role::Pawn);
        let legal = captors.into_iter().any(|from| {
            let m = Move { from, to: square, role: Role::Pawn, promotion: None };
            self.make(captor, m).0.checkers(captor).is_empty()
        });
        if !legal {
            self.en_passant = NO_SQUARE;
        }
    }
}

/// The rook's part in castling.
pub(crate) fn castling_rook(king_from: Square, king_to: Square) -> (Square, Square) {
    use nebel_kriegspiel::File;
    let rank = king_from.rank();
    if king_to > king_from {
        (Square::from_coords(File::H, rank), Square::from_coords(File::F, rank))
    } else {
        (Square::from_coords(File::A, rank), Square::from_coords(File::D, rank))
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
