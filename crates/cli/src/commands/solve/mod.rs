//! `nebel solve`: can White force mate from every position that it takes for possible?

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nebel_kriegspiel::Rules;
use nebel_prover::domain::{ASK, decode};
use nebel_prover::{Kriegspiel, MaterialWins, Position, Problem, Strategy, ViewBelief, WithTables};
use nebel_search::{
    Algorithm, AttemptId, Limits, Listed, Meter, Report, SolveError, Source, Verdict, solve_from,
};
use serde_json::{Value, json};

mod likely;

use super::tablebase::{self, DirectoryArg};
use crate::{
    args::{GameArg, RulesArg, Side},
    failure::Failure,
    input,
};

/// Ask whether White can force mate from every position that it takes for possible.
#[derive(clap::Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    belief: BeliefArg,
    /// Whose view to take of a full transcript.
    #[arg(long = "as", value_name = "SIDE", default_value = "white", requires = "view")]
    side: Side,
    /// Mate within so many plies: 3 is White, Black, White.
    #[arg(long, value_name = "D")]
    plies: u32,
    /// How to search: dfs, l-dfs, gl-dfs, gx-dfs, pns, e-pns, le-dfs, l-dub, l-dbu, gl-dbu, ipns, auto.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    algorithm: String,
    /// Show the strategy, if there is one.
    #[arg(long)]
    strategy: bool,
    /// Find the plan that mates in the largest share of the positions, by weight where the file has weights (`FEN; WEIGHT`).
    #[arg(long, conflicts_with_all = ["material_wins", "algorithm", "threads"])]
    probability: bool,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Give up after constructing so many positions, those of a view's belief included.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Give up when the belief and the search hold more than so many mebibytes (1024 for ipns unless told).
    #[arg(long, value_name = "MIB")]
    memory: Option<usize>,
    /// Threads to use.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    material: MaterialArg,
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RulesArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Whether tables end the search.
#[derive(clap::Args, Debug)]
pub(crate) struct MaterialArg {
    /// Take an ending against a bare king for won where a table wins it for every square that the king may be on.
    #[arg(long)]
    material_wins: bool,
    #[command(flatten)]
    directory: DirectoryArg,
}

impl MaterialArg {
    /// The tables, if they are wanted.
    pub(crate) fn tables(&self) -> Result<Option<MaterialWins>, Failure> {
        match (self.material_wins, self.directory.is_given()) {
            (true, _) => Ok(Some(MaterialWins::new(self.directory.existing()?, tablebase::note))),
            (false, true) => Err(Failure::input("--dir", "of use with --material-wins only")),
            (false, false) => Ok(None),
        }
    }
}

/// A table that could not be used is a failure: a win may have been missed.
pub(crate) fn check_tables(tables: Option<&MaterialWins>) -> Result<(), Failure> {
    match tables.and_then(MaterialWins::take_error) {
        Some(error) => Err(tablebase::failure(error)),
        None => Ok(()),
    }
}

/// Where the belief comes from.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
struct BeliefArg {
    /// What White has heard, or a full game: JSON Lines or Kriegspiel PGN.
    #[arg(long, value_name = "FILE")]
    view: Option<PathBuf>,
    /// The positions, one FEN a line, which differ only in what White cannot know.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

/// Solves and prints.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let algorithm: Algorithm =
        args.algorithm.parse().map_err(|error| Failure::input("--algorithm", error))?;
    let limits = args.limits()?;
    if args.probability {
        return likely::run(args, &limits);
    }
    let tables = args.material.tables()?;
    let begun = Instant::now();
    // One meter for all, so that the computing of a belief is within the limits too.
    let mut meter = Meter::new(&limits);
    let (rules, report) = if let Some(path) = &args.belief.view {
        let view = input::read_view(path, &args.game, Some(args.side), &args.rules.or(Rules::berkeley())?)?;
        let rules = view.header().rules.clone();
        let place = input::place(path);
        let mut belief = ViewBelief::new(&view).map_err(|error| Failure::input(&place, error))?;
        let report = args.search(&rules, &mut belief, algorithm, &mut meter, tables.as_ref());
        (rules, report.map_err(|error| view_failure(&place, &error))?)
    } else {
        let rules = args.rules.or(Rules::berkeley())?;
        let path = args.belief.positions.as_deref().unwrap_or_else(|| "-".as_ref());
        let positions = input::read_positions(path)?;
        let problem = Problem::new(rules.clone(), positions);
        let problem = problem.map_err(|error| Failure::input(&input::place(path), error))?;
        let mut belief = Listed(problem.belief());
        let report = args.search(&rules, &mut belief, algorithm, &mut meter, tables.as_ref());
        (rules, report.map_err(|error| Failure::input("--plies", error))?)
    };
    let seconds = begun.elapsed().as_secs_f64();
    check_tables(tables.as_ref())?;
    let plan = report.strategy.as_ref().map(|strategy| Strategy::of(strategy, &rules));
    let mut output = io::stdout().lock();
    if args.json {
        writeln!(output, "{}", args.in_json(&report, plan.as_ref(), seconds)?)?;
    } else {
        args.in_words(&mut output, &report, plan.as_ref(), seconds)?;
    }
    Ok(())
}

