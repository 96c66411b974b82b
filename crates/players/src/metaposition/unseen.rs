//! The opponent's unseen move: every man that may be somewhere goes everywhere it could.
//!
//! One man moves, so what was possible stays possible, and what can be reached is added. Line pieces slide through
//! squares that may be empty; on a file that surely holds a pawn none gets from below all its possible squares
//! past them (Darkboard's "pawn envelope"). The king does not step onto squares that own men surely attack. A capture puts
//! exactly those who could make it on its square.

use nebel_belief::men::forward;
use nebel_kriegspiel::{Announcement, Bitboard, Capture, Directions, File, Rank, Role, Square, Tries};
use shakmaty::{CastlingSide, attacks};

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
            may.queen |=
                fill::slides(self.may.queen, free, &DIAGONAL) | self.straight(self.may.queen, free);
            let beside = fill::steps(free, &STRAIGHT);
            let diagonal = fill::steps(free, &DIAGONAL);
            left |= self.may.rook & beside;
            left |= self.may.bishop & diagonal;
            left |= self.may.queen & (beside | diagonal);
            let steps = free & !self.surely_attacked();
            let stepped = fill::neighbours(self.may.king) & steps;
            if left.is_empty() && self.castling.is_empty() {
                may.king = stepped;
                self.empty |= self.may.king;
            } else {
                may.king |= stepped;
            }
            left |= self.may.king & fill::neighbours(steps);
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

    fn castle(&self, may: &mut shakmaty::ByRole<Bitboard>, left: &mut Bitboard) {
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
        let landing = if self.passed == Some(square) && (capture.en_passant || !self.told.en_passant) {
            square.offset(color.fold_wb(8, -8))
        } else {
            None
        };
        let pawns = self.may.pawn & may_capture(self.other_tries);
        let passing = landing.map_or(Bitboard::EMPTY, |to| attacks::pawn_attacks(!color, to) & pawns);
        let mut came = passing;
        let mut pawns_came = passing;
        self.empty.add(square);
        if !capture.en_passant {
            let only_promotions = promotion && self.told.promotion;
            let mut arrived = [false; 6];
            for role in Role::ALL {
                let mut from = self.perhaps_attackers(role, square, Bitboard::EMPTY);
                match role {
                    Role::Pawn => from &= pawns,
                    _ if only_promotions => from = Bitboard::EMPTY,
                    Role::King if self.surely_attacked().contains(square) => from = Bitboard::EMPTY,
                    _ => {}
                }
                if role == Role::Pawn {
                    pawns_came |= from;
                }
                came |= from;
                arrived[role as usize - 1] = from.any();
            }
            let promotes = square.rank() == self.own.color().backrank();
            self.arrive(square, arrived, promotes);
            if passing.is_empty() {
                self.empty.discard(square);
            }
            self.count_pawn_capture(square, pawns_came, came == pawns_came, promotes);
        } else {
            self.count_pawn_capture(square, pawns_came, true, false);
        }
        if let (Some(to), true) = (landing, passing.any()) {
            self.may.pawn.add(to);
            if capture.en_passant {
                self.empty.discard(to);
            }
        }
        self.empty |= came;
        if let Some(origin) = came.single_square() {
            self.clear(Bitboard::from_square(origin));
        }
    }

    /// Those who could capture on a square are the only ones that may stand there now.
    fn arrive(&mut self, square: Square, arrived: [bool; 6], promotes: bool) {
        let [pawn, ..] = arrived;
        for (role, came) in Role::ALL.into_iter().zip(arrived) {
            let becomes = promotes && pawn && !matches!(role, Role::Pawn | Role::King);
            let stays = came && !(promotes && role == Role::Pawn);
            if stays || becomes {
                self.may.get_mut(role).add(square);
            }
        }
    }

    /// What a capture by one of these pawns, if it was one, does to the numbers on the files.
    fn count_pawn_capture(&mut self, square: Square, from: Bitboard, surely: bool, promotes: bool) {
        if from.is_empty() {
            return;
        }
        if promotes {
            self.census.may_promote(from);
            return;
        }
        self.census.may_leave(from);
        self.census.may_come(square.file());
        if surely {
            self.census.came(square.file(), from);
        }
    }
}

/// The squares from which a pawn may have captured, by the tries that were announced before.
fn may_capture(tries: Option<Tries>) -> Bitboard {
    match tries {
        Some(Tries::Count(0) | Tries::Any(false)) => Bitboard::EMPTY,
        Some(Tries::From(squares)) => squares,
        Some(Tries::Count(_) | Tries::Any(_)) | None => Bitboard::FULL,
    }
}
