//! Incremental search: proofs are built for one state and extended to the next (Russell & Wolfe 2005, section 6).
//!
//! [`Engine`] is DBU (Fig. 6 and 8): it takes the states of the root belief one at a time, from a source that may
//! still be computing them (section 7), and at every moment holds a proof tree for the states so far. With
//! [`Breadth::First`] it is the inner recursion of DUB (Fig. 7), whose outer one is in `outer`. What tells L-DBU
//! from GL-DBU is [`Pruning`]; what tells both from `auto` is a [`Guide`], which may know better than the paper's
//! algorithms what to try and what to leave.
//!
//! Differences from the printed pseudocode, which leaves out refusals and builds all children of a state at once:
//! attempts are tried in the turn's chain (see `tree`), successors are constructed one at a time (footnote 8), and an
//! attempt is only ever taken up for a state that does not refuse it, so that moves not legal in any state seen so
//! far wait (section 6.2).

mod chain;
mod core;
mod guide;
mod memory;
mod outer;
mod tree;

use std::ops::ControlFlow;

use crate::algorithm::{Breadth, Pruning};
use crate::domain::{Choice, Domain, Outcome, Percept, Reply};
use crate::limits::{BestSoFar, LastPlies, Meter, Stop};
use crate::source::Source;
use crate::strategy::Strategy;
pub(crate) use core::Blame;
pub(crate) use guide::{Guide, Unguided};
use tree::{ExpandId, Group, GroupNode, Standing, Tree, TurnId};

/// What feeding a state to an attempt led to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fed {
    Proved,
    /// The attempt fails.
    Failed,
    /// The whole turn fails, by greedy pruning.
    Hopeless,
}

/// The incremental solver.
pub(crate) struct Engine<'a, D: Domain, G> {
    domain: &'a D,
    guide: &'a mut G,
    meter: &'a mut Meter,
    breadth: Breadth,
    pruning: Pruning,
    tree: Tree<D>,
    /// The states for which the last turn or attempt that failed did so, among those of the turn that hears of it.
    blame: Blame,
}

impl<'a, D: Domain, G: Guide<D>> Engine<'a, D, G> {
    pub(crate) fn new(
        domain: &'a D,
        guide: &'a mut G,
        meter: &'a mut Meter,
        breadth: Breadth,
        pruning: Pruning,
    ) -> Self {
        Engine { domain, guide, meter, breadth, pruning, tree: Tree::new(), blame: Blame::ALL }
    }

    /// A strategy for all states of the belief, or `None` as soon as those seen have none.
    pub(crate) fn solve(
        &mut self,
        belief: &mut impl Source<State = D::State>,
        plies: u32,
    ) -> Result<Option<Strategy>, Stop> {
        let root = self.begin(plies);
        while let Some(state) = belief.find_next(self.meter)? {
            if !self.take(root, state)? {
                return Ok(None);
            }
            self.note_plan(root);
        }
        if self.breadth == Breadth::First && !self.outer_turn(root)? {
            return Ok(None);
        }
        self.strategy(root)
    }

    /// A new turn with nothing to prove yet.
    pub(crate) fn begin(&mut self, plies: u32) -> TurnId {
        self.tree.new_turn(plies, self.meter)
    }

    /// Says what the plan of the root is worth.
    fn note_plan(&mut self, root: TurnId) {
        let turn = &self.tree.turns[root as usize];
        if let Some(link) = turn.chain.first() {
            let wins = turn.states.len();
            self.meter.note_plan(BestSoFar { attempt: link.attempt, wins, plies: turn.plies });
        }
    }

    /// The places of the states for which a turn that was lost is so, where the guide remembers.
    pub(crate) fn blamed(&self, turn: TurnId) -> Vec<u32> {
        self.blame.among(self.tree.turns[turn as usize].states.len() as u32)
    }

    /// Extends the proof of a turn to one more state. False if there is none; the turn is of no use then.
    pub(crate) fn take(&mut self, turn: TurnId, state: D::State) -> Result<bool, Stop> {
        self.tree.turns[turn as usize].pending.push_back((state, 0));
        self.solve_turn(turn)
    }

    /// Forgets the proof of [`Engine::solve`].
    pub(crate) fn drop_tree(&mut self) {
        if !self.tree.turns.is_empty() {
            self.forget(0);
        }
    }

    /// Forgets a turn and all below it; the meter hears of it.
    pub(crate) fn forget(&mut self, turn: TurnId) {
        self.tree.drop_turn(turn, self.meter);
    }

