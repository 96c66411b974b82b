//! Mate provers: every algorithm over some problems of every collection, each with a budget of nodes.

use nebel_prover::{
    Strategy,
    collection::{Entry, SHIPPED},
};
use nebel_search::{Algorithm, Limits, Verdict};

use super::{Done, Work, signature::Signature};
use crate::failure::Failure;

/// Problems of each collection.
const PROBLEMS: usize = 12;
/// Positions that an algorithm may construct for a problem.
const NODES: u64 = 20_000;
/// Problems lie so far apart in a collection; a prime, so that seeds meet others.
const APART: usize = 37;

pub(super) fn run(work: Work) -> Result<Done, Failure> {
    let (mut signature, mut constructed) = (Signature::default(), 0);
    let limits = Limits { nodes: Some(NODES), threads: 1, ..Limits::default() };
    for (name, text) in SHIPPED {
        let lines: Vec<&str> = text.lines().collect();
        for problem in 0..work.pieces(PROBLEMS) {
            let at = (work.seed as usize).wrapping_add(problem * APART) % lines.len();
            let bad = |error: &dyn std::fmt::Display| {
                Failure::input(name, format_args!("line {}: {error}", at + 1))
            };
            let entry: Entry = serde_json::from_str(lines[at]).map_err(|error| bad(&error))?;
            let problem = entry.problem().map_err(|error| bad(&error))?;
            for algorithm in Algorithm::ALL {
                let report = problem.solve(entry.plies, algorithm, &limits).map_err(|error| bad(&error))?;
                signature.text(match report.verdict {
                    Verdict::Guaranteed => "mate",
                    Verdict::Refuted => "none",
                    Verdict::Unknown(_) => "undecided",
                });
                if let Some(strategy) = &report.strategy {
                    signature.text(&Strategy::of(strategy, problem.domain().rules()).to_text());
                }
                for count in [report.counters.constructed, report.counters.expanded, report.counters.beliefs]
                {
                    signature.number(count);
                }
                constructed += report.counters.constructed;
            }
        }
    }
    Ok(Done { signature, count: constructed, unit: "positions" })
}
