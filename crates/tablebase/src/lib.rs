//! Endgame tables for Kriegspiel: White with a few men against a bare king he cannot see.
//!
//! What White knows is a [`Placement`] of his own men and a set of squares ([`Mask`]) where the king may be. The generator
//! ([`solve`]) finds, for every set, the least number of moves in which mate is forced; [`Store`] keeps the
//! [`Table`]s in files, [`Tables::advise`] plays from them. Where there is no table, [`Solver`] searches, and [`Finisher`] plays on where
//! nothing is forced. [`verify()`] replays what tables claim with a naive [`Referee`].
//!
//! The way through the code: `board` and `placement` (squares, attacks), `attempt_effect` (an attempt and all its answers at once), `antichain` and
//! `product` (sets of maximal sets), `generator`, `table`, `storage` and `file` (what is kept), `advice` (probing), `online` (search).
//!
//! ```
//! use std::sync::Arc;
//! use nebel_tablebase::{Board, Placement, Tables, Tie, solve};
//!
//! let mut tables = Tables::new();
//! tables.add(Arc::new(solve(Board::CHESS, &"KRK".parse()?, &[], |_| {}).expect("KRK leads to no other ending")));
//! let placement = Placement::parse(Board::CHESS, "Kc3 Ra1")?;
//! let anywhere = placement.king_squares(Board::CHESS);
//! let advice = tables.advise(&placement, anywhere, Tie::FewestSquares).expect("a forced mate");
//! assert_eq!(advice.mate_in, 25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod answers;
pub mod antichain;
mod attempt_effect;
mod board;
mod byte_order;
mod file;
mod finisher;
mod game;
mod generator;
mod index;
mod king_belief;
mod king_squares;
mod material;
mod online;
mod placement;
mod probe;
mod product;
mod referee;
mod storage;
mod store;
mod table;
mod verify;
mod whole;

pub use advice::{Advice, Choice, TableKnowledge, Tables, Tie};
pub use answers::{TableAnnouncement, TableAnswer, answers};
pub use attempt_effect::AttemptEffect;
pub use board::{Board, Mask, Symmetry, bit, squares_of};
pub use file::FileError;
pub use finisher::{Finish, Finisher};
pub use game::{Defence, Ended, play, random_placement};
pub use generator::{Chains, Depth, pool, solve, solve_with};
pub use index::Index;
pub use king_belief::KingBelief;
pub use king_squares::{KingSquares, KingSquaresError};
pub use material::{Ending, EndingError, MAX_MEN};
pub use online::{MateVerdict, Solver, SolverLimits};
pub use placement::{MAX_PLACED, Placement, PlacementError, message};
pub use probe::{Probed, probe, probe_by_search, tables_of};
pub use referee::{Referee, Reply, Ruling};
pub use storage::{Header, VERSION};
pub use store::{Progress, Store, StoreError};
pub use table::{Entry, Run, Table};
pub use verify::{Fault, Replay, Verified, bellman, verify};
pub use whole::write_whole;
