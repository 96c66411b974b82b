//! The results of a measurement as a CSV file that grows: one flushed row for each problem and algorithm.
//!
//! A file that is there already is gone on with. A last line that was cut off is dropped; anything else that is no row
//! is refused, and the file is left as it was.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::str::FromStr;

use nebel_search::{Algorithm, Clock, Counters, LastPlies, Report, Verdict};
use thiserror::Error;

use super::WorkError;

/// The first line.
const HEADER: &str = "problem,plies,states,algorithm,verdict,seconds,constructed,expanded,beliefs,peak_memory,last_nodes,last_states,last_replies,last_percepts,last_tries,limit,memory,threads,hash\n";

/// What one algorithm made of one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The problem's line in its collection, from 1.
    pub problem: usize,
    /// How deep was searched.
    pub plies: u32,
    /// The positions of the problem.
    pub states: usize,
    /// Who searched.
    pub algorithm: Algorithm,
    /// What came out.
    pub outcome: Outcome,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub counters: Counters,
    /// The terms under which it was searched.
    pub terms: SearchTerms,
    /// The hash of the problem, so that a row is never taken for that of another.
    pub hash: String,
}

/// What the verdict on a problem may depend on besides the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTerms {
    /// A search is given up after so many seconds, of a processor where it has one thread.
    pub time: f64,
    /// And when it holds more than so many mebibytes.
    pub memory: usize,
    /// Threads for each search.
    pub threads: usize,
}

impl SearchTerms {
    /// One thread is measured by what it has had of a processor, so that others on the machine make no difference; where
    /// there are more, only the wall's clock tells.
    pub(super) fn clock(threads: usize) -> Clock {
        if threads <= 1 { Clock::Processor } else { Clock::Wall }
    }

    /// The first thing in which these terms are not the wanted ones, if any.
    pub(super) fn difference(&self, wanted: &SearchTerms) -> Option<String> {
        if self.time.to_bits() != wanted.time.to_bits() {
            Some(format!("its limit is {} s, not {} s", self.time, wanted.time))
        } else if self.memory != wanted.memory {
            Some(format!("its limit is {} MiB, not {} MiB", self.memory, wanted.memory))
        } else if self.threads != wanted.threads {
            Some(format!("its threads are {}, not {}", self.threads, wanted.threads))
        } else {
            None
        }
    }
}

/// A verdict as the table keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// White can force mate.
    Mate,
    /// White cannot.
    None,
    /// A limit was reached, by its name.
    Undecided(String),
}

/// Why a line is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a row of `nebel problems bench`")]
pub struct NoRow;

/// Where rows go: a file that may hold some already, or whatever takes lines.
pub struct RowFile {
    place: String,
    rows: BTreeMap<(usize, u32, Algorithm), Row>,
    output: Output,
}

/// A file can be written anew, lines that went elsewhere cannot be taken back.
enum Output {
    File(File),
    Lines(Box<dyn Write + Send>),
}

impl RowFile {
    /// A table that begins here and cannot be gone on with, such as standard output.
    pub fn new(place: &str, mut output: Box<dyn Write + Send>) -> io::Result<RowFile> {
        output.write_all(HEADER.as_bytes())?;
        Ok(RowFile { place: place.to_owned(), rows: BTreeMap::new(), output: Output::Lines(output) })
    }

