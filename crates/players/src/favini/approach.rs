//! What tells the approaches apart: how a leaf is valued and how values travel up.
//!
//! Each is a small type: [`Boards`](super::boards::Boards) is A, [`Messages`](super::messages::Messages) is B,
//! [`Expectation`](super::expectation::Expectation) is C and [`Hybrid`](super::hybrid::Hybrid) is B and C. An [`Approach`] weighs the
//! attempts of a turn; those that search over messages share the tree and its search ([`Search`]) and fill in what differs
//! ([`MessageSearch`]).

use std::fmt::Debug;

use nebel_kriegspiel::Attempt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    choose::Root,
    search::{Search, Stop},
    tree::{Branch, NodeBelief, Tree},
};

/// The root's branches as they were valued.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    pub(crate) branches: Vec<Branch>,
    /// Nodes valued, and ways down the tree.
    pub(crate) effort: (u64, u64),
}

/// A way to weigh the attempts of a turn.
pub(crate) trait Approach: Debug + Send + Sync {
    /// Grows a tree from these attempts until it must stop.
    fn grow(
        &self,
        root: &Root<'_>,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Grown;

    /// What the choice goes by: the visits where values are averages.
    fn score(&self, branch: &Branch) -> f32 {
        visits_first(branch)
    }
}

/// Every search over messages weighs by its tree.
impl<S: MessageSearch> Approach for S {
    fn grow(
        &self,
        root: &Root<'_>,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Grown {
        root.search(*self, attempts, stop, random)
    }

    fn score(&self, branch: &Branch) -> f32 {
        self.choose_by(branch)
    }
}

/// The visits, and by the way the value.
fn visits_first(branch: &Branch) -> f32 {
    (branch.visits as f32).ln_1p() + branch.value / 1000.0
}

/// What differs among the searches over messages.
pub(crate) trait MessageSearch: Copy + Debug + Send + Sync {
    /// A branch that nobody has visited, with what can be said of it beforehand.
    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, belief: &NodeBelief) -> Branch;

    /// Looks once more at all branches of a new turn that is worth `stand`.
    fn compare(self, _: &mut Search<'_, Self>, _turn: u32, _branches: &mut [Branch], _stand: f32) {}

    /// Goes down a branch: the value with which the way ends here, or nothing if it goes on with the branch's next turn.
    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Option<f32>;

    /// Takes the value of what followed into a branch of a turn; gives the value of the turn to those above it.
    fn back_up(self, tree: &mut Tree, turn: u32, branch: u32, value: f32) -> f32;

    /// What the choice goes by: the visits where values are averages.
    fn choose_by(self, branch: &Branch) -> f32 {
        visits_first(branch)
    }
}
