//! How much of a belief can be won, when not all of it can.

use super::Informed;
use crate::algorithm::{Breadth, Pruning};
use crate::domain::Domain;
use crate::incremental::Engine;
use crate::limits::{Limits, Meter, Stop};

/// Whether one strategy wins at least `least` of the states within `plies`, where the states are chosen greedily: they
/// join in their order, and each that leaves those chosen provable stays.
///
/// Each proof extends the one before, and what is learnt about states and refuted sets serves all of them.
pub fn wins_part<D: Domain>(
    domain: &D,
    states: &[D::State],
    plies: u32,
    least: usize,
    limits: &Limits,
) -> Result<bool, Stop> {
    let mut meter = Meter::new(limits);
    let mut informed = Informed::new(limits, None);
    // A state that is lost alone never joins; knowing them all may settle the matter before the first proof.
    let mut hopeful = Vec::new();
    for state in states {
        if informed.full.turn(domain, &mut meter, state, plies)? {
            hopeful.push(state);
        }
    }
    let mut chosen: Vec<&D::State> = Vec::new();
    let mut engine = Engine::new(domain, &mut informed, &mut meter, Breadth::All, Pruning::Greedy);
    let mut proof = engine.begin(plies);
    for (index, state) in hopeful.iter().enumerate() {
        if chosen.len() >= least {
            return Ok(true);
        }
        if chosen.len() + hopeful.len() - index < least {
            return Ok(false);
        }
        if engine.take(proof, (*state).clone())? {
            chosen.push(state);
            continue;
        }
        engine.forget(proof);
        proof = engine.begin(plies);
        for &state in &chosen {
            engine.take(proof, state.clone())?;
        }
    }
    Ok(chosen.len() >= least)
}
