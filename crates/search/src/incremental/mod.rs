//! Incremental search: proofs are built for one state and extended to the next (Russell & Wolfe 2005, section 6).
//!
//! [`Engine`] is DBU (Fig. 6 and 8): it takes the states of the root belief one at a time, from an iterator that may
//! still be computing them (section 7), and at every moment holds a proof tree for the states so far. With
//! [`Breadth::First`] it is the inner recursion of DUB (Fig. 7), whose outer one is in `outer`. What tells L-DBU
//! from GL-DBU is [`Pruning`]; what tells both from `auto` is a [`Guide`], which may know better than the paper's
//! algorithms what to try and what to leave.
//!
//! Differences from the printed pseudocode, which leaves out refusals and builds all children of a state at once:
//! attempts are tried in the turn's chain (see `tree`), successors are constructed one at a time (footnote 8), and an
//! attempt is only ever taken up for a state that does not refuse it, so that moves not legal in any state seen so
//! far wait (section 6.2).

mod outer;
mod tree;

use std::ops::ControlFlow;

use crate::algorithm::{Breadth, Pruning};
use crate::domain::{Attempt, Choice, Domain, Outcome, Percept, Reply, outcome_within};
use crate::limits::{Meter, Stop};
use crate::strategy::Strategy;
use tree::{ExpandId, Group, GroupNode, Tree, TurnId};

/// Knowledge from outside the proof tree. Every claim must be true; the default claims nothing.
pub(crate) trait Guide<D: Domain> {
    /// Whether all states that have arrived at a turn are looked at before the first is proved.
    const TOGETHER: bool = false;

    /// Whether a win from this state alone is possible within `plies`.
    fn admits(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// Whether the win is still possible from this state alone, in which the opponent is to reply, with `plies` left
    /// after his reply.
    fn admits_reply(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// Whether these states together, of which the last has just come, are known to be lost.
    fn knows_refuted(&mut self, _: &[u128], _contains: impl Fn(u128) -> bool, _plies: u32) -> bool {
        false
    }

    /// These states together are lost.
    fn learn_refuted(&mut self, _: &[u128], _plies: u32) {}

    /// Puts the attempts of a state into the order in which to try them.
    fn order(&mut self, _: &D, _: &D::State, _plies: u32, _: &mut [Attempt]) {}
}

/// Knows nothing: the algorithms as published.
pub(crate) struct Unguided;

impl<D: Domain> Guide<D> for Unguided {}

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
}

impl<'a, D: Domain, G: Guide<D>> Engine<'a, D, G> {
    pub(crate) fn new(
        domain: &'a D,
        guide: &'a mut G,
        meter: &'a mut Meter,
        breadth: Breadth,
        pruning: Pruning,
    ) -> Self {
        Engine {
            domain,
            guide,
            meter,
            breadth,
            pruning,
            tree: Tree::new(),
        }
    }

    /// A strategy for all states of the belief, or `None` as soon as those seen have none.
    pub(crate) fn solve(
        &mut self,
        belief: impl Iterator<Item = D::State>,
        plies: u32,
    ) -> Result<Option<Strategy>, Stop> {
        let root = self.tree.new_turn(plies, self.meter);
        if G::TOGETHER {
            self.tree.turns[root as usize].pending.extend(belief);
            if !self.solve_turn(root)? {
                return Ok(None);
            }
        } else {
            for state in belief {
                self.tree.turns[root as usize].pending.push_back(state);
                if !self.solve_turn(root)? {
                    return Ok(None);
                }
            }
        }
        if self.breadth == Breadth::First && !self.outer_turn(root)? {
            return Ok(None);
        }
        Ok(self.tree.strategy(root))
    }

    /// Forgets the proof tree; the meter hears of it.
    pub(crate) fn drop_tree(&mut self) {
        if !self.tree.turns.is_empty() {
            self.tree.drop_turn(0, self.meter);
        }
    }

    /// SOLVE-TOP of Fig. 6 for an OR-node: extends its plan to all states that have arrived.
    fn solve_turn(&mut self, id: TurnId) -> Result<bool, Stop> {
        while let Some(state) = self.tree.turns[id as usize].pending.pop_front() {
            let key = self.domain.key(&state);
            let Some(index) = self.tree.take_in(id, key, state, self.meter) else {
                continue;
            };
            let turn = &mut self.tree.turns[id as usize];
            turn.loose.push_back((index, 0));
            let (plies, state) = (turn.plies, &turn.states[index as usize]);
            if !self.guide.admits(self.domain, self.meter, state, plies)? {
                self.guide.learn_refuted(&[key], plies);
                return Ok(false);
            }
            if self
                .guide
                .knows_refuted(turn.keys.as_slice(), |key| turn.keys.contains(key), plies)
            {
                return Ok(false);
            }
            if !(G::TOGETHER || self.cover(id)?) {
                return Ok(false);
            }
        }
        Ok(!G::TOGETHER || self.cover(id)?)
    }

