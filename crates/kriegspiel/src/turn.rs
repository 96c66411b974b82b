//! What a side has heard in its own turn so far: refusals, and the answer to "any?".
//!
//! Together with [`OwnMen`] this decides what makes sense to ask. Nothing here depends on the hidden
//! position but through answers that the mover has heard.

use crate::{
    attempt::Attempt,
    event::AskAnswer,
    men::OwnMen,
    rules::{Rules, TriesAnnounced},
};

/// The answers of the current turn, as the mover heard them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    refused: Vec<Attempt>,
    question: Question,
}

/// What has become of the question "any?" in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Question {
    /// Nothing yet.
    #[default]
    NotAsked,
    /// "No."
    No,
    /// "Yes."
    Yes,
    /// "Yes", and a pawn capture was tried since.
    YesAndTried,
}

impl Question {
    /// Whether the answer leaves room for an attempt of this kind.
    #[inline]
    pub fn allows(self, is_pawn_capture: bool, rules: &Rules) -> bool {
        match self {
            Question::NotAsked => true,
            Question::No => !is_pawn_capture,
            Question::Yes => is_pawn_capture,
            Question::YesAndTried => rules.tries != TriesAnnounced::AskBinding || is_pawn_capture,
        }
    }

    /// The question after a refused attempt of this kind.
    #[inline]
    #[must_use]
    pub fn refused(self, is_pawn_capture: bool) -> Question {
        if self == Question::Yes && is_pawn_capture { Question::YesAndTried } else { self }
    }
}

impl Turn {
    /// Begins the next turn; keeps the memory.
    pub fn clear(&mut self) {
        self.refused.clear();
        self.question = Question::NotAsked;
    }

    /// The attempts refused in this turn that made sense, in their order.
    pub fn refused(&self) -> &[Attempt] {
        &self.refused
    }

    /// What has become of the question.
    pub fn question(&self) -> Question {
        self.question
    }

    /// Whether the question was asked and answered.
    pub fn has_asked(&self) -> bool {
        self.question != Question::NotAsked
    }

    /// Remembers a refusal of an attempt that made sense.
    pub fn refuse(&mut self, attempt: Attempt, men: &OwnMen) {
        self.refused.push(attempt);
        self.question = self.question.refused(men.is_pawn_capture(attempt));
    }

    /// Remembers the answer to "any?".
    pub fn answer(&mut self, answer: AskAnswer) {
        self.question = match answer {
            AskAnswer::Yes => Question::Yes,
            AskAnswer::No => Question::No,
            AskAnswer::Nonsense => self.question,
        };
    }

    /// Whether the attempt makes sense: it could be legal, was not refused in this turn, and agrees
    /// with the answer to "any?".
    #[inline]
    pub fn makes_sense(&self, attempt: Attempt, men: &OwnMen, rules: &Rules) -> bool {
        self.allows(attempt, men, rules) && men.could_make(attempt)
    }

    /// The part of [`Turn::makes_sense`] that depends on this turn's answers.
    #[inline]
    pub fn allows(&self, attempt: Attempt, men: &OwnMen, rules: &Rules) -> bool {
        let question_allows =
            self.question == Question::NotAsked || self.question.allows(men.is_pawn_capture(attempt), rules);
        question_allows && !self.refused.contains(&attempt)
    }

    /// Calls `each` with every attempt that makes sense, in the order of squares.
    #[inline]
    pub fn for_each_sensible(&self, men: &OwnMen, rules: &Rules, mut each: impl FnMut(Attempt)) {
        men.for_each_attempt(|attempt| {
            if self.allows(attempt, men, rules) {
                each(attempt);
            }
        });
    }

    /// Whether asking "any?" makes sense now.
    pub fn may_ask(&self, rules: &Rules) -> bool {
        rules.may_ask() && !self.has_asked()
    }
}
