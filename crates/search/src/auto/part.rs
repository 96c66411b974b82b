//! How much of a belief one strategy can win, when it cannot win all of it.
//!
//! First greedily: states join one at a time, and each that leaves those chosen provable stays. Then exactly: every failure
//! names a core, states that no strategy wins together; giving up the [cheapest](super::hitting) states that meet all cores known
//! leaves a part that is as large as any can be, if it can be won at all. If not, there is one more core.

use super::Informed;
use super::hitting::{self, Choice};
use crate::algorithm::{Breadth, Pruning};
use crate::domain::Domain;
use crate::incremental::Engine;
use crate::keys::KeySet;
use crate::limits::{Limits, Meter, Stop};
use crate::strategy::Strategy;

/// Sets that may be looked at for one choice of states to give up: some milliseconds.
const WORK_OF_CHOICE: u64 = 200_000;
/// Sets that may be looked at for all choices together, besides one for every state that the proofs construct: bounds are worth no more time than
/// the proofs that they are for.
const WORK: u64 = 2_000_000;

/// The best that one strategy does, as far as is known.
#[derive(Clone, Debug)]
pub struct Share {
    /// The states that it wins, by their places.
    pub wins: Vec<usize>,
    /// The strategy, if it wins any.
    pub strategy: Option<Strategy>,
    /// The weight of those states in that of all.
    pub share: f64,
    /// Whether no strategy wins more.
    pub exact: bool,
    /// The limit that ended the search, if one did.
    pub stopped: Option<Stop>,
}

/// The strategy that wins the most of the states, by weight, within `plies`. The same state may come twice.
pub fn largest_part<D: Domain>(
    domain: &D,
    states: &[D::State],
    weights: &[f64],
    plies: u32,
    meter: &mut Meter,
) -> Share {
    let mut parts = Parts::new(domain, states, weights, plies, meter);
    let (exact, stopped) = match parts.maximize(f64::INFINITY) {
        Ok(exact) => (exact, None),
        Err(stop) => (false, Some(stop)),
    };
    let (best, strategy) = parts.into_best();
    let of = |places: &mut dyn Iterator<Item = usize>| places.map(|place| weights[place]).sum::<f64>();
    let share = of(&mut best.iter().copied()) / of(&mut (0..states.len()));
    Share { wins: best, strategy, share, exact, stopped }
}

/// A part of at least `least` of the states that one strategy wins within `plies`, by their places, and the strategy; `None`
/// if there is none.
pub fn part_of<D: Domain>(
    domain: &D,
    states: &[D::State],
    plies: u32,
    least: usize,
    limits: &Limits,
) -> Result<Option<(Vec<usize>, Strategy)>, Stop> {
    let weights = vec![1.0; states.len()];
    let mut meter = Meter::new(limits);
    let mut parts = Parts::new(domain, states, &weights, plies, &mut meter);
    let exact = parts.maximize(least as f64)?;
    let (wins, strategy) = parts.into_best();
    if wins.len() >= least {
        return Ok(strategy.map(|strategy| (wins, strategy)));
    }
    // Where even the bounds could not be had, it is not known; that is a limit like others.
    if exact { Ok(None) } else { Err(Stop::Nodes) }
}

struct Parts<'a, D: Domain> {
    domain: &'a D,
    states: &'a [D::State],
    weights: &'a [f64],
    plies: u32,
    meter: &'a mut Meter,
    informed: Informed<'a, D>,
    /// States that can be won alone.
    hopeful: Vec<usize>,
    /// States that cannot be won together.
    cores: Vec<Vec<usize>>,
    /// The heaviest part that is known to be won, and how.
    best: Vec<usize>,
    strategy: Option<Strategy>,
}

impl<'a, D: Domain> Parts<'a, D> {
    fn new(
        domain: &'a D,
        states: &'a [D::State],
        weights: &'a [f64],
        plies: u32,
        meter: &'a mut Meter,
    ) -> Self {
        let informed = Informed::new(meter.limits(), None);
        let (hopeful, cores, best) = (Vec::new(), Vec::new(), Vec::new());
        Parts { domain, states, weights, plies, meter, informed, hopeful, cores, best, strategy: None }
    }

