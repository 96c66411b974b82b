//! The threads of a worker: each does one unit at a time, and keeps what the next may need.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use tokio::sync::oneshot;

use crate::work::{Cancel, Hand, Kinds, Trust, UnitError};

/// A unit for a thread.
pub(super) struct Assignment {
    pub(super) kind: String,
    pub(super) payload: Vec<u8>,
    pub(super) cancel: Cancel,
    pub(super) done: oneshot::Sender<Result<Vec<u8>, UnitError>>,
}

/// The threads. Those that wait end when this is dropped.
pub(super) struct Hands(Sender<Assignment>);

impl Hands {
    /// So many threads for units of these kinds.
    pub(super) fn new(jobs: usize, kinds: &Kinds, trust: Trust) -> Hands {
        let (sender, units) = mpsc::channel();
        let units = Arc::new(Mutex::new(units));
        for _ in 0..jobs {
            let (units, kinds) = (Arc::clone(&units), kinds.clone());
            thread::spawn(move || work(&units, &kinds, trust));
        }
        Hands(sender)
    }

    /// Gives a unit to the next free thread.
    pub(super) fn assign(&self, assignment: Assignment) {
        // Threads end only with the worker.
        let _ = self.0.send(assignment);
    }
}

fn work(units: &Mutex<Receiver<Assignment>>, kinds: &Kinds, trust: Trust) {
    let mut hands: BTreeMap<String, Box<dyn Hand>> = BTreeMap::new();
    loop {
        let next = units.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Assignment { kind, payload, cancel, done }) = next else { return };
        if cancel.is_cancelled() {
            let _ = done.send(Err(UnitError::Stopped));
            continue;
        }
        let hand = hands.remove(&kind).or_else(|| kinds.get(&kind).map(|work| work.hand(trust)));
        let result = match hand {
            None => Err(UnitError::Refused("units of this kind are not known here".to_owned())),
            // A hand that panics is not used again; the worker lives on.
            Some(mut hand) => match catch_unwind(AssertUnwindSafe(|| hand.work(&payload, &cancel))) {
                Ok(result) => {
                    hands.insert(kind, hand);
                    result
                }
                Err(_) => Err(UnitError::Refused("the work panicked".to_owned())),
            },
        };
        let _ = done.send(result);
    }
}
