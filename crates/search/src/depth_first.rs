//! Depth-first search over whole beliefs (Russell & Wolfe 2005, Fig. 2 and 3): DFS, L-DFS, GL-DFS, GX-DFS and LE-DFS.
//!
//! The five differ in [`Order`], [`Pruning`] and [`Construction`] and in nothing else. Memory is that of one branch: a
//! belief and its partition at each level, and the strategies of what is proved on it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::algorithm::{Construction, Order, Pruning};
use crate::domain::{AttemptId, Choice, Domain, Outcome, Percept, Reply, outcome_within};
use crate::keys::{KeySet, bytes_with_key};
use crate::limits::{LastPlies, Meter, Stop};
use crate::strategy::{Step, Strategy};

/// The depth-first solver.
pub(crate) struct DepthFirst<'a, D: Domain> {
    pub(crate) domain: &'a D,
    pub(crate) meter: &'a mut Meter,
    pub(crate) order: Order,
    pub(crate) pruning: Pruning,
    pub(crate) construction: Construction,
}

/// A child of an AND-node, with the states that belong to it.
struct Child<S> {
    kind: ChildKind,
    states: Vec<S>,
    keys: KeySet,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChildKind {
    Refused,
    Moved(Percept),
    Answered(Percept, Choice),
}

/// What trying an attempt led to.
enum Tried {
    Proved(Strategy),
    Failed,
    /// The whole turn fails, by greedy pruning.
    Hopeless,
}

impl<D: Domain> DepthFirst<'_, D> {
    const STATE: usize = bytes_with_key::<D::State>();

    /// SOLVE for an OR-node: a strategy for the belief, or `None` if there is none.
    pub(crate) fn turn(&mut self, belief: &[D::State], plies: u32) -> Result<Option<Strategy>, Stop> {
        self.meter.counters.beliefs += 1;
        self.meter.counters.expanded += belief.len() as u64;
        let mut tried: Vec<AttemptId> = Vec::new();
        let mut attempts = Vec::new();
        // All attempts that some state does not refuse, in the order in which the states list them.
        for state in belief {
            attempts.clear();
            self.domain.attempts(state, &mut attempts);
            for &attempt in &attempts {
                if tried.contains(&attempt) {
                    continue;
                }
                tried.push(attempt);
                match self.attempt(belief, attempt, plies)? {
                    Tried::Proved(strategy) => return Ok(Some(strategy)),
                    Tried::Failed => {}
                    Tried::Hopeless => return Ok(None),
                }
            }
        }
        Ok(None)
    }

    /// EXPAND and SOLVE for the AND-node of one attempt.
    fn attempt(&mut self, belief: &[D::State], attempt: AttemptId, plies: u32) -> Result<Tried, Stop> {
        let Some(mut children) = self.partition(belief, attempt, plies)? else {
            return Ok(Tried::Failed);
        };
        match self.order {
            Order::AsFound => {}
            Order::LegalFirst => children.sort_by_key(|child| child.kind == ChildKind::Refused),
            Order::RefusedFirst => children.sort_by_key(|child| child.kind != ChildKind::Refused),
        }
        let result = self.children(&children, attempt, plies);
        self.release(&children);
        result
    }

    fn children(
        &mut self,
        children: &[Child<D::State>],
        attempt: AttemptId,
        plies: u32,
    ) -> Result<Tried, Stop> {
        let mut strategy = Strategy::new(attempt);
        for child in children {
            match child.kind {
                ChildKind::Moved(percept) => match self.expand(&child.states, plies.saturating_sub(2))? {
                    Some(step) => drop(strategy.heard.insert(percept, step)),
                    None => return Ok(Tried::Failed),
                },
                ChildKind::Answered(percept, choice) => match self.turn(&child.states, plies)? {
                    Some(next) => drop(strategy.heard.insert(percept, Step::Answered(Box::new(next)))),
                    None if choice == Choice::Open => return Ok(self.subset_refuted()),
                    None => return Ok(Tried::Failed),
                },
                ChildKind::Refused => match self.turn(&child.states, plies)? {
                    Some(next) => strategy.refused = Some(Box::new(next)),
                    None => return Ok(self.subset_refuted()),
                },
            }
        }
        Ok(Tried::Proved(strategy))
    }

