//! Approach B: messages are drawn for so many moves, and until the exchange is over (Ciancarini and Favini 2010, section 5.2).

use std::cell::OnceCell;

use nebel_kriegspiel::Attempt;
use rand::{RngExt, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    approach::MessageSearch,
    chance::Drawn,
    numbers::NUMBERS,
    search::Search,
    state::{SearchParams, State},
    tree::{Branch, NodeBelief, Tree},
};
use crate::Budget;

/// Messages drawn for `k` moves; averages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Messages {
    pub(crate) k: u32,
}

/// More than any balance: branches that nobody has visited come first.
const UNVISITED: f32 = 1000.0;

impl MessageSearch for Messages {
    /// In no order.
    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, _: &NodeBelief) -> Branch {
        Branch { value: UNVISITED + search.random.random::<f32>(), ..Branch::new(attempt) }
    }

    /// Draws the messages. Silence in a branch that was visited before goes on; all else ends the way down with its value.
    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Option<f32> {
        let Branch { attempt, visits, .. } = search.tree.branches[branch as usize];
        let Some(belief) = search.tree.turns[turn as usize].belief.clone() else { return Some(0.0) };
        let NodeBelief { state, exposure } = &*belief;
        let (params, until) = (search.params, search.stop.until);
        let outcome = state.outcome(attempt, exposure, params);
        let is_new = visits == 0;
        let samples = if is_new { NUMBERS.samples } else { 1 };
        let next = OnceCell::new();
        let next_state = || next.get_or_init(|| state.after_silence(attempt, params)).clone();
        let mut sum = 0.0;
        for _ in 0..samples {
            let mut is_silent = false;
            let change = outcome.run(&mut Drawn(&mut search.random), params, |_| {
                is_silent = true;
                outcome.exposure_change
            });
            if is_silent && !is_new {
                if search.tree.branches[branch as usize].next.is_none() {
                    search.add_after(branch, next_state());
                }
                return None;
            }
            sum += if is_silent && self.k > 1 {
                play_on(next_state(), self.k - 1, params, until, &mut search.random)
            } else {
                exposure.stand + change
            };
        }
        search.nodes += u64::from(is_new);
        Some(sum / samples as f32)
    }

    fn back_up(self, tree: &mut Tree, _: u32, branch: u32, value: f32) -> f32 {
        tree.branches[branch as usize].average(value, 0.0);
        value
    }
}

/// Plays on for so many moves with random attempts (one that takes back is preferred), the messages drawn; a sample ends with the
/// first message that is not silence, and the exchange that follows it. Many moves take some time: it is broken off when time
/// is up.
pub(super) fn play_on(
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
        let outcome = state.outcome(attempt, &exposure, params);
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
