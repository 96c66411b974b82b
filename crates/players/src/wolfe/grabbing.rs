//! Black's program: a limited part of its belief, and captures and checks first.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use nebel_belief::{Key, ViewState};
use nebel_kriegspiel::{Attempt, Chess, Color, Event, Rules};
use nebel_position::Position;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::aggressive::value;

/// So many positions of its belief Black keeps.
pub const KEPT: usize = 40;

/// The program as it listens in the games of the collections.
#[derive(Debug)]
pub struct Black {
    hearing: ViewState,
    kept: Vec<Key>,
}

impl Black {
    /// Before the first event of a game in which it has Black.
    pub fn new(rules: &Rules, start: &Chess) -> Self {
        let hearing = ViewState::new(rules.clone(), start, Color::Black);
        let kept = vec![hearing.start()];
        Black { hearing, kept }
    }

    /// Follows the positions it keeps, and keeps no more than it can.
    pub fn hear(&mut self, event: &Event, random: &mut Xoshiro256PlusPlus) {
        let Ok(Some(step)) = self.hearing.hear(event) else { return };
        let mut next = Vec::new();
        for &key in &self.kept {
            step.follow(key, |key| next.push(key));
        }
        next.sort_unstable();
        next.dedup();
        self.kept = next.sample(random, KEPT).copied().collect();
    }

    /// The attempts that make sense, likely captures and checks first.
    pub fn ranked(&self, random: &mut Xoshiro256PlusPlus) -> Vec<Attempt> {
        let belief: Vec<Position> = self
            .kept
            .iter()
            .filter_map(|&key| self.hearing.position(key))
            .map(|chess| Position::of(&chess))
            .collect();
        grabbing(&belief, Color::Black, self.hearing.own().sensible_attempts(), random)
    }
}

/// These attempts with what captures or checks in many of the positions first, and some noise, so that games differ.
pub fn grabbing(
    belief: &[Position],
    mover: Color,
    mut attempts: Vec<Attempt>,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Attempt> {
    attempts.shuffle(random);
    let mut worth: BTreeMap<Attempt, f64> = BTreeMap::new();
    for position in belief {
        let _ = position.legal(mover).for_each_move(|m| {
            let made = position.make(mover, m);
            let attempt = Attempt { from: m.from, to: m.to, promotion: m.promotion };
            let gain = made.captured.map_or(0.0, |captured| 2.0 + value(captured.role));
            let check = if made.next.checkers(!mover).any() { 2.0 } else { 0.0 };
            *worth.entry(attempt).or_default() += 0.5 + gain + check;
            ControlFlow::Continue(())
        });
    }
    let noise: f64 = random.random_range(0.2..1.0);
    let mut scored: Vec<(f64, Attempt)> = attempts
        .into_iter()
        .map(|attempt| {
            let seen = worth.get(&attempt).copied().unwrap_or(0.0) / belief.len().max(1) as f64;
            (seen + noise * random.random_range(0.0..1.0), attempt)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(_, attempt)| attempt).collect()
}
