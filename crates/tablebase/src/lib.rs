//! Endgame tables for Kriegspiel: White with a few men against a bare king he cannot see.

mod advice;
pub mod antichain;
mod board;
mod finisher;
mod game;
mod generator;
mod hunt;
mod index;
mod material;
mod online;
mod placement;
mod product;
mod referee;
mod storage;
mod store;
mod table;
mod turn;
mod verify;

pub use advice::{Advice, Choice, Known, Tables, Tie};
pub use board::{Board, Mask, Symmetry, bit, squares_of};
pub use finisher::{Finish, Finisher};
pub use game::{Defence, Ended, play, random_placement};
pub use generator::{Depth, pool, solve};
pub use hunt::Hunt;
pub use index::Index;
pub use material::{Ending, EndingError, MAX_MEN};
pub use online::{Limits, Solver, Verdict};
pub use placement::{MAX_PLACED, Placement, PlacementError, message};
pub use referee::{Referee, Reply, Ruling};
pub use storage::{FileError, Header, VERSION};
pub use store::{Progress, Store, StoreError};
pub use table::{Entry, Run, Table};
pub use turn::{Attempt, AttemptError, Turn};
pub use verify::{Fault, Replay, Verified, bellman, verify};
