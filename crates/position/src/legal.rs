//! What is legal for the side to move, by masks of bitboards.
//!
//! The umpire asks the chess library for lists of moves; a belief of a hundred million positions
//! cannot. Here checks and pins are found once a position, and the legal targets of each man follow by
//! intersecting masks. Attack tables come from the chess library, and tests compare every answer
//! with it.

use std::ops::ControlFlow;

use nebel_kriegspiel::{Color, announcement::PawnCaptures, attempt::PROMOTIONS};
use shakmaty::{Bitboard, CastlingSide, Role, Square, attacks};

use crate::{
    checks::Checks,
    moves::Move,
    side::{Side, attacks_of, forward, pawn_captures, pawn_steps},
};

/// A position as the side to move meets it.
#[derive(Clone, Copy, Debug)]
pub struct Sides<M, O> {
    /// The colour of the side to move.
    pub color: Color,
    /// Its men.
    pub mover: M,
    /// The men of the other side.
    pub other: O,
}

/// What binds the men of the side to move: checks and pins.
#[derive(Clone, Copy, Debug)]
pub struct Legal<M, O> {
    sides: Sides<M, O>,
    occupied: Bitboard,
    /// Where men may land: not on their own side's, and not on the other king, who is never captured.
    open: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Where a man other than the king may land so that the king is safe; all squares without check.
    answers: Bitboard,
    /// What pawns, knights and king of the other side attack, if that is known.
    steady: Option<Bitboard>,
}

impl<M: Side, O: Side> Sides<M, O> {
    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.mover.all() | self.other.all()
    }

    /// Finds checks and pins.
    #[inline]
    pub fn legal(self) -> Legal<M, O> {
        Legal { steady: None, ..self.legal_knowing(Bitboard::EMPTY) }
    }

    /// The same, given the [steady attacks](Side::steady_attacks) of the other side.
    #[inline]
    pub fn legal_knowing(self, steady: Bitboard) -> Legal<M, O> {
        let Sides { color, mover, other } = self;
        let occupied = self.occupied();
        let king = mover.king();
        let mut checkers = (attacks::knight_attacks(king) & other.knights())
            | (attacks::pawn_attacks(color, king) & other.pawns());
        let mut pinned = Bitboard::EMPTY;
        for sniper in other.snipers(king) {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= Bitboard::from_square(sniper);
            } else if !between.more_than_one() {
                pinned |= between & mover.all();
            }
        }
        let answers = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        let open = !(mover.all() | other.king_set());
        Legal { sides: self, occupied, open, checkers, pinned, answers, steady: Some(steady) }
    }
}