    /// SOLVE of Fig. 6 for an OR-node: until every state is caught by a link that wins it, or no attempt is left.
    fn cover(&mut self, id: TurnId) -> Result<bool, Stop> {
        loop {
            while let Some((state, from)) = self.tree.turns[id as usize].loose.pop_front() {
                if !self.flow(id, state, from)? {
                    return Ok(false);
                }
            }
            let turn = &self.tree.turns[id as usize];
            // The refused child comes last: DUB's inner recursion leaves it for later if there is another.
            let waits = self.breadth == Breadth::First
                && turn.chain.last().is_some_and(|link| !link.groups.is_empty());
            if turn.stuck.is_empty() || waits {
                return Ok(true);
            }
            if !self.extend(id)? {
                let turn = &self.tree.turns[id as usize];
                self.guide.learn_refuted(turn.keys.as_slice(), turn.plies);
                return Ok(false);
            }
        }
    }

    /// Sends a state down the chain to the first link that does not refuse it. False if the turn is lost.
    fn flow(&mut self, id: TurnId, state: u32, from: u32) -> Result<bool, Stop> {
        let chain = self.tree.turns[id as usize].chain.len();
        for at in from as usize..chain {
            let turn = &self.tree.turns[id as usize];
            let (attempt, plies) = (turn.chain[at].attempt, turn.plies);
            let physical = &turn.states[state as usize];
            let outcome = outcome_within(self.domain, physical, attempt, plies);
            if matches!(outcome, Outcome::Refused) {
                continue;
            }
            self.meter.construct()?;
            let admitted = self.admitted(&outcome, plies)?;
            self.tree.turns[id as usize].chain[at].caught.push(state);
            match if admitted {
                self.feed(id, at, outcome)?
            } else {
                Fed::Failed
            } {
                Fed::Proved => {}
                Fed::Failed => self.break_link(id, at),
                Fed::Hopeless => return Ok(false),
            }
            return Ok(true);
        }
        self.tree.turns[id as usize].stuck.push(state);
        Ok(true)
    }

