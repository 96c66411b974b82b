//! Why work on problems came to nothing.

use std::{fmt, io, time::Duration};

use nebel_arena::{farm::FarmError, work::queue::QueueError};
use nebel_search::Algorithm;
use thiserror::Error;

use crate::journal::JournalError;

/// Why work on problems came to nothing.
#[derive(Debug, Error)]
pub enum WorkError {
    /// A collection, a table or a journal cannot be used: where, and why.
    #[error("{place}: {cause}")]
    Input {
        /// What it is called.
        place: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A limit on time is none.
    #[error("{0} is no number of seconds")]
    Seconds(f64),
    /// An algorithm and the collection say different things of a problem.
    #[error("{place}: problem {problem}: {algorithm} disagrees with it")]
    Disagrees {
        /// What the collection is called.
        place: String,
        /// The problem, from 1.
        problem: usize,
        /// Who says otherwise.
        algorithm: Algorithm,
    },
    /// Searching a problem in two ways gave two verdicts.
    #[error("problem {0}: the verdicts differ")]
    Differ(usize),
    /// There is nothing that a chart could show.
    #[error("the {0} cannot be drawn")]
    Undrawn(&'static str),
    /// The farm cannot be used.
    #[error(transparent)]
    Farm(#[from] FarmError),
    /// Nobody is left to work.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What must be kept cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WorkError {
    pub(super) fn input(place: &str, cause: impl fmt::Display) -> WorkError {
        WorkError::Input { place: place.to_owned(), cause: cause.to_string() }
    }

    /// Something is wrong with a problem of a collection, counted from 0.
    pub(super) fn at(place: &str, index: usize, cause: impl fmt::Display) -> WorkError {
        WorkError::input(place, format_args!("line {}: {cause}", index + 1))
    }
}

/// A limit on time that was given in seconds.
pub fn seconds(seconds: f64) -> Result<Duration, WorkError> {
    Duration::try_from_secs_f64(seconds).map_err(|_| WorkError::Seconds(seconds))
}
