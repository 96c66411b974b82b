//! Particles: positions that agree with everything heard, some of them where there are too many to keep.
//!
//! Until they are cut for the first time, particles are the whole belief. With an opponent model ([`Policy`]) each has a weight,
//! its likelihood under the model; without one all count alike, as in the sampling players of Parker, Nau and Subrahmanian
//! (2005, section 4.1).
//!
//! A plain pool thins out: after sixty moves some twenty thousand positions are too few for the next surprise. So particles
//! remember their last hidden moves ([`trail`](self)) and are refilled when they are few, in this order:
//!
//! 1. *rejuvenation*: a stretch of the hidden moves of a surviving particle is drawn again and the rest repeated, through all
//!    that was heard; the same is done with the particles of the moment before, when the last event left next to none;
//! 2. *recovery*: particles of an earlier moment ([`Backlog`]) follow everything heard since once more, when hardly any are left
//!    and from time to time after the last was lost;
//! 3. where that fails, every board that the [metaposition](crate::metaposition) allows, if they are few ([`Enclosure`]): a
//!    superset of the belief, followed exactly from then on;
//! 4. else boards drawn from the metaposition that agree with the last event.
//!
//! Which of these the positions are says [`HowKnown`]: nothing that is not fully consistent pretends to be. An enclosure has
//! another use: particles are within the belief, and the belief within the enclosure; when both have as many positions,
//! the particles are the whole belief again, and that is proved.

mod aim;
mod backlog;
mod enclosure;
mod population;
mod recover;
mod refill;
mod stratum;
mod trail;

use std::sync::Arc;

use nebel_kriegspiel::{Chess, Color, Event, Rules, side::Contradiction};
use nebel_position::Key;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPool;

pub use self::population::{Diversity, ParticleLimits};
use self::{
    aim::Aim,
    backlog::Backlog,
    enclosure::Enclosure,
    population::{Follow, Population},
    refill::Before,
    trail::{Stage, WINDOW},
};
use crate::{
    opponent::policy::{Policy, Sight},
    step::Step,
    view_state::ViewState,
};

/// How well the positions are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HowKnown {
    /// They agree with the last event, and with what is surely known of squares and numbers.
    LastEvent,
    /// They agree with all that was heard since an earlier turn, and with what was surely known then.
    Since,
    /// Each agrees with everything heard; there may be more.
    Some,
    /// They are all that agree with everything heard.
    All,
}

/// Positions consistent with everything heard.
#[derive(Clone, Debug)]
pub struct Particles {
    view: ViewState,
    limits: ParticleLimits,
    policy: Option<Arc<Policy>>,
    population: Population,
    known: HowKnown,
    /// What the other side was told last.
    sight: Sight,
    /// All hidden moves and what was heard after each; trails go back over the last of them.
    stages: Vec<Arc<Stage>>,
    /// Earlier particles; none where they are never gone back to.
    backlog: Option<Backlog>,
    enclosure: Option<Box<Enclosure>>,
    /// Whether the last refill gave up because nothing new came.
    is_exhausted: bool,
    workers: Option<Arc<ThreadPool>>,
}