    /// The best part, and the strategy that wins it, complete.
    fn into_best(self) -> (Vec<usize>, Option<Strategy>) {
        let chosen: Vec<D::State> = self.best.iter().map(|&place| self.states[place].clone()).collect();
        let strategy = self.strategy.and_then(|strategy| strategy.complete(self.domain, &chosen));
        (self.best, strategy)
    }

    fn weight(&self, places: &[usize]) -> f64 {
        places.iter().map(|&place| self.weights[place]).sum()
    }

    /// Finds the heaviest part, or one of at least this weight, or that there is none of it. True if the best known is the
    /// heaviest, or none is heavy enough.
    fn maximize(&mut self, enough: f64) -> Result<bool, Stop> {
        if self.plies == 0 {
            return Ok(true);
        }
        for place in 0..self.states.len() {
            if self.informed.wins(self.domain, self.meter, &self.states[place], self.plies)? {
                self.hopeful.push(place);
            }
        }
        if enough.is_finite() && self.weight(&self.hopeful) < enough {
            return Ok(true);
        }
        self.choose_greedily(enough)?;
        let mut spent = 0;
        loop {
            let best = self.weight(&self.best);
            self.meter.look()?;
            let choice = hitting::cheapest(&self.cores, self.weights, WORK_OF_CHOICE);
            spent += choice.work;
            let at_most = self.weight(&self.hopeful) - choice.weight;
            let bounded = choice.cheapest && (best >= at_most || (enough.is_finite() && at_most < enough));
            if best >= enough || bounded {
                return Ok(true);
            }
            if spent > WORK + self.meter.counters.constructed {
                return Ok(false);
            }
            let known = self.cores.len();
            self.attempt(&choice)?;
            if self.cores.len() == known {
                return Ok(choice.cheapest);
            }
        }
    }

    /// States join in their order, and each that leaves those chosen provable stays.
    fn choose_greedily(&mut self, enough: f64) -> Result<(), Stop> {
        let mut chosen = Vec::new();
        let mut engine =
            Engine::new(self.domain, &mut self.informed, self.meter, Breadth::All, Pruning::Greedy);
        let mut proof = engine.begin(self.plies);
        let mut weight = 0.0;
        for &place in &self.hopeful {
            if weight >= enough {
                break;
            }
            if engine.take(proof, self.states[place].clone())? {
                chosen.push(place);
                weight += self.weights[place];
                continue;
            }
            let taken: Vec<usize> = chosen.iter().copied().chain([place]).collect();
            self.cores.push(blamed(self.domain, self.states, &taken, &engine.blamed(proof)));
            engine.forget(proof);
            proof = engine.begin(self.plies);
            for &place in &chosen {
                engine.take(proof, self.states[place].clone())?;
            }
        }
        self.strategy = engine.strategy(proof)?;
        engine.forget(proof);
        self.best = chosen;
        Ok(())
    }

    /// Tries what a choice leaves: it is the best part, or there is one more core.
    fn attempt(&mut self, choice: &Choice) -> Result<(), Stop> {
        let mut left = self.hopeful.clone();
        left.retain(|place| choice.states.binary_search(place).is_err());
        let mut engine =
            Engine::new(self.domain, &mut self.informed, self.meter, Breadth::All, Pruning::Greedy);
        let proof = engine.begin(self.plies);
        for (index, &place) in left.iter().enumerate() {
            if !engine.take(proof, self.states[place].clone())? {
                let core = blamed(self.domain, self.states, &left[..=index], &engine.blamed(proof));
                self.cores.push(core);
                engine.forget(proof);
                return Ok(());
            }
        }
        self.strategy = engine.strategy(proof)?;
        engine.forget(proof);
        self.best = left;
        Ok(())
    }
}

/// The states that are to blame for a failure, out of those that were taken: a proof holds each state once, and knows them by the
/// order in which they came.
fn blamed<D: Domain>(domain: &D, states: &[D::State], taken: &[usize], blamed: &[u32]) -> Vec<usize> {
    let mut keys = KeySet::default();
    let different: Vec<usize> =
        taken.iter().copied().filter(|&place| keys.insert(domain.key(&states[place]))).collect();
    let mut core: Vec<usize> = blamed.iter().map(|&place| different[place as usize]).collect();
    core.sort_unstable();
    core
}
