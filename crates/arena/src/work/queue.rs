//! Who does units of work, seen from the one who wants them done.
//!
//! A queue takes units and gives results back, in any order, each at least once or never: a queue may lose a worker with its
//! unit and hand the unit out again, so that a result can come twice. Whoever takes results tells doubles by their number.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Unit, UnitError};

/// Who does units.
pub trait Queue {
    /// How many more units it wants to hold at the moment.
    fn room(&self) -> usize;

    /// Takes units to be done.
    fn put(&mut self, units: Vec<Unit>) -> Result<(), QueueError>;

    /// Waits a while for results. An empty list says only that there were none yet.
    fn take(&mut self) -> Result<Vec<Delivery>, QueueError>;

    /// The result was kept, or is not wanted: it need not come again.
    fn settle(&mut self, delivery: Delivery) -> Result<(), QueueError>;

    /// No unit is wanted that has not been begun. Returns whether results may still come.
    fn stop(&mut self) -> Result<Rest, QueueError>;

    /// How far the run is, for those who ask the queue.
    fn tell(&mut self, _standing: &Standing) {}

    /// Something that the user should hear.
    fn say(&mut self, _text: &str) {}
}

/// What comes after [`Queue::stop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Units that had been begun still bring results.
    Coming,
    /// Nothing comes any more.
    Nothing,
}

/// A result on its way.
#[derive(Debug)]
pub struct Delivery {
    /// The number of its unit.
    pub number: u64,
    /// Who says so; `None` for a thread of this process.
    pub worker: Option<String>,
    /// What was found, or why nothing was.
    pub result: Result<Vec<u8>, UnitError>,
    /// How often the unit was handed out until then.
    pub handed: u32,
    /// By what the queue knows it again.
    pub token: u64,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Units that are there.
    pub done: u64,
    /// Units in all, if that is known.
    pub of: Option<u64>,
    /// Results that were thrown away because they were not believed.
    pub refused: u64,
    /// Results of units that were there already.
    pub doubles: u64,
    /// How often units were handed out again, because a worker died or gave them back.
    pub again: u64,
    /// Workers that are believed no more.
    pub banned: u64,
}

/// Why a queue can do nothing more.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum QueueError {
    /// A thread or a connection is gone for good.
    #[error("{0}")]
    Gone(String),
    /// The user wants to end.
    #[error("stopped; the same command goes on where it was")]
    Interrupted,
}
