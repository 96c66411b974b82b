//! Ciancarini and Favini (2010), *Monte Carlo tree search in Kriegspiel*.
//!
//! | what | module |
//! |---|---|
//! | Figure 10: approaches A, B and C against the minimax program | `fig10` |
//! | all players against all, and how games went beside those of people | `table`, `habits` |
//! | simulated message probabilities against observed frequencies (section 7) | `calibration` |
//! | what the densities of a model are worth to the matrices (section 5.2) | `densities` |
//! | what a tree-searching player reckons with, and what it is told | `watch` |

mod calibration;
mod densities;
mod fig10;
mod habits;
mod table;
mod watch;

pub use calibration::Calibration;
pub use densities::Densities;
pub use fig10::{Fig10, Measure, alike_in_time};
pub use habits::Habits;
pub use table::CrossTable;