impl Particles {
    /// At the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color, limits: ParticleLimits) -> Particles {
        let enclosure = limits.refills().then(|| Box::new(Enclosure::new(&rules, start, side)));
        let view = ViewState::new(rules, start, side);
        let population = Population::of([view.start()].into_iter());
        Particles::with(view, population, HowKnown::All, enclosure, limits)
    }

    /// Particles without positions, for one who only listens: keeping them up is most of the work.
    pub fn only_listening(rules: Rules, start: &Chess, side: Color) -> Particles {
        let view = ViewState::new(rules, start, side);
        Particles::with(view, Population::default(), HowKnown::Some, None, ParticleLimits::default())
    }

    fn with(
        view: ViewState,
        population: Population,
        known: HowKnown,
        enclosure: Option<Box<Enclosure>>,
        limits: ParticleLimits,
    ) -> Particles {
        let (policy, workers) = (None, None);
        let (sight, stages) = (Sight::default(), Vec::new());
        let puts_aside = limits.refills() && limits.diversity == Diversity::EveryKind;
        let backlog = puts_aside.then(Backlog::default);
        Particles {
            view,
            limits,
            policy,
            population,
            known,
            sight,
            stages,
            backlog,
            enclosure,
            is_exhausted: false,
            workers,
        }
    }

    /// Weighs positions by how likely the other side has played so.
    #[must_use]
    pub fn with_policy(self, policy: Arc<Policy>) -> Particles {
        Particles { policy: Some(policy), ..self }
    }

    /// Shares the updates between these threads. What the particles are does not depend on them.
    #[must_use]
    pub fn with_workers(self, workers: Option<Arc<ThreadPool>>) -> Particles {
        Particles { workers, ..self }
    }

    /// What this side knows of itself.
    pub fn view(&self) -> &ViewState {
        &self.view
    }

    /// The positions, sorted.
    pub fn keys(&self) -> &[Key] {
        &self.population.keys
    }

    /// The positions with their weights, which add up to one.
    pub fn weighted(&self) -> impl Iterator<Item = (Key, f64)> + '_ {
        self.population.weighted()
    }

    /// How well the positions are known.
    pub fn how_known(&self) -> HowKnown {
        self.known
    }

    /// Where they are few enough to follow, all boards that may be: every position of the belief is among them.
    pub fn enclosing(&self) -> Option<&[Key]> {
        self.enclosure.as_ref()?.positions()
    }

    /// Whether these are all positions that agree with everything heard.
    pub fn is_complete(&self) -> bool {
        self.known == HowKnown::All
    }

    /// Whether two thousand changed histories in a row have led to no new position: there may be no more, though nothing
    /// proves it.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Brings the particles up to an event.
    pub fn hear(&mut self, event: &Event, random: &mut Xoshiro256PlusPlus) -> Result<(), Contradiction> {
        // Where the rules have one word for both, own nonsense is told from refusals by the own men.
        let heard = self.view.own().clone().take(event.clone())?;
        let step = self.view.hear(event)?;
        if let Some(enclosure) = &mut self.enclosure {
            let wanted = !self.population.is_plenty() && self.known != HowKnown::All;
            enclosure.hear(&heard, step.as_ref(), &self.view, wanted);
        }
        if let Some(step) = step {
            self.follow(step, random);
        }
        if let Some(announcement) = event.announcement() {
            self.sight = Sight::after(announcement, self.view.own().to_move());
        }
        Ok(())
    }

    /// Adds positions that were found to be consistent.
    pub fn add(&mut self, found: impl IntoIterator<Item = Key>, random: &mut Xoshiro256PlusPlus) {
        self.population.add(found);
        self.cut(random);
    }

    fn follow(&mut self, step: Step, random: &mut Xoshiro256PlusPlus) {
        let refills = self.limits.refills();
        let aim = Aim::of(&step);
        let was = match step {
            Step::Hidden(hidden) => {
                if refills {
                    self.forget_stage();
                    self.keep_snapshot(random);
                }
                let policy = self.policy.as_deref();
                let follow = Follow { policy, sight: self.sight, workers: self.workers.as_deref() };
                let (next, is_cut) = follow.hidden(&self.population, &hidden, self.limits, random);
                let population = std::mem::replace(&mut self.population, next);
                self.lower(is_cut);
                if refills {
                    self.stages.push(Arc::new(Stage::new(hidden, self.sight)));
                }
                Some(Before { population, behind: 1 })
            }
            step => {
                let advanced = self.population.advanced(&step);
                let left = advanced.iter().flatten().count();
                let was = (left < self.limits.low).then(|| self.population.clone());
                self.population.take(&advanced, step.is_filter());
                if refills && let Some(stage) = self.stages.last_mut() {
                    Arc::make_mut(stage).heard.push(step);
                }
                was.map(|population| Before { population, behind: 0 })
            }
        };
        if refills && let Some(was) = was {
            self.refill(&was, aim, random);
        }
    }

    /// Makes room for one more move in trails that are as long as they get.
    fn forget_stage(&mut self) {
        let Some(first) = self.stages.len().checked_sub(WINDOW) else { return };
        for trail in &mut self.population.trails {
            trail.forget(&self.stages[first], WINDOW - 1);
        }
    }

    fn cut(&mut self, random: &mut Xoshiro256PlusPlus) {
        let how = self.limits.how(self.policy.is_some());
        let is_cut = self.population.cut(self.limits, how, random);
        self.lower(is_cut);
    }

    /// What was left out makes the rest a sample.
    fn lower(&mut self, is_cut: bool) {
        if is_cut {
            self.known = self.known.min(HowKnown::Some);
        }
    }
}
