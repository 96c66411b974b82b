//! Sets of state keys, small ones without hashing.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Up to here a scan beats a hash table: most beliefs deep in a search hold a handful of states.
const SCAN: usize = 24;

/// Bytes that a state takes with its key in a set, by estimate: vectors are three quarters full on average, tables two
/// thirds.
pub(crate) const fn bytes_with_key<S>() -> usize {
    size_of::<S>() * 4 / 3 + size_of::<u128>() * 3
}

/// A set of keys that remembers the order of insertion.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeySet {
    keys: Vec<u128>,
    index: HashMap<u128, u32, FixedState>,
}

impl KeySet {
    pub(crate) fn contains(&self, key: u128) -> bool {
        if self.keys.len() <= SCAN { self.keys.contains(&key) } else { self.index.contains_key(&key) }
    }

    /// Where a key stands in the order of insertion.
    pub(crate) fn position(&self, key: u128) -> Option<u32> {
        if self.keys.len() <= SCAN {
            self.keys.iter().position(|&other| other == key).map(|at| at as u32)
        } else {
            self.index.get(&key).copied()
        }
    }

    /// Adds a key; false if it was there.
    pub(crate) fn insert(&mut self, key: u128) -> bool {
        if self.contains(key) {
            return false;
        }
        self.keys.push(key);
        if self.keys.len() == SCAN + 1 {
            self.index.extend(self.keys.iter().zip(0..).map(|(&key, at)| (key, at)));
        } else if self.keys.len() > SCAN {
            self.index.insert(key, self.keys.len() as u32 - 1);
        }
        true
    }

    /// The bytes that the set has allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u128>() + self.index.allocation_size()
    }

    pub(crate) fn as_slice(&self) -> &[u128] {
        &self.keys
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.index.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_small_and_large_hold_each_key_once() {
        let mut set = KeySet::default();
        for round in 0..2 {
            for key in 0..100 {
                assert_eq!(set.contains(key), round == 1);
                assert_eq!(set.insert(key), round == 0);
                assert_eq!(set.position(key), Some(key as u32));
            }
        }
        assert_eq!(set.as_slice().len(), 100);
        set.clear();
        assert!(!set.contains(99) && set.insert(99));
    }
}
