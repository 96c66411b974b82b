//! What a surprise asks of a history: a man that must have come to where the last event shows it.
//!
//! Histories changed at random seldom bring a certain man to a certain square, so some are led there: a piece that lands on
//! the square, perhaps in two moves, or a pawn that is pushed down its file in some of the turns.

use nebel_kriegspiel::{Bitboard, Color, Kind, Role, Square};
use nebel_position::{
    Key, Side,
    side::{attacks_of, forward, pawn_captures},
};
use rand::{RngExt, seq::IteratorRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::trail::Stage;
use crate::{moved::Moved, step::Step};

/// Men of some roles on some squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub(super) pawn: bool,
    pub(super) piece: bool,
    pub(super) king: bool,
    pub(super) squares: Bitboard,
}

/// What is to happen in one turn of a changed history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// The same move again, if it can be.
    Repeat,
    /// Any other move.
    Any,
    /// One that meets the aim, if there is one.
    Land,
    /// A step of the pawn that is nearest behind this square.
    Push(Square),
}

impl Aim {
    /// What an own move has shown, by what was announced of it.
    pub(super) fn of(step: &Step) -> Option<Aim> {
        let Step::Made(attempt, heard) = step else { return None };
        let announcement = heard.announcement();
        let own = attempt.after();
        let nothing = Aim { pawn: false, piece: false, king: false, squares: Bitboard::EMPTY };
        if let Some(capture) = announcement.capture {
            let squares = Bitboard::from_square(capture.captured_square(!attempt.color()));
            let (pawn, piece) = match capture.kind {
                Some(Kind::Pawn) => (true, false),
                Some(Kind::Piece) => (false, true),
                None => (true, true),
            };
            return Some(Aim { pawn, piece, squares, ..nothing });
        }
        if !announcement.check.is_empty() {
            let to = attempt.attempt().to;
            let squares = match own.role_at(to)? {
                Role::Pawn => pawn_captures(Bitboard::from_square(to), attempt.color()),
                role => attacks_of(role, to, own.all),
            };
            return Some(Aim { king: true, squares: squares & !own.all, ..nothing });
        }
        // A hidden pawn stands where an own pawn on the captured man's square would capture.
        let squares = pawn_captures(own.all, attempt.color()) & !own.all;
        announcement.tries?.are_there().then_some(Aim { pawn: true, squares, ..nothing })
    }

    pub(super) fn is_met_by(&self, moved: Moved) -> bool {
        let is_wanted = match moved.role() {
            Role::Pawn => self.pawn,
            Role::King => self.king,
            _ => self.piece,
        };
        is_wanted && self.squares.contains(moved.to())
    }

    /// Whether a man can meet the aim within so many moves as far as distances tell; what stands in the way is not asked.
    pub(super) fn is_in_reach(&self, key: Key, color: Color, moves: usize) -> bool {
        let men = key.unpack();
        // Castling is the one king's move of two squares.
        let king = |square: Square| men.king.distance(square) as usize <= moves + 1;
        let pawn = |square: Square| men.pawns.into_iter().any(|pawn| is_ahead(pawn, square, color, moves));
        let has_piece = (men.all & !men.pawns).count() > 1;
        let promotes = || men.pawns.into_iter().any(|pawn| ranks_to_go(pawn, color) <= moves);
        self.squares.into_iter().any(|square| {
            (self.king && king(square))
                || (self.pawn && pawn(square))
                || (self.piece && (has_piece || promotes()))
        })
    }

    /// Spreads over the turns from now on what leads to the aim; `None` if nothing can.
    pub(super) fn plan(
        &self,
        key: Key,
        stage: &Stage,
        turns: &mut [Wish],
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<()> {
        if self.pawn && !(self.piece && random.random_ratio(1, 2)) {
            let target = self.squares.into_iter().choose(random)?;
            let steps = behind(key, target, stage.hidden.color())?.1;
            // One double step may save a turn; a turn with nothing left to push repeats what it had.
            turns[0] = Wish::Push(target);
            for turn in (1..turns.len()).sample(random, steps.saturating_sub(1)) {
                turns[turn] = Wish::Push(target);
            }
            return (steps <= turns.len()).then_some(());
        }
        if turns.len() > 1 && random.random_ratio(1, 2) {
            turns[0] = Wish::Any;
            turns[random.random_range(1..turns.len())] = Wish::Land;
        } else {
            turns[0] = Wish::Land;
        }
        Some(())
    }
}

/// Whether a pawn can be on a square after so many moves; it may begin by a double step, and captures take it to other files.
fn is_ahead(pawn: Square, square: Square, color: Color, moves: usize) -> bool {
    let ranks = square.rank() as i32 - pawn.rank() as i32;
    let ranks = color.fold_wb(ranks, -ranks);
    let files = (square.file() as i32 - pawn.file() as i32).abs();
    files <= ranks && ranks <= moves as i32 + 1
}

/// How many ranks a pawn is from its promotion, a double step taken for one.
fn ranks_to_go(pawn: Square, color: Color) -> usize {
    let ranks = pawn.rank() as usize;
    color.fold_wb(7 - ranks, ranks).min(5)
}

/// The pawn of this colour that is nearest behind a square of its file, and how many ranks behind.
fn behind(key: Key, target: Square, color: Color) -> Option<(Square, usize)> {
    let pawns = key.unpack().pawns & Bitboard::from(target.file());
    let ahead = |pawn: &Square| color.fold_wb(*pawn < target, *pawn > target);
    let distance = |pawn: Square| pawn.distance(target) as usize;
    let nearest = pawns.into_iter().filter(ahead).min_by_key(|&pawn| distance(pawn))?;
    Some((nearest, distance(nearest)))
}

/// A step of the nearest pawn towards a square.
pub(super) fn push(
    stage: &Stage,
    key: Key,
    target: Square,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(Moved, Key)> {
    let color = stage.hidden.color();
    let (from, distance) = behind(key, target, color)?;
    let one = forward(Bitboard::from_square(from), color);
    let two = forward(one, color);
    let is_double = distance > 1 && random.random_ratio(1, 2);
    let to = if is_double { two.first()? } else { one.first()? };
    let moved = Moved::new(from, to, Role::Pawn);
    if let Some(next) = stage.hidden.repeat(key, moved) {
        return Some((moved, next));
    }
    let moved = Moved::new(from, one.first()?, Role::Pawn);
    Some((moved, stage.hidden.repeat(key, moved)?))
}
