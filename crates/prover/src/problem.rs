//! A mate problem: rules and the positions that White takes for possible.

use nebel_kriegspiel::{Chess, Color, OwnMen, Rules};
use nebel_position::Position;
use nebel_search::{Algorithm, Limits, Report, SolveError, Stop, solve, wins_part};
use shakmaty::Position as _;
use thiserror::Error;

use crate::domain::Kriegspiel;

/// Positions that differ only in what White cannot know.
#[derive(Clone, Debug)]
pub struct Problem {
    domain: Kriegspiel,
    positions: Vec<Chess>,
}

/// Why positions are no belief of White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// None at all.
    #[error("no position")]
    NoPosition,
    /// Counted from 1.
    #[error("position {0}: Black is to move; a belief is one before White's move")]
    BlackToMove(usize),
    /// Counted from 1.
    #[error("position {0}: White's men are not those of position 1")]
    OtherMen(usize),
    /// Counted from 1.
    #[error("position {0}: White's castling rights are not those of position 1")]
    OtherCastlingRights(usize),
}

impl Problem {
    /// Checks that White may hold all the positions for possible at once.
    pub fn new(rules: Rules, positions: Vec<Chess>) -> Result<Self, ProblemError> {
        let first = positions.first().ok_or(ProblemError::NoPosition)?;
        let men = OwnMen::of(first, Color::White);
        for (index, position) in positions.iter().enumerate() {
            let own = OwnMen::of(position, Color::White);
            if position.turn() != Color::White {
                return Err(ProblemError::BlackToMove(index + 1));
            }
            if own.rooks_to_castle() != men.rooks_to_castle() {
                return Err(ProblemError::OtherCastlingRights(index + 1));
            }
            if own != men {
                return Err(ProblemError::OtherMen(index + 1));
            }
        }
        Ok(Problem { domain: Kriegspiel::new(rules), positions })
    }

    /// The game.
    pub fn domain(&self) -> &Kriegspiel {
        &self.domain
    }

    /// The positions, as given.
    pub fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The positions as the search takes them.
    pub fn belief(&self) -> impl Iterator<Item = Position> + '_ {
        self.positions.iter().map(Position::of)
    }

    /// Whether White can force mate within `plies` from all of them with one strategy.
    pub fn solve(&self, plies: u32, algorithm: Algorithm, limits: &Limits) -> Result<Report, SolveError> {
        solve(&self.domain, self.belief(), plies, algorithm, limits)
    }

    /// Whether White can do so from at least `least` of the positions.
    pub fn wins_part(&self, plies: u32, least: usize, limits: &Limits) -> Result<bool, Stop> {
        let states: Vec<Position> = self.belief().collect();
        wins_part(&self.domain, &states, plies, least, limits)
    }
}
