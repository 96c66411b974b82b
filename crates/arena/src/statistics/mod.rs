//! What results mean.
//!
//! | question | module |
//! |---|---|
//! | how far apart are two players, and how well is that known? | [`elo`] |
//! | is the difference this one or that one, so that a match may stop? | [`sprt`] |
//! | outcomes of pairs as a distribution, and the likeliest one under a constraint | [`pentanomial`] |
//! | how strong is each of many players? | [`ratings`], by way of `likelihood` |
//!
//! All of it is pure: scores in, numbers out. How well intervals and tests keep their promises is measured by
//! simulated matches in `tests/simulation.rs`; the tables are in `docs/arena.md`.

pub mod elo;
mod likelihood;
pub mod pentanomial;
pub mod ratings;
pub mod sprt;

pub use elo::{Elo, elo, expected_score};
pub use ratings::{Anchor, Rating, Ratings};
pub use sprt::{EloModel, Sprt, SprtVerdict};
