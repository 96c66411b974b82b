//! The queue in memory: threads of this process.
//!
//! A thread keeps its [`Hand`](super::Hand) from unit to unit, and with it the players that take long to make.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{
    Cancel, Trust, Unit, UnitError, Work,
    queue::{Delivery, Queue, QueueError, Rest},
};

/// Threads that do units.
pub struct Threads {
    /// Dropped when no more units come.
    units: Option<Sender<Unit>>,
    waiting: Arc<Mutex<Receiver<Unit>>>,
    results: Receiver<(u64, Result<Vec<u8>, UnitError>)>,
    handles: Vec<JoinHandle<()>>,
    cancel: Cancel,
    jobs: usize,
    held: usize,
}

/// How long to wait for a result before the caller may look around.
const WAIT: Duration = Duration::from_millis(200);

impl Threads {
    /// So many threads for units of a kind, until somebody raises the flag.
    pub fn new(work: &dyn Work, jobs: usize, cancel: Cancel) -> Threads {
        let jobs = jobs.max(1);
        let (units, waiting) = mpsc::channel::<Unit>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (sender, results) = mpsc::sync_channel(jobs);
        let threads = (0..jobs).map(|_| {
            let (waiting, sender) = (Arc::clone(&waiting), sender.clone());
            let (mut hand, cancel) = (work.hand(Trust::Own), cancel.clone());
            thread::spawn(move || {
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(unit) = next else { return };
                    if sender.send((unit.number, hand.work(&unit.payload, &cancel))).is_err() {
                        return;
                    }
                }
            })
        });
        let handles = threads.collect();
        Threads { units: Some(units), waiting, results, handles, cancel, jobs, held: 0 }
    }
}

impl Threads {
    /// Waits until every thread has given up what it does, so that nothing of a stopped run goes on behind the caller's back.
    fn finish(&mut self) {
        self.units = None;
        while self.handles.iter().any(|thread| !thread.is_finished()) {
            // A thread with a result in its hands waits for somebody to take it.
            let _ = self.results.recv_timeout(Duration::from_millis(10));
        }
    }
}

impl Queue for Threads {
    /// One unit for each thread, and one that waits for it: units that wait are lost work when the run is decided.
    fn room(&self) -> usize {
        (2 * self.jobs).saturating_sub(self.held)
    }

    fn put(&mut self, units: Vec<Unit>) -> Result<(), QueueError> {
        for unit in units {
            let sent = self.units.as_ref().is_some_and(|queue| queue.send(unit).is_ok());
            if !sent {
                return Err(QueueError::Gone("no thread is left to work".to_owned()));
            }
            self.held += 1;
        }
        Ok(())
    }

    fn take(&mut self) -> Result<Vec<Delivery>, QueueError> {
        if self.cancel.is_cancelled() {
            self.finish();
            return Err(QueueError::Interrupted);
        }
        let (number, result) = match self.results.recv_timeout(WAIT) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) if self.handles.iter().all(|thread| !thread.is_finished()) => {
                return Ok(Vec::new());
            }
            Err(_) if self.units.is_none() => return Ok(Vec::new()),
            Err(_) => return Err(QueueError::Gone("a thread that worked died".to_owned())),
        };
        self.held -= 1;
        Ok(vec![Delivery { number, worker: None, result, handed: 1, token: 0 }])
    }

    fn settle(&mut self, _: Delivery) -> Result<(), QueueError> {
        Ok(())
    }

    fn stop(&mut self) -> Result<Rest, QueueError> {
        if self.units.take().is_some() {
            // What nobody has begun is thrown away.
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            self.held -= waiting.try_iter().count();
        }
        Ok(if self.held > 0 { Rest::Coming } else { Rest::Nothing })
    }
}
