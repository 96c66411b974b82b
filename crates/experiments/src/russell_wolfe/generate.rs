//! Problems gathered from many games, as many mates as near-misses.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use nebel_kriegspiel::View;
use nebel_prover::collection::{Entry, Kind};

use super::game::{Settings, play};

/// How problems are gathered.
#[derive(Clone, Debug)]
pub struct Generation {
    /// How games are played, and what counts as a problem.
    pub settings: Settings,
    /// So many mates and so many near-misses.
    pub count: usize,
    /// The first game's seed; the others count on.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gathered {
    /// Games played.
    pub games: u64,
    /// Mates among their problems.
    pub mates: usize,
    /// Near-misses.
    pub near_misses: usize,
}

/// Games for each thread between two looks at what was found.
const BATCH: u64 = 8;

impl Generation {
    /// Plays games until there are enough of both kinds: the mates, then the near-misses. What is found depends on the
    /// seed alone: games are taken in their order, whoever plays them.
    pub fn run(&self, mut report: impl FnMut(Gathered)) -> Vec<Entry> {
        let (mut mates, mut misses) = (Vec::new(), Vec::new());
        let batch = self.threads.max(1) as u64 * BATCH;
        let mut seed = self.seed;
        while mates.len() < self.count || misses.len() < self.count {
            for (entry, kind) in self.games(seed, batch) {
                let list = if kind == Kind::Mate { &mut mates } else { &mut misses };
                let known = list.iter().any(|known: &Entry| known.view == entry.view);
                if list.len() < self.count && !known {
                    list.push(entry);
                }
            }
            seed += batch;
            report(Gathered { games: seed - self.seed, mates: mates.len(), near_misses: misses.len() });
        }
        mates.append(&mut misses);
        mates
    }

    /// The problems of some games, in the order of their seeds; at most one of each kind a game, so that problems differ.
    fn games(&self, first: u64, count: u64) -> Vec<(Entry, Kind)> {
        let next = AtomicU64::new(first);
        let found = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= first + count {
                            break;
                        }
                        let mut problems = play(&self.settings, seed);
                        let mut kinds = Vec::new();
                        problems.retain(|(_, kind)| {
                            let new = !kinds.contains(kind);
                            kinds.push(*kind);
                            new
                        });
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((seed, problems));
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(seed, _)| *seed);
        let problems = found.into_iter().flat_map(|(_, problems)| problems);
        problems.map(|(view, kind)| (self.entry(view, kind), kind)).collect()
    }

    fn entry(&self, view: View, kind: Kind) -> Entry {
        let mut entry = Entry::new(view, self.settings.plies, Some(kind == Kind::Mate), 0);
        entry.states = entry.problem().map_or(0, |problem| problem.positions().len());
        entry
    }
}
