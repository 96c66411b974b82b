//! The premises that Ciancarini and Favini (2010, section 5.2) print, beside those that play better here.
//!
//! Each choice is an option; `preset=paper` takes the printed one of every pair. `docs/papers.md` has the sentence of the paper for each.

use nebel_belief::matrices::spread::Spreading;

use super::{chance::Retaliation, numbers::NUMBERS};
use nebel_belief::opponent::Reactions;

/// What a search takes for granted of umpire and opponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Premises {
    pub(crate) legality: LegalityBy,
    pub(crate) replies: Replies,
    pub(crate) spreading: Spreading,
}

/// How control and pins make an attempt illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LegalityBy {
    /// As factors: the chance that no man controls a square is e^−control.
    Factors,
    /// As printed: the probability of a pin, which is the control of a square, is subtracted.
    Subtracting,
}

/// How the opponent answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replies {
    /// By rates for each unit of control, learnt from games.
    Rates,
    /// As printed: constant chances that the man is taken that captured or gave check, a fixed chance to lose a man out of silence.
    Constant,
}

impl Premises {
    /// What is played where nothing else is asked for.
    #[cfg(test)]
    pub(crate) const USUAL: Premises =
        Premises { legality: LegalityBy::Factors, replies: Replies::Rates, spreading: Spreading::Each };

    /// The chance that the man that has just captured on a square of this control is taken: "a very high chance" in the paper.
    pub(crate) fn recapture(self, reactions: &Reactions, control: f32) -> f32 {
        match self.replies {
            Replies::Rates => Reactions::chance(reactions.recapture, control),
            Replies::Constant => NUMBERS.printed.recapture,
        }
    }

    /// The chance that the man that has just given check is taken: "assumed to be constant in our model".
    pub(crate) fn take_checker(self, reactions: &Reactions, control: f32) -> f32 {
        match self.replies {
            Replies::Rates => Reactions::chance(reactions.take_checker, control),
            Replies::Constant => NUMBERS.printed.take_checker,
        }
    }

    /// Whether more men follow on a square of this control: "for the second and subsequent captures, the program uses `Prob_control`".
    pub(crate) fn retaliation(self, control: f32) -> Retaliation {
        match self.replies {
            Replies::Rates => Retaliation::Others(control.max(1.0)),
            Replies::Constant => Retaliation::Printed(control),
        }
    }

    /// What a refusal changes: it costs nothing in the paper, and a trifle in the program.
    pub(crate) fn refused(self) -> f32 {
        match self.replies {
            Replies::Rates => NUMBERS.refused,
            Replies::Constant => 0.0,
        }
    }
}
