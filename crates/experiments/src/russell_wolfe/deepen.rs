//! The near-misses of a collection, judged at a greater depth.
//!
//! Limits are on states, not on time, so that the same collection gives the same deeper one on any machine.
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
    WorkError, hash,
    units::{JudgeUnit, ProblemWork, written},
};
use crate::journal::Journal;

/// What is asked of the near-misses.
#[derive(Clone, Copy, Debug)]
pub struct DeepenTerms {
    /// The depth.
    pub plies: u32,
    /// A search is given up after so many states.
    pub nodes: u64,
    /// So many mates and so many near-misses are enough: what comes behind them is not judged. `None` for all.
    pub count: Option<usize>,
}

/// What has become of the near-misses, each in the order of the collection.
#[derive(Debug, Default)]
pub struct Deeper {
    /// Mates at the greater depth, then near-misses.
    pub problems: Vec<Entry>,
    /// What the limit left undecided, without a verdict.
    pub open: Vec<Entry>,
}

/// A deepening that has begun.
#[derive(Debug)]
pub struct Deepening<'a> {
    place: &'a str,
    entries: &'a [Entry],
    terms: DeepenTerms,
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
    /// Goes on with the journal at `journal`, or begins one; without a place there is none. `place` is what complaints call
    /// the collection.
    pub fn begin(
        place: &'a str,
        entries: &'a [Entry],
        terms: DeepenTerms,
        journal: Option<&Path>,
    ) -> Result<Self, WorkError> {
        let verdicts = match journal {
            None => Verdicts::default(),
            Some(path) => Verdicts::open(path, &header(entries, terms)?, entries.len())?,
        };
        Ok(Deepening { place, entries, terms, verdicts })
    }

    /// Judges what is not judged yet and has to be.
    pub fn run(&mut self, at: &Place, report: impl FnMut(Judged<'_>)) -> Result<Deeper, WorkError> {
        let open: Vec<usize> = self.open().collect();
        if !open.is_empty() && !self.has_enough() {
            let DeepenTerms { plies, nodes, count } = self.terms;
            let terms = RunTerms {
                title: format!("{} near-misses of {} at {plies} plies", open.len(), self.place),
                identity: json!([hash::of_collection(self.entries)?, plies, nodes, count]),
                subjects: vec![String::new()],
            };
            let next = open.into_iter().rev().collect();
            at.collect(&mut DeepenJob { deepening: self, next, report }, &ProblemWork::Judge, &terms)?;
        }
        Ok(self.deeper())
    }

    /// What the verdicts so far come to.
    fn deeper(&self) -> Deeper {
        let mut kinds = [(); 3].map(|()| Vec::new());
        let enough = self.terms.count.unwrap_or(usize::MAX);
        for (index, verdict) in self.in_order() {
            let (kind, guaranteed) = match verdict {
                Some(Kind::Mate) => (0, Some(true)),
                Some(Kind::NearMiss) => (1, Some(false)),
                Some(Kind::Neither) => continue,
                None => (2, None),
            };
            if kind == 2 || kinds[kind].len() < enough {
                kinds[kind].push(Entry {
                    plies: self.terms.plies,
                    guaranteed,
                    ..self.entries[index].clone()
                });
            }
            if kinds[..2].iter().all(|kind| kind.len() >= enough) {
                break;
            }
        }
        let [mut problems, mut misses, open] = kinds;
        problems.append(&mut misses);
        Deeper { problems, open }
    }

    /// Whether as many of both kinds are found as are wanted, with nothing unjudged before the last.
    fn has_enough(&self) -> bool {
        let Some(enough) = self.terms.count else { return false };
        let mut found = [0; 2];
        for (_, verdict) in self.in_order() {
            found[0] += usize::from(verdict == Some(Kind::Mate));
            found[1] += usize::from(verdict == Some(Kind::NearMiss));
        }
        found.iter().all(|&found| found >= enough)
    }

    /// The verdicts up to the first problem without one.
    fn in_order(&self) -> impl Iterator<Item = (usize, Option<Kind>)> {
        self.misses().map_while(|index| Some((index, *self.verdicts.of.get(&index)?)))
    }

    /// What is to be judged, from 0.
    fn misses(&self) -> impl Iterator<Item = usize> {
        let misses = self.entries.iter().enumerate().filter(|(_, entry)| entry.guaranteed != Some(true));
        misses.map(|(index, _)| index)
    }

    /// The problems without a verdict yet, from 0.
    fn open(&self) -> impl Iterator<Item = usize> {
        self.misses().filter(|index| !self.verdicts.of.contains_key(index))
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
        let DeepenTerms { plies, nodes, .. } = self.deepening.terms;
        let unit = JudgeUnit { entry, plies, nodes };
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
        self.deepening.has_enough()
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
        let other = "it belongs to another collection or depth, or to another limit";
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
fn header(entries: &[Entry], terms: DeepenTerms) -> io::Result<String> {
    let (hash, problems) = (hash::of_collection(entries)?, entries.len());
    let DeepenTerms { plies, nodes, .. } = terms;
    Ok(format!("{plies} plies, {nodes} states a search, {problems} problems, {hash}\n"))
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