impl<M: Side, O: Side> Legal<M, O> {
    /// The position.
    #[inline]
    pub fn sides(&self) -> Sides<M, O> {
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

    /// The legal targets of a man, castling and en passant included.
    #[inline]
    pub fn targets(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_steps(from) | self.pawn_captures_from(from),
            Role::King => {
                let steps = self.king_steps();
                if self.sides.mover.castling().any() && self.checkers.is_empty() {
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
        self.bound(from, attacks_of(role, from, self.occupied) & self.open)
    }

    /// The legal single and double steps of a pawn.
    #[inline]
    pub fn pawn_steps(&self, from: Square) -> Bitboard {
        self.bound(from, pawn_steps(Bitboard::from_square(from), self.sides.color, self.occupied))
    }

    /// The legal captures of a pawn, en passant included.
    #[inline]
    pub fn pawn_captures_from(&self, from: Square) -> Bitboard {
        let Sides { color, other, .. } = self.sides;
        let diagonal = attacks::pawn_attacks(color, from);
        let captures = self.bound(from, diagonal & other.all() & self.open);
        let passing = forward(other.passed(), color) & diagonal;
        match passing.first() {
            Some(to) if self.may_pass(from, to) => captures | passing,
            _ => captures,
        }
    }

    /// The legal steps of the king, without castling.
    #[inline]
    pub fn king_steps(&self) -> Bitboard {
        let steps = attacks::king_attacks(self.sides.mover.king()) & self.open;
        if steps.is_empty() { steps } else { steps & !self.danger() }
    }

    /// Where the king may go by castling.
    pub fn castling_targets(&self) -> Bitboard {
        let Sides { color, mover, .. } = self.sides;
        let mut targets = Bitboard::EMPTY;
        if self.checkers.any() {
            return targets;
        }
        for rook in mover.castling() {
            if (attacks::between(mover.king(), rook) & self.occupied).any() {
                continue;
            }
            let to = CastlingSide::from_queen_side(rook < mover.king()).king_to(color);
            let crossed = attacks::between(mover.king(), to) | Bitboard::from_square(to);
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
        let targets = other.all() & self.answers;
        let mut captures = PawnCaptures::default();
        if (pawn_captures(mover.pawns(), color) & targets).is_empty() && other.passed().is_empty() {
            return captures;
        }
        for pawn in mover.pawns() {
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
        self.passing_captures(|_| ControlFlow::Break(())).is_break()
    }

    /// Whether there is any legal move. Castling is none without a step of the king beside it.
    #[inline]
    pub fn has_move(&self) -> bool {
        let Sides { color, mover, other } = self.sides;
        let free = mover.pawns() & !self.pinned;
        if (forward(free, color) & !self.occupied & self.answers).any() || self.king_steps().any() {
            return true;
        }
        if self.answers.is_empty() {
            return false;
        }
        if (pawn_captures(free, color) & other.all() & self.open & self.answers).any() {
            return true;
        }
        let any = |role, men: Bitboard| men.into_iter().any(|from| self.piece_targets(role, from).any());
        any(Role::Knight, mover.knights())
            || any(Role::Bishop, mover.bishops())
            || any(Role::Rook, mover.rooks())
            || any(Role::Queen, mover.queens())
            || mover
                .pawns()
                .into_iter()
                .any(|from| (self.pawn_steps(from) | self.pawn_captures_from(from)).any())
    }

    /// Calls `visit` with the legal moves until it breaks, in the order that suits a search: the long-range men first,
    /// the king last.
    #[inline]
    pub fn for_each_move(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.answers.any() {
            self.men_but_king(|_, _| Bitboard::FULL, &mut visit)?;
            self.passing_captures(&mut visit)?;
        }
        self.steps_of_king(&mut visit)?;
        self.castlings(visit)
    }

    /// Calls `visit` with legal moves, among them all that give check, until it breaks.
    #[inline]
    pub fn for_each_check(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let checks = self.checks(Bitboard::FULL);
        if self.answers.any() {
            self.men_but_king(|role, from| checks.perhaps(role, from), &mut visit)?;
            self.passing_captures(&mut visit)?;
        }
        if checks.discoverers.contains(self.sides.mover.king()) {
            self.steps_of_king(&mut visit)?;
        }
        self.castlings(visit)
    }

    /// The squares that check the other king; only men on `lines` are looked at as such that may uncover a check.
    #[inline]
    pub fn checks(&self, lines: Bitboard) -> Checks {
        let Sides { color, mover, other } = self.sides;
        Checks::on(other.king(), !color, mover, self.occupied, lines)
    }

    /// The moves of all men but the king, to those of their legal targets that are wanted; en passant is left out.
    #[inline]
    fn men_but_king(
        &self,
        wanted: impl Fn(Role, Square) -> Bitboard,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Sides { color, mover, other } = self.sides;
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            for from in mover.by_role(role) {
                let wanted = wanted(role, from) & self.open & self.answers;
                if wanted.is_empty() {
                    continue;
                }
                for to in self.bound(from, attacks_of(role, from, self.occupied) & wanted) {
                    visit(Move { from, to, role, promotion: None })?;
                }
            }
        }
        let last = Bitboard::from((!color).backrank());
        for from in mover.pawns() {
            let captures = attacks::pawn_attacks(color, from) & other.all() & self.open;
            let steps = pawn_steps(Bitboard::from_square(from), color, self.occupied);
            for to in self.bound(from, (captures | steps) & wanted(Role::Pawn, from)) {
                if last.contains(to) {
                    for role in PROMOTIONS {
                        visit(Move { from, to, role: Role::Pawn, promotion: Some(role) })?;
                    }
                } else {
                    visit(Move { from, to, role: Role::Pawn, promotion: None })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The legal captures en passant.
    #[inline]
    pub fn passing_captures(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let Sides { color, mover, other } = self.sides;
        let Some(to) = forward(other.passed(), color).first() else { return ControlFlow::Continue(()) };
        for from in attacks::pawn_attacks(!color, to) & mover.pawns() {
            if self.may_pass(from, to) {
                visit(Move { from, to, role: Role::Pawn, promotion: None })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The steps of the king as moves.
    #[inline]
    pub fn steps_of_king(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        for to in self.king_steps() {
            visit(Move { from: self.sides.mover.king(), to, role: Role::King, promotion: None })?;
        }
        ControlFlow::Continue(())
    }

    /// Castling as moves, towards the h-file first.
    #[inline]
    pub fn castlings(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.sides.mover.castling().any() {
            let from = self.sides.mover.king();
            let targets = self.castling_targets();
            for to in targets.into_iter().rev() {
                visit(Move { from, to, role: Role::King, promotion: None })?;
            }
        }
        ControlFlow::Continue(())
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
        if self.pinned.contains(from) {
            targets & attacks::ray(self.sides.mover.king(), from)
        } else {
            targets
        }
    }

    /// What the other side would attack if the king were not in the way.
    #[inline]
    fn danger(&self) -> Bitboard {
        let Sides { color, mover, other } = self.sides;
        let without_king = self.occupied & !mover.king_set();
        let steady = self.steady.unwrap_or_else(|| other.steady_attacks(!color));
        steady | other.sliding_attacks(without_king)
    }

    /// Whether capturing en passant leaves the own king safe: two pawns leave a rank at once, so pins
    /// alone do not tell.
    #[inline]
    fn may_pass(&self, from: Square, to: Square) -> bool {
        let Sides { color, mover, other } = self.sides;
        let moved = Bitboard::from_square(from) | other.passed();
        let occupied = (self.occupied & !moved) | Bitboard::from_square(to);
        (other.attackers(!color, mover.king(), occupied) & !other.passed()).is_empty()
    }
}
