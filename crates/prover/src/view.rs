//! The positions that agree with a view, one at a time.
//!
//! Depth-first estimation gives the first position long before the last (Russell & Wolfe 2005, sections 2 and 7), so a
//! prover that takes states one by one can begin at once, and a refutation ends the estimation as well. What has been
//! followed once is not followed again. As a [`Source`] the estimation spends from the search's own limits.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use nebel_belief::{Hearing, Key, Step};
use nebel_kriegspiel::rules::TriesAnnounced;
use nebel_kriegspiel::side::Contradiction;
use nebel_kriegspiel::{Answer, AskAnswer, Color, Event, Rules, View};
use nebel_search::{Meter, Source, Stop};
use thiserror::Error;

use crate::position::{Position, Question};

/// The belief at the end of a view of White, still to be computed.
#[derive(Clone, Debug)]
pub struct ViewBelief {
    hearing: Hearing,
    steps: Vec<Step>,
    question: Question,
    /// Positions to go on from, with the number of steps that they have behind them.
    open: Vec<(usize, Key)>,
    /// What was followed, by the number of steps.
    followed: Vec<HashSet<Key, FixedState>>,
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
    Contradiction(usize, Contradiction),
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
        let header = view.header();
        if view.side() != Color::White {
            return Err(ViewError::NotWhite);
        }
        let mut hearing = Hearing::new(header.rules.clone(), &header.start, Color::White);
        let mut steps = Vec::new();
        for (index, event) in view.events().iter().enumerate() {
            let step = hearing.hear(event).map_err(|error| ViewError::Contradiction(index + 1, error))?;
            steps.extend(step);
        }
        if hearing.own().over().is_some() {
            return Err(ViewError::Over);
        }
        if !hearing.own().is_to_move() {
            return Err(ViewError::BlackToMove);
        }
        let question = question(view.events(), &header.rules, &hearing);
        let open = vec![(0, hearing.start())];
        let followed = vec![HashSet::default(); steps.len() + 1];
        Ok(ViewBelief { hearing, steps, question, open, followed, held: 0 })
    }

    /// Follows one position: the current one that it is, if it is one. It is not one that has been followed already.
    fn follow(&mut self, done: usize, key: Key) -> Option<Position> {
        if let Some(step) = self.steps.get(done) {
            step.follow(key, |key| self.open.push((done + 1, key)));
            return None;
        }
        let mut position = Position::of(&self.hearing.position(key)?);
        position.question = self.question;
        Some(position)
    }

    /// Notes a position as followed; false if it was. The table grows only within the meter's limit.
    fn note(&mut self, done: usize, key: Key, meter: &mut Meter) -> Result<bool, Stop> {
        let set = &mut self.followed[done];
        let before = set.allocation_size();
        if set.len() == set.capacity() {
            // For a moment there are two tables, the new one twice as large.
            meter.afford(2 * before)?;
        }
        let is_new = set.insert(key);
        let grown = set.allocation_size() - before;
        meter.hold(grown);
        self.held += grown;
        Ok(is_new)
    }
}

impl Source for ViewBelief {
    type State = Position;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<Position>, Stop> {
        while let Some(&(done, key)) = self.open.last() {
            // A position that is not followed for want of means stays open.
            meter.estimate()?;
            let is_new = self.note(done, key, meter)?;
            self.open.pop();
            if is_new && let Some(position) = self.follow(done, key) {
                return Ok(Some(position));
            }
        }
        // Nothing can come twice any more.
        self.followed = vec![HashSet::default(); self.steps.len() + 1];
        meter.release(std::mem::take(&mut self.held));
        Ok(None)
    }
}

impl Iterator for ViewBelief {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        while let Some((done, key)) = self.open.pop() {
            if self.followed[done].insert(key)
                && let Some(position) = self.follow(done, key)
            {
                return Some(position);
            }
        }
        None
    }
}

/// What has become of the question in the turn at the end of the events.
fn question(events: &[Event], rules: &Rules, hearing: &Hearing) -> Question {
    let mut tried = false;
    for event in events.iter().rev() {
        match event {
            Event::Ask { by: Color::White, answer: AskAnswer::No } => return Question::No,
            Event::Ask { by: Color::White, answer: AskAnswer::Yes } => {
                return if tried && rules.tries == TriesAnnounced::AskOneTry {
                    Question::Settled
                } else {
                    Question::Yes
                };
            }
            Event::Attempt { by: Color::White, said, answer: Answer::Illegal } => {
                let attempt = said.as_ref().and_then(nebel_kriegspiel::Said::attempt);
                tried |= attempt.is_some_and(|attempt| hearing.own().men().is_pawn_capture(attempt));
            }
            Event::Attempt { by: Color::White, answer: Answer::Moved(_), .. }
            | Event::Attempt { by: Color::Black, .. }
            | Event::Ask { by: Color::Black, .. } => break,
            _ => {}
        }
    }
    Question::NotAsked
}
