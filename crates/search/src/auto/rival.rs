//! Proof numbers beside the search over beliefs: `auto` is never far behind either.
//!
//! Long forced lines from one or a few positions are what proof-number search finds and a search by depth does not. IPNS keeps
//! its whole state between two expansions, so it takes turns with the rest of `auto` at no cost: after a head start,
//! which is all that short problems take, both spend the same time, until one of them knows.

use crate::algorithm::{Grain, Order, Pruning};
use crate::domain::Domain;
use crate::limits::{Meter, Stop};
use crate::proof_number::{Answer, Foresight, ProofNumber};

use super::full_information::FullInformation;

/// How the rival shares time with the rest.
#[derive(Clone, Copy)]
struct Pace {
    /// So many states are constructed before it begins.
    head_start: u64,
    /// It constructs so many states for each hundred of the rest.
    share: u64,
}

/// With a few positions it begins after five to twenty milliseconds, by the rules. A state takes it about twice as long as the rest
/// (on 33 problems of 7 to 17 plies 146 ns and 70 ns). The more it is given the better there: 40 for each hundred 1.04 s, 60 0.99 s,
/// 80 0.94 s, 120 0.83 s.
const BESIDE_FEW: Pace = Pace { head_start: 60_000, share: 120 };

/// With more, proofs are wide rather than long. On 200 problems of 7 plies, all of them such, it only costs.
const BESIDE_MANY: Pace = Pace { head_start: 300_000, share: 20 };

/// It is not called for less.
const LEAST: u64 = 2_000;

/// With more positions than these the proof grows with each, and the rival only gets as far as [`LITTLE`] goes.
const FEW: usize = 8;

/// The memory in which it must have proved a belief of many positions.
const LITTLE: usize = 64 << 20;

/// With so many plies left full information is asked, with more what is known of it. Alone, the rival decides the 33 problems in
/// 3.7 s if it never asks, in 0.9 s with 2 plies, 0.8 s with 4, 2.3 s with 6.
const LOOKED_AT: u32 = 4;

/// What full information tells of states before they are expanded. The rest of `auto` lends it for a slice.
struct Foreseen(FullInformation);

impl<D: Domain> Foresight<D> for Foreseen {
    fn admits(&mut self, domain: &D, meter: &mut Meter, state: &D::State, plies: u32) -> Result<bool, Stop> {
        if plies > LOOKED_AT {
            return Ok(!self.0.knows_lost(domain, state, plies));
        }
        Ok(self.0.is_left_out() || self.0.turn(domain, meter, state, plies)?)
    }

    fn admits_reply(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
        plies: u32,
    ) -> Result<bool, Stop> {
        if plies > LOOKED_AT {
            return Ok(!self.0.knows_lost_reply(domain, state, plies));
        }
        Ok(self.0.is_left_out() || self.0.reply(domain, meter, state, plies)?)
    }

    /// Half of the replies, because all of them (1.9 s on the 33 problems), a quarter (1.2 s) and none (1.4 s) measured worse.
    fn effort(domain: &D, state: &D::State) -> u32 {
        2 + domain.count_replies(state) / 2
    }
}

/// IPNS, and how far it has come.
pub(super) struct Rival<'a, D: Domain> {
    search: ProofNumber<'a, D, Foreseen>,
    /// States that it has constructed.
    spent: u64,
    /// Bytes that it holds, and may.
    held: usize,
    most: usize,
    pace: Pace,
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
        let mut search = ProofNumber::new(
            domain,
            Foreseen(FullInformation::small()),
            Grain::State,
            Order::AsFound,
            Pruning::None,
        );
        let before = meter.held();
        search.begin(states, plies, meter)?;
        let is_few = states.len() <= FEW;
        let most = if is_few { memory } else { memory.min(LITTLE) };
        let pace = if is_few { BESIDE_FEW } else { BESIDE_MANY };
        Ok(Rival { search, spent: 0, held: meter.held().saturating_sub(before), most, pace, found: None })
    }

    /// Catches up with the rest of the search. False if it has no more to give.
    pub(super) fn catch_up(&mut self, full: &mut FullInformation, meter: &mut Meter) -> Result<bool, Stop> {
        let others = meter.counters.constructed.saturating_sub(self.spent);
        let Pace { head_start, share } = self.pace;
        let due = (others.saturating_sub(head_start) * share / 100).saturating_sub(self.spent);
        if due < LEAST {
            return Ok(true);
        }
        let (constructed, held) = (meter.counters.constructed, meter.held());
        std::mem::swap(&mut self.search.foresight.0, full);
        let result = self.search.advance(due, meter);
        std::mem::swap(&mut self.search.foresight.0, full);
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

    /// After so many states the rest is to let it catch up.
    pub(super) fn patience(&self, meter: &Meter) -> u64 {
        (self.pace.head_start / 3).max(meter.counters.constructed / 8)
    }

    /// Gives its memory back.
    pub(super) fn leave(self, meter: &mut Meter) {
        meter.release(self.held);
    }
}
