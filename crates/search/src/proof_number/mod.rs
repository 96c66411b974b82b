//! Proof-number search: PNS, L-, G- and E-PNS, and IPNS (Russell & Wolfe 2005, sections 5.1 and 6.1).
//!
//! Each step expands a *most-proving* node: one that belongs to a smallest set of leaves whose proof proves the root and
//! to a smallest set whose disproof disproves it. In PNS a leaf is a belief, in IPNS it is a single state of a belief:
//! every node is then an AND over what its expanded states have grown into and the states that still wait, so that a
//! proof grows with the number of states and a disproof needs but one. [`Grain`] is the whole difference.
//!
//! Wins come only with the solver's attempts (footnote 9): a node where the opponent is to move takes two expansions
//! at least to be proved, its own and that of a turn below, and starts with proof number 2.

mod expand;
mod foresight;
mod node;

use std::collections::BTreeMap;

use crate::algorithm::{Grain, Order, Pruning};
use crate::domain::Domain;
use crate::limits::{Limits, Meter, Stop};
use crate::strategy::{Step, Strategy};
pub(crate) use foresight::{Blind, Foresight};
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
pub(crate) struct ProofNumber<'a, D: Domain, F> {
    domain: &'a D,
    /// What is known of single states without expanding them.
    pub(crate) foresight: F,
    /// The search's meter while it runs, a stand-in else.
    meter: Meter,
    grain: Grain,
    order: Order,
    pruning: Pruning,
    nodes: Nodes<D>,
}

impl<'a, D: Domain, F: Foresight<D>> ProofNumber<'a, D, F> {
    pub(crate) fn new(domain: &'a D, foresight: F, grain: Grain, order: Order, pruning: Pruning) -> Self {
        let meter = Meter::new(&Limits::default());
        ProofNumber { domain, foresight, meter, grain, order, pruning, nodes: Nodes::new() }
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
            self.give(root, state.clone());
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
        if node.pending.is_empty() {
            return Numbers::PROVED;
        }
        let proof = match (self.grain, node.kind) {
            (Grain::Belief(_), Kind::Expand) => 2,
            (Grain::Belief(_), _) => 1,
            (Grain::State, _) => node.effort,
        };
        Numbers { proof, disproof: 1 }
    }

    /// Gives a node one more state to expand, unless it has it.
    fn give(&mut self, id: NodeId, state: D::State) {
        let effort = self.effort(self.nodes.get(id).kind, &state);
        self.nodes.give(self.domain, id, state, effort, &mut self.meter);
    }

    /// What a waiting state counts in proof numbers.
    fn effort(&self, kind: Kind, state: &D::State) -> u32 {
        if kind == Kind::Expand { F::effort(self.domain, state) } else { 1 }
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
