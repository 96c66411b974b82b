//! Breadth-first work on a whole belief: expand every position, merge what is found.
//!
//! Positions are kept in shares by [`Skeleton`], and a share is expanded as a whole. What is found goes
//! into small buffers, one for each share, and a full buffer is emptied into the table of its share. A
//! skeleton's positions lead to few others, so the buffers and tables in use at a time are few and stay
//! in the cache. Memory for unmerged positions is bounded, and threads meet only when two of them empty
//! a buffer of the same share, which they avoid by working far from each other.

use std::{
    ops::Range,
    panic::resume_unwind,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use nebel_position::Key;

use crate::{
    exact::budget::Budget,
    exact::progress::Progress,
    exact::set::PositionSet,
    exact::skeleton::Skeleton,
    exact::table::{Full, KeyTable},
    step::Step,
};

/// Positions in a piece of work: enough to make the taking of it cheap.
const CHUNK: usize = 1 << 12;
/// Positions that a table should hold on average.
const TABLE: usize = 1 << 11;
/// The most shares, as a power of two.
const MOST_BITS: u32 = 15;
/// Positions in a buffer.
const ROOM: usize = 1 << 8;
/// Below this, starting threads costs more than they save.
const WORTH_THREADS: usize = 1 << 12;

/// How the work is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers<'a> {
    pub(crate) threads: usize,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a Progress,
}

/// What came of a step.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) set: PositionSet,
    /// Positions found before merging.
    pub(crate) successors: u64,
}

impl Workers<'_> {
    /// All positions that follow from these by one step.
    pub(crate) fn follow(&self, from: &PositionSet, step: &Step) -> Result<Outcome, Full> {
        self.progress.begin(from.len());
        if step.is_filter() { self.filter(from, step) } else { self.expand(from, step) }
    }

    /// A filter meets no position twice, so nothing needs merging.
    fn filter(&self, from: &PositionSet, step: &Step) -> Result<Outcome, Full> {
        let lists = from.lists();
        let kept: Vec<Mutex<Vec<u128>>> = lists.iter().map(|_| Mutex::default()).collect();
        self.run(from.len(), lists.len(), |tasks| {
            for index in tasks {
                let keys = lists[index].iter().copied();
                let mut list: Vec<u128> = keys.filter(|&key| step.keeps(Key::from_bits(key))).collect();
                list.shrink_to_fit();
                self.budget.take(list.capacity())?;
                self.budget.add_positions(list.len())?;
                self.progress.advance(lists[index].len(), self.budget.found());
                *lock(&kept[index]) = list;
            }
            Ok(())
        })?;
        let lists = kept.into_iter().map(|list| list.into_inner().unwrap_or_else(PoisonError::into_inner));
        let set = PositionSet::from_lists(lists.collect(), from.order());
        let successors = set.len() as u64;
        Ok(Outcome { set, successors })
    }

    fn expand(&self, from: &PositionSet, step: &Step) -> Result<Outcome, Full> {
        let chunks = chunks(from);
        // A hidden move multiplies positions by about eight once duplicates are merged.
        let expected = from.len() * if matches!(step, Step::Hidden(_)) { 8 } else { 1 };
        let bits = (expected / TABLE).next_power_of_two().ilog2().min(MOST_BITS);
        let order = from.order().other();
        let tables: Vec<Mutex<KeyTable>> = (0..1 << bits).map(|_| Mutex::new(KeyTable::new(order))).collect();
        let successors = AtomicU64::new(0);
        self.run(from.len(), chunks.len(), |tasks| {
            let mut buffers = Buffers::new(&tables, bits, self.budget)?;
            for index in tasks {
                let (list, ref range) = chunks[index];
                let keys = &from.lists()[list][range.clone()];
                let keys = keys.iter().map(|&bits| Key::from_bits(bits));
                match step {
                    Step::Hidden(hidden) => keys.for_each(|key| {
                        hidden.expand(key, |next, skeleton| buffers.push(next, skeleton));
                    }),
                    Step::Made(attempt, heard) => keys
                        .filter_map(|key| attempt.advance(key, heard))
                        .for_each(|(next, skeleton)| buffers.push(next, skeleton)),
                    _ => {}
                }
                buffers.state?;
                self.progress.advance(range.len(), self.budget.found());
            }
            successors.fetch_add(buffers.empty_all()?, Relaxed);
            Ok(())
        })?;
        let lists = self.lists(&tables)?;
        Ok(Outcome { set: PositionSet::from_lists(lists, order), successors: successors.load(Relaxed) })
    }

    /// Turns tables into lists, the threads sharing the work.
    fn lists(&self, tables: &[Mutex<KeyTable>]) -> Result<Vec<Vec<u128>>, Full> {
        let lists: Vec<Mutex<Vec<u128>>> = tables.iter().map(|_| Mutex::default()).collect();
        self.run(self.budget.found(), tables.len(), |tasks| {
            for index in tasks {
                let table = std::mem::take(&mut *lock(&tables[index]));
                *lock(&lists[index]) = table.into_list(self.budget);
            }
            Ok(())
        })?;
        Ok(lists.into_iter().map(|list| list.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
    }

    /// Runs `work` on every thread; each takes numbers of tasks until none is left or one fails.
    fn run<W>(&self, size: usize, tasks: usize, work: W) -> Result<(), Full>
    where
        W: Fn(Tasks<'_>) -> Result<(), Full> + Sync,
    {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let one = || {
            let taken = Tasks {
                next: &next,
                end: tasks,
                threads: self.threads,
                failed: &failed,
                progress: self.progress,
            };
            let done = work(taken);
            if done.is_err() {
                failed.store(true, Relaxed);
            }
            done
        };
        if size < WORTH_THREADS || self.threads < 2 {
            return one().and_then(|()| self.unless_stopped());
        }
        let done = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(one)).collect();
            let mine = one();
            // A panic is a fault of ours and goes on as one.
            let joined =
                others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.fold(mine, Result::and)
        });
        done.and_then(|()| self.unless_stopped())
    }

    fn unless_stopped(&self) -> Result<(), Full> {
        if self.progress.is_stopped() { Err(Full::Stopped) } else { Ok(()) }
    }
}

