//! The definition, run as it stands: tries everything, remembers and prunes nothing.
//!
//! This is the oracle for tests on tiny domains. It shares no code with the solvers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};

/// States by key.
type Belief<S> = BTreeMap<u128, S>;

/// Whether one strategy wins from every state of the belief within `plies`.
pub fn is_guaranteed<D: Domain>(domain: &D, belief: &[D::State], plies: u32) -> bool {
    let belief = belief.iter().map(|state| (domain.key(state), state.clone())).collect();
    turn(domain, &belief, plies)
}

/// The attempts with which such a strategy can begin, in ascending order.
pub fn winning_attempts<D: Domain>(domain: &D, belief: &[D::State], plies: u32) -> Vec<AttemptId> {
    let belief: Belief<D::State> = belief.iter().map(|state| (domain.key(state), state.clone())).collect();
    let mut attempts = all_attempts(domain, &belief);
    attempts.retain(|&attempt| wins(domain, &belief, attempt, plies));
    attempts
}

fn turn<D: Domain>(domain: &D, belief: &Belief<D::State>, plies: u32) -> bool {
    all_attempts(domain, belief).into_iter().any(|attempt| wins(domain, belief, attempt, plies))
}

fn all_attempts<D: Domain>(domain: &D, belief: &Belief<D::State>) -> Vec<AttemptId> {
    let mut attempts = Vec::new();
    for state in belief.values() {
        domain.attempts(state, &mut attempts);
    }
    attempts.sort_unstable();
    attempts.dedup();
    attempts
}

fn wins<D: Domain>(domain: &D, belief: &Belief<D::State>, attempt: AttemptId, plies: u32) -> bool {
    let mut refused = Belief::new();
    let mut moved: BTreeMap<Percept, Belief<D::State>> = BTreeMap::new();
    let mut answered: BTreeMap<Percept, Belief<D::State>> = BTreeMap::new();
    for (&key, state) in belief {
        match domain.outcome(state, attempt) {
            Outcome::Won(_) => {}
            Outcome::Failed => return false,
            Outcome::Refused => drop(refused.insert(key, state.clone())),
            Outcome::Moved { percept, state } => {
                moved.entry(percept).or_default().insert(domain.key(&state), state);
            }
            Outcome::Answered { percept, state, .. } => {
                answered.entry(percept).or_default().insert(domain.key(&state), state);
            }
        }
    }
    plies > 0
        && (refused.is_empty() || turn(domain, &refused, plies))
        && answered.values().all(|belief| turn(domain, belief, plies))
        && moved.values().all(|belief| {
            is_settled(domain, belief) || (plies > 2 && survives_replies(domain, belief, plies - 2))
        })
}

fn is_settled<D: Domain>(domain: &D, belief: &Belief<D::State>) -> bool {
    D::SETTLES && domain.settled(&belief.values().cloned().collect::<Vec<_>>())
}

fn survives_replies<D: Domain>(domain: &D, belief: &Belief<D::State>, plies: u32) -> bool {
    let mut heard: BTreeMap<Percept, Belief<D::State>> = BTreeMap::new();
    let mut failed = false;
    for state in belief.values() {
        domain.replies(state, |reply| {
            match reply {
                Reply::Won(_) => {}
                Reply::Failed => failed = true,
                Reply::Continues { percept, state } => {
                    heard.entry(percept).or_default().insert(domain.key(&state), state);
                }
            }
            ControlFlow::Continue(())
        });
    }
    !failed && heard.values().all(|belief| turn(domain, belief, plies))
}