    /// Goes on with a file, or begins it.
    pub fn open(path: &Path) -> Result<RowFile, WorkError> {
        let place = path.display().to_string();
        let at = |error: &dyn fmt::Display| WorkError::input(&place, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(|error| at(&error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(at(&"another run is writing to it")),
            // Where files cannot be locked, nobody is kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let rows = read(&mut file, &place)?.into_iter().map(|row| (row.key(), row)).collect();
        Ok(RowFile { place, rows, output: Output::File(file) })
    }

    /// The name of the file as messages show it.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// All rows, by problem.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// What an algorithm made of a problem at a depth.
    pub(super) fn get(&self, problem: usize, plies: u32, algorithm: Algorithm) -> Option<&Row> {
        self.rows.get(&(problem, plies, algorithm))
    }

    /// Adds a row, at once also where it is kept.
    pub(super) fn push(&mut self, row: Row) -> io::Result<()> {
        // In one piece, so that a line is cut off at most at the end of the file.
        let line = format!("{row}\n");
        match &mut self.output {
            Output::File(file) => {
                // Whatever stands behind was cut off. It goes now and not before: a file that is refused is left alone.
                let end = file.stream_position()?;
                file.set_len(end)?;
                file.write_all(line.as_bytes())?;
            }
            Output::Lines(output) => {
                output.write_all(line.as_bytes())?;
                output.flush()?;
            }
        }
        self.rows.insert(row.key(), row);
        Ok(())
    }

    /// Takes a row back that was found to be wrong.
    pub(super) fn remove(&mut self, problem: usize, plies: u32, algorithm: Algorithm) -> io::Result<()> {
        self.rows.remove(&(problem, plies, algorithm));
        if let Output::File(file) = &mut self.output {
            let lines: Vec<String> = self.rows.values().map(|row| format!("{row}\n")).collect();
            let text = HEADER.to_owned() + &lines.concat();
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

/// Reads what a file holds and makes it ready for more.
fn read(file: &mut File, place: &str) -> Result<Vec<Row>, WorkError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| WorkError::input(place, error))?;
    if HEADER.as_bytes().starts_with(&bytes) {
        bytes.clear();
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(HEADER.as_bytes())?;
        return Ok(Vec::new());
    }
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut rows = Vec::new();
    let lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
    for (index, line) in lines.enumerate() {
        let no_row = || WorkError::input(place, format_args!("line {}: {NoRow}", index + 1));
        let line = str::from_utf8(line).map_err(|_| no_row())?;
        match index {
            0 if line == HEADER => {}
            0 => return Err(no_row()),
            _ => rows.push(line.trim_end().parse().map_err(|NoRow| no_row())?),
        }
    }
    if whole == 0 {
        return Err(WorkError::input(place, format_args!("line 1: {NoRow}")));
    }
    file.seek(SeekFrom::Start(whole as u64))?;
    Ok(rows)
}

impl Row {
    fn key(&self) -> (usize, u32, Algorithm) {
        (self.problem, self.plies, self.algorithm)
    }

    /// Whether the algorithm came to an end.
    pub fn decided(&self) -> bool {
        !matches!(self.outcome, Outcome::Undecided(_))
    }

    /// The time it counts for: what is not decided counts at the limit.
    pub fn charged(&self) -> f64 {
        if self.decided() { self.seconds } else { self.terms.time }
    }
}

impl Outcome {
    /// What a search reports.
    pub(super) fn of(report: &Report) -> Outcome {
        match report.verdict {
            Verdict::Guaranteed => Outcome::Mate,
            Verdict::Refuted => Outcome::None,
            Verdict::Unknown(stop) => Outcome::Undecided(stop.to_string()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Mate => "mate",
            Outcome::None => "none",
            Outcome::Undecided(stop) => stop,
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { problem, plies, states, algorithm, outcome, seconds, counters, terms, hash } = self;
        let SearchTerms { time, memory, threads } = terms;
        let Counters { constructed, expanded, beliefs, peak_memory, last } = counters;
        let LastPlies { nodes, states: last_states, replies, percepts, tries } = last;
        write!(
            f,
            "{problem},{plies},{states},{algorithm},{outcome},{seconds:.6},{constructed},{expanded},{beliefs},{peak_memory},{nodes},{last_states},{replies},{percepts},{tries},{time},{memory},{threads},{hash}"
        )
    }
}

impl FromStr for Row {
    type Err = NoRow;

    fn from_str(line: &str) -> Result<Row, NoRow> {
        fn number<T: FromStr>(text: &str) -> Result<T, NoRow> {
            text.parse().map_err(|_| NoRow)
        }
        let fields: Vec<&str> = line.split(',').collect();
        let [
            problem,
            plies,
            states,
            algorithm,
            outcome,
            seconds,
            constructed,
            expanded,
            beliefs,
            peak_memory,
            nodes,
            last_states,
            replies,
            percepts,
            tries,
            time,
            memory,
            threads,
            hash,
        ] = fields[..]
        else {
            return Err(NoRow);
        };
        let outcome = match outcome {
            "mate" => Outcome::Mate,
            "none" => Outcome::None,
            "time" | "nodes" | "memory" => Outcome::Undecided(outcome.to_owned()),
            _ => return Err(NoRow),
        };
        let counters = Counters {
            constructed: number(constructed)?,
            expanded: number(expanded)?,
            beliefs: number(beliefs)?,
            peak_memory: number(peak_memory)?,
            last: LastPlies {
                nodes: number(nodes)?,
                states: number(last_states)?,
                replies: number(replies)?,
                percepts: number(percepts)?,
                tries: number(tries)?,
            },
        };
        let (seconds, time): (f64, f64) = (number(seconds)?, number(time)?);
        if !(seconds.is_finite() && time.is_finite()) {
            return Err(NoRow);
        }
        Ok(Row {
            problem: number(problem)?,
            plies: number(plies)?,
            states: number(states)?,
            algorithm: number(algorithm)?,
            outcome,
            seconds,
            counters,
            terms: SearchTerms { time, memory: number(memory)?, threads: number(threads)? },
            hash: hash.to_owned(),
        })
    }
}
