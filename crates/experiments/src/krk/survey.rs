//! One line an ending: how much is won when the king may be anywhere.

use nebel_tablebase::{Board, Table};
use serde::Serialize;

/// What a table says at large.
#[derive(Debug, Clone, Serialize)]
pub struct Survey {
    /// The ending.
    pub ending: String,
    /// Entries.
    pub entries: usize,
    /// The longest mate of any set.
    pub longest: u16,
    /// Placements up to symmetry.
    pub placements: usize,
    /// Of them, those won with the king anywhere he may be.
    pub won_filled: usize,
    /// The longest mate with the king anywhere.
    pub longest_filled: u16,
    /// The shortest, and a placement for it.
    pub shortest_filled: Option<(u16, String)>,
}

/// Probes every placement of a table with the king anywhere.
pub fn survey(table: &Table) -> Survey {
    let index = table.index();
    let mut survey = Survey {
        ending: index.ending().to_string(),
        entries: table.len(),
        longest: table.longest(),
        placements: 0,
        won_filled: 0,
        longest_filled: 0,
        shortest_filled: None,
    };
    for (number, placement) in index.placements().iter().enumerate() {
        let set = placement.king_squares(Board::CHESS);
        if set == 0 {
            continue;
        }
        survey.placements += 1;
        let Some(entry) = table.best_of(number, set) else { continue };
        survey.won_filled += 1;
        survey.longest_filled = survey.longest_filled.max(entry.depth);
        if survey.shortest_filled.as_ref().is_none_or(|known| entry.depth < known.0) {
            survey.shortest_filled = Some((entry.depth, placement.to_string()));
        }
    }
    survey
}
