//! Threads that share a pile of work on a belief.

use std::{
    panic::resume_unwind,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
};

use crate::{exact::budget::Budget, exact::progress::Progress, exact::table::Full};

/// Below this, starting threads costs more than they save.
const WORTH_THREADS: usize = 1 << 12;

/// How the work is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers<'a> {
    pub(crate) threads: usize,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a Progress,
}

/// Numbered pieces of work, of which threads take one after the other. What one run leaves, another may go on with.
#[derive(Debug)]
pub(crate) struct Pile {
    next: AtomicUsize,
    end: usize,
    threads: usize,
}

impl Pile {
    /// Pieces of work from zero up to `end`, for so many threads.
    pub(crate) const fn new(end: usize, threads: usize) -> Pile {
        Pile { next: AtomicUsize::new(0), end, threads }
    }

    /// Whether every piece was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.next.load(Relaxed) >= self.stretch() * self.threads
    }

    /// Neighbours are likely to lead to the same shares, so pieces taken at the same time are far apart: numbers run through
    /// as many equal stretches as there are threads, in turn.
    fn stretch(&self) -> usize {
        self.end.div_ceil(self.threads)
    }

    fn take(&self) -> Option<usize> {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.stretch() * self.threads {
                return None;
            }
            let index = number % self.threads * self.stretch() + number / self.threads;
            if index < self.end {
                return Some(index);
            }
        }
    }
}

/// The pieces that a thread takes, until none is left, a thread fails or somebody wants the work no more.
pub(crate) struct Tasks<'a> {
    pile: &'a Pile,
    failed: &'a AtomicBool,
    progress: &'a Progress,
}

impl Iterator for Tasks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.failed.load(Relaxed) || self.progress.is_stopped() {
            return None;
        }
        self.pile.take()
    }
}

impl Workers<'_> {
    /// Runs `work` on every thread, unless there are too few positions for that; each takes from the pile.
    pub(crate) fn run<E, W>(&self, positions: usize, pile: &Pile, work: W) -> Result<(), E>
    where
        E: From<Full> + Send,
        W: Fn(Tasks<'_>) -> Result<(), E> + Sync,
    {
        let failed = AtomicBool::new(false);
        let one = || {
            let done = work(Tasks { pile, failed: &failed, progress: self.progress });
            if done.is_err() {
                failed.store(true, Relaxed);
            }
            done
        };
        if positions < WORTH_THREADS || self.threads < 2 {
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

    /// The same where each piece of work makes one thing: all of them, in the order of their numbers.
    pub(crate) fn collect<T, E, W>(&self, positions: usize, end: usize, make: W) -> Result<Vec<T>, E>
    where
        T: Send,
        E: From<Full> + Send,
        W: Fn(usize) -> Result<T, E> + Sync,
    {
        let things: Vec<Mutex<Option<T>>> = (0..end).map(|_| Mutex::new(None)).collect();
        self.run(positions, &Pile::new(end, self.threads), |tasks| {
            for index in tasks {
                *lock(&things[index]) = Some(make(index)?);
            }
            Ok::<(), E>(())
        })?;
        Ok(things
            .into_iter()
            .filter_map(|thing| thing.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect())
    }

    pub(crate) fn unless_stopped<E: From<Full>>(&self) -> Result<(), E> {
        if self.progress.is_stopped() { Err(Full::Stopped.into()) } else { Ok(()) }
    }
}

/// The value of a mutex, whatever became of the thread that held it last.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
            Ok::<(), Full>(())
        };
        let caught = catch_unwind(AssertUnwindSafe(|| workers.run(WORTH_THREADS, &Pile::new(8, 3), work)));
        let payload = caught.expect_err("the panic is passed on");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"broken"));
    }

    #[test]
    fn every_piece_is_taken_once_and_a_second_run_takes_the_rest() {
        let (budget, progress) = (Budget::new(Limit::default()), Progress::default());
        let workers = Workers { threads: 3, budget: &budget, progress: &progress };
        let pile = Pile::new(100, 3);
        let taken = Mutex::new(Vec::new());
        while !pile.is_empty() {
            let some = |tasks: Tasks<'_>| {
                tasks.take(7).for_each(|index| lock(&taken).push(index));
                Ok::<(), Full>(())
            };
            workers.run(WORTH_THREADS, &pile, some).unwrap();
        }
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
        let squares = workers.collect(WORTH_THREADS, 50, |n| Ok::<usize, Full>(n * n)).unwrap();
        assert_eq!(squares, (0..50).map(|n| n * n).collect::<Vec<_>>());
    }
}
