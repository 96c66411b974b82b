//! The exact belief: every position that agrees with all that was heard, and nothing else.
//!
//! [`tracker`] keeps it event by event, breadth first, in sorted runs ([`set`], `merge`, `table`) within a limit ([`budget`]);
//! [`stream`] walks it depth first without storing it; [`sample`] draws from it.

pub mod budget;
pub(crate) mod merge;
pub mod progress;
pub mod sample;
pub mod set;
pub(crate) mod skeleton;
pub mod stream;
pub(crate) mod table;
pub mod tracker;
