//! `nebel reproduce cf-fig10`, `cf-table` and `cf-calibration`: Ciancarini and Favini (2010).

use std::{path::PathBuf, time::Duration};

use nebel_arena::time::{self, TimeControl};
use nebel_experiments::favini::{Calibration, CrossTable, Fig10, Measure, alike_in_time};
use nebel_kriegspiel::Rules;

use super::{Kept, show, write_page};
use crate::{args::RulesArg, commands::arena::run_failure, failure::Failure, progress::Line};

/// Figure 10: B with k = 1, 3, 7, 10, C and A at four times a move, resumable.
#[derive(clap::Args, Debug)]
pub(crate) struct Fig10Args {
    /// Games of each player at the longest time, and at half of it twice as many; or a number for each of the times.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "40")]
    games: Vec<u32>,
    /// Times a move; the paper gave 1s,2s,4s,8s.
    #[arg(long, value_name = "TIMES", value_delimiter = ',', default_value = "50ms,100ms,200ms,400ms")]
    times: Vec<String>,
    /// Give the times as nodes, as many as each player values in them on a quiet core: the same games on any machine, however busy.
    #[arg(long)]
    by_nodes: bool,
    /// Whom they meet; the paper's opponent has 10,000 metapositions a move whatever the time.
    #[arg(long, value_name = "SPEC", default_value = "minimax:preset=paper")]
    opponent: String,
    /// Two games of each at 5ms, to see that it works.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    kept: Kept,
    /// Where to write the page and its figures.
    #[arg(long, short, value_name = "DIR", default_value = "cf-fig10")]
    output: PathBuf,
}

/// All players against all: a cross table, and how games went beside those of people.
#[derive(clap::Args, Debug)]
pub(crate) struct TableArgs {
    /// The players.
    #[arg(value_name = "SPEC", num_args = 0.., default_values_t = ["random", "greedy", "hs:preset=paper", "minimax", "a", "b:k=1", "c", "bc"].map(str::to_owned))]
    players: Vec<String>,
    /// Games for each pair.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u32,
    /// Time for a turn, all its attempts together.
    #[arg(long, value_name = "TIME", default_value = "50ms", conflicts_with = "nodes")]
    move_time: String,
    /// Nodes for each choice, by the player's own count: repeats on any machine.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Two games for each pair with 50 nodes, to see that it works.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    kept: Kept,
    /// Where to write the page.
    #[arg(long, short, value_name = "DIR", default_value = "cf-table")]
    output: PathBuf,
}

/// Simulated message probabilities against observed frequencies.
#[derive(clap::Args, Debug)]
pub(crate) struct CalibrationArgs {
    /// Games of `c`.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u32,
    /// Nodes for each choice.
    #[arg(long, value_name = "N", default_value_t = 300)]
    nodes: u64,
    /// Four games, to see that it works.
    #[arg(long)]
    quick: bool,
    /// Whom `c` meets, in turn.
    #[arg(long, value_name = "SPECS", value_delimiter = ',', default_value = "c,greedy,random")]
    opponents: Vec<String>,
    #[command(flatten)]
    rules: RulesArg,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the page, the figure and the numbers.
    #[arg(long, short, value_name = "DIR", default_value = "cf-calibration")]
    output: PathBuf,
}

/// Plays Figure 10 and writes the page.
pub(super) fn fig10(args: &Fig10Args) -> Result<(), Failure> {
    let experiment = Fig10 {
        cells: cells(args)?,
        measure: if args.by_nodes { Measure::Nodes } else { Measure::Clock },
        opponent: args.opponent.clone(),
        place: args.kept.games.place()?,
        max_moves: args.kept.max_moves,
        seed: args.kept.games.seed,
        versions: args.kept.games.versions(),
    };
    let (store, place) = args.kept.games.open()?;
    let line = Line::default();
    let page = experiment.run(&store, |cell, progress| show(&line, cell, progress.done, progress.of));
    drop(line);
    write_page(&args.output, "cf-fig10.md", &page.map_err(|error| run_failure(&place, error))?)
}

/// The times a move, and how many games each player has at each.
fn cells(args: &Fig10Args) -> Result<Vec<(Duration, u32)>, Failure> {
    if args.quick {
        return Ok(vec![(Duration::from_millis(5), 2)]);
    }
    let times = args.times.iter().map(|text| time::parse_duration(text)).collect::<Result<Vec<_>, _>>();
    let times = times.map_err(|error| Failure::input("--times", error))?;
    match &*args.games {
        &[games] => Ok(alike_in_time(&times, games)),
        games if games.len() == times.len() => Ok(times.into_iter().zip(games.iter().copied()).collect()),
        games => {
            let cause = format!(
                "{} numbers of games for {} times; give one, or one for each",
                games.len(),
                times.len()
            );
            Err(Failure::input("--games", cause))
        }
    }
}

/// Plays the tournament and writes the page.
pub(super) fn table(args: &TableArgs) -> Result<(), Failure> {
    let turn = time::parse_duration(&args.move_time).map_err(|error| Failure::input("--move-time", error))?;
    let experiment = CrossTable {
        players: args.players.clone(),
        games: if args.quick { 2 } else { args.games },
        time: args.nodes.or(args.quick.then_some(50)).map_or(TimeControl::Turn(turn), TimeControl::Nodes),
        rules: args.rules.or(Rules::icc())?,
        place: args.kept.games.place()?,
        max_moves: args.kept.max_moves,
        seed: args.kept.games.seed,
        versions: args.kept.games.versions(),
    };
    let (store, place) = args.kept.games.open()?;
    let line = Line::default();
    let page = experiment.run(&store, |progress| show(&line, "tournament", progress.done, progress.of));
    drop(line);
    write_page(&args.output, "cf-table.md", &page.map_err(|error| run_failure(&place, error))?)
}

/// Plays the games of the calibration and writes the page.
pub(super) fn calibration(args: &CalibrationArgs) -> Result<(), Failure> {
    let games = if args.quick { 4 } else { args.games };
    let experiment = Calibration {
        games,
        nodes: args.nodes,
        opponents: args.opponents.clone(),
        rules: args.rules.or(Rules::icc())?,
        seed: args.seed,
    };
    let line = Line::default();
    let page = experiment.run(|done| show(&line, "calibration", done, games));
    drop(line);
    write_page(
        &args.output,
        "cf-calibration.md",
        &page.map_err(|error| Failure::BadInput(error.to_string()))?,
    )
}