    /// A part of the belief that still has all choices is lost (Theorem 2).
    fn subset_refuted(&self) -> Tried {
        match self.pruning {
            Pruning::None => Tried::Failed,
            Pruning::Greedy => Tried::Hopeless,
        }
    }

    /// The children of an AND-node; `None` if some state fails at once.
    fn partition(
        &mut self,
        belief: &[D::State],
        attempt: AttemptId,
        plies: u32,
    ) -> Result<Option<Vec<Child<D::State>>>, Stop> {
        let mut children = Vec::new();
        let mut failed = false;
        for state in belief {
            let (kind, state) = match outcome_within(self.domain, state, attempt, plies) {
                Outcome::Refused => {
                    self.meter.tick()?;
                    (ChildKind::Refused, state.clone())
                }
                outcome => {
                    self.meter.construct()?;
                    self.meter.count_try(plies);
                    match outcome {
                        Outcome::Moved { percept, state } => (ChildKind::Moved(percept), state),
                        Outcome::Answered { percept, state, choice } => {
                            (ChildKind::Answered(percept, choice), state)
                        }
                        Outcome::Failed => {
                            failed = true;
                            if self.construction == Construction::Early {
                                break;
                            }
                            continue;
                        }
                        Outcome::Won(_) | Outcome::Refused => continue,
                    }
                }
            };
            self.place(&mut children, kind, state);
        }
        if failed {
            self.release(&children);
            return Ok(None);
        }
        Ok(Some(children))
    }

    /// EXPAND and SOLVE for an EXPAND-node and the AND-node below it.
    fn expand(&mut self, states: &[D::State], plies: u32) -> Result<Option<Step>, Stop> {
        self.meter.counters.beliefs += 1;
        let domain = self.domain;
        if D::SETTLES && domain.settled(states) {
            return Ok(Some(Step::Settled));
        }
        if plies == 0 {
            return Ok(None);
        }
        let mut children: Vec<Child<D::State>> = Vec::new();
        let mut failed = false;
        let before = self.meter.counters;
        for state in states {
            self.meter.counters.expanded += 1;
            let mut result = Ok(());
            domain.replies(state, |reply| {
                result = self.meter.construct();
                match reply {
                    Reply::Won(_) => {}
                    Reply::Failed => failed = true,
                    Reply::Continues { percept, state } => {
                        self.place(&mut children, ChildKind::Moved(percept), state);
                    }
                }
                let enough = failed && self.construction == Construction::Early;
                if enough || result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            result?;
            if failed && self.construction == Construction::Early {
                break;
            }
        }
        if plies <= LastPlies::PLIES {
            let counters = &mut self.meter.counters;
            counters.last.nodes += 1;
            counters.last.states += counters.expanded - before.expanded;
            counters.last.replies += counters.constructed - before.constructed;
            counters.last.percepts += children.len() as u64;
        }
        if failed {
            self.release(&children);
            return Ok(None);
        }
        let result = self.reply_children(&children, plies);
        self.release(&children);
        result
    }

    fn reply_children(&mut self, children: &[Child<D::State>], plies: u32) -> Result<Option<Step>, Stop> {
        let mut next = BTreeMap::new();
        for child in children {
            if let ChildKind::Moved(percept) = child.kind {
                let Some(strategy) = self.turn(&child.states, plies)? else {
                    return Ok(None);
                };
                next.insert(percept, strategy);
            }
        }
        Ok(Some(Step::Replied(next)))
    }

    /// Counts children as given up.
    fn release(&mut self, children: &[Child<D::State>]) {
        let states: usize = children.iter().map(|child| child.states.len()).sum();
        self.meter.release(states * Self::STATE);
    }

    /// Adds a state to the child of its kind, once.
    fn place(&mut self, children: &mut Vec<Child<D::State>>, kind: ChildKind, state: D::State) {
        let at = children.iter().position(|child| child.kind == kind).unwrap_or_else(|| {
            children.push(Child { kind, states: Vec::new(), keys: KeySet::default() });
            children.len() - 1
        });
        if children[at].keys.insert(self.domain.key(&state)) {
            children[at].states.push(state);
            self.meter.hold(Self::STATE);
        }
    }
}
