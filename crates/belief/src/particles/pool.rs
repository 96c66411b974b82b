//! The pool: positions known to be consistent with everything heard (Parker, Nau and Subrahmanian
//! 2005, section 4.1).
//!
//! Until it is cut for the first time, the pool is the whole belief.

use std::sync::Arc;

use nebel_kriegspiel::{Chess, Color, Event, Rules, side::Contradiction};
use nebel_position::Key;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, prelude::*};

use crate::view_state::ViewState;

/// How large a pool may grow, and to what it is cut then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolLimits {
    /// It is cut when it has more positions than this…
    pub most: usize,
    /// …to so many, drawn at random.
    pub keep: usize,
}

impl Default for PoolLimits {
    /// The paper's numbers.
    fn default() -> PoolLimits {
        PoolLimits { most: 20_000, keep: 10_000 }
    }
}

/// Positions consistent with everything heard.
#[derive(Clone, Debug)]
pub struct Pool {
    hearing: ViewState,
    keys: Vec<Key>,
    limits: PoolLimits,
    /// Whether all consistent positions are here.
    is_complete: bool,
    workers: Option<Arc<ThreadPool>>,
}

/// So many positions are followed in one piece of work.
const PIECE: usize = 512;

impl Pool {
    /// The pool at the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color, limits: PoolLimits) -> Pool {
        let hearing = ViewState::new(rules, start, side);
        Pool { keys: vec![hearing.start()], hearing, limits, is_complete: true, workers: None }
    }

    /// Shares the updates between these threads. What the pool holds does not depend on them.
    #[must_use]
    pub fn with_workers(self, workers: Option<Arc<ThreadPool>>) -> Pool {
        Pool { workers, ..self }
    }

    /// The same without positions, for one who only listens: keeping them up is most of the work.
    #[must_use]
    pub fn without_positions(self) -> Pool {
        Pool { keys: Vec::new(), is_complete: false, ..self }
    }

    /// What this side knows of itself.
    pub fn hearing(&self) -> &ViewState {
        &self.hearing
    }

    /// The positions.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether the pool is the whole belief.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Updates the pool to what was heard.
    pub fn hear(&mut self, event: &Event, random: &mut Xoshiro256PlusPlus) -> Result<(), Contradiction> {
        let Some(step) = self.hearing.hear(event)? else { return Ok(()) };
        let follow = |keys: &[Key]| {
            let mut next = Vec::with_capacity(keys.len());
            for &key in keys {
                step.follow(key, |key| next.push(key));
            }
            next
        };
        self.keys = match &self.workers {
            // A refusal or an answer only leaves positions out: the others stay in order.
            _ if step.is_filter() => follow(&self.keys),
            None => {
                let mut next = follow(&self.keys);
                next.sort_unstable();
                next
            }
            Some(workers) => workers.install(|| {
                let mut next: Vec<Key> = self.keys.par_chunks(PIECE).flat_map_iter(follow).collect();
                next.par_sort_unstable();
                next
            }),
        };
        self.keys.dedup();
        self.cut(random);
        Ok(())
    }

    /// Adds positions that were found to be consistent.
    pub fn add(&mut self, found: impl IntoIterator<Item = Key>, random: &mut Xoshiro256PlusPlus) {
        self.keys.extend(found);
        self.keys.sort_unstable();
        self.keys.dedup();
        self.cut(random);
    }

    fn cut(&mut self, random: &mut Xoshiro256PlusPlus) {
        if self.keys.len() > self.limits.most {
            let (kept, _) = self.keys.partial_shuffle(random, self.limits.keep);
            self.keys = kept.to_vec();
            self.keys.sort_unstable();
            self.is_complete = false;
        }
    }
}
