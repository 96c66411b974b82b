//! The opponent's unseen move: every man that may be somewhere goes everywhere it could.
//!
//! One man moves, so what was possible stays possible, and what can be reached is added. Line pieces slide through
//! squares that may be empty; on a file that surely holds a pawn none gets from below all its possible squares
//! past them (Darkboard's "pawn envelope"). The king does not step onto squares that own men surely attack. A capture puts
//! exactly those who could make it on its square.

use nebel_kriegspiel::{Announcement, Bitboard, Capture, Directions, File, Rank, Role, Square, Tries};
use nebel_position::side::{forward, neighbours};
use shakmaty::{ByRole, CastlingSide, attacks};

use super::{
    Metaposition,
    fill::{self, DIAGONAL, Ray, STRAIGHT},
};

impl Metaposition {
    /// The opponent moved, and this was announced of it.
    pub fn other_moved(&mut self, announcement: &Announcement) {
        match announcement.capture {
            None => self.quiet_move(announcement.promotion),
            Some(capture) => self.loss(capture, announcement.promotion),
        }
        self.passed = None;
        self.other_check = Directions::NONE;
        self.other_tries = None;
        self.check = announcement.check;
        self.tries = announcement.tries;
        self.may.king &= !self.surely_attacked();
        self.settle();
        self.hear_checks_on_own_king(announcement.check);
        if let Some(tries) = announcement.tries {
            self.hear_own_tries(tries, announcement.check);
        }
        self.settle();
        self.grow_older();
    }

    /// The most common unseen move, of which nothing is announced.
    pub fn other_moved_silently(&mut self) {
        self.other_moved(&Announcement::default());
    }

    fn quiet_move(&mut self, promotion: bool) {
        let free = self.empty;
        let (mut may, mut left) = (self.may, Bitboard::EMPTY);
        let only_promotions = promotion && self.told.promotion;
        let color = !self.own.color();
        let pawns = self.may.pawn;
        let seventh = Bitboard::from(color.fold_wb(Rank::Seventh, Rank::Second));
        if promotion || !self.told.promotion {
            let from = pawns & seventh & forward(free, !color);
            let to = forward(from, color);
            may.queen |= to;
            may.rook |= to;
            may.bishop |= to;
            may.knight |= to;
            left |= from;
            self.census.may_promote(from);
        }
        if !only_promotions {
            let one = forward(pawns & !seventh, color) & free;
            let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
            may.pawn |= one | (forward(one & third, color) & free);
            left |= pawns & forward(one, !color);
            may.knight |= fill::knight_moves(self.may.knight) & free;
            left |= self.may.knight & fill::knight_moves(free);
            may.bishop |= fill::slides(self.may.bishop, free, &DIAGONAL);
            may.rook |= self.straight(self.may.rook, free);
            may.queen |= fill::slides(self.may.queen, free, &DIAGONAL) | self.straight(self.may.queen, free);
            let beside = fill::steps(free, &STRAIGHT);
            let diagonal = fill::steps(free, &DIAGONAL);
            left |= self.may.rook & beside;
            left |= self.may.bishop & diagonal;
            left |= self.may.queen & (beside | diagonal);
            let steps = free & !self.surely_attacked();
            let stepped = neighbours(self.may.king) & steps;
            if left.is_empty() && self.castling.is_empty() {
                may.king = stepped;
                self.empty |= self.may.king;
            } else {
                may.king |= stepped;
            }
            left |= self.may.king & neighbours(steps);
            self.castle(&mut may, &mut left);
        }
        self.may = may;
        self.empty |= left;
    }

    /// Where rooks and queens may go along ranks and files, pawns that surely stand on a file taken into account.
    fn straight(&self, from: Bitboard, free: Bitboard) -> Bitboard {
        let [north, south, east, west] = STRAIGHT;
        let mut reached = fill::slide(from, free, east) | fill::slide(from, free, west);
        let (mut below, mut above) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let (mut highest, mut lowest) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for file in File::ALL {
            let pawns = self.may.pawn & Bitboard::from(file);
            if self.census.on(file).least == 0 || (from & Bitboard::from(file)).is_empty() {
                continue;
            }
            if let (Some(first), Some(last)) = (pawns.first(), pawns.last()) {
                let lower = Bitboard((1 << first.to_u32()) - 1);
                let upper = !Bitboard((1 << last.to_u32()) - 1) & !Bitboard::from_square(last);
                below |= lower & Bitboard::from(file);
                above |= upper & Bitboard::from(file);
                highest |= Bitboard::from_square(last);
                lowest |= Bitboard::from_square(first);
            }
        }
        let mut slide = |from: Bitboard, free: Bitboard, ray: Ray| reached |= fill::slide(from, free, ray);
        slide(from & below, free & !highest, north);
        slide(from & !below, free, north);
        slide(from & above, free & !lowest, south);
        slide(from & !above, free, south);
        reached
    }

