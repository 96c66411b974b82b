//! Mate in one: the question that a search for mates asks most, answered without making most of the moves; and stalemate in one,
//! for rules under which it wins.
//!
//! A check is mate only if it leaves the king no square. Which squares White's men cover is found once for a position;
//! a man that moves takes its own away and brings those of its new place. Where that leaves the king a square the move
//! is dismissed, and what is not dismissed is made and looked at, its legality included.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Bitboard, Color, Role, Square};
use shakmaty::attacks;

use crate::{
    checks::Checks,
    legal::Legal,
    moves::Move,
    position::{Half, Position},
    side::{Side, attacks_of, pawn_captures, pawn_steps},
};

/// What the men of a side cover.
struct Cover {
    /// Squares attacked by at least one man.
    once: Bitboard,
    /// Squares attacked by at least two.
    twice: Bitboard,
    /// Squares attacked by a long-range man: whoever leaves one of them may open a line.
    lines: Bitboard,
    /// The men but king and pawns, and what each attacks.
    pieces: ArrayVec<(Square, Role, Bitboard), 64>,
}

impl Cover {
    fn of(position: &Position, color: Color) -> Self {
        let (once, twice, lines) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let mut cover = Cover { once, twice, lines, pieces: ArrayVec::new() };
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            for from in position.men(color, role) {
                let reached = attacks_of(role, from, position.occupied());
                cover.add(reached);
                if role != Role::Knight {
                    cover.lines |= reached;
                }
                cover.pieces.push((from, role, reached));
            }
        }
        for from in position.men(color, Role::Pawn) {
            cover.add(attacks::pawn_attacks(color, from));
        }
        cover.add(attacks::king_attacks(position.king(color)));
        cover
    }

    /// What the other men cover once this one, which attacks `reached`, has left its square.
    #[inline]
    fn by_others(&self, from: Square, reached: Bitboard, without_king: Bitboard) -> Bitboard {
        let mut covered = (self.once & !reached) | self.twice;
        if self.lines.contains(from) {
            let vacated = without_king & !Bitboard::from_square(from);
            for &(square, role, lines) in &self.pieces {
                if lines.contains(from) {
                    covered |= attacks_of(role, square, vacated);
                }
            }
        }
        covered
    }

    #[inline]
    fn add(&mut self, reached: Bitboard) {
        self.twice |= self.once & reached;
        self.once |= reached;
    }
}

/// Whatever mates as a rook or a bishop does as a queen.
const MATING_PROMOTIONS: [Role; 2] = [Role::Queen, Role::Knight];

/// Of the squares beside a king to whom it gives check, a man attacks at most so many: a queen five, side by side with
/// him; a rook three, side by side; a bishop the two on its line; a knight two.
fn most_taken(role: Role) -> usize {
    match role {
        Role::Queen => 5,
        Role::Rook => 3,
        _ => 2,
    }
}

impl Position {
    /// Whether `mover`, whose turn it is, has a move that mates.
    pub fn has_mate(&self, mover: Color) -> bool {
        let cover = Cover::of(self, mover);
        let king = self.king(!mover);
        let checks = Checks::on(king, !mover, self.half(mover), self.occupied(), cover.lines);
        // The king does not hide the squares behind him.
        let without_king = self.occupied() & !Bitboard::from_square(king);
        let near = attacks::king_attacks(king);
        let blocked = self.side(!mover);
        let landing = !self.side(mover) & !Bitboard::from_square(king);
        let open = (near & !blocked & !cover.once).count();
        for &(from, role, reached) in &cover.pieces {
            if open > most_taken(role) && !cover.lines.contains(from) {
                continue;
            }
            let wanted = reached & checks.perhaps(role, from) & landing;
            if wanted.is_empty() {
                continue;
            }
            let free = near & !cover.by_others(from, reached, without_king);
            for to in wanted {
                let target = Bitboard::from_square(to);
                let occupied = (without_king & !Bitboard::from_square(from)) | target;
                // A captured man leaves his square to the king.
                let flights = free & (!blocked | target) & !attacks_of(role, to, occupied);
                if flights.is_empty() && self.is_mate(mover, Move { from, to, role, promotion: None }) {
                    return true;
                }
            }
        }
        self.has_pawn_mate(mover, &checks) || self.has_rare_mate(mover, &checks)
    }

    /// Whether `mover`, whose turn it is, has a move that stalemates.
    pub fn has_stalemate(&self, mover: Color) -> bool {
        // One move takes a piece away and pins two more at most.
        let replies = self.legal(!mover);
        let movable = |role| {
            let men = self.men(!mover, role).into_iter();
            men.filter(|&from| replies.piece_targets(role, from).any()).count()
        };
        let pieces: usize =
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(movable).sum();
        if pieces > 3 {
            return false;
        }
        let stalemates = |m| {
            let next = self.make(mover, m).next;
            let after = next.legal(!mover);
            if after.checkers().is_empty() && !after.has_move() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        self.legal(mover).for_each_move(stalemates).is_break()
    }

    fn has_pawn_mate(&self, mover: Color, checks: &Checks) -> bool {
        let last = Bitboard::from((!mover).backrank());
        for from in self.men(mover, Role::Pawn) {
            let pawn = Bitboard::from_square(from);
            let reached =
                (pawn_captures(pawn, mover) & self.side(!mover)) | pawn_steps(pawn, mover, self.occupied());
            for to in reached & checks.perhaps(Role::Pawn, from) & !Bitboard::from_square(self.king(!mover)) {
                let mates = |promotion| self.is_mate(mover, Move { from, to, role: Role::Pawn, promotion });
                let mates = if last.contains(to) {
                    MATING_PROMOTIONS.into_iter().any(|role| mates(Some(role)))
                } else {
                    mates(None)
                };
                if mates {
                    return true;
                }
            }
        }
        false
    }

    /// En passant, castling, and the king that steps out of a line.
    fn has_rare_mate(&self, mover: Color, checks: &Checks) -> bool {
        let (own, other) = (self.half(mover), self.half(!mover));
        let by_king = checks.discoverers.contains(own.king());
        if !by_king && own.castling().is_empty() && other.passed().is_empty() {
            return false;
        }
        let legal: Legal<Half<'_>, Half<'_>> = self.legal(mover);
        let mates =
            |m| if self.is_mate(mover, m) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        legal.passing_captures(mates).is_break()
            || (by_king && legal.steps_of_king(mates).is_break())
            || legal.castlings(mates).is_break()
    }

    /// Whether a move that is legal but for the safety of the own king is legal and mates.
    #[inline]
    pub fn is_mate(&self, mover: Color, m: Move) -> bool {
        let next = self.make(mover, m).next;
        next.checkers(!mover).any() && !next.legal(!mover).has_move() && next.checkers(mover).is_empty()
    }
}
