//! The belief that players and the web app hold: exact while it fits, particles from then on.

use std::sync::Arc;

use nebel_kriegspiel::{Chess, Color, Event, Rules};
use nebel_position::Key;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    estimate::Estimate,
    exact::budget::Limit,
    exact::progress::Progress,
    exact::set::PositionSet,
    exact::tracker::{TrackError, Tracker},
    marginals::Marginals,
    opponent::policy::Policy,
    particles::{HowKnown, ParticleLimits, Particles},
    statistics::{Announce, Statistics},
    view_state::ViewState,
};

/// One side's belief, kept event by event.
///
/// ```
/// use nebel_belief::{Belief, BeliefLimits, particles::HowKnown};
/// use nebel_kriegspiel::{Chess, Color, Event, Role, Rules, Square};
///
/// let mut belief = Belief::new(Rules::icc(), &Chess::new(), Color::White, BeliefLimits::default(), 7);
/// for line in [
///     r#"{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}"#,
///     r#"{"by":"black","answer":"moved","tries":{"count":1}}"#,
/// ] {
///     belief.hear(&Event::from_json(line).unwrap()).unwrap();
/// }
/// assert_eq!((belief.len(), belief.how_known()), (2, HowKnown::All)); // d7d5 or f7f5
/// assert_eq!(belief.marginals().get(Square::D5, nebel_belief::Man::Of(Role::Pawn)), 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct Belief {
    /// All positions, while they fit.
    exact: Option<Box<Tracker>>,
    /// What takes over, and what it has to be told then: it remembers the moves behind each position, so it hears the game
    /// from the start.
    particles: Particles,
    unheard: Vec<Event>,
    random: Xoshiro256PlusPlus,
}

/// How large a belief may grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeliefLimits {
    /// It is exact up to so many positions.
    pub exact: usize,
    /// Beyond, there are so many particles.
    pub particles: ParticleLimits,
}

impl Default for BeliefLimits {
    fn default() -> BeliefLimits {
        BeliefLimits { exact: 40_000, particles: ParticleLimits::REFILLED }
    }
}

impl Belief {
    /// At the start of a game. The same seed gives the same particles.
    pub fn new(rules: Rules, start: &Chess, side: Color, limits: BeliefLimits, seed: u64) -> Belief {
        // Particles are exact themselves until they are cut.
        let needs_tracker = limits.exact > limits.particles.most;
        let tracker = || Box::new(Tracker::new(rules.clone(), start, side, Limit::positions(limits.exact)));
        Belief {
            exact: needs_tracker.then(tracker),
            particles: Particles::new(rules, start, side, limits.particles),
            unheard: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Weighs positions by how likely the other side has played so. They are particles from the start then: the exact belief
    /// knows of no weights.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<Policy>) -> Belief {
        self.exact = None;
        self.particles = self.particles.with_policy(policy);
        self
    }

    /// Takes in an event of the side's view. An error is an event that no game can have.
    pub fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        if let Some(tracker) = &mut self.exact {
            match tracker.hear(event) {
                Ok(()) => {
                    self.unheard.push(event.clone());
                    return Ok(());
                }
                Err(
                    error @ (TrackError::Contradiction(_) | TrackError::NoPosition | TrackError::Stopped),
                ) => {
                    return Err(error);
                }
                Err(TrackError::Positions(_) | TrackError::Bytes(_) | TrackError::Memory) => {
                    self.exact = None;
                    for event in std::mem::take(&mut self.unheard) {
                        self.particles.hear(&event, &mut self.random)?;
                    }
                }
            }
        }
        self.particles.hear(event, &mut self.random)?;
        if self.particles.is_complete() && self.particles.keys().is_empty() {
            return Err(TrackError::NoPosition);
        }
        Ok(())
    }

    /// What this side knows of itself.
    pub fn view(&self) -> &ViewState {
        self.exact.as_ref().map_or_else(|| self.particles.view(), |tracker| tracker.hearing())
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.exact.as_ref().map_or_else(|| self.particles.keys().len(), |tracker| tracker.len())
    }

    /// Whether there is none at all, which is when not even a board for the last event was found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How well the positions are known.
    pub fn how_known(&self) -> HowKnown {
        if self.exact.is_some() { HowKnown::All } else { self.particles.how_known() }
    }

    /// Whether a search for more positions has come to nothing: these may be all, though nothing proves it.
    pub fn is_exhausted(&self) -> bool {
        self.exact.is_none() && self.particles.is_exhausted()
    }

    /// Where they are few enough to follow, all boards that may be: every position of the exact belief is among them.
    pub fn enclosing(&self) -> Option<&[Key]> {
        self.particles.enclosing()
    }

    /// Counters of the work on an exact belief, by which another thread can stop it. Particles are bounded and need no stopping.
    pub fn progress(&self) -> Option<Arc<Progress>> {
        self.exact.as_ref().map(|tracker| tracker.progress())
    }

    /// The positions in one list that outlives changes of the belief; of an exact belief the list is its own.
    pub fn share(&mut self) -> Arc<PositionSet> {
        match &mut self.exact {
            Some(tracker) => tracker.share(),
            None => Arc::new(PositionSet::of(self.particles.keys().iter().copied())),
        }
    }

    /// The positions, in no particular order.
    pub fn keys(&self) -> Box<dyn Iterator<Item = Key> + '_> {
        match &self.exact {
            Some(tracker) => Box::new(tracker.set().iter()),
            None => Box::new(self.particles.keys().iter().copied()),
        }
    }

    /// The positions with their weights, which add up to one.
    pub fn weighted(&self) -> Box<dyn Iterator<Item = (Key, f64)> + '_> {
        match &self.exact {
            Some(tracker) => {
                let weight = 1.0 / tracker.len() as f64;
                Box::new(tracker.set().iter().map(move |key| (key, weight)))
            }
            None => Box::new(self.particles.weighted()),
        }
    }

    /// How probable each hidden man is on each square.
    pub fn marginals(&self) -> Marginals {
        self.exact.as_ref().map_or_else(|| Marginals::of(self.weighted()), |tracker| tracker.marginals())
    }

    /// Counts over the positions, each counted once.
    pub fn statistics(&self, announce: Announce<'_>) -> Statistics {
        Statistics::gather(self.view(), self.keys(), announce)
    }
}
