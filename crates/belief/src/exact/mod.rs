//! The exact belief: every position that agrees with all that was heard, and nothing else.
//!
//! [`tracker`] keeps it event by event, breadth first, in shares ([`set`]): steps that only leave positions out are done in
//! place (`filter`), the others lead to tables that merge what is found (`merge`, `table`), all within a limit ([`budget`]) and
//! by several threads (`workers`). [`spill`] does the same with sorted runs on disk where memory ends; [`stream`] walks it depth first without storing it; [`sample`] draws from it.

pub mod budget;
pub(crate) mod filter;
pub(crate) mod merge;
pub mod progress;
pub mod sample;
pub mod set;
pub(crate) mod skeleton;
pub mod spill;
pub mod stream;
pub(crate) mod table;
pub mod tracker;
pub(crate) mod workers;
