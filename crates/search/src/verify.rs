//! Replays a strategy from every state against every reply.
//!
//! This shares nothing with the solvers but the [`Domain`]: it knows no beliefs, it plays one state at a time as an
//! umpire would.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};
use crate::strategy::{Step, Strategy};

/// One thing that happened in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The attempt was refused.
    Refused(AttemptId),
    /// The attempt was made, or the question answered, and this was heard.
    Heard(AttemptId, Percept),
    /// The opponent replied, and this was heard.
    Replied(Percept),
}

/// How a strategy fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Which state of the belief, counted from 0, it started from.
    pub start: usize,
    /// What happened.
    pub line: Vec<Event>,
    /// What is wrong then.
    pub kind: FlawKind,
}

/// What is wrong at the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlawKind {
    /// The attempt loses the goal.
    #[error("attempt {0} does not win and ends the matter")]
    AttemptFails(AttemptId),
    /// The reply loses the goal.
    #[error("a reply ends the matter without a win")]
    ReplyFails,
    /// No step for a refusal.
    #[error("attempt {0} can be refused, and nothing is said for that case")]
    NothingAfterRefusal(AttemptId),
    /// No step, or one of the wrong kind, for a percept.
    #[error("percept {0} can be heard, and nothing fitting is said for that case")]
    NothingAfter(Percept),
    /// The strategy relies on what is not known to be won.
    #[error("what is left is taken for won, and is not known to be")]
    NotSettled,
    /// The win comes too late.
    #[error("no win within the plies allowed")]
    TooLong,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from state {} after {:?}: {}", self.start, self.line, self.kind)
    }
}

impl std::error::Error for Flaw {}

/// Whether `strategy` wins from every state of `belief` within `plies`, whatever the opponent does.
pub fn verify<D: Domain>(
    domain: &D,
    belief: &[D::State],
    strategy: &Strategy,
    plies: u32,
) -> Result<(), Flaw> {
    let mut leaves = Leaves::<D>::new();
    for (start, state) in belief.iter().enumerate() {
        let mut line = Vec::new();
        let result = replay(domain, state, strategy, plies, (&mut line, &mut leaves, start));
        result.map_err(|kind| Flaw { start, line, kind })?;
    }
    for (start, line, states) in leaves.into_values() {
        if !domain.settled(&states) {
            return Err(Flaw { start, line, kind: FlawKind::NotSettled });
        }
    }
    Ok(())
}

/// The states that end in each settled leaf, by the leaf's place in memory, with the line that first led there: which
/// of them it is the solver does not know, so they are judged together.
type Leaves<D> = HashMap<*const Step, (usize, Vec<Event>, Vec<<D as Domain>::State>)>;

fn replay<D: Domain>(
    domain: &D,
    state: &D::State,
    strategy: &Strategy,
    plies: u32,
    (line, leaves, start): (&mut Vec<Event>, &mut Leaves<D>, usize),
) -> Result<(), FlawKind> {
    let attempt = strategy.attempt;
    if plies == 0 {
        return Err(FlawKind::TooLong);
    }
    match domain.outcome(state, attempt) {
        Outcome::Refused => {
            line.push(Event::Refused(attempt));
            let next = strategy.refused.as_deref().ok_or(FlawKind::NothingAfterRefusal(attempt))?;
            replay(domain, state, next, plies, (line, leaves, start))?;
        }
        Outcome::Failed => return Err(FlawKind::AttemptFails(attempt)),
        Outcome::Won(percept) => {
            line.push(Event::Heard(attempt, percept));
            let Some(Step::Won) = strategy.heard.get(&percept) else {
                return Err(FlawKind::NothingAfter(percept));
            };
        }
        Outcome::Answered { percept, state, .. } => {
            line.push(Event::Heard(attempt, percept));
            let Some(Step::Answered(next)) = strategy.heard.get(&percept) else {
                return Err(FlawKind::NothingAfter(percept));
            };
            replay(domain, &state, next, plies, (line, leaves, start))?;
        }
        Outcome::Moved { percept, state } => {
            line.push(Event::Heard(attempt, percept));
            let step = strategy.heard.get(&percept);
            if let Some(step @ Step::Settled) = step {
                let leaf = leaves.entry(step).or_insert_with(|| (start, line.clone(), Vec::new()));
                leaf.2.push(state);
                line.pop();
                return Ok(());
            }
            let Some(Step::Replied(next)) = step else {
                return Err(FlawKind::NothingAfter(percept));
            };
            if plies < 3 {
                return Err(FlawKind::TooLong);
            }
            let mut result = Ok(());
            domain.replies(&state, |reply| {
                result = match reply {
                    Reply::Won(_) => Ok(()),
                    Reply::Failed => Err(FlawKind::ReplyFails),
                    Reply::Continues { percept, state } => {
                        line.push(Event::Replied(percept));
                        let result = next
                            .get(&percept)
                            .ok_or(FlawKind::NothingAfter(percept))
                            .and_then(|next| replay(domain, &state, next, plies - 2, (line, leaves, start)));
                        if result.is_ok() {
                            line.pop();
                        }
                        result
                    }
                };
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            result?;
        }
    }
    line.pop();
    Ok(())
}
