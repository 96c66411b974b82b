//! How far the work on an event has come, for whoever watches from another thread.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counters that tracking keeps up to date.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicUsize,
    done: AtomicUsize,
    found: AtomicUsize,
}

impl Progress {
    /// The positions of the belief that the current event works on.
    pub fn total(&self) -> usize {
        self.total.load(Relaxed)
    }

    /// How many of them are done.
    pub fn done(&self) -> usize {
        self.done.load(Relaxed)
    }

    /// How many different positions were found so far.
    pub fn found(&self) -> usize {
        self.found.load(Relaxed)
    }

    pub(crate) fn begin(&self, total: usize) {
        self.total.store(total, Relaxed);
        self.done.store(0, Relaxed);
        self.found.store(0, Relaxed);
    }

    pub(crate) fn advance(&self, done: usize, found: usize) {
        self.done.fetch_add(done, Relaxed);
        self.found.store(found, Relaxed);
    }
}
