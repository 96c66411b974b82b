//! What a solver may know beyond its proof tree.

use crate::domain::{AttemptId, Domain};
use crate::limits::{Meter, Stop};

/// Knowledge from outside the proof tree. Every claim must be true; the default claims nothing.
pub(crate) trait Guide<D: Domain> {
    /// Whether all states that have arrived at a turn are looked at before the first is proved.
    const TOGETHER: bool = false;

    /// Whether a win from this state alone is possible within `plies`.
    fn admits(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// Whether the win is still possible from this state alone, in which the opponent is to reply, with `plies` left
    /// after his reply.
    fn admits_reply(&mut self, _: &D, _: &mut Meter, _: &D::State, _plies: u32) -> Result<bool, Stop> {
        Ok(true)
    }

    /// Whether these states together, of which the last has just come, are known to be lost.
    fn knows_refuted(&mut self, _: &[u128], _contains: impl Fn(u128) -> bool, _plies: u32) -> bool {
        false
    }

    /// These states together are lost.
    fn learn_refuted(&mut self, _: &[u128], _plies: u32) {}

    /// Puts the attempts of a state into the order in which to try them.
    fn order(&mut self, _: &D, _: &D::State, _plies: u32, _: &mut [AttemptId]) {}
}

/// Knows nothing: the algorithms as published.
pub(crate) struct Unguided;

impl<D: Domain> Guide<D> for Unguided {}
