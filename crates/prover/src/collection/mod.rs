//! Collections of mate problems: one of them as it is stored, those that are shipped, and what counts as one (Russell &
//! Wolfe 2005, section 3).
//!
//! A belief of White's is a problem if White can force mate (a *mate*), or if a plan exists that mates from at least half
//! of the positions but none that mates from all (a *near-miss*). The games that problems are gathered from are played in
//! the crate `nebel-experiments`.

mod check;
mod entry;
mod shipped;

pub use check::{CheckError, check};
pub use entry::{Entry, EntryError};
pub use shipped::SHIPPED;

use nebel_search::{Algorithm, Limits, SolveError, Stop, Verdict};

use crate::material::MaterialWins;
use crate::problem::Problem;

/// What a belief is worth as a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// White can force mate.
    Mate,
    /// White cannot, but a plan covers at least half of the positions.
    NearMiss,
    /// Neither.
    Neither,
}

/// Why a belief could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// A limit was hit.
    #[error("the limit on {0} was reached")]
    Stopped(Stop),
    /// Not a search that can be made.
    #[error("no search is possible")]
    Impossible,
}

impl From<SolveError> for Undecided {
    fn from(_: SolveError) -> Self {
        Undecided::Impossible
    }
}

/// Judges a belief, exactly: the order of its positions makes no difference. What a limit stops is undecided. With tables,
/// what they win is as good as mate.
pub fn judge(
    problem: &Problem,
    plies: u32,
    limits: &Limits,
    tables: Option<&MaterialWins>,
) -> Result<Kind, Undecided> {
    if judge_near_miss(problem, plies, limits, tables)? == Kind::Mate {
        return Ok(Kind::Mate);
    }
    let half = problem.positions().len().div_ceil(2);
    let near = problem.part(plies, half, limits, tables).map_err(Undecided::Stopped)?;
    Ok(if near.is_some() { Kind::NearMiss } else { Kind::Neither })
}

/// Judges a belief that is a near-miss within fewer plies: a plan that covers half of it then does so still, so it is a mate or
/// a near-miss.
pub fn judge_near_miss(
    problem: &Problem,
    plies: u32,
    limits: &Limits,
    tables: Option<&MaterialWins>,
) -> Result<Kind, Undecided> {
    match problem.solve_with(plies, Algorithm::Auto, limits, tables)?.verdict {
        Verdict::Guaranteed => Ok(Kind::Mate),
        Verdict::Refuted => Ok(Kind::NearMiss),
        Verdict::Unknown(stop) => Err(Undecided::Stopped(stop)),
    }
}
