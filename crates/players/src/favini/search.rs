//! The searches of approaches B, C and their hybrid: one tree, one model of messages, and a choice of how a leaf is
//! valued and how values travel up ([`Approach`]).

use std::sync::Arc;

use nebel_kriegspiel::Attempt;
use rand::{RngExt, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    chance::{Drawn, Expectation},
    plans::Plans,
    state::{SearchParams, State},
    tree::{Branch, NodeBelief, Tree},
};
use crate::Budget;

/// What tells the approaches apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Approach {
    /// A: boards are drawn, and games played out on them; averages.
    Boards,
    /// B: messages are drawn for so many moves, and until the exchange is over; averages.
    Messages {
        /// The moves.
        k: u32,
    },
    /// C: the expectation of one move and its exchange; maxima.
    Expectation {
        /// How much of a turn's own value stays when its best move is known: 0 in the paper, 0.5 in the program, 0.7 plays best here.
        conservation: f32,
    },
    /// B and C: the first move's expectation, then messages drawn for the others; averages.
    Hybrid {
        /// The moves.
        k: u32,
    },
}

/// When a search stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) until: &'a Budget,
    /// So many nodes valued.
    pub(crate) nodes: u64,
    pub(crate) iterations: u64,
}

/// Samples of a leaf (the program's number).
const SAMPLES: u32 = 5;
/// How many samples an expectation counts for in the hybrid.
const EXPECTED: f32 = 4.0;
/// No line is followed further.
const DEEPEST: usize = 40;

/// A search from one turn.
pub(crate) struct Search<'a> {
    pub(crate) approach: Approach,
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

