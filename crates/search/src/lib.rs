//! Belief-state AND–OR search over any partially observable domain.
//!
//! The question is always the same: is there *one* strategy that reaches the goal from *every* state of a belief, within
//! so many plies, whatever the opponent does? The world is a [`Domain`]; the algorithms are those of Russell & Wolfe,
//! "Efficient belief-state AND–OR search, with application to Kriegspiel" (IJCAI 2005), and one that goes beyond them,
//! [`Algorithm::Auto`]. A yes comes with the [`Strategy`], which [`verify()`] replays.

pub mod algorithm;
pub mod auto;
pub mod domain;
pub mod domains;
pub mod exhaustive;
pub mod limits;
pub mod strategy;
pub mod verify;

mod depth_first;
mod incremental;
mod keys;
mod proof_number;
mod solve;

pub use algorithm::Algorithm;
pub use domain::{Attempt, Choice, Domain, Outcome, Percept, Reply};
pub use limits::{Cancel, Counters, Limits, Stop};
pub use solve::{MAX_PLIES, Report, SolveError, Verdict, solve};
pub use strategy::{Step, Strategy};
pub use verify::{Flaw, verify};
