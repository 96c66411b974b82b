//! The hidden moves that led to a particle, and how a stretch of them is drawn anew.

use std::sync::Arc;

use arrayvec::ArrayVec;
use nebel_position::{Key, Legal, Men, Sides};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::aim::{Aim, Wish, push};
use crate::{
    hidden::HiddenMove,
    moved::Moved,
    opponent::policy::{Policy, Scene, Sight},
    step::Step,
};

/// So many hidden moves are remembered: a surprise seldom has its cause further back, and each costs six bytes a particle.
pub(super) const WINDOW: usize = 32;
/// Later moves that do not fit a changed history are drawn anew, up to so many of them.
const REDRAWN: usize = 6;

/// The moves of the remembered stages that led to a particle, and the position before the first of them.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    base: Key,
    moves: ArrayVec<Moved, WINDOW>,
    /// The logarithm of each move's chance, under the policy.
    odds: ArrayVec<f32, WINDOW>,
}

/// A hidden move as it was heard, and what was heard after it until the next.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) hidden: Box<HiddenMove>,
    /// What the mover had been told.
    pub(super) sight: Sight,
    pub(super) heard: Vec<Step>,
}

impl Stage {
    pub(super) fn new(hidden: Box<HiddenMove>, sight: Sight) -> Stage {
        Stage { hidden, sight, heard: Vec::new() }
    }

    /// The position that a move of this stage is known to have led to.
    fn after(&self, before: Key, moved: Moved) -> Key {
        self.heard.iter().fold(moved.apply(before), |key, step| step.advance_known(key))
    }

    /// What was heard after the move, asked of a position.
    fn through(&self, key: Key) -> Option<Key> {
        self.heard.iter().try_fold(key, |key, step| step.advance(key))
    }
}

impl Trail {
    pub(super) fn at(key: Key) -> Trail {
        Trail { base: key, moves: ArrayVec::new(), odds: ArrayVec::new() }
    }

    /// The same trail and one more move.
    pub(super) fn and(&self, moved: Moved, odds: f32) -> Trail {
        let mut trail = self.clone();
        trail.moves.push(moved);
        trail.odds.push(odds);
        trail
    }

    /// The move made last.
    pub(super) fn last(&self) -> Option<Moved> {
        self.moves.last().copied()
    }

    /// Forgets the earliest stage, after which this many are left.
    pub(super) fn forget(&mut self, stage: &Stage, left: usize) {
        if self.moves.len() > left {
            self.base = stage.after(self.base, self.moves[0]);
            self.moves.remove(0);
            self.odds.remove(0);
        }
    }
}

/// The chance of a move that led from one position to the next, as a logarithm; zero without a policy.
fn log_chance(policy: Option<&Policy>, stage: &Stage, last: Option<Moved>, before: Key, moved: Moved) -> f32 {
    let (Some(policy), Some(code)) = (policy, before.code_at(moved.from())) else { return 0.0 };
    let men = before.unpack();
    let legal = legal_for(&stage.hidden, &men);
    let scene = Scene { legal: &legal, sight: stage.sight, last };
    policy.chances(&scene).chance_of(moved, code.role()).max(f32::MIN_POSITIVE).ln()
}

/// What is legal for the side that moves.
pub(super) fn legal_for<'a>(hidden: &'a HiddenMove, men: &'a Men) -> Legal<&'a Men, &'a Men> {
    Sides { color: hidden.color(), mover: men, other: hidden.before() }.legal()
}

/// A way to change histories: one of their moves is drawn again, later ones repeated where they can be.
pub(super) struct Change<'a> {
    pub(super) stages: &'a [Arc<Stage>],
    pub(super) policy: Option<&'a Policy>,
    /// How many of the last stages the trails lack.
    pub(super) behind: usize,
    /// What the last event asks for, if histories are to be led there.
    pub(super) aim: Option<&'a Aim>,
}