    /// SOLVE-TOP of Fig. 6 for an OR-node: extends its plan to all states that have arrived.
    fn solve_turn(&mut self, id: TurnId) -> Result<bool, Stop> {
        let proved = self.prove_turn(id)?;
        if !proved {
            self.tree.turns[id as usize].standing = Standing::Lost;
        }
        Ok(proved)
    }

    fn prove_turn(&mut self, id: TurnId) -> Result<bool, Stop> {
        let mut news = false;
        while let Some((state, origin)) = self.tree.turns[id as usize].pending.pop_front() {
            let key = self.domain.key(&state);
            let Some(index) = self.tree.take_in(id, key, (state, origin), self.meter) else {
                continue;
            };
            news = true;
            let turn = &mut self.tree.turns[id as usize];
            turn.loose.push_back((index, 0));
            let (plies, state) = (turn.plies, &turn.states[index as usize]);
            if turn.chain.is_empty() && !self.guide.admits(self.domain, self.meter, state, plies)? {
                self.guide.learn_refuted(&[key], plies);
                self.blame = Blame::of(index);
                return Ok(false);
            }
            if let Some(blame) = self.guide.knows_refuted(&turn.keys, plies) {
                self.blame = blame;
                return Ok(false);
            }
            if !(G::TOGETHER || self.cover(id)?) {
                return Ok(false);
            }
        }
        Ok(!G::TOGETHER || self.is_covered(id, news) || self.cover(id)?)
    }

    /// Hands what came of an attempt to its percept's group.
    fn feed(&mut self, id: TurnId, at: usize, from: u32, outcome: Outcome<D::State>) -> Result<Fed, Stop> {
        match outcome {
            Outcome::Won(_) | Outcome::Refused => Ok(Fed::Proved),
            Outcome::Failed => {
                self.blame = Blame::of(from);
                Ok(Fed::Failed)
            }
            Outcome::Moved { percept, state } => {
                let (expand, now) = self.expand_for(id, at, percept);
                self.tree.expands[expand as usize].pending.push_back((state, from));
                Ok(if !now || self.solve_expand(expand)? { Fed::Proved } else { Fed::Failed })
            }
            Outcome::Answered { percept, state, choice } => {
                let (turn, now) = self.answer_for(id, at, percept, choice);
                self.tree.turns[turn as usize].pending.push_back((state, from));
                if !now || self.solve_turn(turn)? {
                    return Ok(Fed::Proved);
                }
                if G::REMEMBERS {
                    self.blame = self.blame.seen_from(&self.tree.turns[turn as usize].origins);
                }
                Ok(self.lost_answer(choice))
            }
        }
    }

    /// What a refuted answer means for the turn in which the question was asked.
    fn lost_answer(&self, choice: Choice) -> Fed {
        match (self.pruning, choice) {
            (Pruning::Greedy, Choice::Open) => Fed::Hopeless,
            _ => Fed::Failed,
        }
    }

