//! Steps that lead positions to others: expand every position, merge what is found.
//!
//! Positions are kept in shares by [`Skeleton`], and a share is expanded as a whole. What is found goes
//! into small buffers, one for each share, and a full buffer is emptied into the table of its share. A
//! skeleton's positions lead to few others, so the buffers and tables in use at a time are few and stay
//! in the cache. Memory for unmerged positions is bounded, and threads meet only when two of them empty
//! a buffer of the same share, which they avoid by working far from each other.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use nebel_position::Key;

use crate::{
    exact::budget::Budget,
    exact::set::PositionSet,
    exact::skeleton::Skeleton,
    exact::table::{Full, KeyTable},
    exact::workers::{Pile, Workers, lock},
    step::Step,
};

/// Positions in a piece of work: enough to make the taking of it cheap.
pub(crate) const CHUNK: usize = 1 << 12;
/// Positions that a table should hold on average.
const TABLE: usize = 1 << 11;
/// The most shares, as a power of two.
const MOST_BITS: u32 = 15;
/// Positions in a buffer.
pub(crate) const ROOM: usize = 1 << 8;

/// What came of a step.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) set: PositionSet,
    /// Positions found before merging.
    pub(crate) successors: u64,
}

impl Workers<'_> {
    /// All positions that follow from these by one step.
    pub(crate) fn expand(&self, from: &PositionSet, step: &Step) -> Result<Outcome, Full> {
        self.progress.begin(from.len());
        let chunks = chunks(from);
        let shares = Shares::new(Shares::bits_for(from.len(), step));
        let pile = Pile::new(chunks.len(), self.threads);
        self.run(from.len(), &pile, |tasks| {
            let mut buffers = Buffers::new(&shares, self.budget)?;
            for index in tasks {
                let (list, ref range) = chunks[index];
                buffers.expand(&from.lists()[list][range.clone()], step)?;
                self.progress.advance(range.len(), self.budget.found());
            }
            buffers.empty_all()
        })?;
        let successors = shares.successors.load(Relaxed);
        let tables = shares.tables;
        let lists = self.collect(self.budget.found(), tables.len(), |index| {
            Ok::<_, Full>(std::mem::take(&mut *lock(&tables[index])).into_list(self.budget))
        })?;
        Ok(Outcome { set: PositionSet::from_lists(lists), successors })
    }
}

/// The tables that merge what is found, one for each share.
#[derive(Debug)]
pub(crate) struct Shares {
    tables: Vec<Mutex<KeyTable>>,
    bits: u32,
    successors: AtomicU64,
}

impl Shares {
    /// Two to the power of `bits` empty tables.
    pub(crate) fn new(bits: u32) -> Shares {
        let tables = (0..1 << bits).map(|_| Mutex::new(KeyTable::default())).collect();
        Shares { tables, bits, successors: AtomicU64::new(0) }
    }

    /// How many shares suit a step from so many positions.
    pub(crate) fn bits_for(positions: usize, step: &Step) -> u32 {
        // A hidden move multiplies positions by about eight once duplicates are merged.
        let expected = positions * if matches!(step, Step::Hidden(_)) { 8 } else { 1 };
        (expected / TABLE).next_power_of_two().ilog2().min(MOST_BITS)
    }

    /// The positions found, before merging.
    pub(crate) fn successors(&self) -> u64 {
        self.successors.load(Relaxed)
    }

    /// The tables.
    pub(crate) fn into_tables(self) -> Vec<KeyTable> {
        let tables = self.tables.into_iter();
        tables.map(|table| table.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

/// A thread's unmerged positions, by share.
pub(crate) struct Buffers<'a> {
    shares: &'a Shares,
    budget: &'a Budget,
    unmerged: Vec<Vec<u128>>,
    successors: u64,
    state: Result<(), Full>,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(shares: &'a Shares, budget: &'a Budget) -> Result<Buffers<'a>, Full> {
        budget.take(ROOM * shares.tables.len())?;
        Ok(Buffers {
            shares,
            budget,
            unmerged: vec![Vec::new(); shares.tables.len()],
            successors: 0,
            state: Ok(()),
        })
    }

    /// Takes in what follows from these positions.
    pub(crate) fn expand(&mut self, keys: &[u128], step: &Step) -> Result<(), Full> {
        let keys = keys.iter().map(|&bits| Key::from_bits(bits));
        match step {
            Step::Hidden(hidden) => keys.for_each(|key| {
                hidden.expand(key, |next, skeleton| self.push(next, skeleton));
            }),
            Step::Made(attempt, heard) => keys
                .filter_map(|key| attempt.advance(key, heard))
                .for_each(|(next, skeleton)| self.push(next, skeleton)),
            _ => {}
        }
        self.state
    }

    #[inline]
    fn push(&mut self, key: Key, skeleton: Skeleton) {
        let index = skeleton.share(self.shares.bits);
        let buffer = &mut self.unmerged[index];
        if buffer.len() == buffer.capacity() {
            self.make_room(index);
        }
        self.unmerged[index].push(key.bits());
    }

    #[inline(never)]
    fn make_room(&mut self, index: usize) {
        if self.unmerged[index].capacity() == 0 {
            self.unmerged[index] = Vec::with_capacity(ROOM);
        } else {
            self.empty(index);
        }
    }

    fn empty(&mut self, index: usize) {
        let buffer = &mut self.unmerged[index];
        self.successors += buffer.len() as u64;
        if self.state.is_ok() {
            self.state = lock(&self.shares.tables[index]).insert_all(buffer, self.budget).map(|_| ());
        }
        buffer.clear();
    }

    /// Empties all buffers.
    pub(crate) fn empty_all(mut self) -> Result<(), Full> {
        for index in 0..self.unmerged.len() {
            self.empty(index);
        }
        self.budget.free(ROOM * self.unmerged.len());
        self.shares.successors.fetch_add(self.successors, Relaxed);
        self.state
    }
}

/// The pieces of work in a set: lists, and what of them.
pub(crate) fn chunks(from: &PositionSet) -> Vec<(usize, Range<usize>)> {
    let mut chunks = Vec::new();
    for (index, list) in from.lists().iter().enumerate() {
        let mut start = 0;
        while start < list.len() {
            let end = list.len().min(start + CHUNK);
            chunks.push((index, start..end));
            start = end;
        }
    }
    chunks
}
