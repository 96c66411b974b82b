//! One entry to all algorithms.

use crate::algorithm::{Algorithm, Composition, Grain};
use crate::auto;
use crate::depth_first::DepthFirst;
use crate::domain::Domain;
use crate::incremental::{Engine, Unguided};
use crate::limits::{Counters, Limits, Meter, Progress, Stop};
use crate::proof_number::{Blind, ProofNumber};
use crate::source::{Listed, Source, Taken};
use crate::strategy::Strategy;

/// The deepest search that is accepted: the solvers recurse, and a proof of this length is out of reach anyway.
pub const MAX_PLIES: u32 = 255;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A strategy wins from every state of the belief.
    Guaranteed,
    /// No strategy does, within the plies allowed.
    Refuted,
    /// A limit was hit first.
    Unknown(Stop),
}

/// What a search found, and what it spent.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The strategy, when the win is guaranteed.
    pub strategy: Option<Strategy>,
    /// What was spent.
    pub counters: Counters,
    /// Different states taken from the belief so far: all of them only if `whole` says so, since a refutation or a
    /// limit may come before.
    pub states: usize,
    /// Whether the belief was taken to its end.
    pub whole: bool,
    /// Positions followed to compute the belief, where its source does.
    pub estimated: u64,
    /// What is known without a verdict, where the algorithm says.
    pub progress: Progress,
}

/// Why a search was not begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// There is nothing to prove about no state.
    #[error("the belief is empty")]
    EmptyBelief,
    /// See [`MAX_PLIES`].
    #[error("{0} plies are more than the {MAX_PLIES} that can be searched")]
    TooManyPlies(u32),
}

/// Whether one strategy wins from every state of `belief` within `plies`. An even number of plies is worth one less,
/// since only the solver's own plies win.
///
/// The incremental algorithms and `auto` take the states from the iterator as they need them and stop at the first
/// refutation, so the iterator may be one that computes the belief (Russell & Wolfe 2005, section 7); the others
/// collect it first. Limits are looked at between two states: where computing one takes long, [`solve_from`] is the
/// way.
pub fn solve<D: Domain>(
    domain: &D,
    belief: impl IntoIterator<Item = D::State>,
    plies: u32,
    algorithm: Algorithm,
    limits: &Limits,
) -> Result<Report, SolveError> {
    solve_from(domain, &mut Listed(belief.into_iter()), plies, algorithm, &mut Meter::new(limits))
}

/// Like [`solve`], from a source that is computed under the same meter, which may have run before. The source can be
/// gone on with afterwards.
pub fn solve_from<D: Domain>(
    domain: &D,
    source: &mut impl Source<State = D::State>,
    plies: u32,
    algorithm: Algorithm,
    meter: &mut Meter,
) -> Result<Report, SolveError> {
    if plies > MAX_PLIES {
        return Err(SolveError::TooManyPlies(plies));
    }
    let composition = algorithm.composition();
    if matches!(composition, Composition::ProofNumber(Grain::State, ..)) {
        meter.limit_memory();
    }
    let mut belief = Taken::new(domain, source);
    let result = match belief.is_empty(meter) {
        Ok(true) => return Err(SolveError::EmptyBelief),
        Ok(false) => search(domain, &mut belief, plies, composition, meter),
        Err(stop) => Err(stop),
    };
    let (verdict, strategy) = match result {
        Ok(Some(strategy)) => (Verdict::Guaranteed, strategy.complete(domain, belief.states())),
        Ok(None) => (Verdict::Refuted, None),
        Err(stop) => (Verdict::Unknown(stop), None),
    };
    Ok(Report {
        verdict,
        strategy,
        counters: meter.counters,
        states: belief.states().len(),
        whole: belief.is_whole(),
        estimated: meter.estimated(),
        progress: meter.progress,
    })
}

/// A strategy for all states of the belief, or `None` if there is none.
fn search<D: Domain, S: Source<State = D::State>>(
    domain: &D,
    belief: &mut Taken<'_, D, S>,
    plies: u32,
    composition: Composition,
    meter: &mut Meter,
) -> Result<Option<Strategy>, Stop> {
    match composition {
        _ if plies == 0 => Ok(None),
        Composition::Incremental(breadth, pruning) => {
            Engine::new(domain, &mut Unguided, meter, breadth, pruning).solve(belief, plies)
        }
        Composition::Auto(without) => auto::run(domain, belief, plies, without, meter),
        Composition::DepthFirst(order, pruning, construction) => {
            belief.take_all(meter)?;
            DepthFirst { domain, meter, order, pruning, construction }.turn(belief.states(), plies)
        }
        Composition::ProofNumber(grain, order, pruning) => {
            belief.take_all(meter)?;
            ProofNumber::new(domain, Blind, grain, order, pruning).solve(belief.states(), plies, meter)
        }
    }
}
