//! What is legal for the side to move, by masks of bitboards.
//!
//! The umpire asks the chess library for lists of moves; a belief of a hundred million positions
//! cannot. Here checks and pins are found once a position, and the legal targets of each man follow by
//! intersecting masks. Attack tables come from the chess library, and tests compare every answer
//! with it.

use nebel_kriegspiel::{Color, Direction, Directions, announcement::PawnCaptures};
use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square, attacks};

use crate::men::{Men, east_captures, forward, west_captures};

/// A position as the side to move meets it.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// The colour of the side to move.
    pub color: Color,
    /// Its men.
    pub mover: &'a Men,
    /// The men of the other side.
    pub other: &'a Men,
}

/// What binds the men of the side to move: checks and pins.
#[derive(Clone, Copy, Debug)]
pub struct Legal<'a> {
    sides: Sides<'a>,
    occupied: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Where a man other than the king may land so that the king is safe; all squares without check.
    answers: Bitboard,
    /// What pawns, knights and king of the other side attack, if that is known.
    steady: Option<Bitboard>,
}

impl<'a> Sides<'a> {
    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.mover.all | self.other.all
    }

    /// Finds checks and pins.
    #[inline]
    pub fn legal(self) -> Legal<'a> {
        Legal { steady: None, ..self.legal_knowing(Bitboard::EMPTY) }
    }

    /// The same, given the [steady attacks](Men::steady_attacks) of the other side.
    #[inline]
    pub fn legal_knowing(self, steady: Bitboard) -> Legal<'a> {
        let Sides { color, mover, other } = self;
        let occupied = self.occupied();
        let king = mover.king;
        let mut checkers = (attacks::knight_attacks(king) & other.knights)
            | (attacks::pawn_attacks(color, king) & other.pawns);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers(king, other) {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= Bitboard::from_square(sniper);
            } else if !between.more_than_one() {
                pinned |= between & mover.all;
            }
        }
        let answers = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        Legal { sides: self, occupied, checkers, pinned, answers, steady: Some(steady) }
    }
}

