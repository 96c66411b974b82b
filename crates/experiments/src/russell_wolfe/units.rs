//! Work on problems as units, done here or on a farm: a search, a judgement, a game that problems are gathered from.
//!
//! The result of a search is its row, that of a judgement its name, that of a game its problems: as they are kept.

use std::{env, fmt::Display, str::FromStr};

use nebel_arena::work::{Cancel, Hand, Trust, UnitError, Work};
use nebel_kriegspiel::{Rules, start::in_one_line};
use nebel_prover::{
    MaterialWins,
    collection::{Entry, Kind, SHIPPED, judge, judge_near_miss},
};
use nebel_search::{Algorithm, Limits, Stopwatch};
use nebel_tablebase::Store;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    Outcome, Row, SearchTerms,
    deepen::name,
    game::{Settings, play},
    hash, seconds,
};

/// An algorithm on a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchUnit {
    /// The problem's place in its collection, from 0.
    pub(super) index: usize,
    pub(super) entry: Entry,
    pub(super) plies: u32,
    pub(super) algorithm: String,
    pub(super) time: f64,
    pub(super) memory: usize,
    pub(super) threads: usize,
}

/// A problem at a greater depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgeUnit {
    pub(super) entry: Entry,
    pub(super) plies: u32,
    pub(super) nodes: u64,
}

/// A game that problems are gathered from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GatherUnit {
    pub(super) rules: Rules,
    pub(super) plies: u32,
    pub(super) most_states: usize,
    pub(super) most_belief: usize,
    pub(super) hints: u32,
    pub(super) most_moves: u32,
    pub(super) material_wins: bool,
    pub(super) nodes: Option<u64>,
    pub(super) seed: u64,
}

/// The kinds of unit that collections are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemWork {
    /// `problems bench`.
    Search,
    /// `problems deepen`.
    Judge,
    /// `problems generate`.
    Gather,
}

impl ProblemWork {
    /// All of them.
    pub const ALL: [ProblemWork; 3] = [ProblemWork::Search, ProblemWork::Judge, ProblemWork::Gather];
}

/// What a stranger may ask for.
mod bounds {
    pub(super) const SECONDS: f64 = 86_400.0;
    pub(super) const MEBIBYTES: usize = 64 << 10;
    pub(super) const THREADS: usize = 64;
    pub(super) const PLIES: u32 = 64;
    pub(super) const MOVES: u32 = 1000;
    pub(super) const STATES: usize = 1_000_000;
    pub(super) const NODES: u64 = 10_000_000_000;
}

impl Work for ProblemWork {
    fn kind(&self) -> &'static str {
        match self {
            ProblemWork::Search => "search",
            ProblemWork::Judge => "judge",
            ProblemWork::Gather => "gather",
        }
    }

    /// What is counted in a shipped problem, or found in a short game.
    fn signature(&self, _: &str, trust: Trust) -> Result<String, UnitError> {
        let text = if *self == ProblemWork::Gather {
            let unit = GatherUnit::of(&Settings { most_moves: 12, ..Settings::default() }, 1);
            self.hand(trust).work(&written(&unit)?, &Cancel::default())?
        } else {
            let line = SHIPPED[0].1.lines().next().unwrap_or_default();
            let entry: Entry = read(line.as_bytes())?;
            let problem = entry.problem().map_err(|error| refused(&error))?;
            let counted = |algorithm| {
                let report = problem.solve(entry.plies, algorithm, &Limits::default());
                report.map(|report| format!("{:?} {:?}", report.verdict, report.counters.constructed))
            };
            let counted = [Algorithm::GlDbu, Algorithm::Auto].map(counted);
            format!("{counted:?}").into_bytes()
        };
        Ok(blake3::hash(&text).to_hex()[..16].to_owned())
    }

    fn hand(&self, trust: Trust) -> Box<dyn Hand> {
        Box::new(ProblemHand { work: *self, trust, tables: material_wins() })
    }
}

struct ProblemHand {
    work: ProblemWork,
    trust: Trust,
    tables: MaterialWins,
}

impl Hand for ProblemHand {
    fn work(&mut self, payload: &[u8], cancel: &Cancel) -> Result<Vec<u8>, UnitError> {
        let (trust, tables) = (self.trust, &self.tables);
        let result = match self.work {
            ProblemWork::Search => read::<SearchUnit>(payload)?.done(trust, tables, cancel),
            ProblemWork::Judge => read::<JudgeUnit>(payload)?.done(trust, tables, cancel),
            ProblemWork::Gather => read::<GatherUnit>(payload)?.done(trust, tables, cancel),
        };
        if let Some(error) = tables.take_error() {
            return Err(refused(&error));
        }
        // What was cut off is no result.
        if cancel.is_cancelled() { Err(UnitError::Stopped) } else { result }
    }
}

