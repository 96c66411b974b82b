//! The default algorithm (placeholder while the parts are assembled).
use crate::algorithm::{Breadth, Pruning};
use crate::domain::Domain;
use crate::incremental::{Engine, Unguided};
use crate::limits::{Limits, Meter, Stop};
use crate::strategy::Strategy;

pub(crate) fn run<D: Domain>(
    domain: &D,
    belief: impl Iterator<Item = D::State>,
    plies: u32,
    _: &Limits,
    meter: &mut Meter,
) -> Result<Option<Strategy>, Stop> {
    Engine::new(domain, &mut Unguided, meter, Breadth::All, Pruning::Greedy).solve(belief, plies)
}
