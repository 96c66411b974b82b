//! Russell and Wolfe (2005), *Efficient belief-state AND–OR search, with application to Kriegspiel*.
//!
//! | what | module |
//! |---|---|
//! | section 3: games of two simple programs, and the problems gathered from them | `game`, `generate` |

mod game;
mod generate;

pub use game::{Settings, play};
pub use generate::{Gathered, Generation};
