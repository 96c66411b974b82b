//! Domains drawn as trees, and a witness of what a solver expands.
//!
//! The analysis of Russell & Wolfe (2005) is about trees without refusals and transpositions: Figure 5 shows one, and
//! Theorem 3 speaks of those whose false leaves all lie at the depth limit.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::table::Dice;
use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};

/// A tree of physical states, named by their place in the list.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// What hangs on a state.
#[derive(Clone, Debug)]
enum Node {
    Turn(Vec<Outcome<u32>>),
    Replies(Vec<Reply<u32>>),
}

/// The measures of a random tree.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// States of the root belief.
    pub states: u32,
    /// Plies to the depth limit; odd.
    pub plies: u32,
    /// Attempts in every turn.
    pub attempts: u64,
    /// Most replies.
    pub replies: u64,
    /// Percepts after attempts and after replies.
    pub percepts: u64,
    /// Share of wins at the depth limit, in 64ths; above it one in 32 wins.
    pub won: u64,
}

/// What comes with a win.
const WON: Percept = Percept::MAX;

impl Tree {
    /// Adds a turn with what its attempts 0, 1, … lead to.
    pub fn add_turn(&mut self, outcomes: Vec<Outcome<u32>>) -> u32 {
        self.add(Node::Turn(outcomes))
    }

    /// Adds a state in which the opponent is to move.
    pub fn add_replies(&mut self, replies: &[(Percept, u32)]) -> u32 {
        let replies = replies.iter().map(|&(percept, state)| Reply::Continues { percept, state }).collect();
        self.add(Node::Replies(replies))
    }

    /// A tree of the class of Theorem 3 and its root belief: no refusals, and all false leaves at the depth limit.
    pub fn random(measures: Measures, seed: u64) -> (Tree, Vec<u32>) {
        let mut tree = Tree::default();
        let mut dice = Dice(seed);
        let root = (0..measures.states).map(|_| tree.grow(measures, measures.plies, &mut dice)).collect();
        (tree, root)
    }

    fn grow(&mut self, measures: Measures, plies: u32, dice: &mut Dice) -> u32 {
        let outcomes = (0..measures.attempts).map(|_| {
            let won = if plies <= 1 { measures.won } else { 2 };
            if dice.below(64) < won {
                return Outcome::Won(WON);
            }
            if plies <= 1 {
                return Outcome::Failed;
            }
            let count = 1 + dice.below(measures.replies);
            let replies: Vec<_> = (0..count)
                .map(|_| (dice.below(measures.percepts), self.grow(measures, plies - 2, dice)))
                .collect();
            Outcome::Moved { percept: dice.below(measures.percepts), state: self.add_replies(&replies) }
        });
        let outcomes = outcomes.collect();
        self.add_turn(outcomes)
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}

impl Domain for Tree {
    type State = u32;

    fn key(&self, state: &u32) -> u128 {
        u128::from(*state)
    }

    fn attempts(&self, state: &u32, attempts: &mut Vec<AttemptId>) {
        if let Some(Node::Turn(outcomes)) = self.nodes.get(*state as usize) {
            attempts.extend(0..outcomes.len() as AttemptId);
        }
    }

    fn outcome(&self, state: &u32, attempt: AttemptId) -> Outcome<u32> {
        match self.nodes.get(*state as usize) {
            Some(Node::Turn(outcomes)) => {
                outcomes.get(usize::from(attempt)).copied().unwrap_or(Outcome::Refused)
            }
            _ => Outcome::Refused,
        }
    }

    fn replies(&self, state: &u32, mut visit: impl FnMut(Reply<u32>) -> ControlFlow<()>) {
        if let Some(Node::Replies(replies)) = self.nodes.get(*state as usize) {
            let _ = replies.iter().try_for_each(|&reply| visit(reply));
        }
    }
}

/// A domain that writes down which states are expanded, in the order of the first time.
#[derive(Debug)]
pub struct Witness<'a, D> {
    domain: &'a D,
    seen: Mutex<Vec<u128>>,
}

impl<'a, D: Domain> Witness<'a, D> {
    /// Watches a domain.
    pub fn new(domain: &'a D) -> Self {
        Witness { domain, seen: Mutex::default() }
    }

    /// The keys of the states expanded so far: those of which an outcome or the replies were asked.
    pub fn expanded(&self) -> Vec<u128> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, state: &D::State) {
        let key = self.domain.key(state);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.contains(&key) {
            seen.push(key);
        }
    }
}

impl<D: Domain> Domain for Witness<'_, D> {
    type State = D::State;

    fn key(&self, state: &D::State) -> u128 {
        self.domain.key(state)
    }

    fn attempts(&self, state: &D::State, attempts: &mut Vec<AttemptId>) {
        self.domain.attempts(state, attempts);
    }

    fn outcome(&self, state: &D::State, attempt: AttemptId) -> Outcome<D::State> {
        self.note(state);
        self.domain.outcome(state, attempt)
    }

    fn replies(&self, state: &D::State, visit: impl FnMut(Reply<D::State>) -> ControlFlow<()>) {
        self.note(state);
        self.domain.replies(state, visit);
    }
}
