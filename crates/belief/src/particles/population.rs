//! The positions of a set of particles, their weights and trails, and how they follow an event.

use std::{collections::HashSet, ops::Range};

use nebel_position::Key;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, prelude::*};

use super::{
    stratum::{How, Power, kept},
    trail::{Trail, legal_for},
};
use crate::{
    hidden::HiddenMove,
    moved::Moved,
    opponent::policy::{Policy, Scene, Sight},
    step::Step,
};

/// How many particles there may be, and how hard they are kept alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParticleLimits {
    /// They are cut when there are more than this…
    pub most: usize,
    /// …to so many, drawn by their weights.
    pub keep: usize,
    /// They are refilled when there are fewer than this; never if it is zero…
    pub low: usize,
    /// …by so many changed histories at most…
    pub changes: usize,
    /// …or by so many when next to none are left.
    pub rescues: usize,
    /// What is kept when they are cut.
    pub diversity: Diversity,
}

/// What is kept of particles that are cut, and whether earlier ones are gone back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Diversity {
    /// The likeliest, or any alike where there are no weights. Nothing is put aside: an event costs little more than its moves.
    ByWeight,
    /// Something of every kind as well, and some are put aside for the day on which the last is lost. A rescue takes time.
    EveryKind,
}

impl ParticleLimits {
    /// A pool that is cut at random and never refilled.
    pub const fn plain(most: usize, keep: usize) -> ParticleLimits {
        ParticleLimits { most, keep, low: 0, changes: 0, rescues: 0, diversity: Diversity::ByWeight }
    }

    /// Particles that live through long games, at some tens of milliseconds a turn. Nearly twice as many lived no better and took
    /// twice the time (12 games); `docs/belief.md` has what these do.
    pub const REFILLED: ParticleLimits = ParticleLimits {
        most: 40_000,
        keep: 20_000,
        low: 4_000,
        changes: 10_000,
        rescues: 100_000,
        diversity: Diversity::EveryKind,
    };

    /// Whether they are refilled.
    pub const fn refills(&self) -> bool {
        self.low > 0
    }

    /// How it is chosen what is kept, where weights are likelihoods or not.
    pub(super) const fn how(&self, are_likelihoods: bool) -> How {
        match self.diversity {
            Diversity::EveryKind => How::EveryKind(Power::of(are_likelihoods)),
            Diversity::ByWeight if are_likelihoods => How::Spread(Power::First),
            Diversity::ByWeight => How::Alike,
        }
    }
}

impl Default for ParticleLimits {
    /// The numbers of Parker, Nau and Subrahmanian (2005, section 4.1).
    fn default() -> ParticleLimits {
        ParticleLimits::plain(20_000, 10_000)
    }
}

/// Positions in ascending order, each with the logarithm of its weight and, where there are trails, the way it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Population {
    pub(super) keys: Vec<Key>,
    pub(super) weights: Vec<f32>,
    /// One a position, or none at all.
    pub(super) trails: Vec<Trail>,
}

/// A position that follows from one of the population.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: Key,
    parent: u32,
    weight: f32,
    /// The part of the weight that the last move has.
    odds: f32,
}

/// How a population follows an event.
pub(super) struct Follow<'a> {
    pub(super) policy: Option<&'a Policy>,
    pub(super) sight: Sight,
    pub(super) workers: Option<&'a ThreadPool>,
}

/// So many positions say enough of the belief that nobody asks for a proof that there are no more.
const PLENTY: usize = 1_500;
/// So many positions are followed in one piece of work.
const PIECE: usize = 512;
/// Before they are put in order, children are cut to so many times the largest population.
const UNSORTED: usize = 4;