impl Search<'_> {
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
        let mut path: Vec<(u32, u32)> = Vec::with_capacity(DEEPEST);
        let mut turn = Tree::ROOT;
        let plan = self.plans.as_mut().and_then(Plans::choose);
        let value = loop {
            let bonus = |branch: &Branch| plan.as_ref().map_or(0.0, |plan| plan.bonus(branch));
            let Some(branch) = self.tree.select(turn, self.c, bonus) else {
                // No attempt: stalemate, or all are refused. There is nothing more to come.
                break self.tree.turns[turn as usize].value;
            };
            path.push((turn, branch));
            if let Approach::Messages { .. } = self.approach {
                match self.draw(turn, branch) {
                    Some(value) => break value,
                    None => turn = self.tree.branches[branch as usize].next.unwrap_or(Tree::ROOT),
                }
            } else if let Some(next) = self.tree.branches[branch as usize].next {
                turn = next;
            } else {
                break self.leaf(turn, branch);
            }
            if path.len() >= DEEPEST {
                break self.tree.turns[turn as usize].value;
            }
        };
        let Some(&(_, first)) = path.first() else { return false };
        self.back_up(&path, value);
        let result = self.tree.branches[first as usize].value;
        if let (Some(plans), Some(plan)) = (&mut self.plans, plan) {
            plans.learn(&plan, result);
        }
        true
    }

    /// Values what follows a branch whose turn is not in the tree yet.
    fn leaf(&mut self, turn: u32, branch: u32) -> f32 {
        let attempt = self.tree.branches[branch as usize].attempt;
        let Some(belief) = &self.tree.turns[turn as usize].belief else { return 0.0 };
        let next = belief.state.after_silence(attempt, self.params);
        let value = match self.approach {
            Approach::Hybrid { k } => self.simulate(&next, k.saturating_sub(1)),
            _ => 0.0,
        };
        let child = self.tree.add(Some(Arc::new(NodeBelief::new(next, self.params))));
        self.tree.branches[branch as usize].next = Some(child);
        self.expand(child, None);
        match self.approach {
            Approach::Hybrid { .. } => {
                self.nodes += 1;
                value
            }
            _ => self.worth(child),
        }
    }

    /// Approach B at a branch: draws the messages. Silence in a branch that was visited before goes on (`None`); all
    /// else ends the way down with its value.
    fn draw(&mut self, turn: u32, branch: u32) -> Option<f32> {
        let Approach::Messages { k } = self.approach else { return Some(0.0) };
        let Branch { attempt, visits, .. } = self.tree.branches[branch as usize];
        let belief = self.tree.turns[turn as usize].belief.clone()?;
        let NodeBelief { state, exposure } = &*belief;
        let outcome = state.prepare(attempt, exposure, self.params);
        let is_new = visits == 0;
        let samples = if is_new { SAMPLES } else { 1 };
        let next = std::cell::OnceCell::new();
        let next_state = || next.get_or_init(|| state.after_silence(attempt, self.params)).clone();
        let mut sum = 0.0;
        for _ in 0..samples {
            let mut is_silent = false;
            let change = outcome.run(&mut Drawn(&mut self.random), self.params, |_| {
                is_silent = true;
                outcome.exposure_change
            });
            if is_silent && !is_new {
                if self.tree.branches[branch as usize].next.is_none() {
                    let child = self.tree.add(Some(Arc::new(NodeBelief::new(next_state(), self.params))));
                    self.tree.branches[branch as usize].next = Some(child);
                    self.expand(child, None);
                }
                return None;
            }
            sum += if is_silent && k > 1 {
                simulate(next_state(), k - 1, self.params, self.stop.until, &mut self.random)
            } else {
                exposure.stand + change
            };
        }
        self.nodes += u64::from(is_new);
        Some(sum / samples as f32)
    }

    fn simulate(&mut self, state: &State, moves: u32) -> f32 {
        let (params, until) = (self.params, self.stop.until);
        let runs = (0..SAMPLES).map(|_| simulate(state.clone(), moves, params, until, &mut self.random));
        runs.sum::<f32>() / SAMPLES as f32
    }

    /// Gives a turn its branches; in approach C and the hybrid each with its expectation.
    fn expand(&mut self, turn: u32, attempts: Option<&[Attempt]>) {
        let Some(belief) = self.tree.turns[turn as usize].belief.clone() else { return };
        let NodeBelief { state, exposure } = &*belief;
        let listed = attempts.map_or_else(|| state.attempts(), <[Attempt]>::to_vec);
        let mut branches = Vec::with_capacity(listed.len());
        for attempt in listed {
            let mut branch = Branch::new(attempt);
            if self.plans.is_some() {
                branch.gains = super::plans::gains(&state.men, attempt);
            }
            if matches!(self.approach, Approach::Messages { .. }) {
                // Unvisited branches come first, in no order.
                branch.value = UNVISITED + self.random.random::<f32>();
            } else {
                let outcome = state.prepare(attempt, exposure, self.params);
                let announced_value = outcome.run(&mut Expectation, self.params, |_| 0.0);
                let silence = outcome.silence();
                // The change by the move itself is part of silence too.
                let silent_worth = exposure.stand + outcome.step + outcome.exposure_change;
                branch.silence = silence;
                branch.announced_value =
                    exposure.stand * (1.0 - silence) + announced_value - silence * outcome.step;
                branch.value = branch.with_silence_worth(silent_worth);
                branch.refused = 1.0 - outcome.odds.legal;
                self.nodes += 1;
            }
            branches.push(branch);
        }
        self.look_ahead(turn, &mut branches, exposure.stand);
        self.tree.expand(turn, branches);
        self.tree.turns[turn as usize].value = exposure.stand;
    }

    /// The search goes on after silence only, but the game goes on after every message. So that waiting does not look better than
    /// taking, and a line that was looked at further not better than another, every line that ends is given
    /// what the root's best move promises, again and again: its gain g, of which each turn keeps the share that conservation leaves.
    /// A refusal ends nothing: the turn's best move can still be made (the program: "parent − 0.01"). With the paper's plain maximum
    /// nothing is promised, since its sum has no limit.
    fn look_ahead(&mut self, turn: u32, branches: &mut [Branch], stand: f32) {
        let Approach::Expectation { conservation } = self.approach else { return };
        if conservation <= 0.0 {
            return;
        }
        let Some(best) = branches.iter().map(|branch| branch.value).max_by(f32::total_cmp) else { return };
        let gain = best - stand;
        if turn == Tree::ROOT {
            self.continuation_bonus = (1.0 - conservation) * gain / conservation;
        }
        for branch in branches {
            let again = branch.refused * (gain + self.continuation_bonus);
            branch.announced_value +=
                again + (1.0 - branch.silence - branch.refused) * self.continuation_bonus;
            branch.value += again + (1.0 - branch.refused) * self.continuation_bonus;
        }
    }

    /// What an expanded turn is worth in approach C: its best branch, by as much as conservation leaves.
    fn worth(&self, turn: u32) -> f32 {
        let own = self.tree.turns[turn as usize].value;
        let Approach::Expectation { conservation } = self.approach else { return own };
        self.tree.best_value(turn).map_or(own, |best| (1.0 - conservation) * best + conservation * own)
    }

    fn back_up(&mut self, path: &[(u32, u32)], mut value: f32) {
        for &(turn, branch) in path.iter().rev() {
            self.tree.turns[turn as usize].visits += 1;
            let node = &mut self.tree.branches[branch as usize];
            match self.approach {
                Approach::Expectation { .. } => {
                    node.visits += 1;
                    node.value = node.with_silence_worth(value);
                    value = self.worth(turn);
                }
                Approach::Hybrid { .. } => {
                    value = node.with_silence_worth(value);
                    node.average(value, EXPECTED);
                }
                Approach::Messages { .. } | Approach::Boards => node.average(value, 0.0),
            }
        }
    }
}

/// More than any balance.
const UNVISITED: f32 = 1000.0;

/// Plays on for so many moves with random attempts (one that takes back is preferred), the messages drawn; a sample ends with the
/// first message that is not silence, and the exchange that follows it. Many moves take some time: it is broken off when time
/// is up.
fn simulate(
    mut state: State,
    moves: u32,
    params: &SearchParams,
    until: &Budget,
    random: &mut Xoshiro256PlusPlus,
) -> f32 {
    for _ in 0..moves {
        if until.is_over() {
            break;
        }
        let attempts = state.attempts();
        let takes_back = attempts.iter().find(|attempt| Some(attempt.to) == state.contested);
        let Some(&attempt) = takes_back.or_else(|| attempts.choose(random)) else { break };
        let exposure = state.exposure(params);
        let mut is_silent = false;
        let outcome = state.prepare(attempt, &exposure, params);
        let change = outcome.run(&mut Drawn(random), params, |_| {
            is_silent = true;
            0.0
        });
        if !is_silent {
            return exposure.stand + change;
        }
        state = state.after_silence(attempt, params);
    }
    state.exposure(params).stand
}
