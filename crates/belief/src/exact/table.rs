//! A hash set of packed positions, made for merging: it only grows, and ends as a plain list.
//!
//! Open addressing with linear probing. Zero marks a free slot, which no [`crate::Key`] is. Tables stay
//! small enough for the processor's cache because each holds one share of the positions only.
//!
//! The list that a table ends as is in the order of its hashes. Put into another table by the same hash,
//! it would fill that table from one end, and probing would get longer and longer. So there are two
//! [`Order`]s, and positions that come from one go into the other.

use crate::exact::budget::Budget;

/// A growing set of positions.
#[derive(Debug, Default)]
pub(crate) struct KeyTable {
    slots: Vec<u128>,
    len: usize,
    order: Order,
}

/// Which of two hashes puts positions in their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    #[default]
    Even,
    Odd,
}

impl Order {
    /// The order that has nothing to do with this one.
    pub(crate) const fn other(self) -> Order {
        match self {
            Order::Even => Order::Odd,
            Order::Odd => Order::Even,
        }
    }

    #[inline]
    fn hash(self, key: u128) -> u64 {
        match self {
            Order::Even => hash(key),
            Order::Odd => hash(key ^ 0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89),
        }
    }
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

/// Positions whose slots are looked up together.
const BLOCK: usize = 32;
/// Room for a block.
const FEWEST_SLOTS: usize = 64;

impl KeyTable {
    /// An empty table of this order.
    pub(crate) fn new(order: Order) -> KeyTable {
        KeyTable { order, ..KeyTable::default() }
    }

    /// Adds positions; how many of them were new.
    pub(crate) fn insert_all(&mut self, keys: &[u128], budget: &Budget) -> Result<usize, Full> {
        let before = self.len;
        for block in keys.chunks(BLOCK) {
            while self.len + block.len() > self.most() {
                self.grow(budget)?;
            }
            self.insert_block(block);
        }
        let new = self.len - before;
        budget.add_positions(new)?;
        Ok(new)
    }

    /// Adds a few positions, for which there is room. All their slots are touched before the first is
    /// decided on, so that the waits for memory overlap instead of adding up.
    #[inline]
    fn insert_block(&mut self, block: &[u128]) {
        let mut indices = [0; BLOCK];
        let mut touched = 0;
        for (index, &key) in indices.iter_mut().zip(block) {
            *index = slot(self.order.hash(key), self.slots.len());
            touched ^= self.slots[*index] as u64;
        }
        std::hint::black_box(touched);
        for (&index, &key) in indices.iter().zip(block) {
            self.len += usize::from(put(&mut self.slots, index, key));
        }
    }

    /// The positions as a list that takes no more room than they need.
    pub(crate) fn into_list(self, budget: &Budget) -> Vec<u128> {
        let KeyTable { mut slots, .. } = self;
        let before = slots.capacity();
        slots.retain(|&key| key != 0);
        slots.shrink_to_fit();
        budget.free(before - slots.capacity().min(before));
        slots
    }

    /// How many positions the slots hold before probing gets long.
    fn most(&self) -> usize {
        self.slots.len() / 10 * 7
    }

    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Full> {
        let slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        budget.take(slots)?;
        let mut grown = Vec::new();
        if grown.try_reserve_exact(slots).is_err() {
            budget.free(slots);
            return Err(Full::Memory);
        }
        grown.resize(slots, 0);
        for &key in self.slots.iter().filter(|&&key| key != 0) {
            put(&mut grown, slot(self.order.hash(key), slots), key);
        }
        budget.free(self.slots.len());
        self.slots = grown;
        Ok(())
    }
}

/// Puts a position into the first slot from `index` on that is free or its own; whether it was new.
/// There must be a free slot.
#[inline]
fn put(slots: &mut [u128], mut index: usize, key: u128) -> bool {
    loop {
        let found = &mut slots[index];
        if *found == key {
            return false;
        }
        if *found == 0 {
            *found = key;
            return true;
        }
        index += 1;
        if index == slots.len() {
            index = 0;
        }
    }
}

/// Mixes a key into 64 bits: one folded multiplication of its two halves.
#[inline]
pub(crate) fn hash(key: u128) -> u64 {
    let occupied = (key >> 64) as u64 ^ 0x243f_6a88_85a3_08d3;
    let codes = key as u64 ^ 0x1319_8a2e_0370_7344;
    let product = u128::from(occupied) * u128::from(codes);
    (product >> 64) as u64 ^ product as u64
}

/// The slot where probing begins: by multiplication, which is faster than division.
#[inline]
fn slot(hash: u64, slots: usize) -> usize {
    ((u64::from(hash as u32) * slots as u64) >> 32) as usize
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
    fn a_list_fills_a_table_of_the_other_order_evenly() {
        let budget = Budget::new(Limit::default());
        let keys: Vec<u128> = (1..=100_000_u128).map(|n| (n << 64) | (n * n % 4096)).collect();
        let longest_run = |order: Order| {
            let mut first = KeyTable::new(Order::Even);
            first.insert_all(&keys, &budget).unwrap();
            let list = first.into_list(&budget);
            let mut second = KeyTable::new(order);
            // Half of the list is in the table when it is as full as it gets before it grows.
            second.insert_all(&list[..45_000], &budget).unwrap();
            second.slots.split(|&key| key == 0).map(<[u128]>::len).max().unwrap()
        };
        assert!(longest_run(Order::Odd) < 500, "{}", longest_run(Order::Odd));
        assert!(longest_run(Order::Even) > 10_000, "the reason for two orders: {}", longest_run(Order::Even));
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
