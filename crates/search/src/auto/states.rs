//! What is known of single states: a table of fixed slots that threads share without locks.
//!
//! A slot holds a key and what is known, the key's halves each mixed with the knowledge, so that a slot which two threads have
//! written at once matches no key (Hyatt & Mann, "A lockless transposition table", 2002). The table doubles while one owner has
//! it; at its largest, the slot of the least depth in a bucket gives way.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::domain::AttemptId;

/// What is known about a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Fewest plies in which a win is known; 0 for none.
    pub(super) won: u8,
    /// Most plies in which there is known to be no win.
    pub(super) lost: u8,
    /// The attempt that wins, if it is the solver's turn.
    pub(super) attempt: AttemptId,
}

/// A slot's words: the halves of the key, mixed, and the knowledge; all zero is free.
#[derive(Default)]
struct Slot([AtomicU64; 3]);

/// Slots that a key may be in.
const BUCKET: usize = 4;

/// Slots after which another page of memory begins at the latest.
const SLOTS_OF_A_PAGE: usize = 4096 / size_of::<Slot>();

/// The table.
pub(super) struct States {
    slots: Box<[Slot]>,
}

impl States {
    /// Bytes of a slot.
    pub(super) const SLOT: usize = size_of::<Slot>();

    /// A table of at least so many slots.
    pub(super) fn new(slots: usize) -> Self {
        let slots = slots.next_power_of_two().max(BUCKET);
        let slots: Box<[Slot]> = (0..slots).map(|_| Slot::default()).collect();
        // Zeroed memory comes as pages that are only lent. One that is read before it is written is exchanged for another by the write, which interrupts
        // the processors of all threads: a quarter of the time of two threads at 9 plies went there. So every page is written once, by one thread.
        slots.iter().step_by(SLOTS_OF_A_PAGE).for_each(|slot| slot.0[0].store(0, Ordering::Relaxed));
        States { slots }
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// What is known of a state.
    pub(super) fn get(&self, key: u128) -> Known {
        let found = self.bucket(key).iter().find_map(|slot| slot.read(key));
        found.map_or(Known::default(), Known::of_word)
    }

    /// Keeps what is known of a state. True if it took a free slot.
    pub(super) fn put(&self, key: u128, known: Known) -> bool {
        let bucket = self.bucket(key);
        if let Some(slot) = bucket.iter().find(|slot| slot.read(key).is_some()) {
            slot.write(key, known.to_word());
            return false;
        }
        let depth = |slot: &&Slot| Known::of_word(slot.0[2].load(Ordering::Relaxed)).depth();
        let Some(slot) = bucket.iter().min_by_key(depth) else { return false };
        let free = slot.0[2].load(Ordering::Relaxed) == 0;
        slot.write(key, known.to_word());
        free
    }

    /// The same in a table of at least so many slots.
    pub(super) fn enlarged(&self, slots: usize) -> States {
        let larger = States::new(slots.max(self.len()));
        for slot in &self.slots {
            let [low, high, word] = slot.0.each_ref().map(|word| word.load(Ordering::Relaxed));
            if word != 0 {
                let key = u128::from(high ^ word.rotate_left(32)) << 64 | u128::from(low ^ word);
                larger.put(key, Known::of_word(word));
            }
        }
        larger
    }

    fn bucket(&self, key: u128) -> &[Slot] {
        let at = (key as usize & (self.slots.len() / BUCKET - 1)) * BUCKET;
        &self.slots[at..at + BUCKET]
    }
}

impl Slot {
    /// The knowledge, if it is of this key.
    fn read(&self, key: u128) -> Option<u64> {
        let word = self.0[2].load(Ordering::Relaxed);
        let matches = word != 0
            && self.0[0].load(Ordering::Relaxed) == key as u64 ^ word
            && self.0[1].load(Ordering::Relaxed) == (key >> 64) as u64 ^ word.rotate_left(32);
        matches.then_some(word)
    }

    fn write(&self, key: u128, word: u64) {
        self.0[0].store(key as u64 ^ word, Ordering::Relaxed);
        self.0[1].store((key >> 64) as u64 ^ word.rotate_left(32), Ordering::Relaxed);
        self.0[2].store(word, Ordering::Relaxed);
    }
}

impl Known {
    /// What it took to find out.
    fn depth(self) -> u8 {
        self.won.max(self.lost)
    }

    fn to_word(self) -> u64 {
        1 << 63 | u64::from(self.won) | u64::from(self.lost) << 8 | u64::from(self.attempt) << 16
    }

    fn of_word(word: u64) -> Known {
        Known { won: word as u8, lost: (word >> 8) as u8, attempt: (word >> 16) as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> u128 {
        u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64
            | u128::from(number.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    #[test]
    fn what_is_kept_is_found_also_in_a_larger_table() {
        let mut states = States::new(1 << 10);
        for number in 1..=500 {
            let known = Known { won: 3, lost: (number % 7) as u8, attempt: number as u16 };
            states.put(key(number), known);
            if number % 100 == 0 {
                states = states.enlarged(states.len() * 2);
            }
        }
        let found = (1..=500).filter(|&number| {
            let known = states.get(key(number));
            assert!(known == Known::default() || known.attempt == number as u16);
            known != Known::default()
        });
        assert!(found.count() > 480);
        assert_eq!(states.get(key(501)), Known::default());
    }

    #[test]
    fn the_deepest_stay_in_a_full_table() {
        let states = States::new(1 << 6);
        states.put(key(1), Known { lost: 9, ..Known::default() });
        for number in 2..5000 {
            states.put(key(number), Known { lost: 3, ..Known::default() });
        }
        assert_eq!(states.get(key(1)).lost, 9);
        assert_eq!(states.get(key(4999)).lost, 3);
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let states = States::new(1 << 4);
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let states = &states;
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        let number = (round * 7 + thread * 3) % 64 + 1;
                        let known = states.get(key(number));
                        assert!(known == Known::default() || u64::from(known.attempt) == number);
                        states.put(
                            key(number),
                            Known { won: 1, lost: (round % 5) as u8, attempt: number as u16 },
                        );
                    }
                });
            }
        });
    }
}
