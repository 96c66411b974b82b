//! Runs algorithms over a file of problems (JSON Lines) and prints a table of verdicts, times and counts.
//!
//! `cargo run --release -p nebel-prover --example run_problems -- FILE ALGORITHM… [--time SECONDS]`

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Rules, start};
use nebel_prover::{Plan, Problem, verify};
use nebel_search::{Algorithm, Limits, Verdict};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("FILE");
    let mut algorithms = Vec::new();
    let mut limits = Limits { threads: 1, memory: Some(4 << 30), ..Limits::default() };
    let mut min = 0;
    while let Some(a) = args.next() {
        match a.as_str() {
            "--time" => limits.time = Some(Duration::from_secs_f64(args.next().unwrap().parse().unwrap())),
            "--threads" => limits.threads = args.next().unwrap().parse().unwrap(),
            "--min" => min = args.next().unwrap().parse().unwrap(),
            name => algorithms.push(name.parse::<Algorithm>().expect("algorithm")),
        }
    }
    let mut totals = vec![(0.0, 0u64, 0, 0); algorithms.len()];
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let p: serde_json::Value = serde_json::from_str(line).unwrap();
        let rules = Rules::by_name(p["rules"].as_str().unwrap()).unwrap();
        let positions: Vec<_> = p["positions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| start::position(f.as_str().unwrap()).unwrap())
            .collect();
        let plies = p["plies"].as_u64().unwrap() as u32;
        if plies < min {
            continue;
        }
        let expected = p["guaranteed"].as_bool();
        let problem = Problem::new(rules.clone(), positions).unwrap();
        print!(
            "{:>6} {:12} {} {:5} n={:<3}",
            p["id"].to_string(),
            rules.name,
            plies,
            expected.map_or("?".into(), |e| e.to_string()),
            problem.positions().len()
        );
        for (algorithm, total) in algorithms.iter().zip(&mut totals) {
            let begun = Instant::now();
            let report = problem.solve(plies, *algorithm, &limits).unwrap();
            let seconds = begun.elapsed().as_secs_f64();
            let mark = match report.verdict {
                Verdict::Guaranteed => "yes",
                Verdict::Refuted => "no",
                Verdict::Unknown(_) => "?",
            };
            if let (Some(e), false) = (expected, mark == "?") {
                if (mark == "yes") != e {
                    println!("\nWRONG {algorithm}");
                    total.3 += 1;
                }
            }
            if mark == "yes" {
                let plan = Plan::of(&report.strategy.as_ref().expect("strategy"), &rules);
                if let Err(flaw) = verify(&rules, problem.positions(), &plan, plies) {
                    println!("\nFLAW {algorithm} {flaw}");
                    total.3 += 1;
                }
            }
            total.0 += seconds;
            total.1 += report.counters.constructed;
            total.2 += u32::from(mark == "?");
            print!(" | {mark:3} {seconds:8.4}s {:>10}", report.counters.constructed);
        }
        println!();
    }
    for (algorithm, (seconds, constructed, unknown, wrong)) in algorithms.iter().zip(totals) {
        println!(
            "{algorithm:8} total {seconds:9.3}s constructed {constructed:>12} {:9.2} M/s unknown {unknown} wrong {wrong}",
            constructed as f64 / seconds / 1e6
        );
    }
}
