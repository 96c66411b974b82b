//! What a search may spend, what it has spent, and why it stopped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. The default is no limit at all.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Physical states constructed. With one thread the same limit gives the same result on any machine.
    pub nodes: Option<u64>,
    /// Bytes held in search nodes and their states, by estimate.
    pub memory: Option<usize>,
    /// Threads; only [`crate::Algorithm::Auto`] uses a second one. 0 counts as 1.
    pub threads: usize,
    /// Raised by anyone who wants the search to end.
    pub cancel: Cancel,
}

/// A flag that ends searches; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks all searches that hold this flag to end soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for work that knows nothing of this type.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a search ended without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// [`Limits::time`].
    Time,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::cancel`].
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Cancelled => "cancelled",
        })
    }
}

/// What a search has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Physical states constructed: successors of attempts and replies, each with its percept and its end.
    pub constructed: u64,
    /// Physical states expanded: times that a state of a belief node was looked into.
    pub expanded: u64,
    /// Belief nodes created.
    pub beliefs: u64,
    /// Most bytes held at once in search nodes and their states, by estimate.
    pub peak_memory: usize,
}

impl Counters {
    /// Adds what another thread, or another part of the search, has spent.
    pub fn add(&mut self, other: &Counters) {
        self.constructed += other.constructed;
        self.expanded += other.expanded;
        self.beliefs += other.beliefs;
        self.peak_memory += other.peak_memory;
    }
}

/// Counts and watches the limits while a search runs.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) counters: Counters,
    memory: usize,
    memory_limit: usize,
    nodes_limit: u64,
    deadline: Option<Instant>,
    cancel: Vec<Cancel>,
}

/// The clock and the flag are looked at once in so many states: a look costs about as much as a state.
const LOOK_EVERY: u64 = 256;

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Meter {
            counters: Counters::default(),
            memory: 0,
            memory_limit: limits.memory.unwrap_or(usize::MAX),
            nodes_limit: limits.nodes.unwrap_or(u64::MAX),
            // A limit beyond the clock's range is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            cancel: vec![limits.cancel.clone()],
        }
    }

    /// A meter for another thread under the same limits, which ends on one more flag.
    pub(crate) fn fork(&self, cancel: Cancel) -> Self {
        let mut cancels = self.cancel.clone();
        cancels.push(cancel);
        Meter {
            counters: Counters::default(),
            memory: 0,
            cancel: cancels,
            nodes_limit: self.nodes_limit.saturating_sub(self.counters.constructed),
            ..*self
        }
    }

    /// Ends on one more flag.
    pub(crate) fn add_cancel(&mut self, cancel: Cancel) {
        self.cancel.push(cancel);
    }

    /// Counts one constructed state.
    #[inline]
    pub(crate) fn construct(&mut self) -> Result<(), Stop> {
        if self.counters.constructed >= self.nodes_limit {
            return Err(Stop::Nodes);
        }
        self.counters.constructed += 1;
        if self.counters.constructed.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    /// Looks at the clock, the flag and the memory.
    #[cold]
    pub(crate) fn look(&mut self) -> Result<(), Stop> {
        if self.cancel.iter().any(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        self.check_memory()
    }

    /// Whether the memory limit is kept.
    pub(crate) fn check_memory(&self) -> Result<(), Stop> {
        if self.memory > self.memory_limit { Err(Stop::Memory) } else { Ok(()) }
    }

    #[inline]
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.memory += bytes;
        self.counters.peak_memory = self.counters.peak_memory.max(self.memory);
    }

    #[inline]
    pub(crate) fn release(&mut self, bytes: usize) {
        self.memory = self.memory.saturating_sub(bytes);
    }
}
