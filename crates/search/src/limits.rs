//! What a search may spend, what it has spent, and why it stopped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::{Clock, Deadline};
use crate::domain::AttemptId;

/// What a search may spend. The default is no limit at all.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time, by [`Limits::clock`].
    pub time: Option<Duration>,
    /// Whose time.
    pub clock: Clock,
    /// Physical states constructed, and positions followed to compute the belief. With one thread the same limit gives
    /// the same result on any machine.
    pub nodes: Option<u64>,
    /// Bytes held in the belief, in search nodes and their states, by estimate. Without it [`crate::Algorithm::Ipns`]
    /// stops at a gibibyte, since its tree grows as fast as it searches; what [`crate::Algorithm::Auto`] remembers
    /// keeps within that.
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
    /// Most bytes held at once in the belief, in search nodes and their states, by estimate.
    pub peak_memory: usize,
    /// What was done two plies above the depth limit.
    pub last: LastPlies,
}

/// The last two plies: EXPAND-nodes after whose replies one attempt is left, for the analysis of Russell & Wolfe (2005), section
/// 6.4. Searches over whole beliefs and incremental ones count them; the others and `auto`'s own looks do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastPlies {
    /// Such nodes that were looked into.
    pub nodes: u64,
    /// States of theirs that were: u' for each node, where beliefs are searched whole.
    pub states: u64,
    /// States after the replies: u for each node.
    pub replies: u64,
    /// Kinds of what is heard after the replies: pB for each node.
    pub percepts: u64,
    /// Attempts made in the turns below, state by state.
    pub tries: u64,
}

impl LastPlies {
    /// With so many plies left after the reply, a node is counted.
    pub(crate) const PLIES: u32 = 2;

    fn add(&mut self, other: &LastPlies) {
        self.nodes += other.nodes;
        self.states += other.states;
        self.replies += other.replies;
        self.percepts += other.percepts;
        self.tries += other.tries;
    }
}

impl Counters {
    /// Adds what another thread, or another part of the search, has spent.
    pub fn add(&mut self, other: &Counters) {
        self.constructed += other.constructed;
        self.expanded += other.expanded;
        self.beliefs += other.beliefs;
        self.peak_memory += other.peak_memory;
        self.last.add(&other.last);
    }
}

/// What a search knows before it has a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// There is no win within so many plies.
    pub refuted: Option<u32>,
    /// The plan that wins most states so far.
    pub best: Option<BestSoFar>,
}

/// A plan that wins a part of the belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestSoFar {
    /// How it begins.
    pub attempt: AttemptId,
    /// From how many states of the belief it wins.
    pub wins: usize,
    /// Within how many plies.
    pub plies: u32,
}

/// Counts what a search spends and watches its limits, from the first state of the belief on.
///
/// One meter is passed down through all that a search does, the computing of its belief included, so that a limit is
/// one for the whole. The clock runs from its making.
#[derive(Clone, Debug)]
pub struct Meter {
    pub(crate) counters: Counters,
    pub(crate) progress: Progress,
    limits: Limits,
    /// What is left of [`Limits::nodes`] after the computing of the belief.
    nodes_limit: u64,
    /// The count at which a part of the search is broken off, if that comes before.
    quota: u64,
    deadline: Option<Deadline>,
    memory: usize,
    estimated: u64,
    ticks: u64,
    cancel: Vec<Cancel>,
}

/// The clock and the flag are looked at once in so many states: a look costs about as much as a state.
const LOOK_EVERY: u64 = 256;

/// The same while a belief is computed: one position stands for all that follow from it, some dozens.
const LOOK_EVERY_ESTIMATED: u64 = 16;

/// Memory for what can be kept within bounds or would otherwise grow without end, when no limit is given.
pub(crate) const DEFAULT_MEMORY: usize = 1 << 30;

impl Meter {
    /// A meter whose clock begins to run.
    pub fn new(limits: &Limits) -> Self {
        Meter {
            counters: Counters::default(),
            progress: Progress::default(),
            nodes_limit: limits.nodes.unwrap_or(u64::MAX),
            quota: u64::MAX,
            // A limit beyond the clock's range is no limit.
            deadline: limits.time.and_then(|time| Deadline::new(time, limits.clock)),
            memory: 0,
            estimated: 0,
            ticks: 0,
            cancel: vec![limits.cancel.clone()],
            limits: limits.clone(),
        }
    }