impl Population {
    pub(super) fn of(keys: impl Iterator<Item = Key>) -> Population {
        let mut keys: Vec<Key> = keys.collect();
        keys.sort_unstable();
        let weights = vec![0.0; keys.len()];
        Population { keys, weights, trails: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are so many that it does not matter whether they are all.
    pub(super) fn is_plenty(&self) -> bool {
        self.len() >= PLENTY
    }

    /// The positions with their weights, which add up to one.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (Key, f64)> + '_ {
        let most = self.weights.iter().copied().fold(f32::MIN, f32::max);
        let weight = move |log: f32| f64::from(log - most).exp();
        let total: f64 = self.weights.iter().map(|&log| weight(log)).sum();
        self.keys.iter().zip(&self.weights).map(move |(&key, &log)| (key, weight(log) / total))
    }

    /// Adds positions; those that are new count as much as an average one.
    pub(super) fn add(&mut self, found: impl IntoIterator<Item = Key>) {
        let known: HashSet<Key> = self.keys.iter().copied().collect();
        let average = self.weights.iter().sum::<f32>() / self.len().max(1) as f32;
        let has_trails = !self.trails.is_empty();
        for key in found {
            if !known.contains(&key) {
                self.keys.push(key);
                self.weights.push(average);
                if has_trails {
                    self.trails.push(Trail::at(key));
                }
            }
        }
        self.sort();
    }

    /// Puts positions in order; of two alike one stays.
    pub(super) fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|&index| self.keys[index as usize]);
        order.dedup_by_key(|index| self.keys[*index as usize]);
        self.select(&order);
    }

    /// Cuts it if there are too many; whether there were.
    pub(super) fn cut(&mut self, limits: ParticleLimits, how: How, random: &mut Xoshiro256PlusPlus) -> bool {
        let is_large = self.len() > limits.most;
        if is_large {
            let kept = kept(&mut self.weights, |index| self.keys[index], limits.keep, how, random);
            self.select(&kept);
        }
        is_large
    }

    /// Up to so many of these, without trails.
    pub(super) fn some(&self, count: usize, how: How, random: &mut Xoshiro256PlusPlus) -> Population {
        let mut some =
            Population { keys: self.keys.clone(), weights: self.weights.clone(), trails: Vec::new() };
        some.cut(ParticleLimits::plain(count, count), how, random);
        some
    }

    /// Keeps those for which this holds.
    pub(super) fn retain(&mut self, mut holds: impl FnMut(Key) -> bool) {
        let order: Vec<u32> =
            (0..self.len() as u32).filter(|&index| holds(self.keys[index as usize])).collect();
        if order.len() < self.len() {
            self.select(&order);
        }
    }

    /// Adds the positions of another that are new, as they are. Both have trails, or neither.
    pub(super) fn append(&mut self, mut other: Population) {
        self.keys.append(&mut other.keys);
        self.weights.append(&mut other.weights);
        self.trails.append(&mut other.trails);
        self.sort();
    }

    /// Keeps these positions, in this order.
    fn select(&mut self, order: &[u32]) {
        self.keys = order.iter().map(|&index| self.keys[index as usize]).collect();
        self.weights = order.iter().map(|&index| self.weights[index as usize]).collect();
        if !self.trails.is_empty() {
            self.trails = order.iter().map(|&index| self.trails[index as usize].clone()).collect();
        }
    }
}

