//! Strategies: what to attempt, and what next for each thing that may be heard.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};

/// A tree of attempts. It is a *proof* when it wins from every state of a belief: [`crate::verify`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What to try, or to ask.
    pub attempt: AttemptId,
    /// What to do for each percept, in ascending order, when it is not refused.
    pub heard: BTreeMap<Percept, Step>,
    /// What to do in the same turn when it is refused; `None` when that cannot happen.
    pub refused: Option<Box<Strategy>>,
}

/// What becomes of questions when a strategy is completed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Questions {
    AsTheyStand,
    /// Those whose answers are not used go.
    Spared,
}

/// What follows an attempt that was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Won.
    Won,
    /// Nothing more to do: what is left is known to be won ([`Domain::settled`]).
    Settled,
    /// The opponent replies; what to do for each percept that may be heard then. Percepts of replies that win for the
    /// solver are not listed.
    Replied(BTreeMap<Percept, Strategy>),
    /// The attempt was a question; the turn goes on.
    Answered(Box<Strategy>),
}

impl Step {
    /// The most plies that the attempt and what follows can take.
    fn plies(&self) -> u32 {
        match self {
            Step::Won | Step::Settled => 1,
            Step::Replied(next) => 2 + next.values().map(Strategy::plies).max().unwrap_or(0),
            Step::Answered(next) => next.plies(),
        }
    }
}

impl Strategy {
    /// A strategy of one attempt, with nothing known about what follows.
    pub(crate) fn new(attempt: AttemptId) -> Self {
        Strategy { attempt, heard: BTreeMap::new(), refused: None }
    }

    /// The most plies that it can take: an attempt that is made is one, so is a reply; refusals and questions are none.
    pub fn plies(&self) -> u32 {
        let heard = self.heard.values().map(Step::plies);
        heard.chain(self.refused.as_deref().map(Strategy::plies)).max().unwrap_or(0)
    }

    /// The number of attempts in the tree.
    pub fn size(&self) -> usize {
        let heard = self.heard.values().map(|step| match step {
            Step::Won | Step::Settled => 0,
            Step::Replied(next) => next.values().map(Strategy::size).sum(),
            Step::Answered(next) => next.size(),
        });
        1 + heard.sum::<usize>() + self.refused.as_deref().map_or(0, Strategy::size)
    }

    /// Writes the percepts that come with a win into the tree, and takes out what no state of `belief` can reach, and
    /// questions whose answers are not used.
    ///
    /// Solvers do not keep what is heard with a win, because nothing follows from it; whoever reads the strategy wants
    /// to know it. `None` when the strategy has no step for something that can happen, and so is no proof.
    pub(crate) fn complete<D: Domain>(self, domain: &D, belief: &[D::State]) -> Option<Strategy> {
        self.completed(domain, belief, Questions::Spared)
    }

    fn completed<D: Domain>(self, domain: &D, belief: &[D::State], questions: Questions) -> Option<Strategy> {
        let mut refused = Vec::new();
        let mut moved: BTreeMap<Percept, Vec<D::State>> = BTreeMap::new();
        let mut answered: BTreeMap<Percept, Vec<D::State>> = BTreeMap::new();
        let mut heard = BTreeMap::new();
        for state in belief {
            match domain.outcome(state, self.attempt) {
                Outcome::Refused => refused.push(state.clone()),
                Outcome::Won(percept) => {
                    heard.insert(percept, Step::Won);
                }
                Outcome::Failed => return None,
                Outcome::Moved { percept, state } => moved.entry(percept).or_default().push(state),
                Outcome::Answered { percept, state, .. } => answered.entry(percept).or_default().push(state),
            }
        }
        let mut known = self.heard;
        if refused.len() == belief.len() {
            // Nothing is left that this attempt could be for.
            return self.refused?.completed(domain, belief, questions);
        }
        for (percept, states) in moved {
            let step = match known.remove(&percept)? {
                Step::Replied(next) => Step::Replied(complete_replies(domain, &states, next, questions)?),
                Step::Settled if domain.settled(&states) => Step::Settled,
                _ => return None,
            };
            heard.insert(percept, step);
        }
        for (percept, states) in answered {
            let Some(Step::Answered(next)) = known.remove(&percept) else {
                return None;
            };
            heard.insert(percept, Step::Answered(Box::new(next.completed(domain, &states, questions)?)));
        }
        if questions == Questions::Spared
            && domain.is_question(self.attempt)
            && let Some(without) = without_question(domain, belief, &heard)
        {
            return Some(without);
        }
        let refused = match (refused.is_empty(), self.refused) {
            (true, _) => None,
            (false, Some(next)) => Some(Box::new(next.completed(domain, &refused, questions)?)),
            (false, None) => return None,
        };
        Some(Strategy { attempt: self.attempt, heard, refused })
    }
}

/// What to do after one of the answers, if that wins as fast without the question: nobody needs to ask what he does not use.
fn without_question<D: Domain>(
    domain: &D,
    belief: &[D::State],
    answers: &BTreeMap<Percept, Step>,
) -> Option<Strategy> {
    let longest = answers.values().map(Step::plies).max()?;
    answers.values().find_map(|answer| match answer {
        Step::Answered(next) => {
            let next = next.as_ref().clone().completed(domain, belief, Questions::AsTheyStand);
            next.filter(|next| next.plies() <= longest)
        }
        _ => None,
    })
}

fn complete_replies<D: Domain>(
    domain: &D,
    states: &[D::State],
    mut next: BTreeMap<Percept, Strategy>,
    questions: Questions,
) -> Option<BTreeMap<Percept, Strategy>> {
    let mut beliefs: BTreeMap<Percept, BTreeMap<u128, D::State>> = BTreeMap::new();
    let mut failed = false;
    for state in states {
        domain.replies(state, |reply| match reply {
            Reply::Won(_) => ControlFlow::Continue(()),
            Reply::Failed => {
                failed = true;
                ControlFlow::Break(())
            }
            Reply::Continues { percept, state } => {
                beliefs.entry(percept).or_default().insert(domain.key(&state), state);
                ControlFlow::Continue(())
            }
        });
    }
    if failed {
        return None;
    }
    beliefs
        .into_iter()
        .map(|(percept, belief)| {
            let belief: Vec<D::State> = belief.into_values().collect();
            Some((percept, next.remove(&percept)?.completed(domain, &belief, questions)?))
        })
        .collect()
}
