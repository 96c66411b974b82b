//! The near-misses of a collection, judged at a greater depth.
//!
//! That takes hours where the depth is great, so each verdict is noted at once in a journal; a run that was killed goes on
//! from there, and the journal goes when the deeper collection is kept. Its first line names the terms and the hash of the
//! problems, so that no verdict is taken for that of another problem.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use nebel_arena::{
    farm::RunTerms,
    runner::Place,
    work::{
        Unit, UnitError,
        collect::{Job, Kept},
    },
};
use nebel_prover::collection::{Entry, Kind};
use serde_json::json;

use super::{
    WorkError, hash, seconds,
    units::{JudgeUnit, ProblemWork, written},
};
use crate::journal::Journal;

/// A deepening that has begun.
#[derive(Debug)]
pub struct Deepening<'a> {
    place: &'a str,
    entries: &'a [Entry],
    plies: u32,
    time: f64,
    verdicts: Verdicts,
}

/// How far it is: the problem that was judged last, counted from 1, and what became of all so far.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The problem.
    pub problem: usize,
    verdicts: &'a Verdicts,
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
        seconds(time)?;
        let verdicts = match journal {
            None => Verdicts::default(),
            Some(path) => Verdicts::open(path, &header(entries, plies, time)?, entries.len())?,
        };
        Ok(Deepening { place, entries, plies, time, verdicts })
    }

    /// Judges what is not judged yet. The problems at the greater depth: mates, near-misses again, and what is not decided
    /// in time, without a verdict.
    pub fn run(&mut self, at: &Place, report: impl FnMut(Judged<'_>)) -> Result<Vec<Entry>, WorkError> {
        let open: Vec<usize> = self.open().collect();
        if !open.is_empty() {
            let terms = RunTerms {
                title: format!("{} near-misses of {} at {} plies", open.len(), self.place, self.plies),
                identity: json!([hash::of_collection(self.entries)?, self.plies, self.time]),
                subjects: vec![String::new()],
            };
            let next = open.into_iter().rev().collect();
            at.collect(&mut DeepenJob { deepening: self, next, report }, &ProblemWork::Judge, &terms)?;
        }
        let mut deeper = Vec::new();
        for (verdict, guaranteed) in
            [(Some(Kind::Mate), Some(true)), (Some(Kind::NearMiss), Some(false)), (None, None)]
        {
            let those = self.verdicts.of.iter().filter(|&(_, found)| *found == verdict);
            deeper.extend(those.map(|(&index, _)| Entry {
                plies: self.plies,
                guaranteed,
                ..self.entries[index].clone()
            }));
        }
        Ok(deeper)
    }

    /// The problems without a verdict yet, from 0.
    fn open(&self) -> impl Iterator<Item = usize> {
        let misses = self.entries.iter().enumerate().filter(|(_, entry)| entry.guaranteed != Some(true));
        misses.map(|(index, _)| index).filter(|index| !self.verdicts.of.contains_key(index))
    }

    /// The deeper collection is kept: the journal is no longer needed.
    pub fn end(self) -> io::Result<()> {
        self.verdicts.journal.map_or(Ok(()), Journal::remove)
    }
}

/// A deepening at work. A unit's number is the problem's place.
struct DeepenJob<'a, 'b, F> {
    deepening: &'a mut Deepening<'b>,
    /// Problems that nobody was given yet, the next one last.
    next: Vec<usize>,
    report: F,
}

