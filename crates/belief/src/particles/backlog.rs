//! Particles of earlier moments, and when to go back to them.
//!
//! Every few hidden moves some of the particles are put aside. A pool that dies has mostly lost long ago what it would need, a pawn
//! on another file or the king in another corner, and then none of the histories that it still has can be changed into
//! one that holds. Those put aside earlier still have it.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{HowKnown, Particles, aim::Aim, population::Population};

/// Some are put aside every so many hidden moves…
const EVERY: usize = 8;
/// …this part of those that are kept at most.
const PART: usize = 4;
/// After an attempt to find lost ones again nothing is tried for so many hidden moves; twice as many after each that failed while
/// there are still some…
const REST: usize = 8;
/// …up to so many.
const LONGEST_REST: usize = 64;

/// Particles of one moment, without trails.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// So many hidden moves had been made.
    pub(super) after: usize,
    pub(super) population: Population,
}

/// What the last particle did not live through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surprise {
    /// So many hidden moves had been made.
    pub(super) after: usize,
    pub(super) aim: Aim,
}

/// The snapshots of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    snapshots: Vec<Arc<Snapshot>>,
    /// Nothing is tried before so many hidden moves.
    rests_until: usize,
    rest: usize,
    /// When it was tried at once.
    woken_at: Option<usize>,
    pub(super) surprise: Option<Surprise>,
}

impl Backlog {
    /// Of the snapshots that are so old and not much older, that with the most positions.
    pub(super) fn older_than(&self, moves: usize, now: usize) -> Option<Arc<Snapshot>> {
        let is_old = |snapshot: &&Arc<Snapshot>| snapshot.after + moves <= now;
        let latest = self.snapshots.iter().rev().find(is_old)?.after;
        let is_near = |snapshot: &&Arc<Snapshot>| snapshot.after + moves.max(EVERY) >= latest;
        let near = self.snapshots.iter().filter(is_old).filter(is_near);
        near.max_by_key(|snapshot| snapshot.population.len()).cloned()
    }

    /// Whether it is time for an attempt to find lost positions again.
    pub(super) fn is_rested(&self, now: usize) -> bool {
        now >= self.rests_until
    }

    /// Notes an attempt, and whether it found what was wanted.
    pub(super) fn tried(&mut self, now: usize, is_found: bool) {
        self.rest = if is_found { REST } else { (2 * self.rest).clamp(REST, LONGEST_REST) };
        self.rests_until = now + self.rest;
    }

    /// A pool that has just died is worth an attempt at once, one in each turn.
    pub(super) fn wake(&mut self, now: usize, aim: Option<Aim>) {
        if self.woken_at != Some(now) {
            (self.rest, self.rests_until, self.woken_at) = (0, now, Some(now));
        }
        self.surprise = aim.map(|aim| Surprise { after: now, aim }).or(self.surprise);
    }
}

impl Particles {
    /// Puts some of the particles aside, before the next hidden move.
    pub(super) fn keep_snapshot(&mut self, random: &mut Xoshiro256PlusPlus) {
        let now = self.stages.len();
        let Some(backlog) = &mut self.backlog else { return };
        if self.known < HowKnown::Some || !now.is_multiple_of(EVERY) || self.population.len() == 0 {
            return;
        }
        let how = self.limits.how(self.policy.is_some());
        let population = self.population.some(self.limits.keep / PART, how, random);
        backlog.snapshots.push(Arc::new(Snapshot { after: now, population }));
    }
}
