//! What a solver may know beyond its proof tree.

use super::core::Blame;
use crate::domain::{AttemptId, Domain};
use crate::keys::KeySet;
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

    /// Whether refuted and proved sets are remembered, and so for which states an attempt fails.
    const REMEMBERS: bool = false;

    /// The states of a set that is known to be lost, of which the last has just come.
    fn knows_refuted(&mut self, _: &KeySet, _plies: u32) -> Option<Blame> {
        None
    }

    /// These states together are lost.
    fn learn_refuted(&mut self, _: &[u128], _plies: u32) {}

    /// Whether a set is known to be won that holds all these states, whose keys add up to `sum`.
    fn knows_proved(&mut self, _: &KeySet, _sum: u128, _plies: u32) -> bool {
        false
    }

    /// These states together are won, their keys add up to `sum`, and the plan is about to be forgotten.
    fn learn_proved(&mut self, _: &KeySet, _sum: u128, _plies: u32) {}

    /// Puts the attempts of a state into the order in which to try them.
    fn order(&mut self, _: &D, _: &D::State, _plies: u32, _: &mut [AttemptId]) {}
}

/// Knows nothing: the algorithms as published.
pub(crate) struct Unguided;

impl<D: Domain> Guide<D> for Unguided {}
