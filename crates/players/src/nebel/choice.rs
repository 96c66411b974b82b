//! One choice: positions drawn from the belief, every attempt valued in them, and the best valued again by what comes after.
//!
//! The first part is the same work at any clock. What time is left goes to the second ([`Ahead`]), which can use as much
//! as there is. Several threads share positions and lines out among themselves; with a budget of nodes they come to the same
//! as one.

use std::thread;

use nebel_belief::{Belief, Estimate as _, Key, Men, OwnAttempt, particles::HowKnown};
use nebel_kriegspiel::Attempt;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    ahead::Ahead,
    numbers::NUMBERS,
    options::Settings,
    outcome::{Candidate, Judge, Outcome},
    plan::{Announced, Planned, Row, Table},
    value::{
        Value,
        inputs::{History, Inputs},
        surroundings::{Found, Size, Surroundings},
    },
};
use crate::Budget;

/// So many positions are valued between two looks at the clock.
const BATCH: usize = 10;

/// What a choice is made by.
pub(super) struct Question<'a> {
    pub(super) settings: &'a Settings,
    pub(super) belief: &'a Belief,
    /// What stands in for the belief, in an experiment.
    pub(super) given: Option<&'a [(Key, f64)]>,
    pub(super) budget: &'a Budget,
    /// What the learned value is told of the game so far.
    pub(super) history: History,
    /// Own moves since a capture or an own pawn's move.
    pub(super) idle: u32,
    /// Whether what a learned value would be told is to be noted.
    pub(super) notes_inputs: bool,
}

/// An attempt as a learned value is told of it.
#[derive(Clone, Debug)]
pub struct NotedInputs {
    /// The attempt.
    pub attempt: Attempt,
    /// Its value before anything learned was added, in pawns.
    pub pawns: f32,
    /// What is told of it.
    pub inputs: Inputs,
}

/// What a choice is.
#[derive(Default)]
pub(super) struct Answer {
    /// The attempts, the best first.
    pub(super) planned: Vec<Planned>,
    /// Positions in which all of them were valued.
    pub(super) positions: usize,
    /// Lines by which the best were valued again.
    pub(super) lines: usize,
    /// What to try first, what where it is refused, and so on.
    pub(super) course: Vec<Attempt>,
    /// What may be announced of each of the attempts.
    pub(super) announced: Vec<Announced>,
    /// What the learned value was told of each of the attempts, if it was asked or notes are taken, and their values before it spoke.
    pub(super) noted: Vec<NotedInputs>,
}

impl Answer {
    /// Reads from the table what a player can tell of its choice.
    fn explain(&mut self, table: &Table) {
        self.course = self.planned.first().map(|best| table.course(best.row)).unwrap_or_default();
        self.announced = self.planned.iter().map(|planned| table.announced(planned.row)).collect();
    }
}

