//! What a probe costs, against a plain scan of the same entries in the same run.
//!
//! `cargo bench -p nebel-tablebase`: nanoseconds for KRK and KQK over random placements with sets of every kind.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use nebel_tablebase::{Board, Table, Tables, Tie, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PROBES: usize = 100_000;

fn main() {
    for name in ["KRK", "KQK"] {
        let table = Arc::new(solve(Board::CHESS, &name.parse().unwrap(), &[], |_| {}).unwrap());
        let mut tables = Tables::new();
        tables.add(Arc::clone(&table));
        let queries = queries(&table);
        let probe = time(&queries, |number, set| table.best_of(number, set).map(|entry| entry.depth));
        let scan = time(&queries[..PROBES / 20], |number, set| {
            table.best_by_plain_scan(number, set).map(|entry| entry.depth)
        });
        let placements = table.index().placements();
        let value = time(&queries, |number, set| table.mate_in(&placements[number], set));
        let advice = time(&queries, |number, set| {
            tables.advise(&placements[number], set, Tie::FewestSquares).map(|advice| advice.mate_in)
        });
        println!(
            "{name}: probe {probe:.0} ns, plain scan {scan:.0} ns ({:.1} times as long); with the symmetry {value:.0} ns, \
             with the attempt {advice:.0} ns",
            scan / probe
        );
    }
}

/// Filled boards, random parts, entries and parts of entries, a quarter each.
fn queries(table: &Table) -> Vec<(usize, u64)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let placements = table.index().placements();
    let mut queries = Vec::new();
    while queries.len() < PROBES {
        let number = random.random_range(0..placements.len());
        let all = placements[number].king_squares(Board::CHESS);
        let entries = table.entries(number).count();
        let any = |at: usize| table.entries(number).nth(at).map_or(0, |entry| entry.mask);
        let set = match queries.len() % 4 {
            0 => all,
            1 => all & random.random::<u64>(),
            2 => any(random.random_range(0..entries.max(1))),
            _ => any(random.random_range(0..entries.max(1))) & random.random::<u64>(),
        };
        if set != 0 {
            queries.push((number, set));
        }
    }
    queries
}

/// Mean nanoseconds a query: short stretches, each at its best of nine, so that other work on the machine does not count.
fn time(queries: &[(usize, u64)], probe: impl Fn(usize, u64) -> Option<u16>) -> f64 {
    let stretch = |queries: &[(usize, u64)]| {
        let start = Instant::now();
        let sum: u64 = queries.iter().map(|&(number, set)| u64::from(probe(number, set).unwrap_or(0))).sum();
        black_box(sum);
        start.elapsed().as_nanos()
    };
    let best = |queries: &[(usize, u64)]| (0..9).map(|_| stretch(queries)).min().unwrap_or(0);
    queries.chunks(500).map(best).sum::<u128>() as f64 / queries.len() as f64
}
