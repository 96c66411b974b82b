//! Exact tracking beyond memory: the belief goes to sorted files while it does not fit, and comes back when it does.
//!
//! A step that only leaves positions out reads the files and writes what stays. A hidden move is followed in rounds: positions
//! are read and expanded until the tables take as much memory as they may, the tables are sorted and written as a run, and so
//! on; then the runs are merged ([`runs`]). It is slow where [`crate::Tracker`] would be out of memory; the beliefs are the
//! same, position by position.

mod disk;
mod disk_set;
mod runs;

use std::{io, sync::Arc};

use nebel_kriegspiel::{Chess, Color, Event, Rules};
use nebel_position::Key;
use thiserror::Error;

pub use self::disk::Spill;
use self::{disk_set::DiskSet, runs::Runs};
use crate::{
    exact::budget::{Budget, Limit, SLOT},
    exact::merge::{Buffers, CHUNK, ROOM, Shares},
    exact::progress::Progress,
    exact::set::PositionSet,
    exact::table::Full,
    exact::tracker::TrackError,
    exact::workers::{Pile, Workers},
    step::Step,
    view_state::ViewState,
};

/// The part of the memory that a belief may take and still be expanded there: a hidden move makes it some six times as large,
/// and at the peak each new position takes 40 bytes (the expand bench), sixteen times the bytes before. What is larger goes to
/// disk without trying, and comes back to memory when it is as small.
const EXPANDS: usize = 16;

/// One side's exact belief, kept event by event, in memory while it fits and on disk else.
#[derive(Debug)]
pub struct SpillingTracker {
    hearing: ViewState,
    held: Held,
    spill: Spill,
    positions: usize,
    threads: usize,
    peak: usize,
    peak_bytes: usize,
    successors: u64,
    progress: Arc<Progress>,
}

#[derive(Debug)]
enum Held {
    Memory(Arc<PositionSet>),
    Disk(DiskSet),
}

/// Why an event could not be taken in. The tracker stays at the event before.
#[derive(Debug, Error)]
pub enum SpillError {
    /// As in memory.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The files could not be written or read: the disk is full, as a rule.
    #[error("positions cannot be kept on disk: {0}")]
    Disk(#[from] io::Error),
}

/// Why work on files stops.
#[derive(Debug)]
pub(crate) enum Stop {
    Full(Full),
    Disk(io::Error),
}

impl From<Full> for Stop {
    fn from(full: Full) -> Stop {
        Stop::Full(full)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Disk(error)
    }
}

impl SpillingTracker {
    /// The belief of one side at the start of a game, of so many positions at most.
    pub fn new(rules: Rules, start: &Chess, side: Color, positions: usize, spill: Spill) -> SpillingTracker {
        let hearing = ViewState::new(rules, start, side);
        let set = PositionSet::single(hearing.start());
        SpillingTracker {
            peak_bytes: set.bytes(),
            held: Held::Memory(Arc::new(set)),
            hearing,
            spill,
            positions,
            threads: 1,
            peak: 1,
            successors: 0,
            progress: Arc::default(),
        }
    }

    /// The same, working with this many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> SpillingTracker {
        self.threads = threads.max(1);
        self
    }

    /// Takes in an event of this side's view. On an error nothing has changed.
    pub fn hear(&mut self, event: &Event) -> Result<(), SpillError> {
        let mut hearing = self.hearing.clone();
        if let Some(step) = hearing.hear(event).map_err(TrackError::from)? {
            let found = match self.follow_in_memory(&step)? {
                Some(found) => found,
                None => self.follow_on_disk(&step)?,
            };
            self.successors += found;
            self.peak = self.peak.max(self.len());
        }
        self.hearing = hearing;
        Ok(())
    }

    /// How many positions the belief holds; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a belief is never empty")]
    pub fn len(&self) -> usize {
        match &self.held {
            Held::Memory(set) => set.len(),
            Held::Disk(set) => set.len(),
        }
    }

