//! Problems gathered from many games, so many mates and so many near-misses.
//!
//! A game is a [unit](super::units) of work, done here or on a farm, and known by its seed.

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
use serde_json::json;

use super::{
    WorkError,
    game::Settings,
    units::{GatherUnit, ProblemWork, written},
};

/// How problems are gathered.
#[derive(Clone, Debug)]
pub struct Generation {
    /// How games are played, and what counts as a problem.
    pub settings: Settings,
    /// So many mates.
    pub mates: usize,
    /// So many near-misses.
    pub near_misses: usize,
    /// The first game's seed; the others count on.
    pub seed: u64,
    /// Where games are played.
    pub place: Place,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gathered {
    /// Games played.
    pub games: u64,
    /// Mates among their problems.
    pub mates: usize,
    /// Near-misses.
    pub near_misses: usize,
}

/// Games that may be ahead of the first that is missing, for each that is played at a time; on a farm, where nobody knows how many
/// there are, so many in all.
const AHEAD: u64 = 8;
const AHEAD_ON_FARM: u64 = 1024;

impl Generation {
    /// Plays games until there are enough of both kinds: the mates, then the near-misses. What is found depends on the
    /// seed alone: games are taken in their order, whoever plays them.
    pub fn run(&self, report: impl FnMut(Gathered)) -> Result<Vec<Entry>, WorkError> {
        let mut job = GatherJob {
            generation: self,
            ahead: self.place.jobs().map_or(AHEAD_ON_FARM, |jobs| AHEAD * jobs as u64),
            handed: 0,
            games: BTreeMap::new(),
            found: Found::default(),
            report,
        };
        let unit = GatherUnit::of(&self.settings, self.seed);
        let terms = RunTerms {
            title: format!(
                "problems of {} plies, {} mates and {} near-misses",
                self.settings.plies, self.mates, self.near_misses
            ),
            identity: json!([unit, self.mates, self.near_misses]),
            subjects: vec![String::new()],
        };
        if self.mates.max(self.near_misses) > 0 {
            self.place.collect(&mut job, &ProblemWork::Gather, &terms)?;
        }
        let Found { mut mates, mut misses, .. } = job.found;
        mates.append(&mut misses);
        Ok(mates)
    }
}

/// What the games in their order hold.
#[derive(Default)]
struct Found {
    /// Games that were looked at.
    games: u64,
    mates: Vec<Entry>,
    misses: Vec<Entry>,
}

/// A generation at work. A unit's number is what its seed is above the first.
struct GatherJob<'a, F> {
    generation: &'a Generation,
    ahead: u64,
    /// Games that were given to somebody: all below this one.
    handed: u64,
    /// The problems of games that were played.
    games: BTreeMap<u64, Vec<Entry>>,
    found: Found,
    report: F,
}

impl<F: FnMut(Gathered)> GatherJob<'_, F> {
    /// Looks at the games that are next in order.
    fn look(&mut self) {
        let (found, &Generation { mates, near_misses, .. }) = (&mut self.found, self.generation);
        while (found.mates.len() < mates || found.misses.len() < near_misses)
            && let Some(entries) = self.games.get(&found.games)
        {
            found.games += 1;
            for entry in entries {
                let (list, count) = match entry.guaranteed {
                    Some(true) => (&mut found.mates, mates),
                    _ => (&mut found.misses, near_misses),
                };
                let is_known = list.iter().any(|known| known.view == entry.view);
                if list.len() < count && !is_known {
                    list.push(entry.clone());
                }
            }
        }
        let Found { games, mates, misses } = found;
        (self.report)(Gathered { games: *games, mates: mates.len(), near_misses: misses.len() });
    }
}

impl<F: FnMut(Gathered)> Job for GatherJob<'_, F> {
    type Error = WorkError;

    fn next(&mut self) -> Option<Unit> {
        if self.handed >= self.found.games + self.ahead {
            return None;
        }
        self.handed += 1;
        self.unit(self.handed - 1)
    }

    fn wants(&self, number: u64) -> bool {
        number < self.handed && !self.games.contains_key(&number)
    }

    fn unit(&self, number: u64) -> Option<Unit> {
        let unit = GatherUnit::of(&self.generation.settings, self.generation.seed.wrapping_add(number));
        Some(Unit { number, payload: written(&unit).ok()? })
    }

    fn keep(&mut self, number: u64, _: Option<&str>, result: &[u8]) -> Result<Kept, WorkError> {
        let refused = |why: &str| Ok(Kept::Refused(why.to_owned()));
        let Ok(entries) = serde_json::from_slice::<Vec<Entry>>(result) else {
            return refused("it is no list of problems");
        };
        let kinds: Vec<_> = entries.iter().map(|entry| entry.guaranteed).collect();
        if kinds.contains(&None) || kinds.len() > 2 || (kinds.len() == 2 && kinds[0] == kinds[1]) {
            return refused("more than one problem of a kind");
        }
        for entry in &entries {
            let states = entry.problem().map(|problem| problem.positions().len());
            if entry.plies != self.generation.settings.plies || states.ok() != Some(entry.states) {
                return refused("a problem that is none");
            }
        }
        self.games.insert(number, entries);
        self.look();
        Ok(Kept::New)
    }

    fn forget(&mut self, number: u64) -> Result<(), WorkError> {
        self.games.remove(&number);
        self.found = Found::default();
        self.look();
        Ok(())
    }

    fn is_over(&self) -> bool {
        let Generation { mates, near_misses, .. } = *self.generation;
        self.found.mates.len() >= mates && self.found.misses.len() >= near_misses
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.games.len() as u64, None)
    }

    fn agrees(&self, _: u64, claimed: &[u8], repeated: &[u8]) -> Option<bool> {
        Some(claimed == repeated)
    }

    fn failed(&mut self, number: u64, error: &UnitError) -> Result<(), WorkError> {
        Err(WorkError::input("the game", format_args!("{number}: {error}")))
    }
}
