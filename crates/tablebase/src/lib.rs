//! Endgame tables for Kriegspiel: White with a few men against a bare king he cannot see.

pub mod antichain;
mod board;
mod generator;
mod index;
mod material;
mod placement;
mod product;
mod storage;
mod table;
mod turn;

pub use board::{Board, Mask, Symmetry, bit, squares_of};
pub use generator::{Depth, solve};
pub use index::Index;
pub use material::{Ending, EndingError, MAX_MEN};
pub use placement::{MAX_PLACED, Placement, PlacementError, message};
pub use storage::{FileError, Header, VERSION};
pub use table::{Entry, Run, Table};
pub use turn::{Attempt, AttemptError, Turn};
