//! Refutation cores: the few states of a lost turn that are lost already.
//!
//! An attempt fails for some of the states that do not refuse it: for one whose end it is, or for those from which a lost
//! turn below has its own core. [`Blame`] names them. A set of states is lost if each attempt that one of its states
//! does not refuse fails for states of the set: any plan for it begins with such an attempt. So a core grows from one stuck
//! state by the blame for every attempt that it meets, until it is closed; what is refused by the links in front is
//! stuck, so the blame never leads out of the stuck states.

use super::chain::attempts_within;
use super::tree::TurnId;
use super::{Engine, Guide};
use crate::domain::Domain;

/// A set of states of a turn by their places, or all of them: those of the first places have bits, and beliefs deep in
/// a search hold fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blame(u128);

/// Cores are looked for from so many stuck states, the last to come first; the smallest counts.
const STARTS: usize = 3;

impl Blame {
    /// All states of the turn.
    pub(crate) const ALL: Blame = Blame(u128::MAX);

    /// None yet.
    pub(crate) const NOBODY: Blame = Blame(0);

    /// One state.
    pub(crate) fn of(place: u32) -> Blame {
        if place < u128::BITS - 1 { Blame(1 << place) } else { Blame::ALL }
    }

    /// Both.
    pub(crate) fn with(self, other: Blame) -> Blame {
        Blame(self.0 | other.0)
    }

    fn is_all(self) -> bool {
        self == Blame::ALL
    }

    fn is_within(self, other: Blame) -> bool {
        self.0 & !other.0 == 0
    }

    fn without(self, other: Blame) -> Blame {
        Blame(self.0 & !other.0)
    }

    fn len(self) -> u32 {
        self.0.count_ones()
    }

    fn first(self) -> Option<u32> {
        (self.0 != 0).then(|| self.0.trailing_zeros())
    }

    /// The places, in ascending order; not of all.
    fn places(self) -> impl Iterator<Item = u32> {
        let mut left = self;
        std::iter::from_fn(move || {
            let place = left.first()?;
            left = left.without(Blame::of(place));
            Some(place)
        })
    }

    /// The places, of all out of so many.
    pub(super) fn among(self, states: u32) -> Vec<u32> {
        if self.is_all() { (0..states).collect() } else { self.places().collect() }
    }

    /// The states above from which these come.
    pub(super) fn seen_from(self, origins: &[u32]) -> Blame {
        let all = || origins.iter().fold(Blame::NOBODY, |blame, &origin| blame.with(Blame::of(origin)));
        if self.is_all() {
            return all();
        }
        self.places().fold(Blame::NOBODY, |blame, place| blame.with(Blame::of(origins[place as usize])))
    }
}

impl<D: Domain, G: Guide<D>> Engine<'_, D, G> {
    /// A turn whose stuck states have no attempt left is lost; the guide hears of its core, and so does what led here.
    pub(super) fn learn_core(&mut self, id: TurnId) {
        if !G::REMEMBERS {
            return;
        }
        self.blame = self.core(id);
        let turn = &self.tree.turns[id as usize];
        if self.blame.is_all() {
            self.guide.learn_refuted(turn.keys.as_slice(), turn.plies);
        } else {
            let keys: Vec<u128> =
                self.blame.places().map(|place| turn.keys.as_slice()[place as usize]).collect();
            self.guide.learn_refuted(&keys, turn.plies);
        }
    }

    fn core(&self, id: TurnId) -> Blame {
        let stuck = &self.tree.turns[id as usize].stuck;
        let mut smallest = stuck.iter().fold(Blame::NOBODY, |blame, &state| blame.with(Blame::of(state)));
        for &state in stuck.iter().rev().take(STARTS) {
            let core = self.core_from(id, state, smallest);
            if core.len() < smallest.len() {
                smallest = core;
            }
        }
        smallest
    }

    /// The core that grows from one stuck state, or `enough` if it grows as large.
    fn core_from(&self, id: TurnId, state: u32, enough: Blame) -> Blame {
        let turn = &self.tree.turns[id as usize];
        let chain = turn.chain.len() as u32;
        let (mut core, mut seen) = (Blame::of(state), Blame::NOBODY);
        let mut attempts = Vec::new();
        while let Some(place) = core.without(seen).first() {
            seen = seen.with(Blame::of(place));
            if core.len() >= enough.len() {
                return enough;
            }
            attempts.clear();
            attempts_within::<D, G>(self.domain, turn.plies, &turn.states[place as usize], &mut attempts);
            for &attempt in &attempts {
                let failures = turn.failed.iter().zip(&turn.blames);
                let blames = failures
                    .filter(|((other, length), _)| *other == attempt && *length >= chain)
                    .map(|(_, &blame)| blame);
                match blames.min_by_key(|blame| blame.without(core).len()) {
                    Some(blame) if blame.is_within(core) => {}
                    Some(blame) => core = core.with(blame),
                    None => return enough,
                }
            }
        }
        core
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blame_is_passed_on_to_where_states_come_from() {
        let blame = Blame::of(0).with(Blame::of(2));
        assert_eq!(blame.seen_from(&[5, 6, 5]), Blame::of(5));
        assert_eq!(Blame::ALL.seen_from(&[5, 6, 5]), Blame::of(5).with(Blame::of(6)));
        assert_eq!(blame.places().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(Blame::of(200), Blame::ALL, "what has no bit of its own");
    }
}
