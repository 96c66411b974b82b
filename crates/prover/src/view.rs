//! The positions that agree with a view, one at a time, as White's turn meets them.
//!
//! Depth-first estimation gives the first position long before the last (Russell & Wolfe 2005, sections 2 and 7), so a
//! prover that takes states one by one can begin at once, and a refutation ends the estimation as well. As a [`Source`]
//! the estimation spends from the search's own limits.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use nebel_belief::{History, Stream, TrackError, stream::StreamStep};
use nebel_kriegspiel::turn::Question;
use nebel_kriegspiel::{Color, View};
use nebel_position::{Key, Position};
use nebel_search::{Meter, Source, Stop};
use thiserror::Error;

/// The belief at the end of a view of White, still to be computed.
#[derive(Clone, Debug)]
pub struct ViewBelief {
    stream: Stream<'static>,
    question: Question,
    /// What was given: the stream may repeat a position where a belief is larger than its caches. A search that takes
    /// positions as from a source looks itself.
    given: HashSet<Key, FixedState>,
    /// Bytes that the meter of a search knows of.
    held: usize,
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
        Ok(ViewBelief { stream, question, given: HashSet::default(), held: 0 })
    }

    /// A current position as White's turn meets it.
    fn meet(&self, key: Key) -> Option<Position> {
        let mut position = Position::of(&self.stream.history().position(key)?);
        position.question = self.question;
        Some(position)
    }

    /// Tells the meter what is held now.
    fn account(&mut self, meter: &mut Meter) {
        let bytes = self.stream.bytes();
        meter.hold(bytes.saturating_sub(self.held));
        meter.release(self.held.saturating_sub(bytes));
        self.held = bytes;
    }
}

impl Source for ViewBelief {
    type State = Position;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<Position>, Stop> {
        loop {
            // Asked before anything is walked, so that nothing is lost for want of means.
            meter.estimate()?;
            let found = match self.stream.walk() {
                StreamStep::Current(key) => self.meet(key),
                StreamStep::Followed => None,
                StreamStep::Ended => return Ok(None),
            };
            self.account(meter);
            if found.is_some() {
                return Ok(found);
            }
        }
    }
}

impl Iterator for ViewBelief {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            let key = self.stream.next()?;
            if self.given.insert(key)
                && let Some(position) = self.meet(key)
            {
                return Some(position);
            }
        }
    }
}
