//! Exact belief tracking: the set of all positions consistent with everything one side has heard.
//!
//! Each event of a view becomes a [`Step`]: positions stay, go, or are followed by others. The own men
//! are known, so a position is the opponent's men in sixteen bytes ([`Key`]).
//!
//! | concept | module |
//! |---|---|
//! | men, packed positions, what is legal and what is said of it | crate `nebel_position` |
//! | announcements heard | [`announced`] |
//! | an own attempt; the opponent's unseen move; his refusals | [`own_move`], [`hidden`], [`refusals`] |
//! | events turned into steps | [`hearing`], [`step`] |
//! | breadth-first tracking, its sets and limits | [`tracker`], [`set`], [`budget`], [`progress`] |
//! | a depth-first stream; random samples | [`stream`], [`sample`] |
//! | marginals, legality, announcements to expect | [`statistics`] |
//!
//! What is deliberately absent: the fifty-move rule and repetition, which depend on the history of a
//! game and not on its position.

pub mod announced;
pub mod budget;
pub mod hearing;
pub mod hidden;
mod merge;
pub mod own_move;
pub mod progress;
pub mod refusals;
pub mod sample;
pub mod set;
mod skeleton;
pub mod statistics;
pub mod step;
pub mod stream;
mod table;
pub mod tracker;
mod tries;
mod witness;

pub use announced::Announced;
pub use budget::Limit;
pub use hearing::Hearing;
pub use hidden::HiddenMove;
pub use nebel_position::{Key, Men};
pub use own_move::OwnAttempt;
pub use progress::Progress;
pub use sample::{Walked, Walks};
pub use set::PositionSet;
pub use statistics::{Announce, Fate, Statistics};
pub use step::Step;
pub use stream::{History, Stream};
pub use tracker::{TrackError, Tracker};
