//! The near-misses of a collection, judged at a greater depth.
//!
//! That takes hours where the depth is great, so each verdict is noted at once in a journal; a run that was killed goes on
//! from there, and the journal goes when the deeper collection is kept. Its first line names the terms and the hash of the
//! problems, so that no verdict is taken for that of another problem.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nebel_prover::collection::{Entry, Kind, judge};
use nebel_search::Limits;

use super::{WorkError, hash, seconds};

/// A deepening that has begun.
#[derive(Debug)]
pub struct Deepening<'a> {
    place: &'a str,
    entries: &'a [Entry],
    plies: u32,
    limits: Limits,
    journal: Journal,
}

/// How far it is: the problem that was judged last, counted from 1, and what became of all so far.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The problem.
    pub problem: usize,
    journal: &'a Journal,
}

/// What became of a problem, with its name in the journal.
const VERDICTS: [(Option<Kind>, &str); 4] = [
    (Some(Kind::Mate), "mate"),
    (Some(Kind::NearMiss), "near-miss"),
    (Some(Kind::Neither), "neither"),
    (None, "open"),
];

impl<'a> Deepening<'a> {
    /// Goes on with the journal at `journal`, or begins one; without a place there is none. A search is given up after
    /// `time` seconds; a problem takes two. `place` is what complaints call the collection.
    pub fn begin(
        place: &'a str,
        entries: &'a [Entry],
        plies: u32,
        time: f64,
        journal: Option<&Path>,
    ) -> Result<Self, WorkError> {
        let limits = Limits { time: Some(seconds(time)?), ..Limits::default() };
        let journal = match journal {
            None => Journal::default(),
            Some(path) => Journal::open(path, &header(entries, plies, time)?, entries.len())?,
        };
        Ok(Deepening { place, entries, plies, limits, journal })
    }

    /// Judges what is not judged yet. The problems at the greater depth: mates, near-misses again, and what is not decided
    /// in time, without a verdict.
    pub fn run(&mut self, mut report: impl FnMut(Judged<'_>)) -> Result<Vec<Entry>, WorkError> {
        let entries = self.entries.iter().enumerate();
        for (index, entry) in entries.filter(|(_, entry)| entry.guaranteed != Some(true)) {
            if !self.journal.verdicts.contains_key(&index) {
                let problem = entry.problem().map_err(|error| WorkError::at(self.place, index, error))?;
                self.journal.note(index, judge(&problem, self.plies, &self.limits).ok())?;
            }
            report(Judged { problem: index + 1, journal: &self.journal });
        }
        let mut deeper = Vec::new();
        for (verdict, guaranteed) in
            [(Some(Kind::Mate), Some(true)), (Some(Kind::NearMiss), Some(false)), (None, None)]
        {
            let those = self.journal.verdicts.iter().filter(|&(_, found)| *found == verdict);
            deeper.extend(those.map(|(&index, _)| Entry {
                plies: self.plies,
                guaranteed,
                ..self.entries[index].clone()
            }));
        }
        Ok(deeper)
    }

    /// The deeper collection is kept: the journal is no longer needed.
    pub fn end(self) -> io::Result<()> {
        self.journal.file.map_or(Ok(()), |(path, _)| fs::remove_file(path))
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |verdict| self.journal.verdicts.values().filter(|&&found| found == verdict).count();
        f.write_str(&VERDICTS.map(|(verdict, name)| format!("{} {name}", count(verdict))).join(", "))
    }
}

/// The verdicts so far, by the place of the problem in the collection.
#[derive(Debug, Default)]
struct Journal {
    verdicts: BTreeMap<usize, Option<Kind>>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    fn open(path: &Path, header: &str, problems: usize) -> Result<Journal, WorkError> {
        let place = path.display().to_string();
        let fails = |error: &dyn fmt::Display| WorkError::input(&place, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(|error| fails(&error))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(fails(&"another run is writing to it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| fails(&error))?;
        if header.starts_with(&text) {
            file.rewind()?;
            file.write_all(header.as_bytes())?;
            return Ok(Journal { verdicts: BTreeMap::new(), file: Some((path.to_owned(), file)) });
        }
        let Some(body) = text.strip_prefix(header) else {
            return Err(fails(&"it belongs to another collection or depth, or to another limit on time"));
        };
        // A last line that was cut off is judged again.
        let whole = body.rfind('\n').map_or(0, |end| end + 1);
        let verdicts = body[..whole].lines().enumerate().map(|(index, line)| {
            read_line(line, problems).ok_or_else(|| fails(&format_args!("line {}: not a verdict", index + 2)))
        });
        let verdicts = verdicts.collect::<Result<_, _>>()?;
        let kept = (header.len() + whole) as u64;
        file.set_len(kept)?;
        file.seek(SeekFrom::Start(kept))?;
        Ok(Journal { verdicts, file: Some((path.to_owned(), file)) })
    }

    fn note(&mut self, index: usize, verdict: Option<Kind>) -> io::Result<()> {
        self.verdicts.insert(index, verdict);
        match &mut self.file {
            Some((_, file)) => file.write_all(format!("{} {}\n", index + 1, name(verdict)).as_bytes()),
            None => Ok(()),
        }
    }
}

/// What a journal must begin with to be this run's.
fn header(entries: &[Entry], plies: u32, time: f64) -> io::Result<String> {
    let (hash, problems) = (hash::of_collection(entries)?, entries.len());
    Ok(format!("{plies} plies, {time} s a search, {problems} problems, {hash}\n"))
}

fn name(verdict: Option<Kind>) -> &'static str {
    VERDICTS.iter().find(|(known, _)| *known == verdict).map_or("open", |(_, name)| name)
}

/// The place of a problem and its verdict.
fn read_line(line: &str, problems: usize) -> Option<(usize, Option<Kind>)> {
    let (problem, verdict) = line.split_once(' ')?;
    let index = problem.parse::<usize>().ok()?.checked_sub(1).filter(|&index| index < problems)?;
    let (verdict, _) = VERDICTS.iter().find(|(_, name)| *name == verdict)?;
    Some((index, *verdict))
}
