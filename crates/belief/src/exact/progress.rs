//! How far the work on an event has come, for whoever watches from another thread, and may stop it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Counters that tracking keeps up to date.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicUsize,
    done: AtomicUsize,
    found: AtomicUsize,
    stopped: AtomicBool,
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

    /// Asks for an end of the work: whoever tracks returns soon, at the event before. Until [`Progress::go_on`] nothing is
    /// tracked.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Takes a wish to stop back.
    pub fn go_on(&self) {
        self.stopped.store(false, Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
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
