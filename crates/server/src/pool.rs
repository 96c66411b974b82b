//! Threads for long work: players, provers, beliefs, tables. Never more at once than there are threads, never
//! more waiting than the queue holds, and nobody who has gone is worked for.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
};

use nebel_search::Cancel;
use thiserror::Error;
use tokio::sync::oneshot;

/// Provers and readers of strategies recurse.
const STACK: usize = 16 << 20;

/// By so much the threads yield to others.
const NICE: i32 = 10;

/// Something for a thread to do.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// A number of threads with a queue; clones share it. The threads end with the last clone.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    queue: SyncSender<Work>,
}

/// Too much is waiting already.
#[derive(Clone, Copy, Debug, Error)]
#[error("the server has too much to do: try again later")]
pub(crate) struct Busy;

/// The work went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the work failed")]
pub(crate) struct Failed;

/// Work under way. Who drops this has lost interest, and the work is told to end.
#[derive(Debug)]
pub(crate) struct Job<T> {
    result: oneshot::Receiver<T>,
    cancel: Cancel,
}

impl Pool {
    /// Starts threads of this name.
    pub(crate) fn new(name: &str, threads: usize, waiting: usize) -> std::io::Result<Pool> {
        let (queue, work) = sync_channel(waiting);
        let work: Arc<Mutex<Receiver<Work>>> = Arc::new(Mutex::new(work));
        for number in 1..=threads.max(1) {
            let work = Arc::clone(&work);
            thread::Builder::new().name(format!("{name} {number}")).stack_size(STACK).spawn(move || {
                // When all processors are busy, those who play are answered before anything is worked out. Where
                // the system does not allow it, it goes on as it is.
                let _ = rustix::process::nice(NICE);
                loop {
                    // The lock is held while waiting, by one idle thread at a time; a panic is caught below.
                    let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(next) = next else { return };
                    next();
                }
            })?;
        }
        Ok(Pool { queue })
    }

    /// Has something done by the next free thread. The flag tells it when nobody waits any more.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<Job<T>, Busy> {
        let (task, job) = Job::of(work);
        match self.queue.try_send(task) {
            Ok(()) => Ok(job),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Busy),
        }
    }
}

impl<T: Send + 'static> Job<T> {
    /// What a thread has to do, and the end at which one waits for it. Once nobody waits it does nothing any more.
    pub(crate) fn of(work: impl FnOnce(&Cancel) -> T + Send + 'static) -> (Work, Job<T>) {
        let (done, result) = oneshot::channel();
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let task: Work = Box::new(move || {
            if done.is_closed() && flag.is_cancelled() {
                return;
            }
            // A panic must not take a thread from the others; the waiting end sees that nothing came.
            if let Ok(value) = catch_unwind(AssertUnwindSafe(|| work(&flag))) {
                let _ = done.send(value);
            }
        });
        (task, Job { result, cancel })
    }
}

impl<T> Job<T> {
    /// Waits for the work.
    pub(crate) async fn wait(&mut self) -> Result<T, Failed> {
        (&mut self.result).await.map_err(|_| Failed)
    }

    /// The flag that the work looks at. Who raises it still gets what the work has by then.
    pub(crate) fn stop(&self) -> &Cancel {
        &self.cancel
    }

    /// Lets the work go on though nobody waits here.
    pub(crate) fn detach(mut self) {
        self.cancel = Cancel::default();
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn work_is_bounded_cancelled_and_survives_panics() {
        let pool = Pool::new("test", 1, 1).unwrap();
        let mut panicking = pool.run(|_| -> u8 { panic!("on purpose") }).unwrap();
        assert_eq!(panicking.wait().await, Err(Failed));
        let (begun, has_begun) = oneshot::channel();
        let endless = pool.run(move |cancel| {
            let _ = begun.send(());
            while !cancel.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
        });
        has_begun.await.unwrap();
        let waiting = pool.run(|_| 7).unwrap();
        assert!(pool.run(|_| 8).is_err(), "one works, one waits, a third is one too many");
        drop(endless);
        let mut waiting = waiting;
        assert_eq!(waiting.wait().await, Ok(7));
    }
}