    /// Whether it is on disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(self.held, Held::Disk(_))
    }

    /// The most positions it has held after any event.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The most bytes of memory that positions, buffers and tables took at any time.
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// How many positions were found in all, before merging.
    pub fn successors(&self) -> u64 {
        self.successors
    }

    /// Where it spills, and how much it did.
    pub fn spill(&self) -> &Spill {
        &self.spill
    }

    /// Calls `each` with every position, in no particular order.
    pub fn for_each(&self, mut each: impl FnMut(Key)) -> io::Result<()> {
        match &self.held {
            Held::Memory(set) => {
                set.iter().for_each(each);
                Ok(())
            }
            Held::Disk(set) => set.for_each(&mut each),
        }
    }

    /// What this side knows of itself, and the men that all positions share.
    pub fn hearing(&self) -> &ViewState {
        &self.hearing
    }

    /// Counters to watch from another thread.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Follows a step in memory: how many positions were found, or nothing where it does not fit.
    fn follow_in_memory(&mut self, step: &Step) -> Result<Option<u64>, SpillError> {
        let Held::Memory(set) = &mut self.held else { return Ok(None) };
        let limit = Limit { positions: self.positions, bytes: self.spill.memory() };
        if matches!(step, Step::Hidden(_)) && set.bytes() > limit.bytes / EXPANDS {
            return Ok(None);
        }
        let budget = Budget::new(limit);
        let workers = Workers { threads: self.threads, budget: &budget, progress: &self.progress };
        let found = budget.take(set.bytes() / SLOT).and_then(|()| workers.follow(set, step));
        self.peak_bytes = self.peak_bytes.max(budget.most_bytes());
        match found {
            Err(Full::Bytes | Full::Memory) => Ok(None),
            Err(full) => Err(full.error(limit).into()),
            Ok(None) => Err(TrackError::NoPosition.into()),
            found @ Ok(Some(_)) => Ok(found.ok().flatten()),
        }
    }

    fn follow_on_disk(&mut self, step: &Step) -> Result<u64, SpillError> {
        let limit = Limit::positions(self.positions);
        let budget = Budget::new(limit);
        let workers = Workers { threads: self.threads, budget: &budget, progress: &self.progress };
        let stopped = |stop| match stop {
            Stop::Full(full) => SpillError::Track(full.error(limit)),
            Stop::Disk(error) => SpillError::Disk(error),
        };
        if let Held::Memory(set) = &self.held {
            self.held = Held::Disk(DiskSet::write(set, &self.spill, &workers).map_err(stopped)?);
        }
        let Held::Disk(from) = &self.held else { return Ok(0) };
        let (set, found) = if step.only_leaves_out() {
            from.filter(step, &self.spill, &workers).map_err(stopped)?
        } else {
            let (set, found, bytes) = self.expand(from, step).map_err(stopped)?;
            self.peak_bytes = self.peak_bytes.max(bytes);
            (set, found)
        };
        if set.len() == 0 {
            return Err(TrackError::NoPosition.into());
        }
        self.held = if set.len() * SLOT * EXPANDS <= self.spill.memory() {
            Held::Memory(Arc::new(set.read()?))
        } else {
            Held::Disk(set)
        };
        Ok(found)
    }

    /// Expands a set on disk in rounds, each of which fills the memory once: the set that follows, how many positions were found,
    /// and the most bytes of memory taken.
    fn expand(&self, from: &DiskSet, step: &Step) -> Result<(DiskSet, u64, usize), Stop> {
        let memory = self.spill.memory();
        // Buffers take a quarter of the memory at most, and a piece of work that finds thirty positions for each does not fill it.
        let most_bits = (memory / 4 / SLOT / ROOM / self.threads).max(1).ilog2();
        let bits = Shares::bits_for(from.len(), step).min(most_bits);
        let chunks = from.chunks((memory / SLOT / 64 / self.threads).clamp(1, CHUNK));
        let pile = Pile::new(chunks.len(), self.threads);
        let mut runs = Runs::new(&self.spill, bits)?;
        let (mut found, mut bytes) = (0, 0);
        self.progress.begin(from.len());
        loop {
            let budget = Budget::new(Limit::positions(self.positions));
            let workers = Workers { threads: self.threads, budget: &budget, progress: &self.progress };
            let shares = Shares::new(bits);
            workers.run(from.len(), &pile, |tasks| {
                let mut keys = Vec::new();
                let mut buffers = Buffers::new(&shares, &budget)?;
                for index in tasks {
                    from.read_chunk(chunks[index], &mut keys)?;
                    buffers.expand(&keys, step)?;
                    self.progress.advance(keys.len(), budget.found());
                    if budget.bytes() >= memory {
                        break;
                    }
                }
                Ok::<(), Stop>(buffers.empty_all()?)
            })?;
            found += shares.successors();
            bytes = bytes.max(budget.most_bytes());
            runs.add(shares, &workers)?;
            if pile.is_empty() {
                break;
            }
        }
        let budget = Budget::new(Limit::positions(self.positions));
        let workers = Workers { threads: self.threads, budget: &budget, progress: &self.progress };
        Ok((runs.into_set(&workers)?, found, bytes))
    }
}
