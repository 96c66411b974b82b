//! Exact belief tracking: the set of all positions consistent with everything one side has heard.
//!
//! Each event of a view becomes a [`Step`]: positions stay, go, or are followed by others. The own men
//! are known, so a position is the opponent's men in sixteen bytes ([`Key`]).
//!
//! | concept | module |
//! |---|---|
//! | one side's men as bitboards; a packed position | [`men`], [`key`] |
//! | legal moves, checks and pins by masks | [`legal`] |
//! | announcements, heard and computed | [`announced`] |
//! | an own attempt; the opponent's unseen move; his refusals | [`own_move`], [`hidden`], [`refusals`] |
//! | events turned into steps | [`hearing`], [`step`] |
//! | breadth-first tracking, its sets and limits | [`tracker`], [`set`], [`budget`], [`progress`] |
//!
//! What is deliberately absent: the fifty-move rule and repetition, which depend on the history of a
//! game and not on its position.

pub mod announced;
pub mod budget;
mod checks;
pub mod hearing;
pub mod hidden;
pub mod key;
pub mod legal;
pub mod men;
mod merge;
pub mod own_move;
pub mod progress;
pub mod refusals;
pub mod set;
pub mod step;
mod table;
pub mod tracker;
mod witness;

pub use announced::Announced;
pub use budget::Limit;
pub use hearing::Hearing;
pub use hidden::HiddenMove;
pub use key::Key;
pub use legal::{Legal, Sides};
pub use men::Men;
pub use own_move::OwnAttempt;
pub use progress::Progress;
pub use set::PositionSet;
pub use step::Step;
pub use tracker::{TrackError, Tracker};
