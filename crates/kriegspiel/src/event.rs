//! One thing that happened in a game, and who hears it.
//!
//! [`Event::share_of`] is the only place that decides what a side hears of the other's turn, and
//! [`ViewEvent`] the only form in which players are told.

use std::{fmt, ops::Deref};

use shakmaty::Color;

use crate::{
    announcement::Announcement,
    attempt::Attempt,
    over::Over,
    rules::{Refusals, Rules},
};

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// An attempt and its answer.
    Attempt {
        /// Who tried.
        by: Color,
        /// What was tried; `None` where this side did not hear it.
        said: Option<Input>,
        /// What the umpire answered.
        answer: Answer,
    },
    /// The question "any?" and its answer.
    Ask {
        /// Who asked.
        by: Color,
        /// What the umpire answered.
        answer: AskAnswer,
    },
    /// The game ended otherwise than by a move.
    End {
        /// Whose doing it was, if it was a side's.
        by: Option<Color>,
        /// The end.
        over: Over,
    },
}

/// What a side put to the umpire.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// An attempt, sensible or not.
    Attempt(Attempt),
    /// Text that is no attempt, which is always nonsense.
    Text(Box<str>),
}

impl Input {
    /// Reads what was said.
    pub fn parse(text: &str) -> Input {
        text.parse().map_or_else(|_| Input::Text(text.into()), Input::Attempt)
    }

    /// The attempt, if the text was one.
    pub const fn attempt(&self) -> Option<Attempt> {
        match self {
            Input::Attempt(attempt) => Some(*attempt),
            Input::Text(_) => None,
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Attempt(attempt) => attempt.fmt(f),
            Input::Text(text) => f.write_str(text),
        }
    }
}

/// The umpire's answer to an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The move was legal and is made.
    Moved(Announcement),
    /// The attempt made sense, but is not legal.
    Illegal,
    /// The attempt could not have been legal. Some rules say "illegal" to it as well; the mover can
    /// tell from his own men, so this is no secret.
    Nonsense,
}

/// The umpire's answer to "any?".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AskAnswer {
    /// The side to move has a legal pawn capture.
    Yes,
    /// It has none.
    No,
    /// There is nothing to ask.
    Nonsense,
}

/// How much of an event a side hears.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// All of it.
    All,
    /// That there was an attempt and what was answered, not what was tried.
    WithoutAttempt,
}

impl Event {
    /// Whose event it is.
    pub const fn by(&self) -> Option<Color> {
        match *self {
            Event::Attempt { by, .. } | Event::Ask { by, .. } => Some(by),
            Event::End { by, .. } => by,
        }
    }

    /// What this side hears of the event: all of it, a part, or nothing.
    // Not inlined: events copied piece by piece within the caller cost umpired games a sixth of their speed (the bench `random_play`).
    #[inline(never)]
    pub fn heard_by(&self, side: Color, rules: &Rules) -> Option<ViewEvent> {
        Some(ViewEvent(match (self.share_of(side, rules)?, self) {
            (Share::WithoutAttempt, &Event::Attempt { by, answer, .. }) => {
                Event::Attempt { by, said: None, answer }
            }
            _ => self.clone(),
        }))
    }

    /// How much this side hears of the event; `None` if nothing.
    #[inline]
    pub fn share_of(&self, side: Color, rules: &Rules) -> Option<Share> {
        match *self {
            Event::Attempt { by, .. } | Event::Ask { by, .. } if by == side => Some(Share::All),
            Event::Attempt { answer, .. } => {
                let is_heard = match answer {
                    Answer::Moved(_) => true,
                    Answer::Illegal => rules.refusals == Refusals::Heard,
                    Answer::Nonsense => false,
                };
                is_heard.then_some(Share::WithoutAttempt)
            }
            Event::Ask { answer: AskAnswer::Nonsense, .. } => None,
            Event::Ask { .. } | Event::End { .. } => Some(Share::All),
        }
    }

    /// The announcement, if the event is a move.
    pub const fn announcement(&self) -> Option<&Announcement> {
        match self {
            Event::Attempt { answer: Answer::Moved(announcement), .. } => Some(announcement),
            _ => None,
        }
    }

    /// Whether something was tried or asked that could not be.
    pub const fn is_nonsense(&self) -> bool {
        matches!(
            self,
            Event::Attempt { answer: Answer::Nonsense, .. } | Event::Ask { answer: AskAnswer::Nonsense, .. }
        )
    }

    /// The end of the game, if the event brought it.
    pub fn over(&self) -> Option<Over> {
        match self {
            Event::End { over, .. } => Some(*over),
            _ => self.announcement().and_then(|announcement| announcement.over),
        }
    }
}

/// An event as one side heard it. There are two ways to get one: the umpire's event filtered by
/// [`Event::heard_by`], and an event that [`crate::OwnSide::take`] found to hide what it must. So a
/// player, who is given nothing else, cannot be told what it may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewEvent(pub(crate) Event);

impl ViewEvent {
    /// The event itself.
    pub fn into_event(self) -> Event {
        self.0
    }
}

impl Deref for ViewEvent {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.0
    }
}
