//! One problem of a collection, a line of JSON: what White heard, and what is known of it.
//!
//! `{"plies":3,"guaranteed":true,"states":11,"view":"[Event …]…"}`. The view is Kriegspiel PGN as White heard it; the
//! positions follow from it.

use nebel_belief::{Limit, TrackError, Tracker};
use nebel_kriegspiel::transcript::Record;
use nebel_kriegspiel::{Color, Rules, View, pgn};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::problem::{Problem, ProblemError};

/// Beliefs of stored problems stay far below this.
const MOST_STATES: usize = 1_000_000;

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
    /// Whether an ending that a table of one man wins counts as mate (Russell & Wolfe 2005, footnote 4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub material_wins: bool,
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
    /// An event of the view, counted from 1, leaves no position, or too many.
    #[error("the view, event {0}: {1}")]
    View(usize, TrackError),
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
        let view = String::from_utf8_lossy(&bytes).into_owned();
        Entry { plies, guaranteed, states, material_wins: false, view }
    }

    /// What White heard.
    pub fn view(&self) -> Result<View, EntryError> {
        let games = pgn::read(&self.view, &Rules::berkeley())?;
        let [game] = <[_; 1]>::try_from(games).map_err(|_| EntryError::NotOneView)?;
        game.into_view(Color::White).ok_or(EntryError::NotOneView)
    }

    /// The problem, with all its positions.
    pub fn problem(&self) -> Result<Problem, EntryError> {
        Ok(self.problem_and_peak()?.0)
    }

    /// The problem, and the most positions that White has taken for possible on the way to it.
    pub fn problem_and_peak(&self) -> Result<(Problem, usize), EntryError> {
        let view = self.view()?;
        let rules = view.header().rules.clone();
        // Breadth-first, as when the problem was found: what a search counts depends on the order of positions.
        let tracker = Tracker::of_view(&view, Limit::positions(MOST_STATES));
        let tracker = tracker.map_err(|(index, error)| EntryError::View(index + 1, error))?;
        Ok((Problem::new(rules, tracker.positions().collect())?, tracker.peak()))
    }
}
