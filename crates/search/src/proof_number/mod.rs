//! Proof-number search: PNS, L-, G- and E-PNS, and IPNS (Russell & Wolfe 2005, sections 5.1 and 6.1).
//!
//! Each step expands a *most-proving* node: one that belongs to a smallest set of leaves whose proof proves the root and
//! to a smallest set whose disproof disproves it. In PNS a leaf is a belief, in IPNS it is a single state of a belief:
//! every node is then an AND over what its expanded states have grown into and the states that still wait, so that a
//! proof grows with the number of states and a disproof needs but one. [`Grain`] is the whole difference.
//!
//! Wins come only with the solver's attempts (footnote 9): a node where the opponent is to move takes two expansions
//! at least to be proved, its own and that of a turn below, and starts with proof number 2.

mod node;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::algorithm::{Construction, Grain, Order, Pruning};
use crate::domain::{AttemptId, Domain, Outcome, Reply, outcome_within};
use crate::limits::{Limits, Meter, Stop};
use crate::strategy::{Step, Strategy};
use node::{INFINITE, Kind, Label, NONE, NodeId, Nodes, Numbers};

/// What a search has found.
pub(crate) enum Answer {
    /// This strategy wins.
    Proved(Strategy),
    /// None does.
    Refuted,
}

impl Answer {
    /// The strategy, if there is one.
    pub(crate) fn strategy(self) -> Option<Strategy> {
        match self {
            Answer::Proved(strategy) => Some(strategy),
            Answer::Refuted => None,
        }
    }
}

/// The first node.
const ROOT: NodeId = 0;

/// The best-first solver.
pub(crate) struct ProofNumber<'a, D: Domain> {
    domain: &'a D,
    /// The search's meter while it runs, a stand-in else.
    meter: Meter,
    grain: Grain,
    order: Order,
    pruning: Pruning,
    nodes: Nodes<D>,
}

impl<'a, D: Domain> ProofNumber<'a, D> {
    pub(crate) fn new(domain: &'a D, grain: Grain, order: Order, pruning: Pruning) -> Self {
        let meter = Meter::new(&Limits::default());
        ProofNumber { domain, meter, grain, order, pruning, nodes: Nodes::new() }
    }

    /// A strategy for the belief, or `None` if there is none.
    pub(crate) fn solve(
        &mut self,
        belief: &[D::State],
        plies: u32,
        meter: &mut Meter,
    ) -> Result<Option<Strategy>, Stop> {
        self.begin(belief, plies, meter)?;
        loop {
            if let Some(answer) = self.advance(u64::MAX, meter)? {
                return Ok(answer.strategy());
            }
        }
    }

    /// Takes the states in; nothing is expanded yet.
    pub(crate) fn begin(&mut self, belief: &[D::State], plies: u32, meter: &mut Meter) -> Result<(), Stop> {
        self.with(meter, |search| search.take_in(belief, plies))
    }

    /// Searches until about so many states have been constructed: a strategy, or that there is none, if that is known then.
    /// After an error the search is of no more use.
    pub(crate) fn advance(&mut self, states: u64, meter: &mut Meter) -> Result<Option<Answer>, Stop> {
        self.with(meter, |search| search.expand_for(states))
    }

