//! Random samples of a belief: uniform ones from a belief that is known, and random walks where it is
//! too large to be known.
//!
//! [`uniform`] draws from a finished set: every subset of the size asked for is equally likely, and a
//! seed gives the same sample whatever the number of threads that built the set.
//!
//! [`HistorySampler`] draws without building the belief. A walk starts at the beginning of the game and takes,
//! at every unseen move, each successor that agrees with what was heard with equal chance, unless it
//! is known to lead nowhere; a walk that gets stuck remembers where, and the next one starts anew. So
//! a history comes with probability `1 / (b1 · b2 · …)`, where `b` are the numbers of successors to
//! choose from. **This is not uniform over positions**: a position that many histories lead to, or that
//! lies behind few choices, comes more often. Each walk carries `b1 · b2 · …` as its weight (its
//! logarithm, for the numbers are large). With these weights averages over walks tend to averages over
//! all consistent *histories*, each counted once; the walks that got stuck have weight zero.
//!
//! [`HistorySampler::search`] goes back where a walk gets stuck instead of starting anew: the depth-first search of Parker, Nau and
//! Subrahmanian (2005, section 4.2), whose branches are taken in random order.

use std::collections::{BTreeSet, BinaryHeap};

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use nebel_position::Key;

use crate::{exact::set::PositionSet, exact::stream::History, exact::table::hash};

/// So many positions of a set, or all if there are fewer, without repetition and with equal chances.
pub fn uniform(set: &PositionSet, count: usize, seed: u64) -> Vec<Key> {
    let mut sample = UniformSample::new(count, seed);
    set.iter().for_each(|key| sample.see(key));
    sample.into_keys()
}

/// A uniform sample in the making, of positions seen one after the other.
///
/// The positions with the smallest hash under a seed are taken, so one pass over a set suffices and its order does not
/// matter.
#[derive(Clone, Debug)]
pub struct UniformSample {
    count: usize,
    salt: u128,
    odd: u64,
    smallest: BinaryHeap<(u64, Key)>,
}

impl UniformSample {
    /// A sample of so many positions, or of all that are seen if they are fewer.
    pub fn new(count: usize, seed: u64) -> UniformSample {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (salt, odd): (u128, u64) = (rng.random(), rng.random::<u64>() | 1);
        UniformSample { count, salt, odd, smallest: BinaryHeap::new() }
    }

    /// Sees a position of the set, each once.
    #[inline]
    pub fn see(&mut self, key: Key) {
        let once = hash(key.bits() ^ self.salt);
        let rank = hash((u128::from(once.wrapping_mul(self.odd)) << 64) | u128::from(once));
        let entry = (rank, key);
        if self.smallest.len() < self.count {
            self.smallest.push(entry);
        } else if self.smallest.peek().is_some_and(|largest| entry < *largest) {
            self.smallest.pop();
            self.smallest.push(entry);
        }
    }

    /// The positions drawn, in an order that is their own.
    pub fn into_keys(self) -> Vec<Key> {
        self.smallest.into_sorted_vec().into_iter().map(|(_, key)| key).collect()
    }
}

/// A position at the end of a random walk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// The position.
    pub key: Key,
    /// The natural logarithm of the weight that makes all histories count alike.
    pub log_weight: f64,
}

/// An endless iterator of random walks through a history; `None` when no position agrees with it or
/// the attempts are used up.
#[derive(Clone, Debug)]
pub struct HistorySampler<'a> {
    history: &'a History,
    rng: Xoshiro256PlusPlus,
    /// Positions that lead nowhere, with the number of steps behind them.
    dead: BTreeSet<(usize, Key)>,
    attempts: u64,
    steps: u64,
}

/// The most positions that are remembered as leading nowhere.
const MOST_DEAD: usize = 1 << 20;

impl<'a> HistorySampler<'a> {
    /// Walks from this seed; the iterator ends after so many attempts between two successes.
    pub fn new(history: &'a History, seed: u64, attempts: u64) -> HistorySampler<'a> {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        HistorySampler { history, rng, dead: BTreeSet::new(), attempts, steps: 0 }
    }

    /// How many steps were taken so far, by all walks.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The end of a random history, found depth-first: where it gets stuck the search goes back to the last unseen move that has
    /// another branch. `None` when there is no history, or when `goes_on`, which is asked before every step, says no.
    pub fn search(&mut self, mut goes_on: impl FnMut() -> bool) -> Option<Key> {
        let steps = self.history.steps();
        let mut key = self.history.start();
        // The positions of the way, each with its branches that were not taken yet.
        let mut way: Vec<(Key, Vec<Key>)> = Vec::new();
        while let Some(step) = steps.get(way.len()) {
            if !goes_on() {
                return None;
            }
            self.steps += 1;
            let depth = way.len() + 1;
            let mut branches = Vec::new();
            step.follow(key, |key| branches.push(key));
            branches.retain(|&key| !self.dead.contains(&(depth, key)));
            branches.shuffle(&mut self.rng);
            way.push((key, branches));
            key = loop {
                let (stuck, branches) = way.last_mut()?;
                if let Some(next) = branches.pop() {
                    break next;
                }
                let stuck = *stuck;
                way.pop();
                if self.dead.len() < MOST_DEAD {
                    self.dead.insert((way.len(), stuck));
                }
            };
        }
        Some(key)
    }

    /// One walk; `None` when it got stuck.
    fn walk(&mut self) -> Option<Walked> {
        let mut key = self.history.start();
        let mut log_weight = 0.0;
        let mut next = Vec::new();
        for (depth, step) in self.history.steps().iter().enumerate() {
            self.steps += 1;
            next.clear();
            step.follow(key, |key| next.push(key));
            next.retain(|&key| !self.dead.contains(&(depth + 1, key)));
            if next.is_empty() {
                if self.dead.len() < MOST_DEAD {
                    self.dead.insert((depth, key));
                }
                return None;
            }
            log_weight += (next.len() as f64).ln();
            key = next[self.rng.random_range(0..next.len())];
        }
        Some(Walked { key, log_weight })
    }
}

impl Iterator for HistorySampler<'_> {
    type Item = Walked;

    fn next(&mut self) -> Option<Walked> {
        for _ in 0..self.attempts {
            if self.dead.contains(&(0, self.history.start())) {
                return None;
            }
            if let Some(walked) = self.walk() {
                return Some(walked);
            }
        }
        None
    }
}
