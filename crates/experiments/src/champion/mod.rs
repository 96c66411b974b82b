//! Where the champion's points are: what it would win with knowledge that it cannot have. No paper's experiment.
//!
//! Players that cheat live here and nowhere else: the app and the arena offer none.

pub mod bounds;
mod informed;