    /// Works with a meter that is somebody else's.
    fn with<T>(&mut self, meter: &mut Meter, work: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.meter, meter);
        let result = work(self);
        std::mem::swap(&mut self.meter, meter);
        result
    }

    fn take_in(&mut self, belief: &[D::State], plies: u32) -> Result<(), Stop> {
        let root = self.nodes.add(Kind::Turn, Label::Root, NONE, plies, &mut self.meter);
        for state in belief {
            self.nodes.give(self.domain, root, state.clone(), &mut self.meter);
            self.meter.tick()?;
        }
        self.renumber(root);
        Ok(())
    }

    fn expand_for(&mut self, states: u64) -> Result<Option<Answer>, Stop> {
        let enough = self.meter.counters.constructed.saturating_add(states);
        loop {
            match self.nodes.get(ROOT).numbers {
                Numbers { proof: 0, .. } => {
                    return Ok(Some(self.strategy(ROOT).map_or(Answer::Refuted, Answer::Proved)));
                }
                Numbers { disproof: 0, .. } => return Ok(Some(Answer::Refuted)),
                Numbers { .. } if self.meter.counters.constructed >= enough => return Ok(None),
                Numbers { .. } => {
                    let leaf = self.most_proving(ROOT);
                    self.expand(leaf)?;
                    self.update(leaf);
                    self.meter.check_memory()?;
                }
            }
        }
    }

    /// Descends to a node whose own waiting states are the most-proving ones.
    fn most_proving(&self, root: NodeId) -> NodeId {
        let mut id = root;
        loop {
            let node = self.nodes.get(id);
            let grown = self.grown(id);
            let waits = !node.pending.is_empty();
            // With equal claims the tree goes first: it is deeper.
            if waits && (grown.proof == 0 || self.waiting(id).disproof < grown.disproof) {
                return id;
            }
            let numbers = |&&child: &&NodeId| self.nodes.get(child).numbers;
            let next = match node.kind {
                Kind::Turn => node.children.iter().min_by_key(|child| numbers(child).proof),
                Kind::Attempt | Kind::Expand => {
                    // L: of equals the child that heard a refusal comes last.
                    let waits = |&&child: &&NodeId| {
                        self.order == Order::LegalFirst && self.nodes.get(child).label == Label::Refused
                    };
                    node.children.iter().min_by_key(|child| (numbers(child).disproof, waits(child)))
                }
            };
            match next {
                Some(&child) => id = child,
                // An unsettled node without children waits for states, so this is it.
                None => return id,
            }
        }
    }

    /// What the expanded states of a node have grown into.
    fn grown(&self, id: NodeId) -> Numbers {
        let node = self.nodes.get(id);
        let children = node.children.iter().map(|&child| self.nodes.get(child).numbers);
        match node.kind {
            Kind::Turn if node.states.is_empty() => Numbers::PROVED,
            Kind::Turn => children.fold(Numbers::DISPROVED, Numbers::or),
            Kind::Attempt | Kind::Expand => children.fold(Numbers::PROVED, Numbers::and),
        }
    }

    /// What the waiting states of a node will take.
    fn waiting(&self, id: NodeId) -> Numbers {
        let node = self.nodes.get(id);
        let leaves = match self.grain {
            Grain::Belief(_) => u32::from(!node.pending.is_empty()),
            Grain::State => node.pending.len() as u32,
        };
        if leaves == 0 {
            return Numbers::PROVED;
        }
        let each = if node.kind == Kind::Expand { 2 } else { 1 };
        Numbers { proof: leaves.saturating_mul(each), disproof: 1 }
    }

    fn renumber(&mut self, id: NodeId) {
        let numbers = self.grown(id).and(self.waiting(id));
        self.nodes.get_mut(id).numbers =
            if numbers.proof == INFINITE || numbers.disproof == 0 { Numbers::DISPROVED } else { numbers };
    }

    /// Renumbers a node and all above it, and frees the attempts that are disproved on the way.
    fn update(&mut self, leaf: NodeId) {
        let mut id = leaf;
        while id != NONE {
            if self.nodes.get(id).kind == Kind::Turn {
                self.bury(id);
            }
            self.renumber(id);
            if let Some(turn) = self.lost_with(id) {
                self.disprove(turn);
                id = turn;
                continue;
            }
            id = self.nodes.get(id).parent;
        }
    }

    /// G: the turn that is lost with this child, which heard a refusal and is a subset of it (Theorem 2).
    fn lost_with(&self, id: NodeId) -> Option<NodeId> {
        let node = self.nodes.get(id);
        let is_lost = self.pruning == Pruning::Greedy
            && node.kind == Kind::Turn
            && node.label == Label::Refused
            && node.numbers == Numbers::DISPROVED;
        is_lost.then(|| self.nodes.get(node.parent).parent)
    }

    /// Takes disproved attempts out of a turn.
    fn bury(&mut self, turn: NodeId) {
        let mut at = 0;
        while let Some(&child) = self.nodes.get(turn).children.get(at) {
            if self.nodes.get(child).numbers != Numbers::DISPROVED {
                at += 1;
                continue;
            }
            if let Label::Attempt(attempt) = self.nodes.get(child).label {
                self.nodes.get_mut(turn).dead.push(attempt);
            }
            self.nodes.get_mut(turn).children.remove(at);
            self.nodes.free(child, &mut self.meter);
        }
    }

    /// Expands the waiting states of a node: all of them, or the first.
    fn expand(&mut self, id: NodeId) -> Result<(), Stop> {
        let node = self.nodes.get_mut(id);
        let states = match self.grain {
            Grain::Belief(_) => std::mem::take(&mut node.pending),
            Grain::State if node.pending.is_empty() => return Ok(()),
            Grain::State => vec![node.pending.remove(0)],
        };
        match node.kind {
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
                    self.hand_down(child, Kind::Expand, Label::Moved(percept), state);
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
                        self.hand_down(id, Kind::Turn, Label::Replied(percept), state);
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
    fn disprove(&mut self, id: NodeId) {
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
        self.nodes.give(self.domain, child, state, &mut self.meter);
    }

    /// The strategy of a proved turn.
    fn strategy(&self, turn: NodeId) -> Option<Strategy> {
        let node = self.nodes.get(turn);
        let &proved = node.children.iter().find(|&&child| self.nodes.get(child).numbers.proof == 0)?;
        let Label::Attempt(attempt) = self.nodes.get(proved).label else {
            return None;
        };
        let mut strategy = Strategy::new(attempt);
        for &child in &self.nodes.get(proved).children {
            match self.nodes.get(child).label {
                Label::Refused => strategy.refused = Some(Box::new(self.strategy(child)?)),
                Label::Answered(percept, _) => {
                    strategy.heard.insert(percept, Step::Answered(Box::new(self.strategy(child)?)));
                }
                Label::Moved(percept) if !self.nodes.get(child).states.is_empty() => {
                    strategy.heard.insert(percept, Step::Settled);
                }
                Label::Moved(percept) => {
                    let mut next = BTreeMap::new();
                    for &turn in &self.nodes.get(child).children {
                        if let Label::Replied(percept) = self.nodes.get(turn).label {
                            next.insert(percept, self.strategy(turn)?);
                        }
                    }
                    strategy.heard.insert(percept, Step::Replied(next));
                }
                Label::Root | Label::Attempt(_) | Label::Replied(_) => {}
            }
        }
        Some(strategy)
    }
}
