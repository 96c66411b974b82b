//! The arena: games between players, matches that survive being killed, and what the results mean.
//!
//! | concept | module |
//! |---|---|
//! | how long players may think | [`time`] |
//! | one game between two players | [`game`] |
//! | which games a match or tournament consists of, and varied starts | [`schedule`], [`opening`] |
//! | who plays, besides its name: versions of players and programs | [`identity`] |
//! | players that whoever embeds the arena brings | [`guests`] |
//! | playing them, and stopping early | [`runner`] |
//! | units of work: a game, or anything else that is done one by one, and who does them | [`work`] |
//! | the workers of other machines, over NATS `JetStream` | [`farm`] |
//! | which games count, and when a test has decided | [`judging`] |
//! | where results are kept as they happen | [`store`] |
//! | wins, draws and losses, in games and in pairs, and why | [`score`] |
//! | Elo differences with intervals, SPRT, ratings of many | [`statistics`] |
//! | how matches in a store stand, and the score as it went | [`standing`] |
//!
//! The experiments that are made of matches, and every drawing, are in the crate `nebel-experiments`.

pub mod farm;
pub mod game;
pub mod guests;
pub mod identity;
pub mod judging;
pub mod opening;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod standing;
pub mod statistics;
pub mod store;
pub mod time;
pub mod work;
