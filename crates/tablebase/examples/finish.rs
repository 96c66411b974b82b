//! How well a game is finished without the big tables: forced wins found in a second, and games played out.
//!
//! `cargo run --release -p nebel-tablebase --example finish -- [POSITIONS] [GAMES] [NODES]`: random placements of several materials with
//! the king anywhere he may be. A win counts as existing if the ending's table (where it is built) says so, or
//! if it is found at all within twenty seconds. Games are played against a random and a stubborn king,
//! with NODES sets to examine an attempt.

use std::time::{Duration, Instant};

use nebel_tablebase::{
    Board, Defence, Ended, Ending, Finisher, KingBelief, MAX_MEN, MateVerdict, Placement, Solver,
    SolverLimits, Store, TableKnowledge, Tables, Tie, play, random_placement, squares_of,
};
use rayon::prelude::*;
use shakmaty::Role;

const MATERIALS: [&[Role]; 10] = [
    &[Role::Queen, Role::Rook],
    &[Role::Rook, Role::Rook],
    &[Role::Queen, Role::Pawn],
    &[Role::Rook, Role::Bishop, Role::Pawn],
    &[Role::Rook, Role::Pawn],
    &[Role::Queen, Role::Knight],
    &[Role::Rook, Role::Bishop],
    &[Role::Queen, Role::Rook, Role::Rook],
    &[Role::Rook, Role::Pawn, Role::Pawn],
    &[Role::Queen, Role::Bishop, Role::Knight],
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut number = |default| arguments.next().unwrap_or(Ok(default));
    let (positions, games, nodes) = (number(100)?, number(1000)?, number(300)?);
    let store = Store::of_user().ok_or("no data directory")?;
    let tables = store.open_or_build(&"KPK".parse()?, &mut |_| {})?;
    forced_wins(&store, &tables, positions);
    played_games(&tables, games, nodes);
    Ok(())
}

fn forced_wins(store: &Store, tables: &Tables, positions: u64) {
    let (mut existing, mut found, mut slowest) = (0, 0, Duration::ZERO);
    for number in 0..positions {
        let placement =
            random_placement(MATERIALS[number as usize % MATERIALS.len()], 1_000_003 * number + 7);
        let set = placement.king_squares(Board::CHESS);
        let search = |seconds| {
            let start = Instant::now();
            let limits = SolverLimits {
                deadline: Some(start + Duration::from_secs(seconds)),
                ..SolverLimits::default()
            };
            let verdict = Solver::new(tables.clone()).any(&placement, set, limits);
            (matches!(verdict, MateVerdict::Mate { .. }), start.elapsed())
        };
        let (won, took) = search(1);
        if won {
            (existing, found, slowest) = (existing + 1, found + 1, slowest.max(took));
        } else if by_table(store, &placement).unwrap_or_else(|| search(20).0) {
            existing += 1;
            println!("not found in a second: {placement}");
        }
    }
    println!(
        "{positions} positions, {existing} with a forced win, {found} found within a second, slowest {slowest:.2?}"
    );
}

/// What the table says of the king anywhere, if it is built.
fn by_table(store: &Store, placement: &Placement) -> Option<bool> {
    let ending: Ending = placement.ending();
    if ending.men().len() > MAX_MEN {
        return None;
    }
    let mut tables = Tables::new();
    tables.add(std::sync::Arc::new(store.open(&ending).ok()?));
    Some(matches!(tables.known(placement, placement.king_squares(Board::CHESS)), TableKnowledge::Mate(_)))
}

fn played_games(tables: &Tables, games: u64, nodes: u64) {
    for defence in [Defence::Random, Defence::Stubborn] {
        let start = Instant::now();
        let game = |finisher: &mut Finisher, seed: u64| {
            let placement = random_placement(MATERIALS[seed as usize % MATERIALS.len()], seed);
            let set = placement.king_squares(Board::CHESS);
            let king = squares_of(set).nth((seed / 7 % u64::from(set.count_ones())) as usize)?;
            let limits = SolverLimits { nodes: Some(nodes), ..SolverLimits::default() };
            play(finisher, KingBelief::new(placement, set)?, king, defence, seed, 100, limits)
        };
        let fresh = || Finisher::new(tables.clone(), Tie::FewestSquares);
        let ended: Vec<Ended> = (0..games).into_par_iter().map_init(fresh, game).flatten().collect();
        let count = |which: Ended| ended.iter().filter(|&&end| end == which).count();
        let mates: Vec<u16> =
            ended.iter().filter_map(|end| if let Ended::Mate(n) = end { Some(*n) } else { None }).collect();
        let mean = mates.iter().map(|&moves| f64::from(moves)).sum::<f64>() / mates.len().max(1) as f64;
        println!(
            "{defence:?}: {} games, {} mates (mean {mean:.1} moves), {} stalemates, {} drawn for want of material, {} not mated in 100 moves; {:.0?}",
            ended.len(),
            mates.len(),
            count(Ended::Stalemate),
            count(Ended::Material),
            count(Ended::Length),
            start.elapsed()
        );
    }
}
