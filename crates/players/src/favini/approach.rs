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

impl Grown {
    /// Trees that had each a part of the attempts.
    pub(crate) fn dealt(trees: Vec<Grown>) -> Grown {
        trees.into_iter().fold(Grown::default(), |mut all, Grown { branches, effort }| {
            all.branches.extend(branches);
            all.effort = (all.effort.0 + effort.0, all.effort.1 + effort.1);
            all
        })
    }

    /// Trees that had each all of the attempts, in the same order: visits are summed, values averaged by them.
    pub(crate) fn added(trees: Vec<Grown>) -> Grown {
        let mut trees = trees.into_iter();
        let Some(first) = trees.next() else { return Grown::default() };
        trees.fold(first, |mut all, Grown { branches, effort }| {
            for (sum, branch) in all.branches.iter_mut().zip(branches) {
                let visits = sum.visits + branch.visits;
                if branch.visits > 0 {
                    sum.value += (branch.value - sum.value) * branch.visits as f32 / visits as f32;
                }
                sum.visits = visits;
            }
            all.effort = (all.effort.0 + effort.0, all.effort.1 + effort.1);
            all
        })
    }
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
pub(super) fn visits_first(branch: &Branch) -> f32 {
    (branch.visits as f32).ln_1p() + branch.value / 1000.0
}

/// Where a way down the tree goes from a branch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Way {
    /// It ends here with a value; a turn may have been added to the tree, whose value it is.
    Ends(f32, Option<u32>),
    /// It goes on with this turn.
    GoesOn(u32),
}

/// A step of a way down the tree: from a turn by a branch, and where to, if that is in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Descent {
    pub(crate) turn: u32,
    pub(crate) branch: u32,
    pub(crate) next: Option<u32>,
}

/// Through which messages tree and samples go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Through {
    /// Silence only; every other message ends the line.
    Silence,
    /// Every message, as in the paper's Figure 3.
    Messages,
}

/// What differs among the searches over messages.
pub(crate) trait MessageSearch: Copy + Debug + Send + Sync {
    /// A branch that nobody has visited, with what can be said of it beforehand.
    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, belief: &NodeBelief) -> Branch;

    /// Looks once more at all branches of a new turn that is worth `stand`.
    fn compare(self, _: &mut Search<'_, Self>, _turn: u32, _branches: &mut [Branch], _stand: f32) {}

    /// Goes down a branch.
    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Way;

    /// Takes the value of what followed into the branch of a step; gives the value of its turn to those above it.
    fn back_up(self, tree: &mut Tree, step: Descent, value: f32) -> f32;

    /// What the choice goes by: the visits where values are averages.
    fn choose_by(self, branch: &Branch) -> f32 {
        visits_first(branch)
    }
}
