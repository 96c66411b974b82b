//! B and C together: the first move's expectation as in C, messages drawn for the moves behind it as in B.

use nebel_kriegspiel::Attempt;

use super::{
    approach::{Descent, MessageSearch, Through, Way},
    expectation::expected_branch,
    messages::play_on,
    numbers::NUMBERS,
    search::Search,
    tree::{Branch, NodeBelief, Tree},
};

/// An expectation, then messages drawn for `k - 1` moves; averages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hybrid {
    pub(crate) k: u32,
}

impl MessageSearch for Hybrid {
    fn choose_by(self, branch: &Branch) -> f32 {
        branch.value
    }

    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, belief: &NodeBelief) -> Branch {
        expected_branch(search, attempt, belief)
    }

    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Way {
        if let Some(next) = search.tree.branches[branch as usize].next {
            return Way::GoesOn(next);
        }
        let Some(next) = search.state_after(turn, branch) else { return Way::Ends(0.0, None) };
        let (params, until, moves) = (search.params, search.stop.until, self.k.saturating_sub(1));
        let samples = NUMBERS.samples;
        let runs = (0..samples)
            .map(|_| play_on(next.clone(), moves, Through::Silence, params, until, &mut search.random));
        let value = runs.sum::<f32>() / samples as f32;
        let child = search.add_after(branch, next);
        search.nodes += 1;
        Way::Ends(value, Some(child))
    }

    fn back_up(self, tree: &mut Tree, step: Descent, value: f32) -> f32 {
        let branch = &mut tree.branches[step.branch as usize];
        let value = branch.with_silence_worth(value);
        branch.average(value, NUMBERS.expected_counts);
        value
    }
}
