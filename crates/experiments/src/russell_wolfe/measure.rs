//! A measurement: algorithms over problems, several at a time, in a table that can be gone on with.
//!
//! A problem with an algorithm is a [unit](super::units) of work, done here or on a farm.

use std::collections::BTreeMap;

use nebel_arena::{
    farm::RunTerms,
    runner::Place,
    work::{
        Unit, UnitError,
        collect::{Job, Kept},
    },
};
use nebel_prover::collection::Entry;
use nebel_search::Algorithm;
use serde_json::json;

use super::{
    Outcome, Row, RowFile, SearchTerms, WorkError, hash, seconds,
    units::{ProblemWork, SearchUnit, written},
};

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
    /// Where the searches are made.
    pub at: &'a Place,
}

impl Measurement<'_> {
    /// Adds the rows that the table does not hold yet, and returns those of these tasks and algorithms, the problems in
    /// their order. `report` hears how many problems are done, and of how many.
    pub fn run(
        &self,
        tasks: &[Task],
        table: RowFile,
        report: impl FnMut(usize, usize),
    ) -> Result<Vec<Row>, WorkError> {
        seconds(self.terms.time)?;
        self.check(tasks, &table)?;
        let mut job = MeasureJob { measurement: self, tasks, table, next: 0, done: 0, report };
        job.done = (0..tasks.len()).filter(|&task| job.is_done(task)).count();
        if job.done < tasks.len() {
            self.at.collect(&mut job, &ProblemWork::Search, &self.farm_terms(tasks))?;
        }
        Ok(self.wanted(tasks, &job.table))
    }

    /// What workers are told.
    fn farm_terms(&self, tasks: &[Task]) -> RunTerms {
        let algorithms: Vec<String> = self.algorithms.iter().map(ToString::to_string).collect();
        let problems: Vec<_> = tasks.iter().map(|task| (hash::of_problem(&task.entry), task.plies)).collect();
        let SearchTerms { time, memory, threads } = self.terms;
        RunTerms {
            title: format!("{} problems of {}: {}", tasks.len(), self.place, algorithms.join(", ")),
            identity: json!([algorithms, problems, time, memory, threads]),
            subjects: vec![String::new()],
        }
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

    fn wanted(&self, tasks: &[Task], table: &RowFile) -> Vec<Row> {
        let rows = |task: &Task| {
            let row = |&algorithm| table.get(task.index + 1, task.plies, algorithm).cloned();
            self.algorithms.iter().filter_map(row).collect::<Vec<_>>()
        };
        tasks.iter().flat_map(rows).collect()
    }
}

/// A measurement at work. A unit's number is the task's place, then the algorithm's.
struct MeasureJob<'a, F> {
    measurement: &'a Measurement<'a>,
    tasks: &'a [Task],
    table: RowFile,
    /// The first unit that nobody was given yet.
    next: u64,
    /// Problems with all their rows.
    done: usize,
    report: F,
}

impl<F> MeasureJob<'_, F> {
    fn what(&self, number: u64) -> Option<(usize, &Task, Algorithm)> {
        let algorithms = self.measurement.algorithms;
        let (task, algorithm) = (number / algorithms.len() as u64, number % algorithms.len() as u64);
        let task = usize::try_from(task).ok()?;
        Some((task, self.tasks.get(task)?, *algorithms.get(algorithm as usize)?))
    }

    fn row(&self, task: &Task, algorithm: Algorithm) -> Option<&Row> {
        self.table.get(task.index + 1, task.plies, algorithm)
    }

    fn is_done(&self, task: usize) -> bool {
        let task = &self.tasks[task];
        self.measurement.algorithms.iter().all(|&algorithm| self.row(task, algorithm).is_some())
    }

    /// Why a row cannot be the one that was asked for.
    fn mistake(&self, row: &Row, task: &Task, algorithm: Algorithm) -> Option<&'static str> {
        let asked = (task.index + 1, task.plies, task.entry.states, algorithm);
        if (row.problem, row.plies, row.states, row.algorithm) != asked
            || row.terms.difference(&self.measurement.terms).is_some()
            || row.hash != hash::of_problem(&task.entry)
        {
            return Some("it is the row of another search");
        }
        (row.seconds < 0.0).then_some("it took less than no time")
    }
}

