//! Refilling particles that have become few.

use std::collections::HashSet;

use nebel_position::Key;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    HowKnown, Particles,
    aim::Aim,
    population::Population,
    recover::THIN,
    trail::{Change, Changed},
};

/// With fewer survivors than this, the particles of the moment before are changed as well.
const FEW: usize = 50;
/// While there are any particles, so many changes in a row that find nothing new are the end of it: there may be no more.
const BARREN: usize = 2_000;
/// So many boards are drawn where nothing better is found.
const DRAWN: usize = 1_000;

/// The particles before the last event, and how many stages they lack.
pub(super) struct Before {
    pub(super) population: Population,
    pub(super) behind: usize,
}

impl Particles {
    /// Refills what an event has left of the particles before it.
    pub(super) fn refill(&mut self, was: &Before, aim: Option<Aim>, random: &mut Xoshiro256PlusPlus) {
        self.is_exhausted = false;
        self.prove();
        if self.is_complete() {
            return;
        }
        let was_known = self.known;
        if self.known == HowKnown::Some {
            self.rejuvenate(was, aim, random);
            self.prove();
        }
        if self.population.len() == 0
            && was_known == HowKnown::Some
            && let Some(backlog) = &mut self.backlog
        {
            backlog.wake(self.stages.len(), aim);
        }
        if !self.is_complete() && (self.known < HowKnown::Some || self.population.len() < THIN) {
            self.recover(random);
            self.prove();
        }
        let is_better = self.known == HowKnown::LastEvent && self.enclosing().is_some();
        if self.population.len() == 0 || is_better {
            self.fall_back(random);
        }
    }

    /// If every position that can be is a particle, they are the whole belief.
    fn prove(&mut self) {
        let all = self.enclosing().map(<[Key]>::len);
        if self.known == HowKnown::Some && all == Some(self.population.len()) {
            self.known = HowKnown::All;
        }
    }

    /// Changes histories until there are enough.
    fn rejuvenate(&mut self, was: &Before, aim: Option<Aim>, random: &mut Xoshiro256PlusPlus) {
        let wanted = self.limits.low.min(self.enclosing().map_or(usize::MAX, <[Key]>::len));
        if self.population.len() >= wanted || self.stages.is_empty() {
            return;
        }
        let Before { population: was, behind } = was;
        let survivors = self.population.len();
        let is_rescue = survivors < FEW;
        let mut attempts = if is_rescue { self.limits.rescues } else { self.limits.changes };
        let mut known: HashSet<Key> = self.population.keys.iter().copied().collect();
        let change =
            |behind, aim| Change { stages: &self.stages, policy: self.policy.as_deref(), behind, aim };
        let mut found: Vec<(Changed, f32)> = Vec::new();
        let mut barren = 0;
        while attempts > 0 && known.len() < wanted && (known.is_empty() || barren < BARREN) {
            attempts -= 1;
            barren += 1;
            // A rescue needs fewer: what it finds can be changed in its turn.
            if is_rescue && known.len() >= FEW && attempts > self.limits.changes {
                attempts = self.limits.changes;
            }
            let of_now = survivors + found.len();
            let from_was = was.len() > 0 && (of_now == 0 || (of_now < FEW && random.random_ratio(1, 2)));
            let guided = aim.as_ref().filter(|_| random.random_ratio(1, 2));
            let changed = if from_was {
                let index = random.random_range(0..was.len());
                let Some(trail) = was.trails.get(index) else { continue };
                let weight = was.weights[index];
                change(*behind, guided).apply(trail, random).map(|changed| (changed, weight))
            } else if of_now == 0 {
                break;
            } else {
                let index = random.random_range(0..of_now);
                let (trail, weight) = match index.checked_sub(survivors) {
                    None => (&self.population.trails[index], self.population.weights[index]),
                    Some(index) => (&found[index].0.trail, found[index].1),
                };
                change(0, guided).apply(trail, random).map(|changed| (changed, weight))
            };
            let Some((changed, weight)) = changed else { continue };
            if known.insert(changed.key) {
                let weight = weight + changed.gain;
                found.push((changed, weight));
                barren = 0;
            }
        }
        self.is_exhausted = !known.is_empty() && barren >= BARREN;
        for (changed, weight) in found {
            self.population.keys.push(changed.key);
            self.population.weights.push(weight);
            self.population.trails.push(changed.trail);
        }
        self.population.sort();
    }

    /// Nothing fully consistent was found: what is surely known of squares, and what was heard last.
    fn fall_back(&mut self, random: &mut Xoshiro256PlusPlus) {
        let Some(enclosure) = &self.enclosure else { return };
        if let Some(all) = enclosure.positions() {
            self.population = Population::of(all.iter().copied());
            self.known = HowKnown::Since;
            return;
        }
        if !self.view.own().is_to_move() {
            return;
        }
        let drawn = (0..DRAWN).map_while(|_| enclosure.draw(&self.view, random));
        let mut drawn: Vec<Key> = drawn.collect();
        drawn.sort_unstable();
        drawn.dedup();
        self.population = Population::of(drawn.into_iter());
        self.known = HowKnown::LastEvent;
    }
}
