//! Proof numbers beside the search over beliefs: `auto` is never far behind either.
//!
//! Long forced lines from one or a few positions are what proof-number search finds and a search by depth does not. IPNS keeps
//! its whole state between two expansions, so it takes turns with the rest of `auto` at no cost: after a head start,
//! which is all that short problems take, both spend the same time, until one of them knows.

use crate::algorithm::{Grain, Order, Pruning};
use crate::domain::Domain;
use crate::limits::{Meter, Stop};
use crate::proof_number::{Answer, ProofNumber};

/// So many states are constructed before the rival begins: some ten milliseconds.
const HEAD_START: u64 = 100_000;

/// The rival constructs so many states for each hundred of the rest; each takes it two and a half times as long (measured
/// on problems of 9 plies: 3.5 and 9 million a second).
const SHARE: u64 = 40;

/// It is not called for less.
const LEAST: u64 = 2_000;

/// With more positions than these the proof grows with each, and the rival only gets as far as [`LITTLE`] goes.
const FEW: usize = 8;

/// The memory in which it must have proved a belief of many positions.
const LITTLE: usize = 64 << 20;

/// IPNS, and how far it has come.
pub(super) struct Rival<'a, D: Domain> {
    search: ProofNumber<'a, D>,
    /// States that it has constructed.
    spent: u64,
    /// Bytes that it holds, and may.
    held: usize,
    most: usize,
    /// Its result.
    pub(super) found: Option<Answer>,
}

impl<'a, D: Domain> Rival<'a, D> {
    /// Takes the states in. The memory is what it may hold at most.
    pub(super) fn new(
        domain: &'a D,
        states: &[D::State],
        plies: u32,
        memory: usize,
        meter: &mut Meter,
    ) -> Result<Self, Stop> {
        let mut search = ProofNumber::new(domain, Grain::State, Order::AsFound, Pruning::None);
        let before = meter.held();
        search.begin(states, plies, meter)?;
        let most = if states.len() <= FEW { memory } else { memory.min(LITTLE) };
        Ok(Rival { search, spent: 0, held: meter.held().saturating_sub(before), most, found: None })
    }

    /// Catches up with the rest of the search. False if it has no more to give.
    pub(super) fn catch_up(&mut self, meter: &mut Meter) -> Result<bool, Stop> {
        let others = meter.counters.constructed.saturating_sub(self.spent);
        let due = (others.saturating_sub(HEAD_START) * SHARE / 100).saturating_sub(self.spent);
        if due < LEAST {
            return Ok(true);
        }
        let (constructed, held) = (meter.counters.constructed, meter.held());
        let result = self.search.advance(due, meter);
        self.spent += meter.counters.constructed - constructed;
        self.held = (self.held + meter.held()).saturating_sub(held);
        match result {
            Ok(found) => self.found = found,
            // The rest may go on in what it leaves.
            Err(Stop::Memory) => return Ok(false),
            Err(stop) => return Err(stop),
        }
        Ok(self.found.is_some() || self.held <= self.most)
    }

    /// Gives its memory back.
    pub(super) fn leave(self, meter: &mut Meter) {
        meter.release(self.held);
    }
}