impl SearchUnit {
    fn done(&self, trust: Trust, tables: &MaterialWins, cancel: &Cancel) -> Result<Vec<u8>, UnitError> {
        let SearchTerms { time, memory, threads } = self.terms();
        let is_within = time <= bounds::SECONDS
            && memory <= bounds::MEBIBYTES
            && threads <= bounds::THREADS
            && self.plies <= bounds::PLIES;
        allow(trust, is_within)?;
        let limits = Limits {
            time: Some(seconds(time).map_err(|error| refused(&error))?),
            clock: SearchTerms::clock(threads),
            memory: Some(memory.saturating_mul(1 << 20)),
            threads,
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let algorithm = Algorithm::from_str(&self.algorithm).map_err(|error| refused(&error))?;
        let problem = self.entry.problem().map_err(|error| refused(&self.at(&error)))?;
        let watch = Stopwatch::new(SearchTerms::clock(threads));
        let report =
            problem.solve_with(self.plies, algorithm, &limits, self.entry.material_wins.then_some(tables));
        let report = report.map_err(|error| refused(&self.at(&error)))?;
        let row = Row {
            problem: self.index + 1,
            plies: self.plies,
            states: self.entry.states,
            algorithm,
            outcome: Outcome::of(&report),
            seconds: watch.elapsed().as_secs_f64(),
            counters: report.counters,
            terms: self.terms(),
            hash: hash::of_problem(&self.entry),
        };
        Ok(row.to_string().into_bytes())
    }

    fn terms(&self) -> SearchTerms {
        SearchTerms { time: self.time, memory: self.memory, threads: self.threads }
    }

    fn at(&self, error: &dyn Display) -> String {
        format!("line {}: {error}", self.index + 1)
    }
}

impl JudgeUnit {
    fn done(&self, trust: Trust, tables: &MaterialWins, cancel: &Cancel) -> Result<Vec<u8>, UnitError> {
        allow(trust, self.nodes <= bounds::NODES && self.plies <= bounds::PLIES)?;
        let limits = Limits { nodes: Some(self.nodes), cancel: cancel.clone(), ..Limits::default() };
        let problem = self.entry.problem().map_err(|error| refused(&error))?;
        // What is proved at fewer plies holds at more.
        let is_near_miss = self.entry.guaranteed == Some(false) && self.entry.plies <= self.plies;
        let judge = if is_near_miss { judge_near_miss } else { judge };
        let tables = self.entry.material_wins.then_some(tables);
        Ok(name(judge(&problem, self.plies, &limits, tables).ok()).as_bytes().to_vec())
    }
}

impl GatherUnit {
    /// A game of these settings.
    pub(super) fn of(settings: &Settings, seed: u64) -> GatherUnit {
        let Settings { rules, plies, most_states, most_belief, hints, most_moves, material_wins, limits } =
            settings;
        GatherUnit {
            rules: rules.clone(),
            plies: *plies,
            most_states: *most_states,
            most_belief: *most_belief,
            hints: *hints,
            most_moves: *most_moves,
            material_wins: *material_wins,
            nodes: limits.nodes,
            seed,
        }
    }

    fn done(&self, trust: Trust, tables: &MaterialWins, cancel: &Cancel) -> Result<Vec<u8>, UnitError> {
        let is_within = self.plies <= bounds::PLIES
            && self.most_moves <= bounds::MOVES
            && self.most_states.max(self.most_belief) <= bounds::STATES
            && self.hints <= bounds::MOVES
            && self.nodes.is_some_and(|nodes| nodes <= bounds::NODES);
        allow(trust, is_within)?;
        let rules = Rules::from_json(&serde_json::to_string(&self.rules).map_err(|error| refused(&error))?);
        let settings = Settings {
            rules: rules.map_err(|error| refused(&error))?,
            plies: self.plies,
            most_states: self.most_states,
            most_belief: self.most_belief,
            hints: self.hints,
            most_moves: self.most_moves,
            material_wins: self.material_wins,
            limits: Limits { nodes: self.nodes, cancel: cancel.clone(), ..Limits::default() },
        };
        let mut problems = play(&settings, tables, self.seed);
        // At most one of each kind a game, so that problems differ.
        let mut kinds = Vec::new();
        problems.retain(|(_, kind)| {
            let is_new = !kinds.contains(kind);
            kinds.push(*kind);
            is_new
        });
        let entries = problems.into_iter().map(|(view, kind)| {
            let mut entry = Entry::new(view, self.plies, Some(kind == Kind::Mate), 0);
            entry.material_wins = self.material_wins;
            entry.states = entry.problem().map_or(0, |problem| problem.positions().len());
            entry
        });
        written(&entries.collect::<Vec<_>>())
    }
}

/// The tables that material wins are asked of: in the user's directory, or in the one for what may be lost.
pub fn material_wins() -> MaterialWins {
    let store = Store::of_user().unwrap_or_else(|| Store::new(env::temp_dir().join("nebel-tablebases")));
    MaterialWins::of_one_man(store)
}

/// Own work may cost what it likes.
fn allow(trust: Trust, is_within: bool) -> Result<(), UnitError> {
    if is_within || trust == Trust::Own {
        return Ok(());
    }
    Err(UnitError::Refused("it asks for more than is given here".to_owned()))
}

fn refused(error: &dyn Display) -> UnitError {
    UnitError::Refused(in_one_line(&error.to_string()))
}

fn read<T: DeserializeOwned>(payload: &[u8]) -> Result<T, UnitError> {
    serde_json::from_slice(payload).map_err(|error| refused(&error))
}

pub(super) fn written(value: &impl Serialize) -> Result<Vec<u8>, UnitError> {
    serde_json::to_vec(value).map_err(|error| refused(&error))
}
