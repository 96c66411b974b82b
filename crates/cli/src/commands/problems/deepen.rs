//! `nebel problems deepen`: the near-misses of a collection, judged at a greater depth.
//!
//! That takes hours where the depth is great, so each verdict is noted at once in a journal beside the output; a run
//! that was killed goes on from there, and the journal goes when the collection is written. Its first line names the
//! terms and the hash of the problems, so that no verdict is taken for that of another problem.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use nebel_prover::collection::{self, Entry, Kind};
use nebel_search::Limits;

use super::{at, hash, progress, progress_ends, read_entries, seconds, write_entries};
use crate::{args::OutputArg, failure::Failure, input};

#[derive(clap::Args, Debug)]
pub(super) struct DeepenArgs {
    /// The collection.
    file: PathBuf,
    /// The depth.
    #[arg(long, value_name = "D")]
    plies: u32,
    /// Give a search up after so many seconds; a problem takes two.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    time: f64,
    #[command(flatten)]
    output: OutputArg,
}

/// What became of a problem, with its name in the journal.
const VERDICTS: [(Option<Kind>, &str); 4] = [
    (Some(Kind::Mate), "mate"),
    (Some(Kind::NearMiss), "near-miss"),
    (Some(Kind::Neither), "neither"),
    (None, "open"),
];

/// The near-misses of a collection that are problems at a greater depth too: mates, near-misses again, and what is not
/// decided in time, without a verdict.
pub(super) fn run(args: &DeepenArgs) -> Result<(), Failure> {
    let limits = Limits { time: Some(seconds(args.time)?), ..Limits::default() };
    let entries = read_entries(&args.file)?;
    let mut journal = Journal::open(args, &entries)?;
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.guaranteed != Some(true)) {
        if !journal.verdicts.contains_key(&index) {
            let problem = entry.problem().map_err(|error| at(&args.file, index, &error))?;
            journal.note(index, collection::judge(&problem, args.plies, &limits).ok())?;
        }
        progress(&format!("{} of {}: {}", index + 1, entries.len(), journal.summary()));
    }
    progress_ends();
    let mut deeper = Vec::new();
    for (verdict, guaranteed) in
        [(Some(Kind::Mate), Some(true)), (Some(Kind::NearMiss), Some(false)), (None, None)]
    {
        let those = journal.verdicts.iter().filter(|&(_, found)| *found == verdict);
        deeper.extend(those.map(|(&index, _)| Entry {
            plies: args.plies,
            guaranteed,
            ..entries[index].clone()
        }));
    }
    write_entries(&args.output, &deeper)?;
    journal.remove()
}

/// The verdicts so far, by the place of the problem in the collection.
struct Journal {
    verdicts: BTreeMap<usize, Option<Kind>>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// Goes on with the journal beside the output, or begins one; output that goes nowhere in particular has none.
    fn open(args: &DeepenArgs, entries: &[Entry]) -> Result<Self, Failure> {
        let Some(output) = &args.output.output else {
            return Ok(Journal { verdicts: BTreeMap::new(), file: None });
        };
        let mut path = output.clone().into_os_string();
        path.push(".journal");
        let path = PathBuf::from(path);
        let fails = |error: &dyn std::fmt::Display| Failure::input(&input::place(&path), error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(|error| fails(&error))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(fails(&"another run is writing to it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| fails(&error))?;
        let header = header(args, entries)?;
        if header.starts_with(&text) {
            file.rewind()?;
            file.write_all(header.as_bytes())?;
            return Ok(Journal { verdicts: BTreeMap::new(), file: Some((path, file)) });
        }
        let Some(body) = text.strip_prefix(&header) else {
            return Err(fails(&"it belongs to another collection or depth, or to another limit on time"));
        };
        // A last line that was cut off is judged again.
        let whole = body.rfind('\n').map_or(0, |end| end + 1);
        let verdicts = body[..whole].lines().enumerate().map(|(index, line)| {
            read_line(line, entries.len())
                .ok_or_else(|| fails(&format_args!("line {}: not a verdict", index + 2)))
        });
        let verdicts = verdicts.collect::<Result<_, _>>()?;
        let kept = (header.len() + whole) as u64;
        file.set_len(kept)?;
        file.seek(SeekFrom::Start(kept))?;
        Ok(Journal { verdicts, file: Some((path, file)) })
    }

    fn note(&mut self, index: usize, verdict: Option<Kind>) -> Result<(), Failure> {
        self.verdicts.insert(index, verdict);
        if let Some((_, file)) = &mut self.file {
            file.write_all(format!("{} {}\n", index + 1, name(verdict)).as_bytes())?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        let count = |verdict| self.verdicts.values().filter(|&&found| found == verdict).count();
        VERDICTS.map(|(verdict, name)| format!("{} {name}", count(verdict))).join(", ")
    }

    fn remove(self) -> Result<(), Failure> {
        match self.file {
            Some((path, _)) => Ok(fs::remove_file(path)?),
            None => Ok(()),
        }
    }
}

/// What a journal must begin with to be this run's.
fn header(args: &DeepenArgs, entries: &[Entry]) -> Result<String, Failure> {
    let hash = hash::of_collection(entries)?;
    let (plies, time, problems) = (args.plies, args.time, entries.len());
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
