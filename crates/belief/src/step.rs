//! What one event asks of each position of a belief.

use nebel_kriegspiel::{Color, Square};
use nebel_position::{Key, Men, Sides};

use crate::{announced::Announced, hidden::HiddenMove, own_move::OwnAttempt, refusals::RefusedAttempts};

/// What one event asks of each position: to be left, to stay, or to be followed by others.
#[derive(Clone, Debug)]
pub enum Step {
    /// An own attempt was refused: it must be illegal.
    Refused(OwnAttempt),
    /// An own attempt was made: it must be legal and announced as heard.
    Made(OwnAttempt, Announced),
    /// A question was answered: there must be a pawn capture, or none.
    Answered(Answered),
    /// The opponent was refused that often.
    OthersRefused(RefusedAttempts),
    /// The opponent moved.
    Hidden(Box<HiddenMove>),
}

/// An answer to "any?".
#[derive(Clone, Debug)]
pub struct Answered {
    /// The side that asked.
    pub by: Color,
    /// The colour of the own men.
    pub side: Color,
    /// The own men.
    pub own: Men,
    /// Whether there is a legal capture by a pawn.
    pub yes: bool,
}

impl Step {
    /// Calls `each` with every position that follows from this one; the same may come twice.
    #[inline]
    pub fn follow(&self, key: Key, mut each: impl FnMut(Key)) {
        match self {
            Step::Hidden(hidden) => hidden.expand(key, |next, _| each(next)),
            Step::Made(attempt, heard) => {
                if let Some((after, _)) = attempt.advance(key, heard) {
                    each(after);
                }
            }
            filter => {
                if filter.keeps(key) {
                    each(key);
                }
            }
        }
    }

    /// The one position that follows from this one by a step that is no hidden move, if any does.
    #[inline]
    pub fn advance(&self, key: Key) -> Option<Key> {
        match self {
            Step::Hidden(_) => None,
            Step::Made(attempt, heard) => attempt.advance(key, heard).map(|(after, _)| after),
            filter => filter.keeps(key).then_some(key),
        }
    }

    /// The same where it is known that one follows.
    #[inline]
    pub(crate) fn advance_known(&self, key: Key) -> Key {
        match self {
            Step::Made(..) => {
                let captured = self.own_capture();
                captured.map_or(key, |square| key.without(square)).without_passed()
            }
            _ => key,
        }
    }

    /// Where an own move captured a hidden man.
    pub(crate) fn own_capture(&self) -> Option<Square> {
        let Step::Made(attempt, heard) = self else { return None };
        Some(heard.announcement().capture?.captured_square(!attempt.color()))
    }

    /// For a step that only leaves positions out, whether it leaves this one.
    #[inline]
    pub(crate) fn keeps(&self, key: Key) -> bool {
        match self {
            Step::Refused(attempt) => !attempt.is_legal(key),
            Step::Answered(answered) => answered.fits(key),
            Step::OthersRefused(refused) => refused.fits(key),
            Step::Made(..) | Step::Hidden(_) => false,
        }
    }

    /// Whether every position that agrees stays, but for the mark of a pawn that could be captured en passant: an own move that
    /// captures nothing leaves positions out as refusals and answers do.
    pub(crate) fn only_leaves_out(&self) -> bool {
        match self {
            Step::Made(_, heard) => heard.announcement().capture.is_none(),
            step => step.is_filter(),
        }
    }

    /// For a step that [only leaves positions out](Step::only_leaves_out), whether this one stays.
    #[inline]
    pub(crate) fn leaves(&self, key: Key) -> bool {
        match self {
            Step::Made(attempt, heard) => attempt.advance(key, heard).is_some(),
            filter => filter.keeps(key),
        }
    }

    /// Whether the step leaves positions out and changes none that stays.
    pub fn is_filter(&self) -> bool {
        matches!(self, Step::Refused(_) | Step::Answered(_) | Step::OthersRefused(_))
    }
}

impl Answered {
    fn fits(&self, key: Key) -> bool {
        let hidden = key.unpack();
        let (mover, other) = if self.by == self.side { (&self.own, &hidden) } else { (&hidden, &self.own) };
        let sides = Sides { color: self.by, mover, other };
        (sides.legal().pawn_captures().count > 0) == self.yes
    }
}
