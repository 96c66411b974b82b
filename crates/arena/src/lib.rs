//! The arena: games between players, matches that survive being killed, and what the results mean.
//!
//! | concept | module |
//! |---|---|
//! | how long players may think | [`time`] |
//! | one game between two players | [`game`] |
//! | which games a match or tournament consists of, and varied starts | [`schedule`], [`opening`] |
//! | playing them, and stopping early | [`runner`] |
//! | units of work: a game, or anything else that is done one by one, and who does them | [`work`] |
//! | the workers of other machines, over NATS JetStream | [`farm`] |
//! | where results are kept as they happen | [`store`] |
//! | Elo differences, likelihood of superiority, SPRT, ratings of many | [`rating`] |
//! | wins, draws and losses, and why | [`score`] |
//! | how matches in a store stand, and the score as it went | [`standing`] |
//!
//! The experiments that are made of matches, and every drawing, are in the crate `nebel-experiments`.

pub mod farm;
pub mod game;
pub mod opening;
pub mod rating;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod standing;
pub mod store;
pub mod time;
pub mod work;
