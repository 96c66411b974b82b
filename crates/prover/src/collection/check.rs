//! Whether a stored problem is what it is called: a mate by a strategy that is replayed before the umpire, a near-miss by a search that
//! finds no mate and a strategy for half of its positions that is replayed.

use nebel_search::{Algorithm, Limits, Verdict};
use thiserror::Error;

use super::{Entry, EntryError, Undecided};
use crate::material::MaterialWins;
use crate::problem::Problem;
use crate::strategy::Strategy;
use crate::verify::{Flaw, verify};

/// Why a stored problem is not what it is called.
#[derive(Debug, Error)]
pub enum CheckError {
    /// It cannot be read.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// It holds another number of positions.
    #[error("{0} positions agree with the view")]
    Positions(usize),
    /// It is called a mate.
    #[error("no mate can be forced")]
    NoMate,
    /// It is called a near-miss.
    #[error("a mate can be forced")]
    Mate,
    /// It is called a near-miss.
    #[error("no plan mates from half of the positions")]
    LessThanHalf,
    /// A limit was reached before.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// A strategy does not hold before the umpire.
    #[error("the strategy fails: {0}")]
    Flaw(#[from] Flaw),
}

/// Checks a problem; one without a verdict only for its positions. The tables are asked where it counts material wins. The
/// most positions that White has taken for possible on the way to it.
pub fn check(entry: &Entry, limits: &Limits, tables: &MaterialWins) -> Result<usize, CheckError> {
    let (problem, peak) = entry.problem_and_peak()?;
    let positions = problem.positions();
    if positions.len() != entry.states {
        return Err(CheckError::Positions(positions.len()));
    }
    let Some(guaranteed) = entry.guaranteed else { return Ok(peak) };
    let tables = entry.material_wins.then_some(tables);
    let report = problem.solve_with(entry.plies, Algorithm::Auto, limits, tables);
    let report = report.map_err(Undecided::from)?;
    let rules = problem.domain().rules();
    match (report.verdict, guaranteed) {
        (Verdict::Unknown(stop), _) => return Err(Undecided::Stopped(stop).into()),
        (Verdict::Refuted, true) => return Err(CheckError::NoMate),
        (Verdict::Guaranteed, false) => return Err(CheckError::Mate),
        (Verdict::Guaranteed, true) => {}
        (Verdict::Refuted, false) => {
            check_half(&problem, entry.plies, limits, tables)?;
            return Ok(peak);
        }
    }
    let strategy = report.strategy.ok_or(CheckError::NoMate)?;
    verify(rules, positions, &Strategy::of(&strategy, rules), entry.plies, tables)?;
    Ok(peak)
}

/// Whether one plan mates from half of the positions, within as few plies as it takes. What stays open at few plies may be plain at
/// more, where more positions are won: it counts only if there is nothing better.
fn check_half(
    problem: &Problem,
    plies: u32,
    limits: &Limits,
    tables: Option<&MaterialWins>,
) -> Result<(), CheckError> {
    let half = problem.positions().len().div_ceil(2);
    let mut failure = CheckError::LessThanHalf;
    for depth in (2 - plies % 2..=plies).step_by(2) {
        match problem.part(depth, half, limits, tables) {
            Ok(Some((positions, strategy))) => {
                let rules = problem.domain().rules();
                return Ok(verify(rules, &positions, &Strategy::of(&strategy, rules), depth, tables)?);
            }
            Ok(None) => {}
            Err(stop) => failure = Undecided::Stopped(stop).into(),
        }
    }
    Err(failure)
}
