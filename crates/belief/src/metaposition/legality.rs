//! Which attempts may be legal, by all that was heard.
//!
//! An attempt that makes sense (the own men allow it) is still certainly illegal where a man surely stands in its way, where
//! it does not answer a check, where no pawn capture was announced, or where it goes further than one that was
//! refused. What is not certain may be legal: no legal move is ever excluded (`tests/metaposition.rs`).

use nebel_kriegspiel::{Attempt, Bitboard, Direction, Rank, Role, Square};
use shakmaty::attacks;

use super::{Metaposition, tries::says_none};

/// Which attempts of a turn may be legal.
#[derive(Clone, Copy, Debug)]
pub struct Legality<'a> {
    meta: &'a Metaposition,
    held: Bitboard,
    /// Where men other than the king may go so that an announced check is answered; everywhere without check.
    answers: Bitboard,
    refused: &'a [Attempt],
}

impl Metaposition {
    /// Which attempts may be legal, if none was refused in this turn.
    pub fn legality(&self) -> Legality<'_> {
        Legality { meta: self, held: self.surely_held(), answers: self.answers(), refused: &[] }
    }

    fn answers(&self) -> Bitboard {
        let mut directions = self.check.iter();
        let (Some(king), Some(direction)) = (self.own.by_role(Role::King).first(), directions.next()) else {
            return Bitboard::FULL;
        };
        if directions.next().is_some() {
            return Bitboard::EMPTY;
        }
        let blocks = !self.empty;
        let reached = match direction {
            Direction::Knight => self.may.knight,
            Direction::Rank | Direction::File => attacks::rook_attacks(king, blocks),
            Direction::Long | Direction::Short => attacks::bishop_attacks(king, blocks),
        };
        reached & direction.line(king)
    }
}

impl<'a> Legality<'a> {
    /// The same when these attempts were refused in this turn.
    #[must_use]
    pub const fn after(self, refused: &'a [Attempt]) -> Legality<'a> {
        Legality { refused, ..self }
    }

    /// Whether an attempt that makes sense may be legal: if not, it is illegal in every position that agrees with what was
    /// heard.
    pub fn may_be(&self, attempt: Attempt) -> bool {
        let Attempt { from, to, .. } = attempt;
        let Some(role) = self.meta.own.role_at(from) else { return false };
        let is_free = (self.held & self.meta.path(role, attempt)).is_empty();
        let answers = self.answers.contains(to);
        let in_check = !self.meta.check.is_empty();
        let possible = match role {
            Role::Pawn if from.file() != to.file() => self.may_capture(from, to),
            Role::Pawn => answers && is_free && !self.held.contains(to),
            Role::King if from.distance(to) > 1 => is_free && !in_check,
            Role::King => {
                let other = self.meta.may.king.single_square();
                other.is_none_or(|other| other.distance(to) > 1)
            }
            Role::Knight => answers,
            Role::Bishop | Role::Rook | Role::Queen => answers && is_free,
        };
        possible && !self.refused.iter().any(|&refused| excludes(refused, attempt, in_check))
    }

    /// Whether a pawn may capture there. A pawn that gives check may also be captured en passant, off the line of the check.
    fn may_capture(&self, from: Square, to: Square) -> bool {
        let meta = self.meta;
        let sixth = meta.own.color().fold_wb(Rank::Sixth, Rank::Third);
        let beside = Square::from_coords(to.file(), from.rank());
        let passes = to.rank() == sixth && meta.may.pawn.contains(beside) && self.answers.any();
        let takes = meta.may_hold_other_than_king().contains(to) && self.answers.contains(to);
        (passes || takes) && !meta.tries.is_some_and(|tries| says_none(tries, from))
    }
}

/// Whether a refusal in the same turn says that this attempt is illegal too. What a promotion becomes makes no
/// difference. A man that goes on in the same line meets what stood in the way of the shorter move, or the pin that held it;
/// but of a check the longer move may be the answer. The king castles through no square that he may not step on.
fn excludes(refused: Attempt, attempt: Attempt, in_check: bool) -> bool {
    refused.from == attempt.from
        && (refused.to == attempt.to
            || (!in_check && attacks::between(attempt.from, attempt.to).contains(refused.to)))
}
