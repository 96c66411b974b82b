//! What a best-first search may know of single states before it expands them.

use crate::domain::Domain;
use crate::limits::{Meter, Stop};

/// Knowledge of states that are about to be handed down. Every claim must be true; the default claims nothing.
pub(crate) trait Foresight<D: Domain> {
    /// Whether a win from this state alone is possible within `plies`.
    fn admits(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// Whether the win is still possible from this state alone, in which the opponent is to reply, with `plies` left
    /// after his reply.
    fn admits_reply(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// How many expansions a proof takes at least, by estimate, where the opponent is to reply.
    fn effort(_: &D, _: &D::State) -> u32 {
        2
    }
}

/// Knows nothing: the algorithms as published.
pub(crate) struct Blind;

impl<D: Domain> Foresight<D> for Blind {}