/// A history made of another.
pub(super) struct Changed {
    pub(super) key: Key,
    pub(super) trail: Trail,
    /// What the change adds to the logarithm of the weight.
    pub(super) gain: f32,
}

impl Change<'_> {
    /// Changes a history; `None` if it does not agree with everything heard then.
    pub(super) fn apply(&self, trail: &Trail, random: &mut Xoshiro256PlusPlus) -> Option<Changed> {
        let first = self.stages.len().checked_sub(trail.moves.len() + self.behind)?;
        let count = self.stages.len() - first;
        if count == 0 {
            return None;
        }
        let changed = pick(count, random);
        let mut wishes = [Wish::Repeat; WINDOW];
        wishes[changed] = Wish::Any;
        let mut new = Trail::at(trail.base);
        let (mut key, mut redrawn) = (trail.base, 0);
        let mut before = [trail.base; WINDOW];
        for index in 0..count {
            let stage = &self.stages[first + index];
            let old = trail.moves.get(index).copied();
            if index < changed
                && let Some(moved) = old
            {
                key = stage.after(key, moved);
                new.moves.push(moved);
                new.odds.push(trail.odds[index]);
                continue;
            }
            if index == changed
                && let Some(aim) = self.aim
            {
                aim.plan(key, stage, &mut wishes[changed..count], random)?;
            }
            let done = match wishes[index] {
                Wish::Any => None,
                Wish::Land => Some(draw(stage, key, self.aim, random)?),
                Wish::Push(target) if !key.occupied().contains(target) => {
                    Some(push(stage, key, target, random)?)
                }
                Wish::Push(_) | Wish::Repeat => {
                    old.and_then(|moved| Some((moved, stage.hidden.repeat(key, moved)?)))
                }
            };
            let (moved, next) = if let Some(done) = done {
                done
            } else {
                redrawn += usize::from(wishes[index] == Wish::Repeat && old.is_some());
                if redrawn > REDRAWN {
                    return None;
                }
                draw(stage, key, None, random)?
            };
            before[index] = key;
            new.moves.push(moved);
            key = stage.through(next)?;
        }
        // Chances are worked out at the end: most changes lead nowhere.
        let mut gain = 0.0;
        for (index, &key) in before.iter().enumerate().take(count).skip(changed) {
            let stage = &self.stages[first + index];
            let last = index.checked_sub(1).map(|index| new.moves[index]);
            let odds = log_chance(self.policy, stage, last, key, new.moves[index]);
            gain += odds - trail.odds.get(index).copied().unwrap_or(0.0);
            new.odds.push(odds);
        }
        Some(Changed { key, trail: new, gain })
    }
}

/// Which move to change: mostly one of the last, now and then any.
fn pick(count: usize, random: &mut Xoshiro256PlusPlus) -> usize {
    if random.random_ratio(1, 8) {
        return random.random_range(0..count);
    }
    let mut back = 0;
    while back + 1 < count && random.random_ratio(3, 4) {
        back += 1;
    }
    count - 1 - back
}

/// One of the moves that agree with what was heard of them, each as likely; those that meet the aim if there are such.
fn draw(stage: &Stage, key: Key, aim: Option<&Aim>, random: &mut Xoshiro256PlusPlus) -> Option<(Moved, Key)> {
    let (mut any, mut landed) = ((0_u32, None), (0_u32, None));
    stage.hidden.expand(key, |next, _| {
        let mut offer = |(count, kept): &mut (u32, Option<Key>)| {
            *count += 1;
            if random.random_range(0..*count) == 0 {
                *kept = Some(next);
            }
        };
        if aim.is_some_and(|aim| Moved::between(key, next).is_some_and(|moved| aim.is_met_by(moved))) {
            offer(&mut landed);
        }
        offer(&mut any);
    });
    let next = landed.1.or(any.1)?;
    Some((Moved::between(key, next)?, next))
}
