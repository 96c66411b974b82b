//! A mate problem: rules and the positions that White takes for possible.

use nebel_kriegspiel::{Chess, Color, OwnMen, Rules};
use nebel_position::Position;
use nebel_search::{Algorithm, Limits, Report, SolveError, Stop, Strategy, part_of, solve};
use shakmaty::Position as _;
use thiserror::Error;

use crate::domain::Kriegspiel;
use crate::material::{MaterialWins, WithTables};

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
        self.solve_with(plies, algorithm, limits, None)
    }

    /// Like [`Problem::solve`]; with tables, what they win is won.
    pub fn solve_with(
        &self,
        plies: u32,
        algorithm: Algorithm,
        limits: &Limits,
        tables: Option<&MaterialWins>,
    ) -> Result<Report, SolveError> {
        match tables {
            None => solve(&self.domain, self.belief(), plies, algorithm, limits),
            Some(tables) => {
                let game = WithTables::new(self.domain.clone(), tables);
                solve(&game, self.belief(), plies, algorithm, limits)
            }
        }
    }

    /// At least `least` of the positions from which White can do so, and how, if there are so many.
    pub fn part(
        &self,
        plies: u32,
        least: usize,
        limits: &Limits,
        tables: Option<&MaterialWins>,
    ) -> Result<Option<(Vec<Chess>, Strategy)>, Stop> {
        let states: Vec<Position> = self.belief().collect();
        let part = match tables {
            None => part_of(&self.domain, &states, plies, least, limits),
            Some(tables) => {
                let game = WithTables::new(self.domain.clone(), tables);
                part_of(&game, &states, plies, least, limits)
            }
        };
        let positions =
            |places: &[usize]| places.iter().map(|&place| self.positions[place].clone()).collect();
        Ok(part?.map(|(places, strategy)| (positions(&places), strategy)))
    }
}
