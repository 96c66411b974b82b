//! Kriegspiel as a search domain: guaranteed mates, strategies and their verifier.
//!
//! | concept | module |
//! |---|---|
//! | Kriegspiel under any rules, as the solvers of `nebel-search` see it | [`domain`] |
//! | positions that White takes for possible, and the question whether a mate can be forced | [`problem`] |
//! | the positions that agree with a view, as they are found | [`view`] |
//! | strategies in words: JSON, and an indented text | [`strategy`] |
//! | walking through a strategy or a problem, answer by answer | [`walk`] |
//! | replaying a strategy before the umpire | [`verify`](mod@verify) |
//! | endings that a table wins, as leaves | [`material`] |
//! | collections of problems, and what counts as one | [`collection`] |

pub mod collection;
pub mod domain;
pub mod material;
pub mod problem;
pub mod strategy;
pub mod verify;
pub mod view;
pub mod walk;

pub use domain::Kriegspiel;
pub use material::{MaterialWins, WithTables};
pub use nebel_position::Position;
pub use problem::{Problem, ProblemError};
pub use strategy::Strategy;
pub use verify::{Flaw, verify, verify_until};
pub use view::{ViewBelief, ViewError};
