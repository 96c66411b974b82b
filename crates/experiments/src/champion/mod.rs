//! Where the champion's points are: what it would win with knowledge that it cannot have, what it makes of won endings, and whether
//! what it believes comes true. No paper's experiments.
//!
//! Players that cheat live here and nowhere else: the app and the arena offer none.

pub mod bounds;
pub mod endings;
mod informed;
mod losses;
pub mod watched;
mod watched_page;