    fn castle(&self, may: &mut ByRole<Bitboard>, left: &mut Bitboard) {
        let (color, king) = (!self.own.color(), self.king_home());
        for rook in self.castling {
            let side = CastlingSide::from_queen_side(rook < king);
            if self.may.king.contains(king) && (attacks::between(king, rook) & !self.empty).is_empty() {
                may.king.add(side.king_to(color));
                may.rook.add(side.rook_to(color));
                left.add(king);
                left.add(rook);
            }
        }
    }

    /// The opponent captured an own man.
    fn loss(&mut self, capture: Capture, promotion: bool) {
        let color = !self.own.color();
        let square = capture.captured_square(self.own.color());
        self.own.lose(square);
        let pawns = self.may.pawn & may_capture(self.other_tries);
        let may_pass = self.passed == Some(square) && (capture.en_passant || !self.told.en_passant);
        let landing = square.offset(color.fold_wb(8, -8)).filter(|_| may_pass);
        let passing = landing.map_or(Bitboard::EMPTY, |to| attacks::pawn_attacks(!color, to) & pawns);
        self.empty.add(square);
        let takers =
            if capture.en_passant { ByRole::default() } else { self.takers(square, pawns, promotion) };
        let came = takers.iter().fold(passing, |all, &from| all | from);
        self.arrive(square, &takers);
        if passing.is_empty() {
            self.empty.discard(square);
        } else if let Some(to) = landing {
            self.may.pawn.add(to);
            if capture.en_passant {
                self.empty.discard(to);
            }
        }
        self.count_pawn_capture(square, passing, &takers);
        self.empty |= came;
        if let Some(origin) = came.single_square() {
            self.clear(Bitboard::from_square(origin));
        }
    }

    /// Whence each kind of man may have captured on a square; the pawns that may capture at all are given.
    fn takers(&self, square: Square, pawns: Bitboard, promotion: bool) -> ByRole<Bitboard> {
        let mut takers = ByRole::new_with(|role| self.perhaps_attackers(role, square, Bitboard::EMPTY));
        takers.pawn &= pawns;
        if self.surely_attacked().contains(square) {
            takers.king = Bitboard::EMPTY;
        }
        if self.told.promotion {
            if promotion {
                takers = ByRole { pawn: takers.pawn, ..ByRole::default() };
            } else if self.is_last(square) {
                takers.pawn = Bitboard::EMPTY;
            }
        }
        takers
    }

    /// Those who could capture on a square are the only ones that may stand there now.
    fn arrive(&mut self, square: Square, takers: &ByRole<Bitboard>) {
        let promotes = self.is_last(square) && takers.pawn.any();
        for role in Role::ALL {
            let arrives = match role {
                Role::Pawn => takers.pawn.any() && !promotes,
                Role::King => takers.king.any(),
                _ => promotes || takers.get(role).any(),
            };
            if arrives {
                self.may.get_mut(role).add(square);
            }
        }
    }

    /// What a capture by a pawn, if it was one, does to the numbers on the files.
    fn count_pawn_capture(&mut self, square: Square, passing: Bitboard, takers: &ByRole<Bitboard>) {
        let pawns = passing | takers.pawn;
        let others = Role::ALL.into_iter().any(|role| role != Role::Pawn && takers.get(role).any());
        if self.is_last(square) {
            self.census.may_promote(pawns);
        } else if pawns.any() {
            self.census.may_leave(pawns);
            self.census.may_come(square.file());
            if !others {
                self.census.came(square.file(), pawns);
            }
        }
    }

    /// Whether hidden pawns are promoted on this square.
    fn is_last(&self, square: Square) -> bool {
        square.rank() == self.own.color().backrank()
    }
}

/// The squares from which a pawn may have captured, by the tries that were announced before.
fn may_capture(tries: Option<Tries>) -> Bitboard {
    match tries {
        Some(Tries::From(squares)) => squares,
        Some(tries) if !tries.are_there() => Bitboard::EMPTY,
        Some(_) | None => Bitboard::FULL,
    }
}
