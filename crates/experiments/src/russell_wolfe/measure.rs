//! A measurement: algorithms over problems, several problems at a time, in a table that can be gone on with.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use nebel_prover::collection::Entry;
use nebel_search::{Algorithm, Limits};

use super::{Outcome, Row, RowFile, SearchTerms, WorkError, hash, seconds};

/// One problem of a collection.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its place in the collection, from 0.
    pub index: usize,
    /// What is stored of it.
    pub entry: Entry,
    /// How deep to search.
    pub plies: u32,
}

/// What is run on all of them.
#[derive(Clone, Copy, Debug)]
pub struct Measurement<'a> {
    /// What complaints call the collection that the tasks are from.
    pub place: &'a str,
    /// The algorithms.
    pub algorithms: &'a [Algorithm],
    /// How each is searched.
    pub terms: SearchTerms,
    /// Problems at a time.
    pub jobs: usize,
}

impl Measurement<'_> {
    /// Adds the rows that the table does not hold yet, and returns those of these tasks and algorithms, the problems in
    /// their order. `report` hears how many problems are done, and of how many.
    pub fn run(
        &self,
        tasks: &[Task],
        table: RowFile,
        report: impl Fn(usize, usize) + Sync,
    ) -> Result<Vec<Row>, WorkError> {
        let limits = Limits {
            time: Some(seconds(self.terms.time)?),
            memory: Some(self.terms.memory.saturating_mul(1 << 20)),
            threads: self.terms.threads,
            ..Limits::default()
        };
        self.check(tasks, &table)?;
        let open: Vec<(&Task, Vec<Algorithm>)> = tasks
            .iter()
            .map(|task| (task, self.missing(task, &table)))
            .filter(|(_, algorithms)| !algorithms.is_empty())
            .collect();
        let next = AtomicUsize::new(0);
        let failure = Mutex::new(None);
        let table = Mutex::new(table);
        let done = AtomicUsize::new(tasks.len() - open.len());
        thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, 256).min(open.len()) {
                scope.spawn(|| {
                    while let Some((task, algorithms)) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if limits.cancel.is_cancelled() {
                            break;
                        }
                        if let Err(error) = self.task(task, algorithms, &limits, &table) {
                            limits.cancel.cancel();
                            // The first is told; the others are most often the same.
                            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                            break;
                        }
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        report(done, tasks.len());
                    }
                });
            }
        });
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(self.wanted(tasks, &table))
    }

    /// Rows of another measurement must not be taken for this one's.
    fn check(&self, tasks: &[Task], table: &RowFile) -> Result<(), WorkError> {
        let hashes: BTreeMap<usize, String> =
            tasks.iter().map(|task| (task.index + 1, hash::of_problem(&task.entry))).collect();
        for row in table.rows() {
            if hashes.get(&row.problem).is_some_and(|hash| *hash != row.hash) {
                let cause = format_args!("its problem {} is another one", row.problem);
                return Err(WorkError::input(table.place(), cause));
            }
            if let Some(difference) = row.terms.difference(&self.terms) {
                return Err(WorkError::input(table.place(), difference));
            }
        }
        Ok(())
    }

    /// The algorithms that a task has no row of.
    fn missing(&self, task: &Task, table: &RowFile) -> Vec<Algorithm> {
        let missing = |&algorithm: &Algorithm| table.get(task.index + 1, task.plies, algorithm).is_none();
        self.algorithms.iter().copied().filter(missing).collect()
    }

    fn wanted(&self, tasks: &[Task], table: &RowFile) -> Vec<Row> {
        let rows = |task: &Task| {
            let row = |&algorithm| table.get(task.index + 1, task.plies, algorithm).cloned();
            self.algorithms.iter().filter_map(row).collect::<Vec<_>>()
        };
        tasks.iter().flat_map(rows).collect()
    }

    fn task(
        &self,
        task: &Task,
        algorithms: &[Algorithm],
        limits: &Limits,
        table: &Mutex<RowFile>,
    ) -> Result<(), WorkError> {
        let &Task { index, ref entry, plies } = task;
        let problem = entry.problem().map_err(|error| WorkError::at(self.place, index, error))?;
        for &algorithm in algorithms {
            let begun = Instant::now();
            let report = problem.solve(plies, algorithm, limits);
            let seconds = begun.elapsed().as_secs_f64();
            let report = report.map_err(|error| WorkError::at(self.place, index, error))?;
            if limits.cancel.is_cancelled() {
                // Another problem failed: what was cut off is no result.
                return Ok(());
            }
            let outcome = Outcome::of(&report);
            let expected = entry.guaranteed.filter(|_| plies == entry.plies);
            let wrong = match outcome {
                Outcome::Mate => expected == Some(false),
                Outcome::None => expected == Some(true),
                Outcome::Undecided(_) => false,
            };
            if wrong {
                let place = self.place.to_owned();
                return Err(WorkError::Disagrees { place, problem: index + 1, algorithm });
            }
            let row = Row {
                problem: index + 1,
                plies,
                states: entry.states,
                algorithm,
                outcome,
                seconds,
                counters: report.counters,
                terms: self.terms,
                hash: hash::of_problem(entry),
            };
            table.lock().unwrap_or_else(PoisonError::into_inner).push(row)?;
        }
        Ok(())
    }
}
