//! The search over messages that approaches B, C and their hybrid share: one tree, one model of messages. What differs is in
//! [`MessageSearch`].

use std::sync::Arc;

use nebel_kriegspiel::Attempt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    approach::{Descent, MessageSearch, Way},
    heard::Heard,
    numbers::NUMBERS,
    plans::{self, Plans},
    state::{SearchParams, State},
    tree::{Branch, NodeBelief, Tree},
};
use crate::Budget;

/// When a search stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) until: &'a Budget,
    /// So many nodes valued.
    pub(crate) nodes: u64,
    pub(crate) iterations: u64,
}

/// A search from one turn.
pub(crate) struct Search<'a, A> {
    pub(crate) approach: A,
    pub(crate) params: &'a SearchParams,
    /// The constant of UCT.
    pub(crate) c: f32,
    pub(crate) stop: Stop<'a>,
    pub(crate) random: Xoshiro256PlusPlus,
    pub(crate) plans: Option<Plans>,
    pub(crate) tree: Tree,
    /// Nodes valued.
    pub(crate) nodes: u64,
    pub(crate) iterations: u64,
    /// What a line that ends is given for what may come (approach C with conservation).
    pub(crate) continuation_bonus: f32,
}

impl<A: MessageSearch> Search<'_, A> {
    /// Puts the root there, with these attempts.
    pub(crate) fn root(&mut self, state: State, attempts: &[Attempt]) {
        let root = self.tree.add(Some(Arc::new(NodeBelief::new(state, self.params))));
        self.expand(root, Some(attempts));
    }

    /// Searches until it must stop; the root's branches are valued in any case.
    pub(crate) fn run(&mut self) {
        let stop = self.stop;
        // Iterations are bounded by nodes too: a tree that is finite, or whose best branch is always refused, gains none.
        while self.nodes < stop.nodes && self.iterations < stop.iterations.min(stop.nodes) {
            if stop.until.is_over() {
                return;
            }
            self.iterations += 1;
            if !self.iterate() {
                return;
            }
        }
    }

    /// One way down the tree and back; `false` when there is nothing to look at.
    fn iterate(&mut self) -> bool {
        let approach = self.approach;
        let mut path: Vec<Descent> = Vec::with_capacity(NUMBERS.deepest);
        let mut turn = Tree::ROOT;
        let plan = self.plans.as_mut().and_then(Plans::choose);
        let mut value = loop {
            let bonus = |branch: &Branch| plan.as_ref().map_or(0.0, |plan| plan.bonus(branch));
            let Some(branch) = self.tree.select(turn, self.c, bonus) else {
                // No attempt: stalemate, or all are refused. There is nothing more to come.
                break self.tree.turns[turn as usize].value;
            };
            match approach.descend(self, turn, branch) {
                Way::Ends(value, next) => {
                    path.push(Descent { turn, branch, next });
                    break value;
                }
                Way::GoesOn(next) => {
                    path.push(Descent { turn, branch, next: Some(next) });
                    turn = next;
                }
            }
            if path.len() >= NUMBERS.deepest {
                break self.tree.turns[turn as usize].value;
            }
        };
        let Some(&Descent { branch: first, .. }) = path.first() else { return false };
        for &step in path.iter().rev() {
            self.tree.turns[step.turn as usize].visits += 1;
            value = approach.back_up(&mut self.tree, step, value);
        }
        let result = self.tree.branches[first as usize].value;
        if let (Some(plans), Some(plan)) = (&mut self.plans, plan) {
            plans.learn(&plan, result);
        }
        true
    }

    /// What is believed after silence in a branch of a turn.
    pub(super) fn state_after(&self, turn: u32, branch: u32) -> Option<State> {
        let attempt = self.tree.branches[branch as usize].attempt;
        let belief = self.tree.turns[turn as usize].belief.as_ref()?;
        Some(belief.state.after_silence(attempt, self.params))
    }

    /// Puts the turn after silence in a branch into the tree.
    pub(super) fn add_after(&mut self, branch: u32, state: State) -> u32 {
        let child = self.tree.add(Some(Arc::new(NodeBelief::new(state, self.params))));
        self.tree.branches[branch as usize].next = Some(child);
        self.expand(child, None);
        child
    }

    /// Puts the turn after other messages of a branch into the tree.
    pub(super) fn add_heard(&mut self, turn: u32, branch: u32, heard: Heard) -> Option<u32> {
        let attempt = self.tree.branches[branch as usize].attempt;
        let belief = self.tree.turns[turn as usize].belief.clone()?;
        let state = belief.state.after(attempt, heard, &belief.exposure, self.params);
        let belief = Arc::new(NodeBelief::new(state, self.params));
        let child = self.tree.add_after(branch, heard.into(), Some(belief));
        self.expand(child, None);
        Some(child)
    }

    /// Gives a turn its branches.
    fn expand(&mut self, turn: u32, attempts: Option<&[Attempt]>) {
        let approach = self.approach;
        let Some(belief) = self.tree.turns[turn as usize].belief.clone() else { return };
        let listed = attempts.map_or_else(|| belief.state.attempts(), <[Attempt]>::to_vec);
        let mut branches = Vec::with_capacity(listed.len());
        for attempt in listed {
            let mut branch = approach.branch(self, attempt, &belief);
            if self.plans.is_some() {
                branch.gains = plans::gains(&belief.state.men, attempt);
            }
            branches.push(branch);
        }
        let stand = belief.exposure.stand;
        approach.compare(self, turn, &mut branches, stand);
        self.tree.expand(turn, branches);
        self.tree.turns[turn as usize].value = stand;
    }
}
