//! The positions that agree with a view, one at a time.
//!
//! Depth-first estimation gives the first position long before the last (Russell & Wolfe 2005, sections 2 and 7), so a
//! prover that takes states one by one can begin at once, and a refutation ends the estimation as well. What has been
//! followed once is not followed again.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use nebel_belief::{Hearing, Key, Step};
use nebel_kriegspiel::rules::TriesAnnounced;
use nebel_kriegspiel::side::Contradiction;
use nebel_kriegspiel::{Answer, AskAnswer, Color, Event, Rules, View};
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
    followed: HashSet<(usize, Key), FixedState>,
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
        Ok(ViewBelief { hearing, steps, question, open, followed: HashSet::default() })
    }
}

impl Iterator for ViewBelief {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        while let Some((done, key)) = self.open.pop() {
            if !self.followed.insert((done, key)) {
                continue;
            }
            if let Some(step) = self.steps.get(done) {
                step.follow(key, |key| self.open.push((done + 1, key)));
            } else if let Some(chess) = self.hearing.position(key) {
                let mut position = Position::of(&chess);
                position.question = self.question;
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