impl<F: FnMut(Judged<'_>)> Job for DeepenJob<'_, '_, F> {
    type Error = WorkError;

    fn next(&mut self) -> Option<Unit> {
        loop {
            let number = self.next.pop()? as u64;
            if self.wants(number) {
                return self.unit(number);
            }
        }
    }

    fn wants(&self, number: u64) -> bool {
        let entry = usize::try_from(number).ok().and_then(|index| self.deepening.entries.get(index));
        entry.is_some_and(|entry| entry.guaranteed != Some(true))
            && !self.deepening.verdicts.of.contains_key(&(number as usize))
    }

    fn unit(&self, number: u64) -> Option<Unit> {
        let entry = self.deepening.entries.get(usize::try_from(number).ok()?)?.clone();
        let unit = JudgeUnit { entry, plies: self.deepening.plies, time: self.deepening.time };
        Some(Unit { number, payload: written(&unit).ok()? })
    }

    fn keep(&mut self, number: u64, _: Option<&str>, result: &[u8]) -> Result<Kept, WorkError> {
        let verdict = match verdict(result) {
            Ok(verdict) => verdict,
            Err(why) => return Ok(Kept::Refused(why.to_owned())),
        };
        let index = number as usize;
        self.deepening.verdicts.note(index, verdict)?;
        (self.report)(Judged { problem: index + 1, verdicts: &self.deepening.verdicts });
        Ok(Kept::New)
    }

    fn forget(&mut self, number: u64) -> Result<(), WorkError> {
        self.deepening.verdicts.remove(number as usize)
    }

    fn is_over(&self) -> bool {
        false
    }

    fn progress(&self) -> (u64, Option<u64>) {
        let done = self.deepening.verdicts.of.len();
        (done as u64, Some((done + self.deepening.open().count()) as u64))
    }

    /// Verdicts repeat where both came to an end.
    fn agrees(&self, _: u64, claimed: &[u8], repeated: &[u8]) -> Option<bool> {
        let [claimed, repeated] = [verdict(claimed).ok()??, verdict(repeated).ok()??];
        Some(claimed == repeated)
    }

    fn failed(&mut self, number: u64, error: &UnitError) -> Result<(), WorkError> {
        Err(WorkError::at(self.deepening.place, number as usize, error))
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |verdict| self.verdicts.of.values().filter(|&&found| found == verdict).count();
        f.write_str(&VERDICTS.map(|(verdict, name)| format!("{} {name}", count(verdict))).join(", "))
    }
}

/// The verdicts so far, by the place of the problem in the collection.
#[derive(Debug, Default)]
struct Verdicts {
    of: BTreeMap<usize, Option<Kind>>,
    journal: Option<Journal>,
}

impl Verdicts {
    fn open(path: &Path, header: &str, problems: usize) -> Result<Verdicts, WorkError> {
        let other = "it belongs to another collection or depth, or to another limit on time";
        let (journal, lines) = Journal::open(path, header, other)?;
        let read = |(index, line): (usize, &String)| {
            let wrong = || {
                let place = path.display().to_string();
                WorkError::input(&place, format_args!("line {}: not a verdict", index + 2))
            };
            read_line(line, problems).ok_or_else(wrong)
        };
        let of = lines.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Verdicts { of, journal: Some(journal) })
    }

    /// Takes a verdict back that was found to be wrong.
    fn remove(&mut self, index: usize) -> Result<(), WorkError> {
        self.of.remove(&index);
        let Some(journal) = &mut self.journal else { return Ok(()) };
        Ok(journal.rewrite(self.of.iter().map(|(index, verdict)| line(*index, *verdict)))?)
    }

    fn note(&mut self, index: usize, verdict: Option<Kind>) -> Result<(), WorkError> {
        self.of.insert(index, verdict);
        let Some(journal) = &mut self.journal else { return Ok(()) };
        Ok(journal.note(&line(index, verdict))?)
    }
}

/// What a journal must begin with to be this run's.
fn header(entries: &[Entry], plies: u32, time: f64) -> io::Result<String> {
    let (hash, problems) = (hash::of_collection(entries)?, entries.len());
    Ok(format!("{plies} plies, {time} s a search, {problems} problems, {hash}\n"))
}

fn line(index: usize, verdict: Option<Kind>) -> String {
    format!("{} {}", index + 1, name(verdict))
}

/// A verdict by its name.
fn verdict(name: &[u8]) -> Result<Option<Kind>, &'static str> {
    let known = VERDICTS.iter().find(|(_, known)| known.as_bytes() == name);
    known.map(|(verdict, _)| *verdict).ok_or("it is no verdict")
}

pub(super) fn name(verdict: Option<Kind>) -> &'static str {
    VERDICTS.iter().find(|(known, _)| *known == verdict).map_or("open", |(_, name)| name)
}

/// The place of a problem and its verdict.
fn read_line(line: &str, problems: usize) -> Option<(usize, Option<Kind>)> {
    let (problem, verdict) = line.split_once(' ')?;
    let index = problem.parse::<usize>().ok()?.checked_sub(1).filter(|&index| index < problems)?;
    let (verdict, _) = VERDICTS.iter().find(|(_, name)| *name == verdict)?;
    Some((index, *verdict))
}
