//! The table of proved and of refuted beliefs, with dominance (Wolfe & Russell 2007).
//!
//! A strategy for a set wins from every subset, and a superset of a set that has no strategy has none (Russell & Wolfe 2005,
//! Theorem 2). So a proved set is looked up by inclusion of the belief in it, a refuted one, mostly a small core, by its own
//! inclusion in the belief; both are listed under their members. Sets too large for the lists are known by the sum of
//! their keys, as Sakuta & Iida have it: equal sets have equal sums.
//!
//! Memory is bounded: when it is full, the set with the least depth and use among some neighbours makes room.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::incremental::Blame;
use crate::keys::KeySet;

/// Larger cores are seldom met again.
const LARGEST_CORE: usize = 16;

/// Larger proved sets are known by their sums only.
const LARGEST_PROVED: usize = 64;

/// At most so many sets are listed under one state; the oldest gives way.
const MOST_LISTED: usize = 32;

/// So many sets are compared when one has to go.
const COMPARED: usize = 8;

/// Bytes of a set apart from its keys, and of each key with its place in a list, the tables' slack included.
const SET: usize = 64;
const MEMBER: usize = 40;

/// Bytes of a sum with what is known, the table's slack included.
const SUM: usize = 40;

/// Proved and refuted sets.
pub(super) struct Beliefs {
    refuted: Sets,
    proved: Sets,
    /// Sets beyond the lists: most plies refuted, fewest plies proved.
    sums: HashMap<u128, (u8, u8), FixedState>,
    most_sums: usize,
}

/// Sets under their members.
#[derive(Default)]
struct Sets {
    all: Vec<Set>,
    by_member: HashMap<u128, Vec<(u32, u32)>, FixedState>,
    bytes: usize,
    most_bytes: usize,
    hand: usize,
}

struct Set {
    keys: Box<[u128]>,
    plies: u8,
    /// How often it was of use.
    uses: u8,
    /// Tells the sets apart that have had this place.
    generation: u32,
}

impl Beliefs {
    /// A table that keeps within about so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let sets = || Sets { most_bytes: bytes * 2 / 5, ..Sets::default() };
        Beliefs { refuted: sets(), proved: sets(), sums: HashMap::default(), most_sums: bytes / 5 / SUM }
    }

    /// The bytes held, by estimate.
    pub(super) fn bytes(&self) -> usize {
        self.refuted.bytes + self.proved.bytes + self.sums.len() * SUM
    }

    /// These states together are lost within `plies`.
    pub(super) fn learn_refuted(&mut self, keys: &[u128], plies: u32) {
        let plies = plies.min(255) as u8;
        if keys.len() <= LARGEST_CORE {
            self.refuted.add(keys, plies);
        } else if let Some(known) = self.sum(sum(keys)) {
            known.0 = known.0.max(plies);
        }
    }

    /// These states together are won within `plies`.
    pub(super) fn learn_proved(&mut self, keys: &[u128], sum: u128, plies: u32) {
        let plies = plies.min(255) as u8;
        if keys.len() <= LARGEST_PROVED {
            self.proved.add(keys, plies);
        } else if let Some(known) = self.sum(sum) {
            known.1 = known.1.min(plies);
        }
    }

    /// A known refuted set within the belief that holds the state which has come last.
    pub(super) fn refuted_within(&mut self, belief: &KeySet, plies: u32) -> Option<Blame> {
        let &newcomer = belief.as_slice().last()?;
        let found = self.refuted.find(newcomer, |set| {
            u32::from(set.plies) >= plies && set.keys.iter().all(|&key| belief.contains(key))
        });
        if let Some(set) = found {
            let places = set.keys.iter().filter_map(|&key| belief.position(key));
            return Some(places.fold(Blame::NOBODY, |blame, place| blame.with(Blame::of(place))));
        }
        if belief.as_slice().len() <= LARGEST_CORE || self.sums.is_empty() {
            return None;
        }
        let known = self.sums.get(&sum(belief.as_slice()))?;
        (u32::from(known.0) >= plies).then_some(Blame::ALL)
    }

    /// Whether a known proved set holds all of the belief.
    pub(super) fn proves(&mut self, belief: &KeySet, sum: u128, plies: u32) -> bool {
        let keys = belief.as_slice();
        let Some(&first) = keys.first() else { return false };
        let within = |set: &Set| {
            u32::from(set.plies) <= plies
                && set.keys.len() >= keys.len()
                && keys.iter().all(|key| set.keys.binary_search(key).is_ok())
        };
        self.proved.find(first, within).is_some()
            || self.sums.get(&sum).is_some_and(|known| u32::from(known.1) <= plies)
    }

    /// What is known of a sum, if there is room for one more.
    fn sum(&mut self, sum: u128) -> Option<&mut (u8, u8)> {
        if self.sums.len() >= self.most_sums && !self.sums.contains_key(&sum) {
            // Any one gives way: sums tell nothing of each other.
            let old = *self.sums.keys().next()?;
            self.sums.remove(&old);
        }
        Some(self.sums.entry(sum).or_insert((0, u8::MAX)))
    }
}

