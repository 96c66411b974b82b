//! "Attack this square" plans: the progressive strategy that Ciancarini and Favini (2010, section 7) propose, as
//! their later program has it.
//!
//! A plan is a square where something hidden probably stands. Each way down the tree follows one plan, chosen by UCT
//! among the live ones on the best value that it has led to, and attempts that newly attack its square are
//! preferred a little, the less the more often they were visited (progressive bias, as in their reference 21).

use nebel_kriegspiel::{Attempt, Bitboard, OwnMen, Square};

use super::{numbers::NUMBERS, tree::Branch};
use nebel_belief::matrices::{Matrices, evidence::attacks_from};

/// The live plans of a search.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    plans: Vec<AttackPlan>,
    total: u32,
}

/// One square to be attacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttackPlan {
    square: Square,
    visits: u32,
    best: f32,
}

impl Plans {
    /// The plans that what is believed suggests.
    pub(crate) fn new(hidden: &Matrices) -> Plans {
        let live = Bitboard::FULL.into_iter().filter(|&square| hidden.man(square) > NUMBERS.plans.live);
        Plans {
            plans: live.map(|square| AttackPlan { square, visits: 0, best: f32::MIN }).collect(),
            total: 0,
        }
    }

    /// The plan to follow next.
    pub(crate) fn choose(&mut self) -> Option<AttackPlan> {
        let log = ((self.total + 1) as f32).ln();
        let score = |plan: &AttackPlan| {
            if plan.visits == 0 {
                f32::MAX
            } else {
                plan.best + NUMBERS.plans.explore * (log / plan.visits as f32).sqrt()
            }
        };
        self.plans.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)))
    }

    /// A way down that followed a plan had this value.
    pub(crate) fn learn(&mut self, followed: &AttackPlan, value: f32) {
        self.total += 1;
        if let Some(plan) = self.plans.iter_mut().find(|plan| plan.square == followed.square) {
            plan.visits += 1;
            plan.best = plan.best.max(value);
        }
    }
}

impl AttackPlan {
    /// What a branch is preferred by under this plan. It fades with visits, as a progressive bias does: what was seen of a branch counts
    /// more and more.
    pub(crate) fn bonus(&self, branch: &Branch) -> f32 {
        let is_progress = branch.gains.contains(self.square);
        if is_progress { NUMBERS.plans.progress / (branch.visits + 1) as f32 } else { 0.0 }
    }
}

/// The squares that a man attacks after an attempt and did not before.
pub(crate) fn gains(men: &OwnMen, attempt: Attempt) -> Bitboard {
    let mut after = men.clone();
    after.make(attempt);
    let now = attacks_from(men, attempt.from, men.squares());
    attacks_from(&after, attempt.to, after.squares()) & !now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_adds_fades_with_visits() {
        let plan = AttackPlan { square: Square::E5, visits: 0, best: 0.0 };
        let mut branch = Branch::new("g1f3".parse().unwrap());
        assert!(plan.bonus(&branch).abs() < 1e-9, "it does not attack the square");
        branch.gains = Bitboard::from_square(Square::E5);
        let first = plan.bonus(&branch);
        branch.visits = 9;
        assert!((first - NUMBERS.plans.progress).abs() < 1e-6);
        assert!((plan.bonus(&branch) - first / 10.0).abs() < 1e-6);
    }
}
