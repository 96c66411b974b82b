//! Expanding a leaf: what its states grow into.

use std::ops::ControlFlow;

use super::{
    Foresight, ProofNumber,
    node::{Kind, Label, NodeId, Numbers},
};
use crate::algorithm::{Construction, Grain};
use crate::domain::{AttemptId, Domain, Outcome, Reply, outcome_within};
use crate::limits::Stop;

impl<D: Domain, F: Foresight<D>> ProofNumber<'_, D, F> {
    /// Expands the waiting states of a node: all of them, or the first.
    pub(super) fn expand(&mut self, id: NodeId) -> Result<(), Stop> {
        let node = self.nodes.get_mut(id);
        let kind = node.kind;
        let states = match self.grain {
            Grain::Belief(_) => std::mem::take(&mut node.pending),
            Grain::State if node.pending.is_empty() => return Ok(()),
            Grain::State => vec![node.pending.remove(0)],
        };
        let effort = states.iter().map(|state| self.effort(kind, state)).sum();
        let node = self.nodes.get_mut(id);
        node.effort = node.effort.saturating_sub(effort);
        match kind {
            Kind::Turn => self.expand_turn(id, states),
            Kind::Attempt => Ok(()),
            Kind::Expand => self.expand_replies(id, states),
        }
    }

    fn expand_turn(&mut self, id: NodeId, states: Vec<D::State>) -> Result<(), Stop> {
        let mut attempts = Vec::new();
        for state in states {
            self.meter.counters.expanded += 1;
            attempts.clear();
            self.domain.attempts(&state, &mut attempts);
            for &attempt in &attempts {
                self.open(id, attempt)?;
            }
            self.try_all(id, &state)?;
            self.nodes.get_mut(id).states.push(state);
        }
        for child in self.nodes.get(id).children.clone() {
            // Attempts that have failed for good are marked already.
            if self.nodes.get(child).numbers != Numbers::DISPROVED {
                for grandchild in self.nodes.get(child).children.clone() {
                    self.renumber(grandchild);
                }
                self.renumber(child);
            }
        }
        Ok(())
    }

    /// Makes a child for an attempt that has not been met here. All states expanded so far refuse it.
    fn open(&mut self, turn: NodeId, attempt: AttemptId) -> Result<(), Stop> {
        let known = self.nodes.child(turn, Label::Attempt(attempt)).is_some();
        if known || self.nodes.get(turn).dead.contains(&attempt) {
            return Ok(());
        }
        let plies = self.nodes.get(turn).plies;
        let child = self.nodes.add(Kind::Attempt, Label::Attempt(attempt), turn, plies, &mut self.meter);
        for index in 0..self.nodes.get(turn).states.len() {
            let state = self.nodes.get(turn).states[index].clone();
            self.hand_down(child, Kind::Turn, Label::Refused, state);
            self.meter.tick()?;
        }
        Ok(())
    }

    /// Puts a state through every attempt of a turn.
    fn try_all(&mut self, turn: NodeId, state: &D::State) -> Result<(), Stop> {
        for index in 0..self.nodes.get(turn).children.len() {
            let child = self.nodes.get(turn).children[index];
            let failed = self.nodes.get(child).numbers == Numbers::DISPROVED;
            // Without early termination the rest of a lost belief is built all the same.
            if failed && self.grain != Grain::Belief(Construction::Whole) {
                continue;
            }
            let Label::Attempt(attempt) = self.nodes.get(child).label else {
                continue;
            };
            let outcome = outcome_within(self.domain, state, attempt, self.nodes.get(turn).plies);
            if matches!(outcome, Outcome::Refused) {
                self.meter.tick()?;
            } else {
                self.meter.construct()?;
            }
            match outcome {
                _ if failed => {}
                Outcome::Won(_) => {}
                Outcome::Failed => self.nodes.get_mut(child).numbers = Numbers::DISPROVED,
                Outcome::Refused => self.hand_down(child, Kind::Turn, Label::Refused, state.clone()),
                Outcome::Moved { percept, state } => {
                    let plies = self.nodes.get(turn).plies.saturating_sub(2);
                    if self.foresight.admits_reply(self.domain, &mut self.meter, &state, plies)? {
                        self.hand_down(child, Kind::Expand, Label::Moved(percept), state);
                    } else {
                        self.nodes.get_mut(child).numbers = Numbers::DISPROVED;
                    }
                }
                Outcome::Answered { percept, state, choice } => {
                    self.hand_down(child, Kind::Turn, Label::Answered(percept, choice), state);
                }
            }
        }
        Ok(())
    }

    fn expand_replies(&mut self, id: NodeId, mut states: Vec<D::State>) -> Result<(), Stop> {
        let domain = self.domain;
        if D::SETTLES && !self.nodes.get(id).looked_into {
            // Settled are all or none: with the first that is not, those before it are looked into too.
            let node = self.nodes.get_mut(id);
            node.states.append(&mut states);
            if domain.settled(&node.states) {
                return Ok(());
            }
            states = std::mem::take(&mut node.states);
            node.looked_into = true;
        }
        if self.nodes.get(id).plies == 0 {
            self.disprove(id);
            return Ok(());
        }
        let whole = self.grain == Grain::Belief(Construction::Whole);
        let plies = self.nodes.get(id).plies;
        let mut failed = false;
        for state in &states {
            self.meter.counters.expanded += 1;
            let mut result = Ok(());
            domain.replies(state, |reply| {
                result = self.meter.construct();
                match reply {
                    Reply::Won(_) => {}
                    Reply::Failed => failed = true,
                    Reply::Continues { percept, state } => {
                        match self.foresight.admits(domain, &mut self.meter, &state, plies) {
                            Ok(true) => self.hand_down(id, Kind::Turn, Label::Replied(percept), state),
                            Ok(false) => failed = true,
                            Err(stop) => result = Err(stop),
                        }
                    }
                }
                if result.is_err() || (failed && !whole) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            result?;
            if failed && !whole {
                break;
            }
        }
        if failed {
            self.disprove(id);
            return Ok(());
        }
        for child in self.nodes.get(id).children.clone() {
            self.renumber(child);
        }
        Ok(())
    }

    /// Leaves one child that cannot be proved: the node is lost.
    pub(super) fn disprove(&mut self, id: NodeId) {
        let children = std::mem::take(&mut self.nodes.get_mut(id).children);
        for child in children {
            self.nodes.free(child, &mut self.meter);
        }
        let plies = self.nodes.get(id).plies;
        let lost = self.nodes.add(Kind::Attempt, Label::Refused, id, plies, &mut self.meter);
        self.nodes.get_mut(lost).numbers = Numbers::DISPROVED;
    }

    /// Gives a state to a node's child, which is made if need be.
    fn hand_down(&mut self, id: NodeId, kind: Kind, label: Label, state: D::State) {
        let child = self.nodes.child(id, label).unwrap_or_else(|| {
            let used = if matches!(label, Label::Moved(_)) { 2 } else { 0 };
            let plies = self.nodes.get(id).plies.saturating_sub(used);
            self.nodes.add(kind, label, id, plies, &mut self.meter)
        });
        self.give(child, state);
    }
}
