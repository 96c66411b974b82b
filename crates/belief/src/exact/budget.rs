//! The caller's hard limit, and the count of what is used of it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::exact::table::Full;

/// How large a belief may grow. Reaching a limit is an error, never a crash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The most positions.
    pub positions: usize,
    /// The most bytes for positions, those of the event before and those in the making together.
    pub bytes: usize,
}

impl Limit {
    /// A limit on positions alone.
    pub const fn positions(positions: usize) -> Limit {
        Limit { positions, bytes: usize::MAX }
    }

    /// A limit on bytes alone.
    pub const fn bytes(bytes: usize) -> Limit {
        Limit { positions: usize::MAX, bytes }
    }
}

impl Default for Limit {
    /// A hundred million positions.
    fn default() -> Limit {
        Limit::positions(100_000_000)
    }
}

/// What is used while one event is taken in. Threads share it.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: Limit,
    positions: AtomicUsize,
    bytes: AtomicUsize,
    most_bytes: AtomicUsize,
}

/// The bytes of one slot.
pub(crate) const SLOT: usize = size_of::<u128>();

impl Budget {
    pub(crate) fn new(limit: Limit) -> Budget {
        Budget {
            limit,
            positions: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            most_bytes: AtomicUsize::new(0),
        }
    }

    /// Counts new positions.
    pub(crate) fn add_positions(&self, new: usize) -> Result<(), Full> {
        let positions = self.positions.fetch_add(new, Relaxed) + new;
        if positions > self.limit.positions {
            return Err(Full::Positions);
        }
        Ok(())
    }

    /// Counts room for this many positions.
    pub(crate) fn take(&self, slots: usize) -> Result<(), Full> {
        let bytes = self.bytes.fetch_add(slots * SLOT, Relaxed) + slots * SLOT;
        if bytes > self.limit.bytes {
            self.free(slots);
            return Err(Full::Bytes);
        }
        self.most_bytes.fetch_max(bytes, Relaxed);
        Ok(())
    }

    /// Counts room for this many positions as given back.
    pub(crate) fn free(&self, slots: usize) {
        self.bytes.fetch_sub(slots * SLOT, Relaxed);
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The most bytes in use at any time.
    pub(crate) fn most_bytes(&self) -> usize {
        self.most_bytes.load(Relaxed)
    }

    /// The positions found so far.
    pub(crate) fn found(&self) -> usize {
        self.positions.load(Relaxed)
    }
}
