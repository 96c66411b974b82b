//! Approach C: the expectation of one move and its exchange (Ciancarini and Favini 2010, section 5.3).

use nebel_kriegspiel::Attempt;

use super::{
    approach::{Descent, MessageSearch, Through, Way, visits_first},
    chance::Expected,
    search::Search,
    tree::{Branch, NodeBelief, Tree},
};

/// Expectations; maxima over moves, means over messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Expectation {
    /// How much of a turn's own value stays when its best move is known: 0 in the paper, 0.5 in the program.
    pub(crate) conservation: f32,
    pub(crate) through: Through,
    pub(crate) choice: ChoiceBy,
}

/// What decides at the root of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChoiceBy {
    /// The best value.
    Value,
    /// The most visits, as in the paper (section 2).
    Visits,
}

impl MessageSearch for Expectation {
    fn choose_by(self, branch: &Branch) -> f32 {
        match self.choice {
            ChoiceBy::Value => branch.value,
            ChoiceBy::Visits => visits_first(branch),
        }
    }

    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, belief: &NodeBelief) -> Branch {
        expected_branch(search, attempt, belief)
    }

    /// The search goes on after silence only, but the game goes on after every message. So that waiting does not look better than
    /// taking, and a line that was looked at further not better than another, every line that ends is given
    /// what the root's best move promises, again and again: its gain g, of which each turn keeps the share that conservation leaves.
    /// A refusal ends nothing: the turn's best move can still be made (the program: "parent − 0.01"). With the paper's plain maximum
    /// nothing is promised, since its sum has no limit; nor where the tree itself goes on after every message.
    fn compare(self, search: &mut Search<'_, Self>, turn: u32, branches: &mut [Branch], stand: f32) {
        if self.conservation <= 0.0 || self.through == Through::Messages {
            return;
        }
        let Some(best) = branches.iter().map(|branch| branch.value).max_by(f32::total_cmp) else { return };
        let gain = best - stand;
        if turn == Tree::ROOT {
            search.continuation_bonus = (1.0 - self.conservation) * gain / self.conservation;
        }
        let bonus = search.continuation_bonus;
        for branch in branches {
            let again = branch.refused * (gain + bonus);
            branch.announced_value += again + (1.0 - branch.silence - branch.refused) * bonus;
            branch.value += again + (1.0 - branch.refused) * bonus;
        }
    }

    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Way {
        if self.through == Through::Messages {
            return self.descend_heard(search, turn, branch).unwrap_or(Way::Ends(0.0, None));
        }
        if let Some(next) = search.tree.branches[branch as usize].next {
            return Way::GoesOn(next);
        }
        let Some(next) = search.state_after(turn, branch) else { return Way::Ends(0.0, None) };
        let child = search.add_after(branch, next);
        Way::Ends(self.worth(&search.tree, child), Some(child))
    }

    fn back_up(self, tree: &mut Tree, step: Descent, value: f32) -> f32 {
        let branch = &mut tree.branches[step.branch as usize];
        branch.visits += 1;
        match (self.through, step.next) {
            (Through::Silence, _) => branch.value = branch.with_silence_worth(value),
            (Through::Messages, None) => {}
            // The mean over messages: one of them has another value now.
            (Through::Messages, Some(next)) => {
                let next = &mut tree.turns[next as usize];
                branch.value += next.share * (value - next.counted);
                next.counted = value;
            }
        }
        self.worth(tree, step.turn)
    }
}

impl Expectation {
    /// Draws what is heard and goes on with that turn; one that is new ends the way with what it is worth.
    fn descend_heard(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Option<Way> {
        let attempt = search.tree.branches[branch as usize].attempt;
        let belief = search.tree.turns[turn as usize].belief.clone()?;
        let outcome = belief.state.outcome(attempt, &belief.exposure, search.params);
        let heard = outcome.draw(&mut search.random);
        if let Some(next) = search.tree.known_after(branch, heard.into()) {
            return Some(Way::GoesOn(next));
        }
        let counted = belief.exposure.stand + outcome.change(heard, &mut Expected, search.params);
        let child = search.add_heard(turn, branch, heard)?;
        let node = &mut search.tree.turns[child as usize];
        (node.share, node.counted) = (outcome.shares()[heard as usize], counted);
        Some(Way::Ends(self.worth(&search.tree, child), Some(child)))
    }

    /// What an expanded turn is worth: its best branch, by as much as conservation leaves.
    fn worth(self, tree: &Tree, turn: u32) -> f32 {
        let own = tree.turns[turn as usize].value;
        let blend = |best: f32| (1.0 - self.conservation) * best + self.conservation * own;
        tree.best_value(turn).map_or(own, blend)
    }
}

/// A branch with the expectation of its move and the exchange.
pub(super) fn expected_branch<A: MessageSearch>(
    search: &mut Search<'_, A>,
    attempt: Attempt,
    belief: &NodeBelief,
) -> Branch {
    let NodeBelief { state, exposure } = belief;
    let outcome = state.outcome(attempt, exposure, search.params);
    let announced = outcome.run(&mut Expected, search.params, |_| 0.0);
    let silence = outcome.silence();
    // The change by the move itself is part of silence too.
    let silent_worth = exposure.stand + outcome.step + outcome.exposure_change;
    search.nodes += 1;
    let mut branch = Branch::new(attempt);
    branch.silence = silence;
    branch.announced_value = exposure.stand * (1.0 - silence) + announced - silence * outcome.step;
    branch.value = branch.with_silence_worth(silent_worth);
    branch.refused = 1.0 - outcome.odds.legal;
    branch
}
