//! Figure 4 and the table of section 6.4: all algorithms over mates and near-misses.

use nebel_arena::runner::Place;
use nebel_prover::collection::Entry;
use nebel_search::Algorithm;

use super::{Measurement, Row, RowFile, SearchTerms, Task, WorkError, curve, rankings::Rankings};
use crate::Page;

/// The experiment: some mates and near-misses of a collection.
#[derive(Debug)]
pub struct Fig4<'a> {
    place: &'a str,
    mates: Vec<Task>,
    misses: Vec<Task>,
    time: f64,
    at: Place,
}

/// A search is given up when it holds more than so many mebibytes.
const MEMORY: usize = 1024;

impl<'a> Fig4<'a> {
    /// What the table of rows is called beside the page.
    pub const DATA: &'static str = "rw-fig4.csv";

    /// The first mates and the first near-misses of a collection, `problems` of each, and there must be one of each;
    /// `time` seconds for a search, made `at` a place. `place` is what complaints call the collection.
    pub fn new(
        place: &'a str,
        entries: &[Entry],
        problems: usize,
        time: f64,
        at: Place,
    ) -> Result<Self, WorkError> {
        let [mates, misses] = [(true, "mate"), (false, "near-miss")].map(|(guaranteed, kind)| {
            let tasks = tasks(entries, guaranteed, problems);
            let none = || WorkError::input(place, format_args!("no {kind} to measure"));
            if tasks.is_empty() { Err(none()) } else { Ok(tasks) }
        });
        Ok(Fig4 { place, mates: mates?, misses: misses?, time, at })
    }

    /// Measures what the table does not hold yet, and writes the page. `report` hears how many problems are done, and of
    /// how many.
    pub fn run(&self, table: RowFile, report: impl FnMut(usize, usize)) -> Result<Page, WorkError> {
        let measurement = Measurement {
            place: self.place,
            algorithms: &Algorithm::ALL,
            terms: SearchTerms { time: self.time, memory: MEMORY, threads: 1 },
            at: &self.at,
        };
        let tasks: Vec<Task> = self.mates.iter().chain(&self.misses).cloned().collect();
        let rows = measurement.run(&tasks, table, report)?;
        let (mates, misses) = rows.split_at(self.mates.len() * Algorithm::ALL.len());
        let draw = |title, rows: &[Row]| {
            curve(title, &Algorithm::ALL, self.time, rows).ok_or(WorkError::Undrawn("curve"))
        };
        let files = vec![
            ("mates.svg".to_owned(), draw("Mates", mates)?),
            ("near-misses.svg".to_owned(), draw("Near-misses", misses)?),
        ];
        let markdown = Rankings { mates, misses, time: self.time, jobs: self.at.jobs() }.to_string();
        Ok(Page { markdown, files })
    }
}

/// The first problems of a kind.
fn tasks(entries: &[Entry], guaranteed: bool, count: usize) -> Vec<Task> {
    let of_kind = entries.iter().enumerate().filter(|(_, entry)| entry.guaranteed == Some(guaranteed));
    of_kind
        .take(count)
        .map(|(index, entry)| Task { index, plies: entry.plies, entry: entry.clone() })
        .collect()
}
