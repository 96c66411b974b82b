//! Russell and Wolfe (2005), *Efficient belief-state AND–OR search, with application to Kriegspiel*.
//!
//! | what | module |
//! |---|---|
//! | section 3: games of two simple programs, and the problems gathered from them | `game`, `generate` |
//! | near-misses judged at a greater depth | `deepen` |
//! | algorithms over problems, in a table that can be gone on with | `measure`, `table`, `hash` |
//! | searches, judgements and games as units of work | `units` |
//! | how many problems are decided after so many seconds | `curve` |
//! | Figure 4, and the table of section 6.4 | `fig4`, `rankings` |
//! | Figure 9: estimation interleaved with search | `fig9` |

mod curve;
mod deepen;
mod error;
mod fig4;
mod fig9;
mod game;
mod generate;
mod hash;
mod measure;
mod rankings;
mod table;
mod units;

pub use curve::curve;
pub use deepen::{DeepenTerms, Deepening, Deeper, Judged};
pub use error::{WorkError, seconds};
pub use fig4::Fig4;
pub use fig9::Fig9;
pub use game::{Settings, play};
pub use generate::{Gathered, Generation};
pub use measure::{Measurement, Task};
pub use table::{NoRow, Outcome, Row, RowFile, SearchTerms};
pub use units::{ProblemWork, material_wins};
