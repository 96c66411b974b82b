//! Approach B: messages are drawn for so many moves, and until the exchange is over (Ciancarini and Favini 2010, section 5.2).

use std::cell::OnceCell;

use nebel_kriegspiel::Attempt;
use rand::{RngExt, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    approach::{Descent, MessageSearch, Through, Way},
    chance::Drawn,
    heard::Heard,
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
    pub(crate) through: Through,
}

/// How many attempts of a sample may be refused.
const MOST_REFUSED: u32 = 40;

/// More than any balance: branches that nobody has visited come first.
const UNVISITED: f32 = 1000.0;

impl MessageSearch for Messages {
    /// In no order.
    fn branch(self, search: &mut Search<'_, Self>, attempt: Attempt, _: &NodeBelief) -> Branch {
        Branch { value: UNVISITED + search.random.random::<f32>(), ..Branch::new(attempt) }
    }

    /// Draws the messages. Silence in a branch that was visited before goes on; all else ends the way down with its value, unless the
    /// tree has every message.
    fn descend(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Way {
        if self.through == Through::Messages {
            return self.descend_heard(search, turn, branch).unwrap_or(Way::Ends(0.0, None));
        }
        let Branch { attempt, visits, .. } = search.tree.branches[branch as usize];
        let Some(belief) = search.tree.turns[turn as usize].belief.clone() else {
            return Way::Ends(0.0, None);
        };
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
                let known = search.tree.branches[branch as usize].next;
                return Way::GoesOn(known.unwrap_or_else(|| search.add_after(branch, next_state())));
            }
            sum += if is_silent && self.k > 1 {
                play_on(next_state(), self.k - 1, Through::Silence, params, until, &mut search.random)
            } else {
                exposure.stand + change
            };
        }
        search.nodes += u64::from(is_new);
        Way::Ends(sum / samples as f32, None)
    }

    fn back_up(self, tree: &mut Tree, step: Descent, value: f32) -> f32 {
        tree.branches[step.branch as usize].average(value, 0.0);
        value
    }
}

impl Messages {
    /// The same where the tree has every message. The first move is the one of the branch, so that k = 1 explores nothing behind it but
    /// the exchange.
    fn descend_heard(self, search: &mut Search<'_, Self>, turn: u32, branch: u32) -> Option<Way> {
        let Branch { attempt, visits, .. } = search.tree.branches[branch as usize];
        let belief = search.tree.turns[turn as usize].belief.clone()?;
        let NodeBelief { state, exposure } = &*belief;
        let (params, until) = (search.params, search.stop.until);
        let outcome = state.outcome(attempt, exposure, params);
        if visits > 0 {
            let heard = outcome.draw(&mut search.random);
            let known = search.tree.known_after(branch, heard.into());
            return known.or_else(|| search.add_heard(turn, branch, heard)).map(Way::GoesOn);
        }
        let mut sum = 0.0;
        for _ in 0..NUMBERS.samples {
            let random = &mut search.random;
            let heard = outcome.draw(random);
            sum += if self.k > 1 {
                let moves = self.k - u32::from(heard != Heard::Refused);
                let next = state.after(attempt, heard, exposure, params);
                play_on(next, moves, Through::Messages, params, until, random)
            } else {
                exposure.stand + outcome.change(heard, &mut Drawn(random), params)
            };
        }
        search.nodes += 1;
        Some(Way::Ends(sum / NUMBERS.samples as f32, None))
    }
}

/// Plays on for so many moves with random attempts (one that takes back is preferred), the messages drawn. A sample ends with the
/// first message that is not silence, and the exchange that follows it; or it goes on through every message, the exchange behind the last
/// move. Many moves take some time: it is broken off when time is up.
pub(super) fn play_on(
    mut state: State,
    moves: u32,
    through: Through,
    params: &SearchParams,
    until: &Budget,
    random: &mut Xoshiro256PlusPlus,
) -> f32 {
    // A refusal is no move; where nearly everything is refused, a sample has an end all the same.
    let (mut made, mut refused) = (0, 0);
    while made < moves && refused < MOST_REFUSED {
        if until.is_over() {
            break;
        }
        let attempts = state.attempts();
        let takes_back = attempts.iter().find(|attempt| Some(attempt.to) == state.contested);
        let Some(&attempt) = takes_back.or_else(|| attempts.choose(random)) else { break };
        let exposure = state.exposure(params);
        let outcome = state.outcome(attempt, &exposure, params);
        if through == Through::Messages {
            let heard = outcome.draw(random);
            let is_move = heard != Heard::Refused;
            made += u32::from(is_move);
            refused += u32::from(!is_move);
            if is_move && made == moves {
                return exposure.stand + outcome.change(heard, &mut Drawn(random), params);
            }
            state = state.after(attempt, heard, &exposure, params);
            continue;
        }
        made += 1;
        let mut is_silent = false;
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
