//! The other side's refused attempts: in which positions could there have been so many?
//!
//! One hears that an attempt was refused, not which. A position stays possible if the opponent had
//! that many different attempts that made sense to him and were not legal. Around the question "any?"
//! the two kinds of attempts, captures by pawns and all others, are counted apart.

use nebel_kriegspiel::{
    AskAnswer, Color, Rules,
    rules::{Refusals, TriesAnnounced},
};
use nebel_position::{
    Key, Legal, Men, Side, Sides, sensible,
    side::{east_captures, forward, west_captures},
};
use shakmaty::{Bitboard, Role, attacks};

use crate::hidden::Allowed;

/// What was heard of the other side's turn so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OtherTurn {
    before_question: usize,
    after_question: usize,
    answer: Option<Answered>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answered {
    Yes,
    No,
}

impl OtherTurn {
    pub(crate) fn refuse(&mut self) {
        match self.answer {
            None => self.before_question += 1,
            Some(_) => self.after_question += 1,
        }
    }

    pub(crate) fn answer(&mut self, answer: AskAnswer) {
        self.answer = match answer {
            AskAnswer::Yes => Some(Answered::Yes),
            AskAnswer::No => Some(Answered::No),
            AskAnswer::Nonsense => self.answer,
        };
    }

    /// The illegal attempts that there must have been.
    pub(crate) fn needed(&self, rules: &Rules) -> Needed {
        let after = self.after_question;
        let pawn_captures = match (self.answer, rules.tries) {
            (Some(Answered::Yes), TriesAnnounced::AskBinding) => after,
            // One pawn capture had to be tried first; then all was free.
            (Some(Answered::Yes), _) => after.min(1),
            _ => 0,
        };
        Needed {
            all: self.before_question + after,
            pawn_captures,
            others: if self.answer == Some(Answered::No) { after } else { 0 },
        }
    }

    /// What the move that ends the turn may be.
    pub(crate) fn allowed(&self, rules: &Rules) -> Allowed {
        let bound = match (self.answer, rules.tries) {
            (Some(Answered::Yes), TriesAnnounced::AskBinding) => true,
            // Where refusals are not heard, the capture that had to be tried may have been refused.
            (Some(Answered::Yes), _) => self.after_question == 0 && rules.refusals != Refusals::Silent,
            _ => false,
        };
        if bound { Allowed::PawnCaptures } else { Allowed::All }
    }
}

/// How many different illegal attempts there must have been.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needed {
    /// Of any kind.
    pub all: usize,
    /// Captures by pawns.
    pub pawn_captures: usize,
    /// Other attempts.
    pub others: usize,
}

/// Keeps the positions in which the opponent had enough illegal attempts.
#[derive(Clone, Debug)]
pub struct RefusedAttempts {
    /// The side that tried.
    pub color: Color,
    /// The men of the side that listened.
    pub own: Men,
    /// What there must have been.
    pub needed: Needed,
}

impl RefusedAttempts {
    /// Whether there were enough in this position.
    #[inline]
    pub fn fits(&self, key: Key) -> bool {
        let hidden = key.unpack();
        let Needed { all, pawn_captures, others } = self.needed;
        // Most diagonal steps of pawns lead nowhere, and that is quickly seen.
        let surely = self.surely_illegal_captures(&hidden);
        if surely >= all && surely >= pawn_captures && others == 0 {
            return true;
        }
        let sides = Sides { color: self.color, mover: &hidden, other: &self.own };
        let illegal = count_illegal(sides, &sides.legal());
        illegal.pawn_captures >= pawn_captures
            && illegal.others >= others
            && illegal.pawn_captures + illegal.others >= all
    }

    /// A lower bound: diagonal steps of pawns onto squares where nothing can be captured.
    #[inline]
    fn surely_illegal_captures(&self, hidden: &Men) -> usize {
        let nothing = !(hidden.all | self.own.all | forward(self.own.passed, self.color));
        let west = west_captures(hidden.pawns, self.color) & nothing;
        let east = east_captures(hidden.pawns, self.color) & nothing;
        west.count() + east.count()
    }
}

/// How many attempts make sense and are not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Illegal {
    /// Captures by pawns.
    pub pawn_captures: usize,
    /// Other attempts.
    pub others: usize,
}

/// Counts the attempts of the side to move that make sense to it and are not legal.
pub fn count_illegal<M: Side, O: Side>(sides: Sides<M, O>, legal: &Legal<M, O>) -> Illegal {
    let mut illegal = Illegal::default();
    legal.for_each_man(|role, from, targets| {
        let missed = sensible::targets(sides.color, sides.mover, role, from) & !targets;
        if role == Role::Pawn {
            let captures = missed & attacks::pawn_attacks(sides.color, from);
            illegal.pawn_captures += attempts(captures);
            illegal.others += attempts(missed & !captures);
        } else {
            illegal.others += missed.count();
        }
    });
    illegal
}

/// The attempts of a pawn to these squares: four where it would be promoted.
fn attempts(targets: Bitboard) -> usize {
    targets.count() + 3 * (targets & Bitboard::BACKRANKS).count()
}