    /// What may be spent in all.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Sets the limit on memory of a search that would fill any, unless there is one.
    pub(crate) fn limit_memory(&mut self) {
        self.limits.memory.get_or_insert(DEFAULT_MEMORY);
    }

    /// A meter for another thread under the same limits, which ends on one more flag.
    pub(crate) fn fork(&self, cancel: Cancel) -> Self {
        let mut fork = Meter {
            counters: Counters::default(),
            memory: 0,
            nodes_limit: self.nodes_limit.saturating_sub(self.counters.constructed),
            quota: u64::MAX,
            deadline: self.deadline.map(Deadline::elsewhere),
            ..self.clone()
        };
        fork.add_cancel(cancel);
        fork
    }

    /// Ends on one more flag.
    pub(crate) fn add_cancel(&mut self, cancel: Cancel) {
        self.cancel.push(cancel);
    }

    /// Counts one position that is followed while the belief is computed: it is charged like a constructed state, and
    /// the limits are looked at more often.
    pub fn estimate(&mut self) -> Result<(), Stop> {
        if self.counters.constructed >= self.nodes_limit {
            return Err(Stop::Nodes);
        }
        self.nodes_limit -= 1;
        self.estimated += 1;
        if self.estimated.is_multiple_of(LOOK_EVERY_ESTIMATED) { self.look() } else { self.check_memory() }
    }

    /// How many positions were followed while the belief was computed.
    pub fn estimated(&self) -> u64 {
        self.estimated
    }

    /// Counts one constructed state.
    #[inline]
    pub(crate) fn construct(&mut self) -> Result<(), Stop> {
        if self.counters.constructed >= self.nodes_limit.min(self.quota) {
            return Err(Stop::Nodes);
        }
        self.counters.constructed += 1;
        if self.counters.constructed.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    /// Counts an attempt that is made with so many plies left.
    #[inline]
    pub(crate) fn count_try(&mut self, plies: u32) {
        self.counters.last.tries += u64::from(plies <= LastPlies::PLIES);
    }

    /// Lets a part of the search construct so many states: `None` if that was not enough, while the search as a whole may
    /// go on. Parts do not nest.
    pub(crate) fn within<T>(
        &mut self,
        states: u64,
        part: impl FnOnce(&mut Meter) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        self.quota = self.counters.constructed.saturating_add(states);
        let result = part(self);
        let spent = self.counters.constructed >= self.quota && self.quota < self.nodes_limit;
        self.quota = u64::MAX;
        match result {
            Err(Stop::Nodes) if spent => Ok(None),
            result => result.map(Some),
        }
    }

    /// A plan wins so many states; it counts if it is the best so far.
    pub(crate) fn note_plan(&mut self, plan: BestSoFar) {
        if self.progress.best.is_none_or(|best| plan.wins > best.wins) {
            self.progress.best = Some(plan);
        }
    }

    /// The bytes held now.
    pub(crate) fn held(&self) -> usize {
        self.memory
    }

    /// Counts work that constructs nothing, only to look at the clock in time.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    /// Looks at the clock, the flag and the memory.
    #[cold]
    pub(crate) fn look(&mut self) -> Result<(), Stop> {
        if self.cancel.iter().any(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.as_mut().is_some_and(Deadline::has_come) {
            return Err(Stop::Time);
        }
        self.check_memory()
    }

    /// Whether the memory limit is kept.
    pub(crate) fn check_memory(&self) -> Result<(), Stop> {
        self.afford(0)
    }

    /// Whether so many bytes more keep within the memory limit. To be asked before a large allocation.
    pub fn afford(&self, bytes: usize) -> Result<(), Stop> {
        let within = self.limits.memory.is_none_or(|limit| self.memory.saturating_add(bytes) <= limit);
        if within { Ok(()) } else { Err(Stop::Memory) }
    }

    /// Counts bytes that are held from now on.
    #[inline]
    pub fn hold(&mut self, bytes: usize) {
        self.memory += bytes;
        self.counters.peak_memory = self.counters.peak_memory.max(self.memory);
    }

    /// Counts bytes as given back.
    #[inline]
    pub fn release(&mut self, bytes: usize) {
        self.memory = self.memory.saturating_sub(bytes);
    }
}