    /// Hands what came of an attempt to its percept's group.
    fn feed(&mut self, id: TurnId, at: usize, outcome: Outcome<D::State>) -> Result<Fed, Stop> {
        match outcome {
            Outcome::Won(_) | Outcome::Refused => Ok(Fed::Proved),
            Outcome::Failed => Ok(Fed::Failed),
            Outcome::Moved { percept, state } => {
                let (expand, now) = self.expand_for(id, at, percept);
                self.tree.expands[expand as usize].pending.push_back(state);
                Ok(if !now || self.solve_expand(expand)? {
                    Fed::Proved
                } else {
                    Fed::Failed
                })
            }
            Outcome::Answered {
                percept,
                state,
                choice,
            } => {
                let (turn, now) = self.answer_for(id, at, percept, choice);
                self.tree.turns[turn as usize].pending.push_back(state);
                Ok(if !now || self.solve_turn(turn)? {
                    Fed::Proved
                } else {
                    self.lost_answer(choice)
                })
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
        while let Some(state) = self.tree.expands[id as usize].pending.pop_front() {
            if !self.tree.expands[id as usize].keys.insert(domain.key(&state)) {
                continue;
            }
            self.meter.counters.expanded += 1;
            let mut result = Ok(true);
            domain.replies(&state, |reply| {
                result = self.take_reply(id, reply);
                if let Ok(true) = result {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            if !result? {
                return Ok(false);
            }
            if G::TOGETHER {
                for index in 0..self.tree.expands[id as usize].turns.len() {
                    let (_, turn) = self.tree.expands[id as usize].turns[index];
                    if !self.solve_turn(turn)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn take_reply(&mut self, id: ExpandId, reply: Reply<D::State>) -> Result<bool, Stop> {
        self.meter.construct()?;
        match reply {
            Reply::Won(_) => Ok(true),
            Reply::Failed => Ok(false),
            Reply::Continues { percept, state } => {
                let (turn, now) = self.turn_for(id, percept);
                self.tree.turns[turn as usize].pending.push_back(state);
                Ok(!now || G::TOGETHER || self.solve_turn(turn)?)
            }
        }
    }

    /// A link has failed: its states look for another one. Greedy pruning keeps the links behind it, because they win
    /// whatever they catch and may catch more; without it they go too, being the refused child of this link.
    fn break_link(&mut self, id: TurnId, at: usize) {
        let turn = &mut self.tree.turns[id as usize];
        let attempt = turn.chain[at].attempt;
        match self.pruning {
            Pruning::Greedy => {
                let link = turn.chain.remove(at);
                // The lengths of the chain change for what stands behind this link, and the menu was made for one.
                turn.menu.made_for = turn.menu.made_for.filter(|_| at == turn.chain.len());
                for (_, from) in &mut turn.loose {
                    if *from as usize > at {
                        *from -= 1;
                    }
                }
                turn.loose
                    .extend(link.caught.iter().map(|&state| (state, at as u32)));
                for (_, length) in &mut turn.failed {
                    if *length as usize > at {
                        *length -= 1;
                    }
                }
                self.tree.drop_link(link, self.meter);
            }
            Pruning::None => self.cut_chain(id, at),
        }
        self.tree.turns[id as usize].failed.push((attempt, at as u32));
    }

    /// Takes the links from `at` on out of the chain and sets their states free.
    fn cut_chain(&mut self, id: TurnId, at: usize) {
        let turn = &mut self.tree.turns[id as usize];
        let dropped: Vec<_> = turn.chain.drain(at..).collect();
        // Everything that had got as far as here starts again from here, in the order of arrival.
        let mut states: Vec<u32> = dropped
            .iter()
            .flat_map(|link| link.caught.iter().copied())
            .collect();
        states.append(&mut turn.stuck);
        states.extend(
            turn.loose
                .iter()
                .filter(|&&(_, from)| from as usize >= at)
                .map(|&(state, _)| state),
        );
        turn.loose.retain(|&(_, from)| (from as usize) < at);
        states.sort_unstable();
        turn.loose.extend(states.iter().map(|&state| (state, at as u32)));
        // What failed behind a longer chain may do better now.
        turn.failed.retain(|&(_, length)| length as usize <= at);
        turn.menu.made_for = None;
        for link in dropped {
            self.tree.drop_link(link, self.meter);
        }
    }

    /// Appends a link for the stuck states. False if the turn is lost.
    fn extend(&mut self, id: TurnId) -> Result<bool, Stop> {
        if let Some(attempt) = self.choose(id)? {
            let link = self.tree.new_link(attempt);
            let turn = &mut self.tree.turns[id as usize];
            let at = turn.chain.len() as u32;
            turn.chain.push(link);
            turn.loose.extend(turn.stuck.drain(..).map(|state| (state, at)));
            return Ok(true);
        }
        // The refused child of the last link is lost. Greedily, so is the turn (Theorem 2).
        let chain = self.tree.turns[id as usize].chain.len();
        if chain == 0 || self.pruning == Pruning::Greedy {
            return Ok(false);
        }
        let attempt = self.tree.turns[id as usize].chain[chain - 1].attempt;
        self.cut_chain(id, chain - 1);
        self.tree.turns[id as usize]
            .failed
            .push((attempt, chain as u32 - 1));
        Ok(true)
    }

    /// An attempt that some stuck state does not refuse and that has not failed behind this chain.
    fn choose(&mut self, id: TurnId) -> Result<Option<Attempt>, Stop> {
        let turn = &self.tree.turns[id as usize];
        let chain = turn.chain.len() as u32;
        // Go on with the menu in hand; the states in front of its own are exhausted, unless they came later.
        let first = match turn.menu.made_for {
            Some((state, length)) if length == chain => {
                turn.stuck.iter().position(|&stuck| stuck == state).unwrap_or(0)
            }
            _ => 0,
        };
        let order = (first..turn.stuck.len()).chain(0..first);
        for stuck in order {
            let state = self.tree.turns[id as usize].stuck[stuck];
            self.list_attempts(id, state, chain);
            while let Some(attempt) = self.next_attempt(id, chain) {
                if self.admitted_by_all(id, state, attempt)? {
                    return Ok(Some(attempt));
                }
                self.tree.turns[id as usize].failed.push((attempt, chain));
            }
        }
        Ok(None)
    }

    /// Makes the menu for a state, unless it is in hand.
    fn list_attempts(&mut self, id: TurnId, state: u32, chain: u32) {
        let turn = &mut self.tree.turns[id as usize];
        if turn.menu.made_for != Some((state, chain)) {
            turn.menu.attempts.clear();
            let physical = &turn.states[state as usize];
            self.domain.attempts(physical, &mut turn.menu.attempts);
            self.guide
                .order(self.domain, physical, turn.plies, &mut turn.menu.attempts);
            turn.menu.next = 0;
            turn.menu.old_failures = turn.failed.len();
            turn.menu.made_for = Some((state, chain));
        }
    }

    /// The next attempt of the menu that has not failed.
    fn next_attempt(&mut self, id: TurnId, chain: u32) -> Option<Attempt> {
        let turn = &mut self.tree.turns[id as usize];
        loop {
            let &attempt = turn.menu.attempts.get(turn.menu.next)?;
            turn.menu.next += 1;
            // Later failures come from this menu, which holds each attempt once.
            let known = turn.menu.old_failures.min(turn.failed.len());
            if !turn.failed[..known]
                .iter()
                .any(|&(failed, length)| failed == attempt && length >= chain)
            {
                return Some(attempt);
            }
        }
    }

    /// Whether no stuck state rules the attempt out at once, by its end on this ply or by what the guide knows. As
    /// published, only the state is asked from which the attempt comes.
    fn admitted_by_all(&mut self, id: TurnId, state: u32, attempt: Attempt) -> Result<bool, Stop> {
        let plies = self.tree.turns[id as usize].plies;
        let asked = if G::TOGETHER {
            self.tree.turns[id as usize].stuck.len()
        } else {
            1
        };
        for index in 0..asked {
            let turn = &self.tree.turns[id as usize];
            let state = if G::TOGETHER { turn.stuck[index] } else { state };
            let physical = &turn.states[state as usize];
            let outcome = outcome_within(self.domain, physical, attempt, plies);
            if matches!(outcome, Outcome::Failed) {
                self.meter.construct()?;
                return Ok(false);
            }
            if !self.admitted(&outcome, plies)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the guide says about an outcome.
    fn admitted(&mut self, outcome: &Outcome<D::State>, plies: u32) -> Result<bool, Stop> {
        match outcome {
            Outcome::Moved { state, .. } => {
                self.guide
                    .admits_reply(self.domain, self.meter, state, plies.saturating_sub(2))
            }
            _ => Ok(true),
        }
    }

    /// The node for what was heard after an attempt, and whether it is to be proved at once.
    fn expand_for(&mut self, id: TurnId, at: usize, percept: Percept) -> (ExpandId, bool) {
        let turn = &self.tree.turns[id as usize];
        let link = &turn.chain[at];
        if let Some(index) = link.groups.iter().position(|group| group.percept == percept) {
            if let GroupNode::Expand(expand) = link.groups[index].node {
                return (expand, self.breadth == Breadth::All || index == 0);
            }
        }
        let expand = self.tree.new_expand(turn.plies.saturating_sub(2), self.meter);
        let groups = &mut self.tree.turns[id as usize].chain[at].groups;
        groups.push(Group {
            percept,
            node: GroupNode::Expand(expand),
        });
        (expand, self.breadth == Breadth::All || groups.len() == 1)
    }

    /// The node for an answer, and whether it is to be proved at once.
    fn answer_for(&mut self, id: TurnId, at: usize, percept: Percept, choice: Choice) -> (TurnId, bool) {
        let turn = &self.tree.turns[id as usize];
        let link = &turn.chain[at];
        if let Some(index) = link.groups.iter().position(|group| group.percept == percept) {
            if let GroupNode::Answer(answer, _) = link.groups[index].node {
                return (answer, self.breadth == Breadth::All || index == 0);
            }
        }
        let answer = self.tree.new_turn(turn.plies, self.meter);
        let groups = &mut self.tree.turns[id as usize].chain[at].groups;
        groups.push(Group {
            percept,
            node: GroupNode::Answer(answer, choice),
        });
        (answer, self.breadth == Breadth::All || groups.len() == 1)
    }

    /// The turn for what was heard after a reply, and whether it is to be proved at once.
    fn turn_for(&mut self, id: ExpandId, percept: Percept) -> (TurnId, bool) {
        let expand = &self.tree.expands[id as usize];
        if let Some(index) = expand.turns.iter().position(|&(heard, _)| heard == percept) {
            return (expand.turns[index].1, self.breadth == Breadth::All || index == 0);
        }
        let turn = self.tree.new_turn(expand.plies, self.meter);
        let turns = &mut self.tree.expands[id as usize].turns;
        turns.push((percept, turn));
        (turn, self.breadth == Breadth::All || turns.len() == 1)
    }
}
