//! Endgame tables: built on one thread, probed with random sets, and searched where there is none.

use std::sync::Arc;

use nebel_kriegspiel::Role;
use nebel_tablebase::{
    Board, Ending, MateVerdict, Solver, SolverLimits, Table, Tables, Tie, random_placement, solve,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Done, Work, signature::Signature};
use crate::failure::Failure;

/// Random sets that the tables are asked about.
const PROBES: usize = 4_000;
/// Random placements that are searched.
const SEARCHES: usize = 40;
/// Sets that a search may look at.
const NODES: u64 = 1_000;

pub(super) fn run(work: Work) -> Result<Done, Failure> {
    let pool = nebel_tablebase::pool(Some(1)).map_err(|error| Failure::Run(error.into()))?;
    Ok(pool.install(|| {
        let (mut signature, mut tables, mut entries) = (Signature::default(), Tables::new(), 0);
        // What a pawn leads to are all endings with one man. KRK takes most of the time.
        let endings =
            if work.quick { vec![Ending::new([Role::Queen])] } else { Ending::new([Role::Pawn]).closure() };
        for ending in endings {
            let Some(table) = solve(Board::CHESS, &ending, tables.all(), |_| {}) else { continue };
            signature.text(&ending.to_string());
            entries += table.len() as u64;
            sign(&table, &mut signature);
            tables.add(Arc::new(table));
        }
        probe(work, &tables, &mut signature);
        search(work, &tables, &mut signature);
        Done { signature, count: entries, unit: "entries" }
    }))
}

/// All that the table holds, in its order.
fn sign(table: &Table, signature: &mut Signature) {
    for number in 0..table.index().placements().len() {
        for entry in table.entries(number) {
            signature.number(entry.mask);
            signature.number(u64::from(entry.depth) << 8 | u64::from(entry.attempt));
        }
    }
}

fn probe(work: Work, tables: &Tables, signature: &mut Signature) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(work.seed);
    let men = if work.quick { vec![Role::Queen] } else { vec![Role::Rook, Role::Queen, Role::Pawn] };
    for number in 0..work.pieces(PROBES) {
        let placement = random_placement(&[men[number % men.len()]], random.random());
        let all = placement.king_squares(Board::CHESS);
        let some = all & random.random::<u64>();
        let set = if some == 0 { all } else { some };
        match tables.advise(&placement, set, Tie::FewestSquares) {
            Some(advice) => {
                signature.number(u64::from(advice.mate_in));
                signature.text(&advice.attempt.to_string());
            }
            None => signature.text("none"),
        }
    }
}

fn search(work: Work, tables: &Tables, signature: &mut Signature) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(!work.seed);
    let endings = [
        [Role::Rook, Role::Rook],
        [Role::Queen, Role::Pawn],
        [Role::Bishop, Role::Bishop],
        [Role::Knight, Role::Bishop],
    ];
    for number in 0..work.pieces(SEARCHES) {
        let placement = random_placement(&endings[number % endings.len()], random.random());
        let set = placement.king_squares(Board::CHESS) & random.random::<u64>() & random.random::<u64>();
        if set == 0 {
            continue;
        }
        let mut solver = Solver::new(tables.clone());
        let limits = SolverLimits { nodes: Some(NODES), ..SolverLimits::default() };
        let shortest = solver.shortest(&placement, set, limits);
        let any = solver.any(&placement, set, limits);
        for verdict in [shortest, any] {
            match verdict {
                MateVerdict::Mate { moves, attempt } => {
                    signature.text(&format!("mate in {moves} by {attempt}"));
                }
                MateVerdict::NotWithin(moves) => signature.text(&format!("none in {moves}")),
                MateVerdict::Stopped(moves) => signature.text(&format!("stopped at {moves}")),
            }
        }
        signature.number(solver.nodes());
    }
}
