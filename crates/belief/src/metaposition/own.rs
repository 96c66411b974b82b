//! What an own attempt teaches: made or refused.

use nebel_kriegspiel::{Announcement, Attempt, Bitboard, Directions, Kind, Role, Square};
use shakmaty::{CastlingSide, attacks};

use super::{Metaposition, OLD};

impl Metaposition {
    /// An own attempt was made, and this was announced of it.
    pub fn moved(&mut self, attempt: Attempt, announcement: &Announcement) {
        let Attempt { from, to, .. } = attempt;
        let Some(role) = self.own.role_at(from) else { return };
        let before = self.own.squares();
        let path = self.path(role, attempt);
        self.own.make(attempt);
        let after = self.own.squares();
        let mut vacated = before & !after;
        if let Some(capture) = announcement.capture {
            let square = capture.captured_square(!self.own.color());
            let could_be_pawn = self.may.pawn.contains(square);
            let pieces = self.may.knight | self.may.bishop | self.may.rook | self.may.queen;
            let only_pawn = !pieces.contains(square);
            let kind = capture.kind.or(match (could_be_pawn, only_pawn) {
                (false, _) => Some(Kind::Piece),
                (true, true) => Some(Kind::Pawn),
                (true, false) => None,
            });
            self.census.capture(square.file(), kind);
            if square != to {
                vacated |= Bitboard::from_square(square);
            }
        }
        self.forget(after);
        self.empty &= !after;
        self.clear(path | vacated);
        for square in path | vacated | after {
            self.ages[usize::from(square)] = 0;
        }
        let double = role == Role::Pawn && from.distance(to) == 2;
        self.passed = double.then_some(to);
        self.check = Directions::NONE;
        self.tries = None;
        self.other_check = announcement.check;
        self.other_tries = announcement.tries;
        self.hear_own_checks(announcement.check, after & !before | Bitboard::from_square(to), vacated);
        self.hear_checks_on_own_king(Directions::NONE);
        if let Some(tries) = announcement.tries {
            self.hear_other_tries(tries, announcement.check);
        }
        self.settle();
    }

    /// The squares that must be empty for the attempt, the target aside.
    pub(super) fn path(&self, role: Role, attempt: Attempt) -> Bitboard {
        let Attempt { from, to, .. } = attempt;
        let between = attacks::between(from, to);
        if role == Role::King && from.distance(to) > 1 {
            let side = CastlingSide::from_queen_side(to < from);
            let rook =
                self.own.rooks_to_castle().into_iter().find(|&rook| (rook < from) == side.is_queen_side());
            return rook.map_or(between, |rook| attacks::between(from, rook));
        }
        match role {
            Role::Knight => Bitboard::EMPTY,
            _ => between,
        }
    }

    /// An own attempt that made sense was refused. In check nothing is concluded: the attempt may just not have
    /// answered the check.
    pub fn refused(&mut self, attempt: Attempt) {
        let Attempt { from, to, .. } = attempt;
        let Some(role) = self.own.role_at(from) else { return };
        if !self.check.is_empty() {
            return;
        }
        let is_free = self.is_free_to_leave(from, to);
        match role {
            Role::King => self.king_refused(from, to),
            Role::Pawn if from.file() != to.file() => {
                if is_free {
                    self.clear(Bitboard::from_square(to));
                }
            }
            Role::Pawn => {
                let path = attacks::between(from, to) | Bitboard::from_square(to);
                self.blocked(path, is_free);
            }
            Role::Knight => {}
            Role::Bishop | Role::Rook | Role::Queen => self.blocked(attacks::between(from, to), is_free),
        }
        self.settle();
    }

    /// Whether no pin can keep a man from going there.
    fn is_free_to_leave(&self, from: Square, to: Square) -> bool {
        let king = self.own.by_role(Role::King).first();
        king.is_some_and(|king| attacks::ray(king, from).contains(to)) || !self.may_be_pinned(from)
    }

    /// Something stands on one of these squares, unless the man was pinned.
    fn blocked(&mut self, path: Bitboard, is_free: bool) {
        if !is_free {
            return;
        }
        let suspects = path & self.may_hold_any();
        if (suspects & self.may_hold_other_than_king()).is_empty() {
            self.may.king &= suspects;
        }
        if let Some(square) = suspects.single_square() {
            self.empty.discard(square);
            self.ages[usize::from(square)] = OLD;
        }
    }

    /// The king may not step there. If no other man can bear on the square, the enemy king does.
    fn king_refused(&mut self, from: Square, to: Square) {
        if from.distance(to) > 1 {
            return;
        }
        let leaves = Bitboard::from_square(from);
        let others = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        if !others.iter().any(|&role| self.perhaps_attackers(role, to, leaves).any()) {
            self.may.king &= attacks::king_attacks(to);
        }
    }
}
