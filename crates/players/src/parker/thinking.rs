//! One choice while it is thought about: positions are valued until the sample is large enough, or the time or the
//! nodes are used up; on several threads, each with an evaluator of its own.

use nebel_belief::Key;
use nebel_kriegspiel::{Attempt, Chess};
use rayon::{ThreadPool, prelude::*};

use super::{
    State,
    choose::{Values, row},
    options::SampleSize,
};
use crate::{Budget, evaluate::Evaluate};

/// The share of the time in which positions are valued.
const VALUED: f64 = 0.75;
/// One of so many nodes is kept for finding histories.
const KEPT: u64 = 4;
/// Positions that each thread values before the clock is looked at again.
const AT_ONCE: usize = 4;

/// One choice while it is thought about.
pub(super) struct Thinking<'a> {
    pub(super) values: Values,
    /// The positions that were valued, one for each row of the values.
    pub(super) sample: Vec<Key>,
    evaluators: &'a mut [Box<dyn Evaluate>],
    workers: Option<&'a ThreadPool>,
    most: usize,
    least: usize,
    until: Budget,
    nodes_left: Option<u64>,
    /// Nodes that are kept for finding histories, as the rest of the time is.
    kept: Option<u64>,
}

impl<'a> Thinking<'a> {
    /// Before the first position. Without workers the first evaluator does it all.
    pub(super) fn new(
        attempts: Vec<Attempt>,
        evaluators: &'a mut [Box<dyn Evaluate>],
        workers: Option<&'a ThreadPool>,
        size: SampleSize,
        budget: &Budget,
    ) -> Thinking<'a> {
        let valued = budget.nodes.map(|nodes| nodes - nodes / KEPT);
        Thinking {
            values: Values::new(attempts),
            sample: Vec::new(),
            evaluators,
            workers,
            most: if budget.aim.is_some() { size.with_clock } else { size.boards },
            least: size.least,
            until: budget.share(VALUED),
            nodes_left: valued,
            kept: budget.nodes.map(|nodes| nodes / KEPT),
        }
    }

    /// Until when positions are valued.
    pub(super) fn until(&self) -> &Budget {
        &self.until
    }

    /// The nodes that are left for finding histories, if they are counted.
    pub(super) fn nodes_for_histories(&self) -> Option<u64> {
        self.kept.map(|kept| kept + self.nodes_left.unwrap_or(0))
    }

    /// Whether a search for one more history may take so many steps.
    pub(super) fn allows(&self, steps: u64) -> bool {
        !self.until.is_over() && self.nodes_left.is_none_or(|nodes| steps < nodes)
    }

    /// So many steps were taken to find a history: they cost as much as nodes.
    pub(super) fn spend(&mut self, steps: u64) {
        self.nodes_left = self.nodes_left.map(|nodes| nodes.saturating_sub(steps));
    }

    /// Whether another position may be valued.
    pub(super) fn goes_on(&self) -> bool {
        let valued = self.values.len();
        valued < self.most
            && !self.until.is_over()
            && (valued < self.least || self.nodes_left.is_none_or(|nodes| nodes > 0))
    }

    /// How many positions are still wanted.
    pub(super) fn wanted(&self) -> usize {
        self.most.saturating_sub(self.values.len())
    }

    /// Values positions as long as there are any and it goes on.
    pub(super) fn value_all(&mut self, state: &mut State, next: impl FnMut(&mut State) -> Option<Key>) {
        let at_once = if self.workers.is_some() { AT_ONCE * self.evaluators.len() } else { 1 };
        self.value_some(state, at_once, next);
    }

    /// The same, so many at once.
    pub(super) fn value_some(
        &mut self,
        state: &mut State,
        at_once: usize,
        mut next: impl FnMut(&mut State) -> Option<Key>,
    ) {
        let mut positions = Vec::with_capacity(at_once);
        while self.goes_on() {
            positions.clear();
            let wanted = at_once.min(self.wanted());
            while positions.len() < wanted
                && let Some(key) = next(state)
            {
                positions.extend(state.pool.view().position(key).map(|position| (key, position)));
            }
            if positions.is_empty() {
                return;
            }
            self.value(&positions);
        }
    }

    fn value(&mut self, positions: &[(Key, Chess)]) {
        let before: u64 = self.evaluators.iter().map(|evaluate| evaluate.nodes()).sum();
        let (attempts, until, must) = (self.values.attempts(), &self.until, self.values.is_empty());
        let share = positions.len().div_ceil(self.evaluators.len());
        let value =
            |(evaluate, positions): (&mut Box<dyn Evaluate>, &[(Key, Chess)])| -> Vec<(Key, Vec<f32>)> {
                let row = |(key, position): &(Key, Chess)| {
                    row(attempts, position, &mut **evaluate, until, must).map(|row| (*key, row))
                };
                positions.iter().filter_map(row).collect()
            };
        let rows: Vec<(Key, Vec<f32>)> = match self.workers {
            Some(workers) => workers.install(|| {
                self.evaluators.par_iter_mut().zip(positions.par_chunks(share)).flat_map_iter(value).collect()
            }),
            None => {
                self.evaluators.iter_mut().take(1).flat_map(|evaluate| value((evaluate, positions))).collect()
            }
        };
        for (key, row) in rows {
            self.sample.push(key);
            self.values.add(row);
        }
        let used = self.evaluators.iter().map(|evaluate| evaluate.nodes()).sum::<u64>() - before;
        self.nodes_left = self.nodes_left.map(|nodes| nodes.saturating_sub(used));
    }
}
