//! The positions that agree with a view, one at a time, as White's turn meets them.
//!
//! Depth-first estimation gives the first position long before the last (Russell & Wolfe 2005, sections 2 and 7), so a
//! prover that takes states one by one can begin at once, and a refutation ends the estimation as well.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use nebel_belief::{History, Stream, TrackError};
use nebel_kriegspiel::turn::Question;
use nebel_kriegspiel::{Color, View};
use nebel_position::{Key, Position};
use thiserror::Error;

/// The belief at the end of a view of White, still to be computed.
#[derive(Clone, Debug)]
pub struct ViewBelief {
    stream: Stream<'static>,
    question: Question,
    /// The stream may repeat a position where a belief is larger than its caches.
    given: HashSet<Key, FixedState>,
}

/// Why a view is no problem for White.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// It is Black's.
    #[error("the view is Black's; White is to mate")]
    NotWhite,
    /// An event, counted from 1, contradicts what went before.
    #[error("event {0}: {1}")]
    Event(usize, TrackError),
    /// The game has ended.
    #[error("the game is over at the end of the view")]
    Over,
    /// Black is to move.
    #[error("Black is to move at the end of the view")]
    BlackToMove,
}

impl ViewBelief {
    /// Prepares the estimation.
    pub fn new(view: &View) -> Result<Self, ViewError> {
        if view.side() != Color::White {
            return Err(ViewError::NotWhite);
        }
        let history = History::of_view(view).map_err(|(index, error)| ViewError::Event(index + 1, error))?;
        let own = history.hearing().own();
        if own.over().is_some() {
            return Err(ViewError::Over);
        }
        if !own.is_to_move() {
            return Err(ViewError::BlackToMove);
        }
        let question = own.turn().question();
        let stream = history.into_stream(Stream::CACHE);
        Ok(ViewBelief { stream, question, given: HashSet::default() })
    }
}

impl Iterator for ViewBelief {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            let key = self.stream.next()?;
            if self.given.insert(key)
                && let Some(chess) = self.stream.history().position(key)
            {
                let mut position = Position::of(&chess);
                position.question = self.question;
                return Some(position);
            }
        }
    }
}
