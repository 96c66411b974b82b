//! One entry to all algorithms.

use crate::algorithm::{Algorithm, Plan};
use crate::auto;
use crate::depth_first::DepthFirst;
use crate::domain::Domain;
use crate::incremental::{Engine, Unguided};
use crate::keys::KeySet;
use crate::limits::{Counters, Limits, Meter, Stop};
use crate::proof_number::ProofNumber;
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
    /// Different states taken from the belief; a refutation may come before all are.
    pub states: usize,
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
/// collect it first.
pub fn solve<D: Domain>(
    domain: &D,
    belief: impl IntoIterator<Item = D::State>,
    plies: u32,
    algorithm: Algorithm,
    limits: &Limits,
) -> Result<Report, SolveError> {
    if plies > MAX_PLIES {
        return Err(SolveError::TooManyPlies(plies));
    }
    let mut belief = belief.into_iter().peekable();
    if belief.peek().is_none() {
        return Err(SolveError::EmptyBelief);
    }
    let mut keys = KeySet::default();
    let mut taken = Vec::new();
    let mut meter = Meter::new(limits);
    let result = {
        // The states taken are kept, each once: the strategy is completed on them.
        let stream = belief.inspect(|state| {
            if keys.insert(domain.key(state)) {
                taken.push(state.clone());
            }
        });
        match algorithm.plan() {
            _ if plies == 0 => Ok(None),
            Plan::Incremental(breadth, pruning) => {
                Engine::new(domain, &mut Unguided, &mut meter, breadth, pruning).solve(stream, plies)
            }
            Plan::Auto(without) => auto::run(domain, stream, plies, limits, without, &mut meter),
            Plan::DepthFirst(order, pruning, construction) => {
                stream.for_each(drop);
                DepthFirst { domain, meter: &mut meter, order, pruning, construction }.turn(&taken, plies)
            }
            Plan::ProofNumber(grain) => {
                stream.for_each(drop);
                ProofNumber::new(domain, &mut meter, grain).solve(&taken, plies)
            }
        }
    };
    let (verdict, strategy) = match result {
        Ok(Some(strategy)) => (Verdict::Guaranteed, strategy.complete(domain, &taken)),
        Ok(None) => (Verdict::Refuted, None),
        Err(stop) => (Verdict::Unknown(stop), None),
    };
    Ok(Report { verdict, strategy, counters: meter.counters, states: taken.len() })
}
