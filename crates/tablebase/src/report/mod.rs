//! The report on the endings: tables per depth, the paper's figures, our numbers beside theirs.
//!
//! Everything here is computed from tables when the report is made; the only numbers written down are the
//! paper's own (Ciancarini & Favini 2009), to stand beside ours.

mod games;
mod krk;
mod line;
mod survey;
mod svg;

pub use games::games;
pub use krk::{Krk, Page};
pub use line::{LineMove, longest_line};
pub use survey::{Survey, survey};
pub use svg::board;