/// Whether a row and the collection say different things.
fn disagrees(row: &Row, task: &Task) -> bool {
    let expected = task.entry.guaranteed.filter(|_| task.plies == task.entry.plies);
    match row.outcome {
        Outcome::Mate => expected == Some(false),
        Outcome::None => expected == Some(true),
        Outcome::Undecided(_) => false,
    }
}

fn read(result: &[u8]) -> Option<Row> {
    str::from_utf8(result).ok()?.parse().ok()
}

impl<F: FnMut(usize, usize)> Job for MeasureJob<'_, F> {
    type Error = WorkError;

    fn next(&mut self) -> Option<Unit> {
        loop {
            let number = self.next;
            self.what(number)?;
            self.next += 1;
            if self.wants(number) {
                return self.unit(number);
            }
        }
    }

    fn wants(&self, number: u64) -> bool {
        self.what(number).is_some_and(|(_, task, algorithm)| self.row(task, algorithm).is_none())
    }

    fn unit(&self, number: u64) -> Option<Unit> {
        let (_, task, algorithm) = self.what(number)?;
        let SearchTerms { time, memory, threads } = self.measurement.terms;
        let unit = SearchUnit {
            index: task.index,
            entry: task.entry.clone(),
            plies: task.plies,
            algorithm: algorithm.to_string(),
            time,
            memory,
            threads,
        };
        Some(Unit { number, payload: written(&unit).ok()? })
    }

    fn keep(&mut self, number: u64, worker: Option<&str>, result: &[u8]) -> Result<Kept, WorkError> {
        let Some((place, task, algorithm)) = self.what(number) else { return Ok(Kept::Known) };
        let Some(row) = read(result) else { return Ok(Kept::Refused("it is no row".to_owned())) };
        if let Some(mistake) = self.mistake(&row, task, algorithm) {
            return Ok(Kept::Refused(mistake.to_owned()));
        }
        if disagrees(&row, task) {
            if worker.is_some() {
                return Ok(Kept::Refused("it disagrees with the collection".to_owned()));
            }
            let place = self.measurement.place.to_owned();
            return Err(WorkError::Disagrees { place, problem: task.index + 1, algorithm });
        }
        self.table.push(row)?;
        if self.is_done(place) {
            self.done += 1;
            (self.report)(self.done, self.tasks.len());
        }
        Ok(Kept::New)
    }

    fn forget(&mut self, number: u64) -> Result<(), WorkError> {
        let Some((place, task, algorithm)) = self.what(number) else { return Ok(()) };
        let (problem, plies) = (task.index + 1, task.plies);
        self.done -= usize::from(self.is_done(place));
        Ok(self.table.remove(problem, plies, algorithm)?)
    }

    fn is_over(&self) -> bool {
        false
    }

    fn progress(&self) -> (u64, Option<u64>) {
        let algorithms = self.measurement.algorithms.len() as u64;
        (self.done as u64 * algorithms, Some(self.tasks.len() as u64 * algorithms))
    }

    /// Verdicts repeat where both searches came to an end; times do not.
    fn agrees(&self, _: u64, claimed: &[u8], repeated: &[u8]) -> Option<bool> {
        let [claimed, repeated] = [read(claimed)?, read(repeated)?];
        (claimed.decided() && repeated.decided()).then(|| claimed.outcome == repeated.outcome)
    }

    fn failed(&mut self, _: u64, error: &UnitError) -> Result<(), WorkError> {
        Err(WorkError::input(self.measurement.place, error))
    }
}