impl Follow<'_> {
    /// What follows from a population by an unseen move, and whether anything was left out.
    pub(super) fn hidden(
        &self,
        was: &Population,
        hidden: &HiddenMove,
        limits: ParticleLimits,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Population, bool) {
        if self.policy.is_none() && !limits.refills() {
            return self.plain(was, hidden, limits, random);
        }
        let mut children = self.children(was, hidden);
        let mut is_cut = false;
        let by_weight = self.policy.is_some();
        let mut cut = |children: &mut Vec<Child>, most: usize, keep: usize, how: How, random: &mut _| {
            if children.len() > most {
                let mut weights: Vec<f32> = children.iter().map(|child| child.weight).collect();
                let kept = kept(&mut weights, |index| children[index].key, keep, how, random);
                let with =
                    |&index: &u32| Child { weight: weights[index as usize], ..children[index as usize] };
                *children = kept.iter().map(with).collect();
                is_cut = true;
            }
        };
        if limits.refills() {
            let most = UNSORTED * limits.most;
            cut(&mut children, most, most, limits.how(by_weight).of_any_kind(), random);
        }
        self.sort(&mut children, |child| (child.key, child.parent));
        children.dedup_by(|next, first| {
            let same = next.key == first.key;
            if same {
                // Without weights, what counts for less was the more likely to be here.
                let both = if by_weight { log_sum } else { f32::min };
                first.weight = both(first.weight, next.weight);
            }
            same
        });
        cut(&mut children, limits.most, limits.keep, limits.how(by_weight), random);
        let trails = if limits.refills() {
            let trail = |child: &Child| {
                let parent = was.keys[child.parent as usize];
                let before = was.trails.get(child.parent as usize).cloned();
                let before = before.unwrap_or_else(|| Trail::at(parent));
                let moved = Moved::between(parent, child.key);
                moved.map_or_else(|| Trail::at(child.key), |moved| before.and(moved, child.odds))
            };
            children.iter().map(trail).collect()
        } else {
            Vec::new()
        };
        let population = Population {
            keys: children.iter().map(|child| child.key).collect(),
            weights: children.iter().map(|child| child.weight).collect(),
            trails,
        };
        (population, is_cut)
    }

    /// The same for a pool without weights and trails: keys alone are sorted twice as fast.
    fn plain(
        &self,
        was: &Population,
        hidden: &HiddenMove,
        limits: ParticleLimits,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Population, bool) {
        let mut keys = self.gather(was.len(), |range| {
            let mut next = Vec::with_capacity(4 * range.len());
            for &key in &was.keys[range] {
                hidden.expand(key, |key, _| next.push(key));
            }
            next
        });
        self.sort(&mut keys, |&key| key);
        keys.dedup();
        let mut population = Population { weights: vec![0.0; keys.len()], keys, trails: Vec::new() };
        let is_cut = population.cut(limits, How::Alike, random);
        (population, is_cut)
    }

    fn children(&self, was: &Population, hidden: &HiddenMove) -> Vec<Child> {
        self.gather(was.len(), |range| {
            let mut children = Vec::with_capacity(4 * range.len());
            for parent in range {
                self.expand(was, parent, hidden, &mut children);
            }
            children
        })
    }

    /// Puts things in order, the work shared between the threads if there are such.
    fn sort<T: Send, K: Ord>(&self, all: &mut [T], key: impl Fn(&T) -> K + Send + Sync) {
        match self.workers {
            None => all.sort_unstable_by_key(key),
            Some(workers) => workers.install(|| all.par_sort_unstable_by_key(key)),
        }
    }

    /// What comes of so many positions, in their order, the work shared between the threads if there are such.
    fn gather<T: Send>(&self, count: usize, work: impl Fn(Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
        match self.workers {
            None => work(0..count),
            Some(workers) => workers.install(|| {
                let pieces = (0..count).into_par_iter().step_by(PIECE);
                pieces.flat_map_iter(|from| work(from..(from + PIECE).min(count))).collect()
            }),
        }
    }

    fn expand(&self, was: &Population, parent: usize, hidden: &HiddenMove, children: &mut Vec<Child>) {
        let (before, weight) = (was.keys[parent], was.weights[parent]);
        let Some(policy) = self.policy else {
            hidden.expand(before, |key, _| {
                children.push(Child { key, parent: parent as u32, weight, odds: 0.0 });
            });
            return;
        };
        let men = before.unpack();
        let legal = legal_for(hidden, &men);
        let last = was.trails.get(parent).and_then(Trail::last);
        let scene = Scene { legal: &legal, sight: self.sight, last };
        let chances = policy.chances(&scene);
        hidden.expand(before, |key, _| {
            let chance = Moved::between(before, key)
                .and_then(|moved| Some(chances.chance_of(moved, before.code_at(moved.from())?.role())));
            let odds = chance.unwrap_or(f32::MIN_POSITIVE).max(f32::MIN_POSITIVE).ln();
            children.push(Child { key, parent: parent as u32, weight: weight + odds, odds });
        });
    }
}

impl Population {
    /// What becomes of each position by an event that is no unseen move.
    pub(super) fn advanced(&self, step: &Step) -> Vec<Option<Key>> {
        self.keys.iter().map(|&key| step.advance(key)).collect()
    }

    /// Takes over what became of each position.
    pub(super) fn take(&mut self, advanced: &[Option<Key>], is_filter: bool) {
        let order: Vec<u32> =
            (0..self.len() as u32).filter(|&index| advanced[index as usize].is_some()).collect();
        if order.len() < self.len() {
            self.select(&order);
        }
        self.keys = advanced.iter().flatten().copied().collect();
        if !is_filter {
            self.sort();
        }
    }
}

/// The logarithm of the sum of two numbers given by their logarithms.
fn log_sum(a: f32, b: f32) -> f32 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    high + (low - high).exp().ln_1p()
}