impl Sets {
    fn add(&mut self, keys: &[u128], plies: u8) {
        let bytes = bytes_of(keys.len());
        if keys.is_empty() || bytes * COMPARED > self.most_bytes {
            return;
        }
        let mut keys: Box<[u128]> = keys.into();
        keys.sort_unstable();
        let place = if self.bytes + bytes > self.most_bytes { self.evict() } else { self.all.len() };
        let mut set = Set { plies, uses: 0, generation: 0, keys };
        self.bytes += bytes;
        if let Some(old) = self.all.get(place) {
            set.generation = old.generation.wrapping_add(1);
        }
        for &key in &set.keys {
            let list = self.by_member.entry(key).or_default();
            if list.len() >= MOST_LISTED {
                list.remove(0);
            }
            list.push((place as u32, set.generation));
        }
        if place < self.all.len() {
            self.all[place] = set;
        } else {
            self.all.push(set);
        }
    }

    /// Makes room: the set of least depth and use among some neighbours goes; its place.
    fn evict(&mut self) -> usize {
        let compared = (0..COMPARED).map(|step| (self.hand + step) % self.all.len());
        let worth = |&place: &usize| {
            let set = &self.all[place];
            u32::from(set.plies) + u32::from(set.uses)
        };
        let place = compared.min_by_key(worth).unwrap_or(0);
        self.hand = (self.hand + COMPARED) % self.all.len();
        let keys = std::mem::take(&mut self.all[place].keys);
        let generation = self.all[place].generation;
        for key in &keys {
            if let Some(list) = self.by_member.get_mut(key) {
                list.retain(|&entry| entry != (place as u32, generation));
                if list.is_empty() {
                    self.by_member.remove(key);
                }
            }
        }
        self.bytes -= bytes_of(keys.len());
        place
    }

    /// The first set listed under a state of which `fits` holds.
    fn find(&mut self, member: u128, fits: impl Fn(&Set) -> bool) -> Option<&Set> {
        let list = self.by_member.get(&member)?;
        let sets = &mut self.all;
        let live = |&&(place, generation): &&(u32, u32)| sets[place as usize].generation == generation;
        let place = list
            .iter()
            .rev()
            .filter(live)
            .map(|&(place, _)| place as usize)
            .find(|&place| fits(&sets[place]))?;
        sets[place].uses = sets[place].uses.saturating_add(1);
        Some(&sets[place])
    }
}

fn bytes_of(keys: usize) -> usize {
    SET + keys * MEMBER
}

/// The sum that stands for a set.
fn sum(keys: &[u128]) -> u128 {
    keys.iter().fold(0, |sum, key| sum.wrapping_add(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(keys: &[u128]) -> KeySet {
        let mut set = KeySet::default();
        assert!(keys.iter().all(|&key| set.insert(key)));
        set
    }

    #[test]
    fn supersets_of_refuted_sets_are_refuted_and_nothing_else_is() {
        let mut beliefs = Beliefs::new(1 << 20);
        beliefs.learn_refuted(&[1, 2], 3);
        let mut blame = |keys: &[u128], plies| beliefs.refuted_within(&set(keys), plies);
        assert_eq!(blame(&[5, 1, 2], 3), Some(Blame::of(1).with(Blame::of(2))));
        assert!(blame(&[2, 1], 1).is_some());
        assert_eq!(blame(&[5, 1], 3), None, "a part is not the whole");
        assert_eq!(blame(&[1, 2], 5), None, "a deeper win may exist");
    }

    #[test]
    fn subsets_of_proved_sets_are_proved_and_nothing_else_is() {
        let mut beliefs = Beliefs::new(1 << 20);
        beliefs.learn_proved(&[3, 1, 2], 6, 5);
        let mut proves = |keys: &[u128], plies| beliefs.proves(&set(keys), sum(keys), plies);
        assert!(proves(&[2, 3], 5) && proves(&[1, 2, 3], 7));
        assert!(!proves(&[2, 4], 5), "more than was proved");
        assert!(!proves(&[2, 3], 3), "a quicker win need not exist");
    }

    #[test]
    fn large_sets_are_known_by_their_sums() {
        let mut beliefs = Beliefs::new(1 << 20);
        let keys: Vec<u128> = (0..100).map(|key| key * key + 7).collect();
        beliefs.learn_proved(&keys, sum(&keys), 5);
        assert!(beliefs.proves(&set(&keys), sum(&keys), 5));
        beliefs.learn_refuted(&keys, 3);
        assert_eq!(beliefs.refuted_within(&set(&keys), 3), Some(Blame::ALL));
        assert_eq!(beliefs.refuted_within(&set(&keys[1..]), 3), None);
    }

    #[test]
    fn a_full_table_keeps_what_is_deep_and_used_and_its_bound() {
        let mut beliefs = Beliefs::new(200_000);
        beliefs.learn_refuted(&[1, 2], 9);
        for key in (100..100_000).step_by(2) {
            beliefs.learn_refuted(&[key, key + 1], 3);
            assert!(beliefs.bytes() <= 200_000);
        }
        assert!(beliefs.refuted_within(&set(&[1, 2]), 9).is_some(), "the deepest stays");
        assert!(beliefs.refuted_within(&set(&[99_998, 99_999]), 3).is_some(), "so does the last");
        assert!(beliefs.refuted_within(&set(&[100, 101]), 3).is_none());
    }
}