/// The tasks that a thread takes.
struct Tasks<'a> {
    next: &'a AtomicUsize,
    end: usize,
    threads: usize,
    /// Set when a thread fails, so that the others stop early.
    failed: &'a AtomicBool,
    progress: &'a Progress,
}

impl Iterator for Tasks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.failed.load(Relaxed) || self.progress.is_stopped() {
            return None;
        }
        // Neighbours are likely to lead to the same shares, so tasks taken at the same time are far
        // apart: numbers run through as many equal stretches as there are threads, in turn.
        let stretch = self.end.div_ceil(self.threads);
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= stretch * self.threads {
                return None;
            }
            let index = number % self.threads * stretch + number / self.threads;
            if index < self.end {
                return Some(index);
            }
        }
    }
}

/// A thread's unmerged positions, by share.
struct Buffers<'a> {
    tables: &'a [Mutex<KeyTable>],
    bits: u32,
    budget: &'a Budget,
    unmerged: Vec<Vec<u128>>,
    successors: u64,
    state: Result<(), Full>,
}

impl<'a> Buffers<'a> {
    fn new(tables: &'a [Mutex<KeyTable>], bits: u32, budget: &'a Budget) -> Result<Buffers<'a>, Full> {
        budget.take(ROOM * tables.len())?;
        Ok(Buffers {
            tables,
            bits,
            budget,
            unmerged: vec![Vec::new(); tables.len()],
            successors: 0,
            state: Ok(()),
        })
    }

    #[inline]
    fn push(&mut self, key: Key, skeleton: Skeleton) {
        let index = skeleton.share(self.bits);
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
            self.state = lock(&self.tables[index]).insert_all(buffer, self.budget).map(|_| ());
        }
        buffer.clear();
    }

    /// Empties all buffers; how many positions went through them.
    fn empty_all(mut self) -> Result<u64, Full> {
        for index in 0..self.unmerged.len() {
            self.empty(index);
        }
        self.budget.free(ROOM * self.tables.len());
        self.state.map(|()| self.successors)
    }
}

fn chunks(from: &PositionSet) -> Vec<(usize, Range<usize>)> {
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::exact::budget::Limit;

    /// A fault of ours must not be taken for a belief that is too large.
    #[test]
    fn a_panic_of_a_thread_is_passed_on() {
        let (budget, progress) = (Budget::new(Limit::default()), Progress::default());
        let workers = Workers { threads: 3, budget: &budget, progress: &progress };
        let here = std::thread::current().id();
        let work = |_: Tasks<'_>| {
            assert!(std::thread::current().id() == here, "broken");
            Ok(())
        };
        let caught = catch_unwind(AssertUnwindSafe(|| workers.run(WORTH_THREADS, 8, work)));
        let payload = caught.expect_err("the panic is passed on");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"broken"));
    }
}
