//! The fast board: what beliefs, provers and tables ask of a position millions of times a second.
//!
//! The umpire asks the chess library for lists of moves, and stays the independent referee. Here checks and pins are found
//! once a position, and what is legal follows by intersecting masks; attack tables come from the chess library.
//! Every piece of chess is here once, and tests compare all of it with two chess libraries.
//!
//! There are two ways to hold men, because there are two trades:
//!
//! - [`Men`], one side's: a belief shares the own men among all its positions and unpacks the others from sixteen bytes ([`Key`]).
//! - [`Position`], both sides' in nine words that are copied freely: a prover makes moves.
//!
//! Both give [`Side`]s, one for each colour, and all that follows is written for any two sides, so that it serves both
//! without cost:
//!
//! | question | module |
//! |---|---|
//! | who attacks a square; where pawns step and capture; is the material dead | [`side`] |
//! | what is legal: targets of a man, lists, "any legal move?", pawn tries, castling, en passant | [`legal`] |
//! | is this one attempt legal: what makes sense with the own men alone, and what the other side must leave to it | [`sensible`], [`demand`] |
//! | which squares check a king, and which men uncover a check | [`checks`] |
//! | is there a mate in one | `mates` |
//! | what the umpire says of a move, in 64 bits | [`announced`] |
//! | a whole game, for those who play millions of them | [`game`] |
//!
//! What becomes of the question "any?" in a turn is [`nebel_kriegspiel::turn::Question`], which is copied with a [`Position`].
//!
//! A king is always there: [`Men`] and [`Position`] are made of positions of the chess library and of keys of such men, and no move
//! captures a king. What is deliberately absent from both: move counters and repetition, which depend on the history of a game. [`Game`] has them.

pub mod announced;
pub mod checks;
pub mod demand;
pub mod game;
pub mod key;
pub mod legal;
mod mates;
pub mod men;
pub mod moves;
pub mod position;
pub mod sensible;
pub mod side;

pub use announced::{Captured, PackedAnnouncement};
pub use checks::Checks;
pub use demand::Demand;
pub use game::Game;
pub use key::Key;
pub use legal::{Legal, Sides};
pub use men::Men;
pub use moves::Move;
pub use position::{Half, Position};
pub use side::{Side, is_dead};
