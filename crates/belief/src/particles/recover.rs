//! Finding lost particles again: those of an earlier moment follow everything heard since once more.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    HowKnown, Particles,
    backlog::{Snapshot, Surprise},
    population::{ParticleLimits, Population},
};
use crate::step::Step;

/// The first attempt goes back by so many hidden moves, each after it twice as far.
const BACK: usize = 8;
/// So many hidden moves are followed in all, unless the first attempt needs more.
const FOLLOWED: usize = 56;
/// With fewer particles than this, it is looked whether earlier ones lead to others.
pub(super) const THIN: usize = 100;

impl Particles {
    /// Finds positions again that were lost, from older and older particles; those that agree with everything heard are added.
    pub(super) fn recover(&mut self, random: &mut Xoshiro256PlusPlus) {
        let now = self.stages.len();
        let Some(mut backlog) = self.backlog.take_if(|backlog| backlog.is_rested(now)) else { return };
        let had = if self.known >= HowKnown::Some { self.population.len() } else { 0 };
        let (mut left, mut back, mut is_first) = (FOLLOWED, BACK, true);
        // Those that must meet the surprise are followed alone at first; what it asks for is not always told rightly.
        let mut guide = backlog.surprise;
        while let Some(snapshot) = backlog.older_than(back, now) {
            let length = now - snapshot.after;
            if length > left && !is_first {
                break;
            }
            (left, is_first) = (left.saturating_sub(length), false);
            if let Some(found) = self.follow_again(&snapshot, guide, random) {
                self.adopt(found);
                break;
            }
            if guide.take().is_none() {
                (guide, back) = (backlog.surprise, 2 * length);
            }
        }
        let has = if self.known >= HowKnown::Some { self.population.len() } else { 0 };
        backlog.tried(now, has >= 2 * had.max(1));
        if has > 0 {
            backlog.surprise = None;
        }
        self.backlog = Some(backlog);
    }

    /// What is left of particles put aside when they have followed all that was heard since.
    fn follow_again(
        &self,
        snapshot: &Snapshot,
        guide: Option<Surprise>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Population> {
        let changes = self.limits.changes / 4;
        let limits = ParticleLimits { changes, rescues: 2 * changes, ..self.limits };
        let mut again = Particles {
            view: self.view.clone(),
            limits,
            policy: self.policy.clone(),
            population: snapshot.population.clone(),
            known: HowKnown::Some,
            sight: self.sight,
            stages: self.stages[..snapshot.after].to_vec(),
            backlog: None,
            enclosure: None,
            is_exhausted: false,
            workers: self.workers.clone(),
        };
        for stage in &self.stages[snapshot.after..] {
            again.sight = stage.sight;
            again.follow(Step::Hidden(stage.hidden.clone()), random);
            for step in &stage.heard {
                again.follow(step.clone(), random);
            }
            let made = again.stages.len();
            if let Some(Surprise { after, aim }) = guide
                && made < after
            {
                let color = stage.hidden.color();
                again.population.retain(|key| aim.is_in_reach(key, color, after - made));
            }
            if again.population.len() == 0 {
                return None;
            }
        }
        Some(again.population)
    }

    /// Adds positions that agree with everything heard, with their trails; or they replace boards that do not.
    fn adopt(&mut self, found: Population) {
        if self.known < HowKnown::Some {
            self.population = found;
            self.known = HowKnown::Some;
        } else {
            self.population.append(found);
        }
    }
}
