//! Refuted sets of states, looked up by inclusion.
//!
//! A superset of a belief that has no strategy has none (Russell & Wolfe 2005, Theorem 2; tables of such sets in Wolfe &
//! Russell 2007). Sets are listed under each of their members, so that a turn which takes in a state only looks at the
//! sets that the state can complete.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Larger sets are seldom met again.
const MAX_STATES: usize = 12;

/// At most so many sets are listed under one state.
const MAX_LISTED: usize = 64;

/// The sets.
#[derive(Default)]
pub(super) struct Refuted {
    sets: Vec<Set>,
    by_member: HashMap<u128, Vec<u32>, FixedState>,
}

struct Set {
    keys: Box<[u128]>,
    plies: u32,
}

impl Refuted {
    /// These states together are lost within `plies`.
    pub(super) fn learn(&mut self, keys: &[u128], plies: u32) {
        if keys.is_empty() || keys.len() > MAX_STATES {
            return;
        }
        let id = self.sets.len() as u32;
        let mut listed = false;
        for &key in keys {
            let list = self.by_member.entry(key).or_default();
            if list.len() < MAX_LISTED {
                list.push(id);
                listed = true;
            }
        }
        if listed {
            self.sets.push(Set { keys: keys.into(), plies });
        }
    }

    /// Whether a known set that contains `newcomer` lies within the belief that `contains` describes.
    pub(super) fn covers(&self, newcomer: u128, contains: impl Fn(u128) -> bool, plies: u32) -> bool {
        let Some(list) = self.by_member.get(&newcomer) else {
            return false;
        };
        list.iter().any(|&id| {
            let set = &self.sets[id as usize];
            set.plies >= plies && set.keys.iter().all(|&key| contains(key))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supersets_of_refuted_sets_are_refuted_and_nothing_else_is() {
        let mut refuted = Refuted::default();
        refuted.learn(&[1, 2], 3);
        let covers =
            |belief: &[u128], newcomer, plies| refuted.covers(newcomer, |key| belief.contains(&key), plies);
        assert!(covers(&[5, 1, 2], 2, 3) && covers(&[1, 2], 1, 1));
        assert!(!covers(&[1, 5], 1, 3), "a part is not the whole");
        assert!(!covers(&[1, 2], 2, 5), "a deeper win may exist");
    }
}
