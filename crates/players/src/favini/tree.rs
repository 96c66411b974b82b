//! The tree that all approaches share (Ciancarini and Favini 2010, Figure 3).
//!
//! For every two plies it has three tiers: a move, the umpire's message to it, the message to the opponent's move. Here a
//! [`TurnNode`] of the own side has [`Branch`]es, one for each attempt, and a branch leads to further turns by the two messages together.
//! Approaches B and C follow the silent pair only and keep what other messages are worth in numbers, or go on through every message
//! (`tree=messages`, [`Heard`](super::heard::Heard)); approach A goes wherever its boards lead.

use std::{collections::BTreeMap, sync::Arc};

use nebel_kriegspiel::{Attempt, Bitboard};

use super::{
    heard::Heard,
    outcome::Exposure,
    state::{SearchParams, State},
};

/// The own side to move.
#[derive(Debug)]
pub(crate) struct TurnNode {
    /// What is believed here; approach A has boards instead.
    pub(crate) belief: Option<Arc<NodeBelief>>,
    /// The first branch and their number; none until the turn is expanded.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) visits: u32,
    pub(crate) value: f32,
    /// How likely its messages are, and the value that its branch counts for it, where the tree goes on through every message.
    pub(crate) share: f32,
    pub(crate) counted: f32,
}

/// What is believed at a turn, and how exposed the own men are.
#[derive(Debug)]
pub(crate) struct NodeBelief {
    pub(crate) state: State,
    pub(crate) exposure: Exposure,
}

impl NodeBelief {
    pub(crate) fn new(state: State, params: &SearchParams) -> NodeBelief {
        NodeBelief { exposure: state.exposure(params), state }
    }
}

/// An attempt.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) attempt: Attempt,
    pub(crate) visits: u32,
    pub(crate) value: f32,
    /// The share of silence, and what all other messages contribute.
    pub(crate) silence: f32,
    pub(crate) announced_value: f32,
    /// The share of refusal.
    pub(crate) refused: f32,
    /// The turn after silence, if it is there.
    pub(crate) next: Option<u32>,
    /// Squares that the man would newly attack, for plans.
    pub(crate) gains: Bitboard,
}

/// The umpire's messages to an own move and to the reply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Messages(pub(crate) [u64; 2]);

impl From<Heard> for Messages {
    fn from(heard: Heard) -> Messages {
        Messages([heard as u64, 0])
    }
}

/// Turns and branches in two arenas.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) turns: Vec<TurnNode>,
    pub(crate) branches: Vec<Branch>,
    /// Turns after other messages than silence.
    after: BTreeMap<(u32, Messages), u32>,
}

impl Tree {
    /// The root.
    pub(crate) const ROOT: u32 = 0;

    /// Adds a turn without branches.
    pub(crate) fn add(&mut self, belief: Option<Arc<NodeBelief>>) -> u32 {
        self.turns.push(TurnNode {
            belief,
            first: 0,
            count: 0,
            visits: 0,
            value: 0.0,
            share: 0.0,
            counted: 0.0,
        });
        self.turns.len() as u32 - 1
    }

    /// Gives a turn its branches.
    pub(crate) fn expand(&mut self, turn: u32, branches: impl IntoIterator<Item = Branch>) {
        let first = self.branches.len() as u32;
        self.branches.extend(branches);
        let count = self.branches.len() as u32 - first;
        let turn = &mut self.turns[turn as usize];
        (turn.first, turn.count) = (first, count);
    }

    /// Leaves to the root every so many-th of its branches. Nothing else may have been expanded.
    pub(crate) fn deal(&mut self, index: usize, of: usize) {
        let mut place = 0;
        self.branches.retain(|_| {
            place += 1;
            (place - 1) % of == index
        });
        self.turns[Tree::ROOT as usize].count = self.branches.len() as u32;
    }

    /// The turn after these messages, added if it is new; and whether it is.
    pub(crate) fn after(&mut self, branch: u32, messages: Messages) -> (u32, bool) {
        if let Some(turn) = self.known_after(branch, messages) {
            return (turn, false);
        }
        (self.add_after(branch, messages, None), true)
    }

    /// The turn after these messages, if it is there.
    pub(crate) fn known_after(&self, branch: u32, messages: Messages) -> Option<u32> {
        self.after.get(&(branch, messages)).copied()
    }

    /// Adds the turn after these messages.
    pub(crate) fn add_after(
        &mut self,
        branch: u32,
        messages: Messages,
        belief: Option<Arc<NodeBelief>>,
    ) -> u32 {
        let turn = self.add(belief);
        self.after.insert((branch, messages), turn);
        turn
    }

    /// The branches of a turn.
    pub(crate) fn of(&self, turn: u32) -> &[Branch] {
        let turn = &self.turns[turn as usize];
        &self.branches[turn.first as usize..(turn.first + turn.count) as usize]
    }

    /// The branch of a turn with the greatest value plus c·√(ln N / n) (UCT), plus what `bonus` adds.
    pub(crate) fn select(&self, turn: u32, c: f32, bonus: impl Fn(&Branch) -> f32) -> Option<u32> {
        let parent = &self.turns[turn as usize];
        let log = ((parent.visits + 1) as f32).ln();
        let score =
            |branch: &Branch| branch.value + c * (log / (branch.visits + 1) as f32).sqrt() + bonus(branch);
        let mut best: Option<(f32, u32)> = None;
        for (index, branch) in self.of(turn).iter().enumerate() {
            let score = score(branch);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, parent.first + index as u32));
            }
        }
        best.map(|(_, branch)| branch)
    }

    /// The greatest value among the branches of a turn.
    pub(crate) fn best_value(&self, turn: u32) -> Option<f32> {
        self.of(turn).iter().map(|branch| branch.value).max_by(f32::total_cmp)
    }
}

impl Branch {
    /// A branch that nobody has visited.
    pub(crate) fn new(attempt: Attempt) -> Branch {
        Branch {
            attempt,
            visits: 0,
            value: 0.0,
            silence: 0.0,
            announced_value: 0.0,
            refused: 0.0,
            next: None,
            gains: Bitboard::EMPTY,
        }
    }

    /// Takes a sample into the average; the value before the first visit counts as so many samples.
    pub(crate) fn average(&mut self, sample: f32, prior: f32) {
        self.visits += 1;
        self.value += (sample - self.value) / (self.visits as f32 + prior);
    }

    /// The value when silence is worth so much.
    pub(crate) fn with_silence_worth(&self, value: f32) -> f32 {
        self.announced_value + self.silence * value
    }
}