impl Question<'_> {
    /// Values these attempts; `bonus` is what each has for reasons that are no matter of the position.
    pub(super) fn answer(
        &self,
        attempts: &[Attempt],
        mut bonus: impl FnMut(Attempt) -> f32,
        random: &mut Xoshiro256PlusPlus,
    ) -> Answer {
        let men = self.belief.view().own().men();
        let candidates: Vec<Candidate> = attempts
            .iter()
            .filter_map(|&attempt| OwnAttempt::new(men, attempt).map(Candidate::new))
            .collect();
        let Settings { missed, positions, ahead, .. } = *self.settings;
        // Half of the nodes for each of the two parts.
        let affordable = self.budget.nodes.map(|nodes| (nodes as usize / candidates.len().max(1) / 2).max(1));
        let until = self.budget.share(NUMBERS.share);
        let sample = self.drawn(positions.min(affordable.unwrap_or(usize::MAX)), random);
        let valued = self.value(&candidates, &sample, &until);
        let total: f64 = valued.iter().map(|(weight, _)| weight).sum();
        let rows = candidates.iter().enumerate().map(|(at, candidate)| {
            let attempt = candidate.attempt.attempt();
            let outcomes = valued.iter().map(|(_, outcomes)| outcomes[at]).collect();
            Row { attempt, outcomes, bonus: bonus(attempt) }
        });
        let mut table = Table {
            rows: rows.collect(),
            weights: valued.iter().map(|(weight, _)| (weight / total) as f32).collect(),
            typical: None,
        };
        let planned = table.plan(missed);
        let mut answer = Answer { planned, positions: valued.len(), ..Answer::default() };
        if ahead < 2 || answer.planned.len() < 2 || until.is_over() {
            answer.explain(&table);
            return answer;
        }
        let best: Vec<(usize, f32)> = answer.planned.iter().take(ahead).map(|p| (p.row, p.value)).collect();
        let lines = affordable.map_or(self.settings.lines, |affordable| affordable.min(self.settings.lines));
        let sample = self.drawn(positions.max(lines / 4), random);
        let judge = || self.judge();
        let mut ahead = Ahead { judge: &judge, own: men, missed, threads: self.settings.threads, lines: 0 };
        let attempts: Vec<(&Candidate, f32)> =
            best.iter().map(|&(row, value)| (&candidates[row], value)).collect();
        let corrections = ahead.corrections(&attempts, &sample, lines, &until, random);
        for (&(row, _), correction) in best.iter().zip(&corrections) {
            for outcome in table.rows[row].outcomes.iter_mut().flatten() {
                outcome.value += correction;
            }
        }
        // The others have not been looked at as closely: they do not compete any more.
        table.rows = best.iter().map(|&(row, _)| table.rows[row].clone()).collect();
        answer.planned = table.plan(missed);
        if self.settings.value.is_some() || self.notes_inputs {
            let candidates: Vec<&Candidate> = attempts.iter().map(|(candidate, _)| *candidate).collect();
            answer.noted = self.note_inputs(&candidates, &corrections, &sample, &table, &answer.planned);
            if let Some(value) = &self.settings.value {
                self.correct(value, &mut table, &mut answer);
            }
        }
        answer.lines = ahead.lines;
        answer.explain(&table);
        answer
    }

    /// What the learned value is told of these attempts, the best first.
    fn note_inputs(
        &self,
        candidates: &[&Candidate],
        corrections: &[f32],
        sample: &[(Key, f64)],
        table: &Table,
        planned: &[Planned],
    ) -> Vec<NotedInputs> {
        let own = self.belief.view().own().men();
        let size = Size {
            positions: self.belief.len(),
            is_whole: matches!(self.belief.how_known(), HowKnown::All | HowKnown::Some),
        };
        let surroundings =
            Surroundings::of(&Men::own(own), own.color(), sample, size, self.history, self.idle);
        let note = |planned: &Planned| {
            let Announced { captures, checks } = table.announced(planned.row);
            let pawns = self.settings.utility.pawns(planned.value);
            let found = Found {
                pawns,
                legal: planned.legal,
                captures,
                checks,
                lost: planned.lost,
                spread: table.spread(planned.row),
                later: corrections[planned.row],
            };
            let inputs = surroundings.inputs(candidates[planned.row], &found);
            NotedInputs { attempt: planned.attempt, pawns, inputs }
        };
        planned.iter().map(note).collect()
    }

    /// Corrects the values of the attempts by what was learned, and plans the turn again.
    fn correct(&self, value: &Value, table: &mut Table, answer: &mut Answer) {
        let utility = self.settings.utility;
        for (planned, noted) in answer.planned.iter().zip(&answer.noted) {
            let corrected = utility.of(noted.pawns + value.correction(&noted.inputs));
            table.rows[planned.row].bonus += corrected - utility.of(noted.pawns);
        }
        answer.planned = table.plan(self.settings.missed);
    }

    fn judge(&self) -> Judge<'_> {
        Judge {
            policy: &self.settings.model.policy,
            rules: self.belief.view().own().rules(),
            utility: self.settings.utility,
            mates: self.settings.mates,
            mating: self.settings.mating,
            hunts: self.settings.hunt,
            replies: Vec::new(),
        }
    }

    /// What the attempts come to in each of the positions, with its weight, or in as many as there is time for.
    fn value(
        &self,
        candidates: &[Candidate],
        sample: &[(Key, f64)],
        until: &Budget,
    ) -> Vec<(f64, Vec<Option<Outcome>>)> {
        let part = |sample: &[(Key, f64)]| {
            let mut judge = self.judge();
            let mut valued = Vec::with_capacity(sample.len());
            for batch in sample.chunks(BATCH) {
                for &(key, weight) in batch {
                    let outcomes = candidates.iter().map(|candidate| judge.outcome(candidate, key)).collect();
                    valued.push((weight, outcomes));
                }
                if until.is_over() {
                    break;
                }
            }
            valued
        };
        in_parts(self.settings.threads, sample, part).concat()
    }

    /// Positions drawn from the belief: all of them, or as many, each as often as its weight says.
    fn drawn(&self, most: usize, random: &mut Xoshiro256PlusPlus) -> Vec<(Key, f64)> {
        if let Some(given) = self.given {
            return given.to_vec();
        }
        if self.belief.len() <= most {
            return self.belief.sample(most, random);
        }
        // Systematic resampling: equal steps through the weights from one random start.
        let step = 1.0 / most as f64;
        let mut next = random.random_range(0.0..step);
        let (mut sum, mut drawn) = (0.0, Vec::<(Key, f64)>::with_capacity(most));
        for (key, weight) in self.belief.weighted() {
            sum += weight;
            let mut times = 0;
            while next < sum {
                times += 1;
                next += step;
            }
            if times > 0 {
                drawn.push((key, f64::from(times) * step));
            }
        }
        rand::seq::SliceRandom::shuffle(&mut drawn[..], random);
        drawn
    }
}

/// Has parts of the work done by so many threads; what came of each, in order.
pub(super) fn in_parts<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    if threads < 2 || items.len() < 2 * threads {
        return vec![work(items)];
    }
    let work = &work;
    thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let done = |worker: thread::ScopedJoinHandle<'_, R>| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().map(done).collect()
    })
}
