//! `nebel solve --probability`: the plan that mates in the largest share of the positions.

use std::io::{self, Write};
use std::time::Instant;

use nebel_kriegspiel::Rules;
use nebel_prover::{Kriegspiel, Position, Problem, Strategy, ViewBelief};
use nebel_search::{Limits, MAX_PLIES, Meter, Share, SolveError, Source, Stop, largest_part};
use serde_json::{Value, json};

use super::{SolveArgs, view_failure};
use crate::{failure::Failure, input};

/// The positions, with their weights.
struct Weighed {
    rules: Rules,
    states: Vec<Position>,
    weights: Vec<f64>,
    /// The limit that was reached before the belief was computed.
    stopped: Option<Stop>,
}

/// Searches and prints.
pub(super) fn run(args: &SolveArgs, limits: &Limits) -> Result<(), Failure> {
    if args.plies > MAX_PLIES {
        return Err(Failure::input("--plies", SolveError::TooManyPlies(args.plies)));
    }
    let begun = Instant::now();
    let mut meter = Meter::new(limits);
    let weighed = if args.belief.view.is_some() { of_view(args, &mut meter)? } else { of_positions(args)? };
    let share = match weighed.stopped {
        None => {
            let domain = Kriegspiel::new(weighed.rules.clone());
            largest_part(&domain, &weighed.states, &weighed.weights, args.plies, &mut meter)
        }
        stopped => Share { wins: Vec::new(), strategy: None, share: 0.0, exact: false, stopped },
    };
    let plan = share.strategy.as_ref().map(|strategy| Strategy::of(strategy, &weighed.rules));
    let seconds = begun.elapsed().as_secs_f64();
    let mut output = io::stdout().lock();
    if args.json {
        writeln!(output, "{}", in_json(args, &weighed, &share, plan.as_ref(), seconds)?)?;
    } else {
        in_words(args, &mut output, &weighed, &share)?;
        if let Some(plan) = plan.filter(|_| args.strategy) {
            output.write_all(plan.to_text().as_bytes())?;
        }
    }
    Ok(())
}

fn of_positions(args: &SolveArgs) -> Result<Weighed, Failure> {
    let rules = args.rules.or(Rules::berkeley())?;
    let path = args.belief.positions.as_deref().unwrap_or_else(|| "-".as_ref());
    let (positions, weights) = input::read_weighted_positions(path)?.into_iter().unzip();
    let problem = Problem::new(rules.clone(), positions);
    let problem = problem.map_err(|error| Failure::input(&input::place(path), error))?;
    Ok(Weighed { rules, states: problem.belief().collect(), weights, stopped: None })
}

fn of_view(args: &SolveArgs, meter: &mut Meter) -> Result<Weighed, Failure> {
    let path = args.belief.view.as_deref().unwrap_or_else(|| "-".as_ref());
    let view = input::read_view(path, &args.game, Some(args.side), &args.rules.or(Rules::berkeley())?)?;
    let place = input::place(path);
    let mut belief = ViewBelief::new(&view).map_err(|error| Failure::input(&place, error))?;
    let mut states = Vec::new();
    let stopped = loop {
        match belief.find_next(meter) {
            Ok(Some(state)) => {
                meter.hold(size_of::<Position>());
                states.push(state);
            }
            Ok(None) => break None,
            Err(stop) => break Some(stop),
        }
    };
    if states.is_empty() && stopped.is_none() {
        return Err(view_failure(&place, &SolveError::EmptyBelief));
    }
    let weights = vec![1.0; states.len()];
    Ok(Weighed { rules: view.header().rules.clone(), states, weights, stopped })
}

fn in_json(
    args: &SolveArgs,
    weighed: &Weighed,
    share: &Share,
    plan: Option<&Strategy>,
    seconds: f64,
) -> Result<Value, Failure> {
    let all = weighed.stopped.is_none() && share.wins.len() == weighed.states.len();
    let guaranteed = if all { Some(true) } else { share.exact.then_some(false) };
    let plies = share.strategy.as_ref().map_or(args.odd_plies(), nebel_search::Strategy::plies);
    let mut value = json!({
        "guaranteed": guaranteed,
        "plies": plies,
        "states": weighed.states.len(),
        "whole": weighed.stopped.is_none(),
        "wins": share.wins.len(),
        "probability": share.share,
        "attempt": share.strategy.as_ref().map(|strategy| super::attempt_text(strategy.attempt)),
        "exact": share.exact,
        "seconds": seconds,
    });
    if let Some(stop) = share.stopped {
        value["stopped"] = json!(stop.to_string());
    }
    if args.strategy {
        value["strategy"] = serde_json::to_value(plan).map_err(|error| Failure::Run(error.into()))?;
    }
    Ok(value)
}

fn in_words(
    args: &SolveArgs,
    output: &mut impl Write,
    weighed: &Weighed,
    share: &Share,
) -> Result<(), Failure> {
    if weighed.stopped.is_some() {
        let stop = weighed.stopped.map_or(String::new(), |stop| stop.to_string());
        writeln!(output, "Not decided: the limit on {stop} was reached before the belief was computed.")?;
        return Ok(());
    }
    let (wins, states, plies) = (share.wins.len(), weighed.states.len(), super::plies_text(args.odd_plies()));
    let percent = share.share * 100.0;
    match &share.strategy {
        None => writeln!(output, "No plan was found that mates in any position within {plies}.")?,
        Some(strategy) => {
            let attempt = super::attempt_text(strategy.attempt);
            writeln!(
                output,
                "{attempt} mates in {wins} of {states} positions ({percent:.1}%) within {plies}."
            )?;
        }
    }
    match share.stopped {
        Some(stop) => writeln!(output, "There may be better: the limit on {stop} was reached.")?,
        None if share.exact => writeln!(output, "No plan does better.")?,
        None => writeln!(output, "There may be better.")?,
    }
    Ok(())
}
