//! Figure 9: estimation interleaved with search.
//!
//! *Sequential*: the depth-first estimator finds all positions, then GL-DBU searches. *Interleaved*: GL-DBU takes each
//! position as it is found, and a refutation ends the estimation as well (section 7).

use std::fmt::Write as _;
use std::time::Instant;

use nebel_prover::collection::Entry;
use nebel_prover::{Kriegspiel, Position, ViewBelief};
use nebel_search::{Algorithm, Limits, Verdict, solve};

use super::{WorkError, curve::stairs};
use crate::{
    Page,
    charts::{self, ChartLine, Scale},
};

/// The experiment: estimation and search of problems, one after the other and interleaved.
#[derive(Debug)]
pub struct Fig9<'a> {
    /// What complaints call the collection.
    pub place: &'a str,
    /// The collection; the paper's problems were of 3 plies.
    pub entries: &'a [Entry],
    /// So many mates and so many near-misses, the first of the collection.
    pub problems: usize,
}

/// What one problem took both ways.
struct Row {
    problem: usize,
    mate: bool,
    /// Positions that agree with the view, and how many of them the interleaved search took.
    positions: usize,
    taken: usize,
    /// Seconds of the estimator alone, of both in sequence, and of both interleaved.
    estimation: f64,
    sequential: f64,
    interleaved: f64,
}

impl Fig9<'_> {
    /// Measures and writes the page. `report` hears how many problems are done, and of how many.
    pub fn run(&self, mut report: impl FnMut(usize, usize)) -> Result<Page, WorkError> {
        let of_kind = |guaranteed| {
            let those = self.entries.iter().enumerate();
            those.filter(move |(_, entry)| entry.guaranteed == Some(guaranteed)).take(self.problems)
        };
        let tasks: Vec<(usize, &Entry)> = of_kind(true).chain(of_kind(false)).collect();
        if tasks.is_empty() {
            return Err(WorkError::input(self.place, "no problem to measure"));
        }
        let mut rows = Vec::new();
        for &(index, entry) in &tasks {
            rows.push(self.measure(index, entry)?);
            report(rows.len(), tasks.len());
        }
        let drawing = draw(&rows).ok_or(WorkError::Undrawn("figure"))?;
        let files = vec![("rw-fig9.csv".to_owned(), csv(&rows)), ("rw-fig9.svg".to_owned(), drawing)];
        Ok(Page { markdown: page(&rows), files })
    }

    fn measure(&self, index: usize, entry: &Entry) -> Result<Row, WorkError> {
        let fails = |error: &dyn std::fmt::Display| WorkError::at(self.place, index, error);
        let view = entry.view().map_err(|error| fails(&error))?;
        let game = Kriegspiel::new(view.header().rules.clone());
        let estimator = ViewBelief::new(&view).map_err(|error| fails(&error))?;
        let search = |belief: &mut dyn Iterator<Item = Position>| {
            let report = solve(&game, belief, entry.plies, Algorithm::GlDbu, &Limits::default());
            report.map_err(|error| fails(&error))
        };
        let begun = Instant::now();
        let positions: Vec<Position> = estimator.clone().collect();
        let estimation = begun.elapsed().as_secs_f64();
        let whole = search(&mut positions.iter().copied())?;
        let sequential = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let streamed = search(&mut { estimator })?;
        let interleaved = begun.elapsed().as_secs_f64();
        if whole.verdict != streamed.verdict {
            return Err(WorkError::Differ(index + 1));
        }
        let mate = streamed.verdict == Verdict::Guaranteed;
        let (positions, taken) = (positions.len(), streamed.states);
        Ok(Row { problem: index + 1, mate, positions, taken, estimation, sequential, interleaved })
    }
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from("problem,kind,positions,taken,estimation,sequential,interleaved\n");
    for row in rows {
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{:.6},{:.6},{:.6}",
            row.problem,
            if row.mate { "mate" } else { "near-miss" },
            row.positions,
            row.taken,
            row.estimation,
            row.sequential,
            row.interleaved
        );
    }
    text
}

/// How many problems are decided after so many seconds, both ways.
fn draw(rows: &[Row]) -> Option<String> {
    let line = |name: &str, mate, seconds: fn(&Row) -> f64| {
        let spent = rows.iter().filter(|row| row.mate == mate).map(seconds);
        ChartLine { name: name.to_owned(), points: stairs(spent, 0.0) }
    };
    let lines = [
        line("mates, sequential", true, |row| row.sequential),
        line("mates, interleaved", true, |row| row.interleaved),
        line("near-misses, sequential", false, |row| row.sequential),
        line("near-misses, interleaved", false, |row| row.interleaved),
    ];
    let title = "Estimation and search, in sequence and interleaved";
    charts::lines(title, "seconds", "problems decided", Scale::Logarithmic, &lines)
}

fn page(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Russell and Wolfe (2005), Figure 9

Depth-first estimation of the belief, then GL-DBU (*sequential*), against GL-DBU on each position as the estimator finds
it (*interleaved*). The paper (section 7): \"interleaving can provide substantial time savings on near-miss instances
by eliminating the need for full state estimation, but has no effect on the solving of mate instances\". Its figure
plots the times of each 3-ply problem and prints no numbers. All rows are in [rw-fig9.csv](rw-fig9.csv).

![Problems decided after so many seconds](rw-fig9.svg)

| | problems | positions | taken | estimation, s | sequential, s | interleaved, s | sequential / interleaved |
|---|---|---|---|---|---|---|---|
",
    );
    for (name, mate) in [("mates", true), ("near-misses", false)] {
        let rows = || rows.iter().filter(move |row| row.mate == mate);
        let count = rows().count();
        if count == 0 {
            continue;
        }
        let sum = |seconds: fn(&Row) -> f64| rows().map(seconds).sum::<f64>();
        let (sequential, interleaved) = (sum(|row| row.sequential), sum(|row| row.interleaved));
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {count} | {} | {} | {:.3} | {sequential:.3} | {interleaved:.3} | {:.2} |",
            rows().map(|row| row.positions).sum::<usize>(),
            rows().map(|row| row.taken).sum::<usize>(),
            sum(|row| row.estimation),
            sequential / interleaved
        );
    }
    text + "\nThe paper's claim holds if the last column is well above 1 for near-misses and about 1 for mates.\n"
}
