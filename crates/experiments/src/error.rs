//! Why an experiment of our own measured nothing.

use std::io;

use nebel_players::{OptionError, SpecError};
use thiserror::Error;

use crate::journal::JournalError;

/// Why nothing was measured.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The options are none of the champion's.
    #[error("the champion: {0}")]
    Options(#[from] OptionError),
    /// A spec names no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was measured cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
