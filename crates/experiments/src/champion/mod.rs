//! Where the champion's points are: what it would win with knowledge that it cannot have, what it makes of won endings, and whether
//! what it believes comes true. No paper's experiments.
//!
//! Players that cheat live here and nowhere else: the app and the arena offer none.

mod against;
pub mod bounds;
pub mod endings;
mod informed;
mod losses;
pub mod train;
pub mod watched;
mod watched_page;

use nebel_kriegspiel::Role;

/// What a man is worth, in pawns.
const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