impl SolveArgs {
    fn limits(&self) -> Result<Limits, Failure> {
        let seconds = |seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| Failure::input("--time", format_args!("{seconds} is no number of seconds")))
        };
        Ok(Limits {
            time: self.time.map(seconds).transpose()?,
            nodes: self.nodes,
            memory: self.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            threads: self.threads,
            ..Limits::default()
        })
    }

    fn search(
        &self,
        rules: &Rules,
        belief: &mut impl Source<State = Position>,
        algorithm: Algorithm,
        meter: &mut Meter,
        tables: Option<&MaterialWins>,
    ) -> Result<Report, SolveError> {
        let game = Kriegspiel::new(rules.clone());
        match tables {
            None => solve_from(&game, belief, self.plies, algorithm, meter),
            Some(tables) => solve_from(&WithTables::new(game, tables), belief, self.plies, algorithm, meter),
        }
    }

    /// The plies that count: only White's own moves mate.
    fn odd_plies(&self) -> u32 {
        self.plies.saturating_sub(u32::from(self.plies.is_multiple_of(2)))
    }

    fn in_json(&self, report: &Report, plan: Option<&Strategy>, seconds: f64) -> Result<Value, Failure> {
        let guaranteed = match report.verdict {
            Verdict::Guaranteed => Some(true),
            Verdict::Refuted => Some(false),
            Verdict::Unknown(_) => None,
        };
        let plies = report.strategy.as_ref().map_or(self.odd_plies(), nebel_search::Strategy::plies);
        let mut value = json!({
            "guaranteed": guaranteed,
            "plies": plies,
            "states": report.states,
            "whole": report.whole,
            "estimated": report.estimated,
            "expanded": report.counters.expanded,
            "constructed": report.counters.constructed,
            "beliefs": report.counters.beliefs,
            "peak_memory": report.counters.peak_memory,
            "seconds": seconds,
        });
        if let Verdict::Unknown(stop) = report.verdict {
            value["stopped"] = json!(stop.to_string());
            value["refuted_plies"] = json!(report.progress.refuted);
            value["best"] = json!(report.progress.best.map(|best| {
                json!({ "attempt": attempt_text(best.attempt), "wins": best.wins, "plies": best.plies })
            }));
        }
        if self.strategy {
            value["strategy"] = serde_json::to_value(plan).map_err(|error| Failure::Run(error.into()))?;
        }
        Ok(value)
    }

    /// What is known though a limit was reached.
    fn say_progress(&self, output: &mut impl Write, report: &Report) -> Result<(), Failure> {
        if let Some(plies) = report.progress.refuted {
            writeln!(output, "No mate within {}; {} open.", plies_text(plies), self.odd_plies())?;
        }
        if let Some(best) = report.progress.best {
            let attempt = attempt_text(best.attempt);
            let of =
                if report.whole { report.states.to_string() } else { format!("{} or more", report.states) };
            let (wins, plies) = (best.wins, best.plies);
            writeln!(
                output,
                "Best so far: {attempt} mates in {wins} of {of} positions within {}.",
                plies_text(plies)
            )?;
        }
        Ok(())
    }

    fn in_words(
        &self,
        output: &mut impl Write,
        report: &Report,
        plan: Option<&Strategy>,
        seconds: f64,
    ) -> Result<(), Failure> {
        let states = report.states;
        let positions = if states == 1 { "position" } else { "positions" };
        match (report.verdict, &report.strategy) {
            (Verdict::Guaranteed, Some(strategy)) => {
                let plies = strategy.plies();
                let moves = plies.div_ceil(2);
                let wins =
                    if self.material.material_wins { "mates or reaches a won ending" } else { "mates" };
                writeln!(
                    output,
                    "White {wins} in {moves} ({}) from {states} {positions}.",
                    plies_text(plies)
                )?;
            }
            (Verdict::Unknown(stop), _) => {
                let found = if report.whole { "" } else { " before the belief was computed" };
                writeln!(output, "Not decided: the limit on {stop} was reached{found}.")?;
                self.say_progress(output, report)?;
            }
            _ => {
                let win = if self.material.material_wins { "mate or won ending" } else { "mate" };
                writeln!(output, "No {win} can be forced within {}.", plies_text(self.odd_plies()))?;
            }
        }
        if let Some(plan) = plan.filter(|_| self.strategy) {
            output.write_all(plan.to_text().as_bytes())?;
        }
        let constructed = report.counters.constructed;
        eprintln!("{constructed} positions constructed in {seconds:.3} s");
        Ok(())
    }
}

/// A number of plies in words.
pub(crate) fn plies_text(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// An attempt of a search as people write it.
fn attempt_text(attempt: AttemptId) -> String {
    if attempt == ASK {
        return "any?".to_owned();
    }
    let (from, to, promotion) = decode(attempt);
    let promotion = promotion.map_or(String::new(), |role| role.char().to_string());
    format!("{from}{to}{promotion}")
}

fn view_failure(place: &str, error: &SolveError) -> Failure {
    match error {
        SolveError::EmptyBelief => Failure::input(place, "no position agrees with all that was heard"),
        SolveError::TooManyPlies(_) => Failure::input("--plies", error),
    }
}
