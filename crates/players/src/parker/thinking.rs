//! One choice while it is thought about: positions are valued until the sample is large enough, or the time or the
//! nodes are used up; on several threads, each with an evaluator of its own.

use nebel_belief::Key;
use nebel_kriegspiel::{Attempt, Chess};
use rayon::{ThreadPool, prelude::*};

use super::{
    State,
    choose::{Values, row},
};
use crate::{Budget, evaluate::Evaluate};

/// The share of the time in which positions are valued.
const VALUED: f64 = 0.75;
/// Positions that each thread values before the clock is looked at again.
const AT_ONCE: usize = 4;

/// One choice while it is thought about.
pub(super) struct Thinking<'a> {
    pub(super) values: Values,
    /// The positions that were valued, one for each row of the values.
    pub(super) sample: Vec<Key>,
    evaluators: &'a mut [Box<dyn Evaluate>],
    workers: Option<&'a ThreadPool>,
    sample_size: usize,
    until: Budget,
    nodes_left: Option<u64>,
}

impl<'a> Thinking<'a> {
    /// Before the first position. Without workers the first evaluator does it all.
    pub(super) fn new(
        attempts: Vec<Attempt>,
        evaluators: &'a mut [Box<dyn Evaluate>],
        workers: Option<&'a ThreadPool>,
        sample_size: usize,
        budget: &Budget,
    ) -> Thinking<'a> {
        Thinking {
            values: Values::new(attempts),
            sample: Vec::new(),
            evaluators,
            workers,
            sample_size,
            until: budget.share(VALUED),
            nodes_left: budget.nodes,
        }
    }

    /// Whether another position may be valued.
    pub(super) fn goes_on(&self) -> bool {
        self.values.len() < self.sample_size
            && !self.until.is_over()
            && self.nodes_left.is_none_or(|nodes| nodes > 0)
    }

    /// Values positions as long as there are any and it goes on.
    pub(super) fn value_all(&mut self, state: &mut State, mut next: impl FnMut(&mut State) -> Option<Key>) {
        let at_once = if self.workers.is_some() { AT_ONCE * self.evaluators.len() } else { 1 };
        let mut positions = Vec::with_capacity(at_once);
        while self.goes_on() {
            positions.clear();
            let wanted = at_once.min(self.sample_size - self.values.len());
            while positions.len() < wanted
                && let Some(key) = next(state)
            {
                positions.extend(state.pool.hearing().position(key).map(|position| (key, position)));
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