impl<'a> Legal<'a> {
    /// The position.
    #[inline]
    pub fn sides(&self) -> Sides<'a> {
        self.sides
    }

    /// The men that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Where the checks come from.
    #[inline]
    pub fn directions(&self) -> Directions {
        let mut directions = Directions::NONE;
        for checker in self.checkers {
            let role = if self.sides.other.knights.contains(checker) { Role::Knight } else { Role::Queen };
            directions.insert(Direction::of_check(self.sides.mover.king, checker, role));
        }
        directions
    }

    /// The legal targets of a man, castling and en passant included.
    #[inline]
    pub fn targets(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_steps(from) | self.pawn_captures_from(from),
            Role::King => {
                let steps = self.king_steps();
                if self.sides.mover.castling.any() && self.checkers.is_empty() {
                    steps | self.castling_targets()
                } else {
                    steps
                }
            }
            _ => self.piece_targets(role, from),
        }
    }

    /// The legal targets of a knight, bishop, rook or queen.
    #[inline]
    pub fn piece_targets(&self, role: Role, from: Square) -> Bitboard {
        let reached = match role {
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, self.occupied),
            Role::Rook => attacks::rook_attacks(from, self.occupied),
            _ => attacks::queen_attacks(from, self.occupied),
        };
        self.bound(from, reached & !self.sides.mover.all)
    }

    /// The legal single and double steps of a pawn.
    #[inline]
    pub fn pawn_steps(&self, from: Square) -> Bitboard {
        let color = self.sides.color;
        let one = forward(Bitboard::from_square(from), color) & !self.occupied;
        let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
        let two = forward(one & third, color) & !self.occupied;
        self.bound(from, one | two)
    }

    /// The legal captures of a pawn, en passant included.
    #[inline]
    pub fn pawn_captures_from(&self, from: Square) -> Bitboard {
        let Sides { color, other, .. } = self.sides;
        let diagonal = attacks::pawn_attacks(color, from);
        let captures = self.bound(from, diagonal & other.all);
        let passing = forward(other.passed, color) & diagonal;
        match passing.first() {
            Some(to) if self.may_pass(from, to) => captures | passing,
            _ => captures,
        }
    }

    /// The legal steps of the king, without castling.
    #[inline]
    pub fn king_steps(&self) -> Bitboard {
        let mover = self.sides.mover;
        let steps = attacks::king_attacks(mover.king) & !mover.all;
        if steps.is_empty() { steps } else { steps & !self.danger() }
    }

    /// Where the king may go by castling.
    pub fn castling_targets(&self) -> Bitboard {
        let Sides { color, mover, .. } = self.sides;
        let mut targets = Bitboard::EMPTY;
        if self.checkers.any() {
            return targets;
        }
        for rook in mover.castling {
            if (attacks::between(mover.king, rook) & self.occupied).any() {
                continue;
            }
            let to = CastlingSide::from_queen_side(rook < mover.king).king_to(color);
            let crossed = attacks::between(mover.king, to) | Bitboard::from_square(to);
            if (crossed & self.danger()).is_empty() {
                targets |= Bitboard::from_square(to);
            }
        }
        targets
    }

    /// The legal pawn captures of all pawns.
    #[inline]
    pub fn pawn_captures(&self) -> PawnCaptures {
        let Sides { color, mover, other } = self.sides;
        let targets = other.all & self.answers;
        let west = west_captures(mover.pawns, color) & targets;
        let east = east_captures(mover.pawns, color) & targets;
        if (west | east).is_empty() && other.passed.is_empty() {
            return PawnCaptures::default();
        }
        let mut captures = PawnCaptures::default();
        for pawn in mover.pawns {
            let count = self.pawn_captures_from(pawn).count();
            if count > 0 {
                captures.count += count as u8;
                captures.from |= Bitboard::from_square(pawn);
            }
        }
        captures
    }

    /// Whether the pawn of the other side that passed can be captured.
    pub fn may_capture_passed(&self) -> bool {
        let Sides { color, mover, other } = self.sides;
        forward(other.passed, color).into_iter().any(|to| {
            (attacks::pawn_attacks(!color, to) & mover.pawns).into_iter().any(|from| self.may_pass(from, to))
        })
    }

    /// Whether there is any legal move.
    #[inline]
    pub fn has_move(&self) -> bool {
        let Sides { color, mover, other } = self.sides;
        let free = mover.pawns & !self.pinned;
        if (forward(free, color) & !self.occupied & self.answers).any() || self.king_steps().any() {
            return true;
        }
        let hit = other.all & self.answers;
        if ((west_captures(free, color) | east_captures(free, color)) & hit).any() {
            return true;
        }
        let any = |role, men: Bitboard| men.into_iter().any(|from| self.piece_targets(role, from).any());
        any(Role::Knight, mover.knights)
            || any(Role::Bishop, mover.bishops)
            || any(Role::Rook, mover.rooks)
            || any(Role::Queen, mover.queens)
            || mover
                .pawns
                .into_iter()
                .any(|from| (self.pawn_steps(from) | self.pawn_captures_from(from)).any())
    }

    /// How many legal moves there are, each promotion counted.
    pub fn count_moves(&self) -> usize {
        let mut count = 0;
        self.for_each_man(|role, _, targets| {
            count += targets.count();
            if role == Role::Pawn {
                count += 3 * (targets & Bitboard::BACKRANKS).count();
            }
        });
        count
    }

    /// Calls `each` with every man of the side to move and its legal targets.
    #[inline]
    pub fn for_each_man(&self, mut each: impl FnMut(Role, Square, Bitboard)) {
        let mover = self.sides.mover;
        for role in Role::ALL {
            for from in mover.by_role(role) {
                each(role, from, self.targets(role, from));
            }
        }
    }

    /// Restricts targets so that the own king stays safe.
    #[inline]
    fn bound(&self, from: Square, targets: Bitboard) -> Bitboard {
        let targets = targets & self.answers;
        if self.pinned.contains(from) { targets & attacks::ray(self.sides.mover.king, from) } else { targets }
    }

    /// What the other side would attack if the king were not in the way.
    #[inline]
    fn danger(&self) -> Bitboard {
        let Sides { color, mover, other } = self.sides;
        let without_king = self.occupied & !Bitboard::from_square(mover.king);
        let steady = self.steady.unwrap_or_else(|| other.steady_attacks(!color));
        steady | other.sliding_attacks(without_king)
    }

    /// Whether capturing en passant leaves the own king safe: two pawns leave a rank at once, so pins
    /// alone do not tell.
    #[inline]
    fn may_pass(&self, from: Square, to: Square) -> bool {
        let Sides { color, mover, other } = self.sides;
        let moved = Bitboard::from_square(from) | other.passed;
        let occupied = (self.occupied & !moved) | Bitboard::from_square(to);
        (other.attackers(!color, mover.king, occupied) & !other.passed).is_empty()
    }
}

/// The men that would attack a square if nothing stood between.
#[inline]
pub(crate) fn snipers(square: Square, men: &Men) -> Bitboard {
    (attacks::rook_attacks(square, Bitboard::EMPTY) & men.orthogonal())
        | (attacks::bishop_attacks(square, Bitboard::EMPTY) & men.diagonal())
}
