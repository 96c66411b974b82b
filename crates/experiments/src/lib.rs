//! The papers' figures and tables, ours beside theirs: one module a paper, and what their pages are made of.
//!
//! | paper | module |
//! |---|---|
//! | Russell and Wolfe (2005), *Efficient belief-state AND–OR search, with application to Kriegspiel* | [`russell_wolfe`] |
//! | Parker, Nau and Subrahmanian (2005), *Game-Tree Search with Combinatorially Large Belief States* | [`parker`] |
//! | Ciancarini and Favini (2009), *Solving Kriegspiel endings with brute force: the case of KR vs. K* | [`krk`] |
//! | Ciancarini and Favini (2010), *Monte Carlo tree search in Kriegspiel* | [`favini`] |
//!
//! How well the project's own beliefs fare is measured in [`beliefs`], what its champion would gain by more knowledge in [`champion`].
//!
//! An experiment is a value that says how it is run. It tells whoever asks how far it is, and makes a [`Page`]; where
//! the page goes, and what is shown meanwhile, is the caller's. Charts are drawn in [`charts`] alone, boards in
//! [`boards`]; the score of a match over time ([`course`]) is there for whoever looks into a store.

pub mod beliefs;
pub mod boards;
pub mod champion;
pub mod charts;
pub mod course;
mod error;
pub mod favini;
mod journal;
pub mod krk;
mod page;
pub mod parker;
pub mod russell_wolfe;

pub use error::ExperimentError;
pub use journal::JournalError;
pub use page::Page;
