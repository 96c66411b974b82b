//! The arena: games between players, matches that survive being killed, and what the results mean.
//!
//! | concept | module |
//! |---|---|
//! | how long players may think | [`time`] |
//! | one game between two players | [`game`] |
//! | which games a match or tournament consists of, and varied starts | [`schedule`], [`opening`] |
//! | playing them in parallel, and stopping early | [`runner`] |
//! | where results are kept as they happen | [`store`] |
//! | Elo differences, likelihood of superiority, SPRT, ratings of many | [`rating`] |
//! | wins, draws and losses, and why | [`score`] |
//! | material by move, line charts | [`material`], [`chart`] |
//! | the experiments of the papers | [`parker`], [`trees`] |
//! | simulated against observed messages | [`calibration`] |
//! | cross tables; lengths, men by move and first moves of games | [`cross`], [`habits`] |
//! | pages with drawings | [`page`] |

pub mod assumptions;
pub mod calibration;
pub mod chart;
pub mod cross;
pub mod game;
pub mod habits;
pub mod material;
pub mod opening;
pub mod page;
pub mod parker;
pub mod rating;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod standing;
pub mod store;
pub mod time;
pub mod trees;
mod watch;