    /// SOLVE-TOP for an EXPAND-node: the replies to all states that have arrived.
    fn solve_expand(&mut self, id: ExpandId) -> Result<bool, Stop> {
        let domain = self.domain;
        while let Some((state, from)) = self.tree.expands[id as usize].pending.pop_front() {
            let expand = &mut self.tree.expands[id as usize];
            if !expand.keys.insert(domain.key(&state)) {
                continue;
            }
            let origin = expand.origins.len() as u32;
            expand.origins.push(from);
            self.meter.counters.expanded += 1;
            if !D::SETTLES {
                if !self.expand_state(id, &state, origin)? {
                    return Ok(false);
                }
                continue;
            }
            // Settled are all or none: with the first that is not, those before it are looked into too.
            let mut settled = std::mem::take(&mut expand.settled);
            settled.push((state, origin));
            if !expand.looked_into && is_settled(domain, &settled) {
                self.tree.expands[id as usize].settled = settled;
                continue;
            }
            for (state, origin) in settled {
                if !self.expand_state(id, &state, origin)? {
                    // A part of them may be settled: only together are they to blame.
                    self.blame = Blame::ALL.seen_from(&self.tree.expands[id as usize].origins);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The replies to one state of an EXPAND-node, which is the one at `origin` among those it has.
    fn expand_state(&mut self, id: ExpandId, state: &D::State, origin: u32) -> Result<bool, Stop> {
        self.blame = Blame::of(self.tree.expands[id as usize].origins[origin as usize]);
        if self.tree.expands[id as usize].plies == 0 {
            return Ok(false);
        }
        let is_new = !std::mem::replace(&mut self.tree.expands[id as usize].looked_into, true);
        if self.tree.expands[id as usize].plies <= LastPlies::PLIES {
            self.meter.counters.last.nodes += u64::from(is_new);
            self.meter.counters.last.states += 1;
        }
        let mut result = Ok(true);
        self.domain.replies(state, |reply| {
            result = self.take_reply(id, origin, reply);
            if let Ok(true) = result { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if !result? {
            return Ok(false);
        }
        if G::TOGETHER {
            for index in 0..self.tree.expands[id as usize].turns.len() {
                let (_, turn) = self.tree.expands[id as usize].turns[index];
                if !self.solve_turn(turn)? {
                    self.blame_above(id, turn);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Passes the blame for a lost turn on to the states of the turn above.
    fn blame_above(&mut self, id: ExpandId, turn: TurnId) {
        if G::REMEMBERS {
            let own = self.blame.seen_from(&self.tree.turns[turn as usize].origins);
            self.blame = own.seen_from(&self.tree.expands[id as usize].origins);
        }
    }

    fn take_reply(&mut self, id: ExpandId, origin: u32, reply: Reply<D::State>) -> Result<bool, Stop> {
        self.meter.construct()?;
        if self.tree.expands[id as usize].plies <= LastPlies::PLIES {
            self.meter.counters.last.replies += 1;
        }
        match reply {
            Reply::Won(_) => Ok(true),
            Reply::Failed => Ok(false),
            Reply::Continues { percept, state } => {
                let (turn, now) = self.turn_for(id, percept);
                self.tree.turns[turn as usize].pending.push_back((state, origin));
                Ok(!now || G::TOGETHER || self.solve_turn(turn)?)
            }
        }
    }

    /// The node for what was heard after an attempt, and whether it is to be proved at once.
    fn expand_for(&mut self, id: TurnId, at: usize, percept: Percept) -> (ExpandId, bool) {
        let turn = &self.tree.turns[id as usize];
        let link = &turn.chain[at];
        if let Some(index) = link.groups.iter().position(|group| group.percept == percept)
            && let GroupNode::Expand(expand) = link.groups[index].node
        {
            return (expand, self.breadth == Breadth::All || index == 0);
        }
        let expand = self.tree.new_expand(turn.plies.saturating_sub(2), self.meter);
        let groups = &mut self.tree.turns[id as usize].chain[at].groups;
        groups.push(Group { percept, node: GroupNode::Expand(expand) });
        (expand, self.breadth == Breadth::All || groups.len() == 1)
    }

    /// The node for an answer, and whether it is to be proved at once.
    fn answer_for(&mut self, id: TurnId, at: usize, percept: Percept, choice: Choice) -> (TurnId, bool) {
        let turn = &self.tree.turns[id as usize];
        let link = &turn.chain[at];
        if let Some(index) = link.groups.iter().position(|group| group.percept == percept)
            && let GroupNode::Answer(answer, _) = link.groups[index].node
        {
            return (answer, self.breadth == Breadth::All || index == 0);
        }
        let answer = self.tree.new_turn(turn.plies, self.meter);
        let groups = &mut self.tree.turns[id as usize].chain[at].groups;
        groups.push(Group { percept, node: GroupNode::Answer(answer, choice) });
        (answer, self.breadth == Breadth::All || groups.len() == 1)
    }

    /// The turn for what was heard after a reply, and whether it is to be proved at once.
    fn turn_for(&mut self, id: ExpandId, percept: Percept) -> (TurnId, bool) {
        let expand = &self.tree.expands[id as usize];
        if let Some(index) = expand.turns.iter().position(|&(heard, _)| heard == percept) {
            return (expand.turns[index].1, self.breadth == Breadth::All || index == 0);
        }
        self.meter.counters.last.percepts += u64::from(expand.plies <= LastPlies::PLIES);
        let turn = self.tree.new_turn(expand.plies, self.meter);
        let turns = &mut self.tree.expands[id as usize].turns;
        turns.push((percept, turn));
        (turn, self.breadth == Breadth::All || turns.len() == 1)
    }
}

/// Whether what waits in an EXPAND-node is settled together.
fn is_settled<D: Domain>(domain: &D, waiting: &[(D::State, u32)]) -> bool {
    let states: Vec<D::State> = waiting.iter().map(|(state, _)| state.clone()).collect();
    domain.settled(&states)
}
