//! Where the champion's points are: what it would win with knowledge that it cannot have, and what it makes of won endings. No
//! paper's experiments.
//!
//! Players that cheat live here and nowhere else: the app and the arena offer none.

pub mod bounds;
pub mod endings;
mod informed;
