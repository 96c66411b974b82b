//! `nebel verify`: replays a strategy on every position against every reply.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use nebel_kriegspiel::Rules;
use nebel_prover::{Problem, Strategy, verify};
use serde_json::json;

use super::solve::{MaterialArg, check_tables};
use crate::{args::RulesArg, failure::Failure, input};

/// The largest strategy that is read.
const LARGEST_STRATEGY: u64 = 256 << 20;

/// Replay a strategy on every position against every reply.
#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The positions, one FEN a line, which differ only in what White cannot know.
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// The plies within which White must win.
    #[arg(long, value_name = "D")]
    plies: u32,
    /// The strategy in JSON, or the report of `nebel solve --strategy --json`; `-` for standard input.
    strategy: PathBuf,
    /// Say from how many of the positions it mates instead of failing at the first from which it does not.
    #[arg(long, conflicts_with = "material_wins")]
    count: bool,
    #[command(flatten)]
    material: MaterialArg,
    #[command(flatten)]
    rules: RulesArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Replays and prints. A strategy that fails is a failure.
pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let rules = args.rules.or(Rules::berkeley())?;
    let positions = input::read_positions(&args.positions)?;
    let problem = Problem::new(rules.clone(), positions)
        .map_err(|error| Failure::input(&input::place(&args.positions), error))?;
    let place = input::place(&args.strategy);
    let mut text = String::new();
    input::open(&args.strategy)?
        .take(LARGEST_STRATEGY)
        .read_to_string(&mut text)
        .map_err(|error| Failure::input(&place, error))?;
    let plan = Strategy::from_json(&text).map_err(|error| Failure::input(&place, error))?;
    if args.count {
        return args.say_count(&problem, &plan);
    }
    let tables = args.material.tables()?;
    let result = verify(&rules, problem.positions(), &plan, args.plies, tables.as_ref());
    check_tables(tables.as_ref())?;
    let mut output = io::stdout().lock();
    match (&result, args.json) {
        (Ok(()), true) => writeln!(output, "{}", json!({ "ok": true }))?,
        (Ok(()), false) => {
            let wins = if tables.is_some() { "wins" } else { "mates" };
            writeln!(output, "The strategy {wins} from all {} positions.", problem.positions().len())?;
        }
        (Err(flaw), true) => {
            let flaw = json!({
                "ok": false,
                "position": flaw.position,
                "line": flaw.line,
                "error": flaw.kind.to_string(),
            });
            writeln!(output, "{flaw}")?;
        }
        (Err(_), false) => {}
    }
    result.map_err(|flaw| Failure::Run(anyhow::Error::new(flaw).context("the strategy fails")))
}

impl VerifyArgs {
    /// Replays the strategy from each position by itself.
    fn say_count(&self, problem: &Problem, plan: &Strategy) -> Result<(), Failure> {
        let rules = problem.domain().rules();
        let positions = problem.positions();
        let wins = positions
            .iter()
            .filter(|position| verify(rules, std::slice::from_ref(*position), plan, self.plies, None).is_ok())
            .count();
        let mut output = io::stdout().lock();
        if self.json {
            let ok = wins == positions.len();
            writeln!(output, "{}", json!({ "ok": ok, "wins": wins, "positions": positions.len() }))?;
        } else {
            writeln!(output, "The strategy mates from {wins} of {} positions.", positions.len())?;
        }
        Ok(())
    }
}
