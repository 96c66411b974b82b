//! Belief-state AND–OR search over any partially observable domain.
//!
//! The question is always the same: is there *one* strategy that reaches the goal from *every* state of a belief, within
//! so many plies, whatever the opponent does? The world is a [`Domain`]; the algorithms are those of Russell & Wolfe,
//! "Efficient belief-state AND–OR search, with application to Kriegspiel" (IJCAI 2005), and one that goes beyond them,
//! [`Algorithm::Auto`]. A yes comes with the [`Strategy`], which [`verify()`] replays.
//!
//! ```
//! use nebel_search::domains::vacuum::{Vacuum, World};
//! use nebel_search::{Algorithm, Limits, Verdict, solve, verify};
//!
//! // A cleaner that does not know where it stands nor which of three squares are dirty.
//! let vacuum = Vacuum::new(3);
//! let belief: Vec<World> = vacuum.all_worlds().collect();
//! let report = solve(&vacuum, belief.iter().copied(), 13, Algorithm::Auto, &Limits::default())?;
//! assert_eq!(report.verdict, Verdict::Guaranteed);
//! let strategy = report.strategy.ok_or("a proof has a strategy")?;
//! verify(&vacuum, &belief, &strategy, 13)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algorithm;
pub mod auto;
pub mod clock;
pub mod domain;
pub mod domains;
pub mod exhaustive;
pub mod limits;
pub mod source;
pub mod strategy;
pub mod verify;

mod depth_first;
mod incremental;
mod keys;
mod proof_number;
mod solve;

pub use algorithm::Algorithm;
pub use auto::{Share, largest_part, part_of};
pub use clock::{Clock, Stopwatch};
pub use domain::{AttemptId, Choice, Domain, Outcome, Percept, Reply, ReplyName, open_attempts_in_order};
pub use limits::{BestSoFar, Cancel, Counters, LastPlies, Limits, Meter, Progress, Stop};
pub use solve::{MAX_PLIES, Report, SolveError, Verdict, solve, solve_from};
pub use source::{Listed, Source};
pub use strategy::{Step, Strategy};
pub use verify::{Flaw, verify};
