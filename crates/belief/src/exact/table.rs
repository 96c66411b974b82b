//! A set of packed positions, made for merging: it only grows, and ends as a plain list.
//!
//! The positions stand in a list in the order in which they came, and beside it an index by their hashes: open addressing with
//! linear probing, four bytes a place. A place holds the number of a position and, in the bits that the number does not need, a part of its hash,
//! so that the list is looked at only where the position is very likely found. What is new goes to the end of the list, which is in the
//! cache. The order has another use: positions that come from one are near each other, and so, when they are expanded in
//! their turn, are the places where what follows from them is found.

use crate::exact::budget::{Budget, SLOT};

/// A growing set of positions.
#[derive(Debug, Default)]
pub(crate) struct KeyTable {
    keys: Vec<u128>,
    /// Two to some power of places, or none: the complement of a number in the low bits and a part of the hash above; zero is a free place.
    places: Vec<u32>,
}

/// Why no more positions are taken: the caller's limit is reached, or the machine's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    Positions,
    Bytes,
    Memory,
    /// Somebody wants the work no more.
    Stopped,
}

/// Positions that are looked up together.
const BLOCK: usize = 32;
/// Places of the smallest index: room for a block.
const FEWEST_PLACES: usize = 64;
/// The most places of one index; a number of a position never has all their bits.
const MOST_PLACES: usize = 1 << 31;
/// Bytes of a place.
const PLACE: usize = size_of::<u32>();

impl KeyTable {
    /// Adds positions; how many of them were new.
    pub(crate) fn insert_all(&mut self, keys: &[u128], budget: &Budget) -> Result<usize, Full> {
        let before = self.keys.len();
        for block in keys.chunks(BLOCK) {
            self.make_room(block.len(), budget)?;
            self.insert_block(block);
        }
        let new = self.keys.len() - before;
        budget.add_positions(new)?;
        Ok(new)
    }

    /// Adds a few positions, for which there is room. All their places are touched before the first is
    /// decided on, so that the waits for memory overlap instead of adding up.
    #[inline]
    fn insert_block(&mut self, block: &[u128]) {
        let KeyTable { keys, places } = self;
        let numbers = places.len() - 1;
        let shift = places.len().leading_zeros() + 1;
        let mask = numbers as u32;
        let mut hashes = [0; BLOCK];
        let mut touched = 0;
        for (at, &key) in hashes.iter_mut().zip(block) {
            *at = hash(key);
            touched ^= places[(*at >> shift) as usize & numbers];
        }
        let mut touched = u64::from(std::hint::black_box(touched));
        for &hash in &hashes[..block.len()] {
            let found = !places[(hash >> shift) as usize & numbers];
            let number = if (found ^ hash as u32) & !mask == 0 { found & mask } else { 0 };
            touched ^= keys.get(number as usize).map_or(0, |&key| key as u64);
        }
        std::hint::black_box(touched);
        for (&hash, &key) in hashes.iter().zip(block) {
            let mut place = (hash >> shift) as usize;
            loop {
                let entry = &mut places[place & numbers];
                if *entry == 0 {
                    *entry = !(hash as u32 & !mask | keys.len() as u32);
                    keys.push(key);
                    break;
                }
                let found = !*entry;
                if (found ^ hash as u32) & !mask == 0 && keys[(found & mask) as usize] == key {
                    break;
                }
                place += 1;
            }
        }
    }

    /// The positions as a list that takes no more room than they need.
    pub(crate) fn into_list(self, budget: &Budget) -> Vec<u128> {
        let KeyTable { mut keys, places } = self;
        let before = keys.capacity();
        keys.shrink_to_fit();
        budget.free(before - keys.capacity().min(before) + room(places.len()));
        keys
    }

    /// Makes room for so many more positions.
    #[inline]
    fn make_room(&mut self, more: usize, budget: &Budget) -> Result<(), Full> {
        let len = self.keys.len() + more;
        if len > self.keys.capacity() {
            self.lengthen(budget)?;
        }
        // Probing gets long beyond.
        while len > self.places.len() / 4 * 3 {
            self.widen(budget)?;
        }
        Ok(())
    }

    #[cold]
    fn lengthen(&mut self, budget: &Budget) -> Result<(), Full> {
        let more = self.keys.capacity().max(FEWEST_PLACES);
        budget.take(more)?;
        let before = self.keys.capacity();
        if self.keys.try_reserve_exact(before + more - self.keys.len()).is_err() {
            budget.free(more);
            return Err(Full::Memory);
        }
        Ok(())
    }

    #[cold]
    fn widen(&mut self, budget: &Budget) -> Result<(), Full> {
        let count = (self.places.len() * 2).max(FEWEST_PLACES);
        if count > MOST_PLACES {
            return Err(Full::Memory);
        }
        let mut places: Vec<u32> = Vec::new();
        budget.take(room(count))?;
        if places.try_reserve_exact(count).is_err() {
            budget.free(room(count));
            return Err(Full::Memory);
        }
        places.resize(count, 0);
        let (numbers, shift) = (count - 1, count.leading_zeros() + 1);
        for (number, &key) in self.keys.iter().enumerate() {
            let hash = hash(key);
            let mut place = (hash >> shift) as usize;
            while places[place & numbers] != 0 {
                place += 1;
            }
            places[place & numbers] = !(hash as u32 & !(numbers as u32) | number as u32);
        }
        budget.free(room(self.places.len()));
        self.places = places;
        Ok(())
    }
}

/// The room of so many places, counted in positions.
const fn room(places: usize) -> usize {
    places * PLACE / SLOT
}

/// Mixes a key into 64 bits: one folded multiplication of its two halves.
#[inline]
pub(crate) fn hash(key: u128) -> u64 {
    let occupied = (key >> 64) as u64 ^ 0x243f_6a88_85a3_08d3;
    let codes = key as u64 ^ 0x1319_8a2e_0370_7344;
    let product = u128::from(occupied) * u128::from(codes);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::budget::Limit;

    #[test]
    fn a_table_holds_each_position_once() {
        let budget = Budget::new(Limit::default());
        let mut table = KeyTable::default();
        let keys: Vec<u128> = (0..10_000_u128).map(|n| ((n % 1000 + 1) << 64) | (n % 7)).collect();
        let mut expected = keys.clone();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(table.insert_all(&keys, &budget), Ok(expected.len()));
        let mut list = table.into_list(&budget);
        list.sort_unstable();
        assert_eq!(list, expected);
    }

    #[test]
    fn the_list_is_in_the_order_of_coming_and_fills_another_table_evenly() {
        let budget = Budget::new(Limit::default());
        let keys: Vec<u128> = (1..=100_000_u128).map(|n| (n << 64) | (n * n % 4096)).collect();
        let mut first = KeyTable::default();
        first.insert_all(&keys, &budget).unwrap();
        let list = first.into_list(&budget);
        assert_eq!(list, keys);
        let mut second = KeyTable::default();
        second.insert_all(&list[..90_000], &budget).unwrap();
        let longest_run = second.places.split(|&place| place == 0).map(<[u32]>::len).max().unwrap();
        assert!(longest_run < 500, "{longest_run}");
    }

    #[test]
    fn a_full_budget_stops_growth() {
        let budget = Budget::new(Limit::positions(5));
        let keys: Vec<u128> = (1..=6).collect();
        assert_eq!(KeyTable::default().insert_all(&keys, &budget), Err(Full::Positions));
        let budget = Budget::new(Limit::bytes(512));
        assert_eq!(KeyTable::default().insert_all(&keys, &budget), Err(Full::Bytes));
    }
}
