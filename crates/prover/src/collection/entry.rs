//! One problem of a collection, a line of JSON: what White heard, and what is known of it.
//!
//! `{"plies":3,"guaranteed":true,"states":11,"view":"[Event …]…"}`. The view is Kriegspiel PGN as White heard it; the
//! positions follow from it.

use nebel_kriegspiel::transcript::Record;
use nebel_kriegspiel::{Chess, Color, Rules, View, pgn};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::position::Position;
use crate::problem::{Problem, ProblemError};
use crate::view::{ViewBelief, ViewError};

/// A problem as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Mate within so many plies.
    pub plies: u32,
    /// Whether White can force it; none if that is not known.
    pub guaranteed: Option<bool>,
    /// How many positions agree with the view.
    pub states: usize,
    /// What White heard, as Kriegspiel PGN.
    pub view: String,
}

/// Why a stored problem cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryError {
    /// The view is no PGN.
    #[error("the view: {0}")]
    Pgn(#[from] pgn::PgnError),
    /// The view holds no game, or several, or not White's side.
    #[error("the view is not one game as White heard it")]
    NotOneView,
    /// The view is no problem for White.
    #[error("the view: {0}")]
    View(#[from] ViewError),
    /// Its positions are none.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl Entry {
    /// Stores what White heard.
    pub fn new(view: View, plies: u32, guaranteed: Option<bool>, states: usize) -> Self {
        let mut bytes = Vec::new();
        // Writing into memory cannot fail.
        let _ = pgn::write(&Record::View(Box::new(view)), &mut bytes);
        Entry { plies, guaranteed, states, view: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// What White heard.
    pub fn view(&self) -> Result<View, EntryError> {
        let games = pgn::read(&self.view, &Rules::berkeley())?;
        let [game] = <[_; 1]>::try_from(games).map_err(|_| EntryError::NotOneView)?;
        game.into_view(Color::White).ok_or(EntryError::NotOneView)
    }

    /// The problem, with all its positions.
    pub fn problem(&self) -> Result<Problem, EntryError> {
        let view = self.view()?;
        let rules = view.header().rules.clone();
        let chess = |position: Position| position.to_chess(Color::White);
        let positions: Vec<Chess> = ViewBelief::new(&view)?.filter_map(chess).collect();
        Ok(Problem::new(rules, positions)?)
    }
}
