//! Searches one after the other on the same solver: what one of them notes must not spoil the next.
//!
//! The larger comparison (more sets, longer mates, and the table of KRRK; some minutes and 2 GB) is
//! `cargo test -p nebel-tablebase --release --test search -- --ignored`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::{Arc, OnceLock};

use nebel_tablebase::{
    Board, Ending, Mask, MateVerdict, Placement, Solver, SolverLimits, TableKnowledge, Tables, bit,
    random_placement, solve, squares_of,
};
use shakmaty::{Role, Square};

/// How much is compared.
#[derive(Clone, Copy)]
struct Size {
    /// Random sets of each ending.
    sets: u64,
    /// Sets examined by each search.
    nodes: u64,
}

const QUICK: Size = Size { sets: 40, nodes: 2_500 };
const LARGE: Size = Size { sets: 1_000, nodes: 25_000 };

/// KQK, KRK and KPK.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| with_closure("KPK"))
}

fn with_closure(ending: &str) -> Tables {
    let mut tables = Tables::new();
    for part in ending.parse::<Ending>().unwrap().closure() {
        let table = solve(Board::CHESS, &part, tables.all(), |_| {}).unwrap();
        tables.add(Arc::new(table));
    }
    tables
}

/// A random placement with pawns about to promote, and some squares for the king that are near the edge and near White's
/// king, since from most others there is no short mate.
fn random_set(men: &[Role], seed: u64) -> (Placement, Mask) {
    const EDGE: Mask = 0xff81_8181_8181_81ff;
    const FAR_RANKS: Mask = 0x00ff_ff00_0000_0000;
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    loop {
        let placement = random_placement(men, next());
        let is_far = |man: &(Role, Square)| man.0 != Role::Pawn || bit(man.1) & FAR_RANKS != 0;
        let near = squares_of(placement.king_squares(Board::CHESS) & EDGE)
            .filter(|square| square.distance(placement.king()) < 4);
        let set = near.filter(|_| next() % 3 == 0).fold(0, |set, square| set | bit(square));
        if set != 0 && placement.men().iter().all(is_far) {
            return (placement, set);
        }
    }
}

/// The number of moves to mate lies between these, by what was proved; [`u16::MAX`] where there may be no mate.
type Bounds = (u16, u16);

fn bounds(verdict: MateVerdict) -> Bounds {
    match verdict {
        MateVerdict::Mate { moves, .. } => (moves, moves),
        MateVerdict::NotWithin(moves) | MateVerdict::Stopped(moves) => (moves.saturating_add(1), u16::MAX),
    }
}

/// Random sets of an ending, each searched for any win and then for the shortest by one solver with these tables; compares
/// with what `judge` proves. Gives the number of sets for which both knew the number.
fn compare(men: &[Role], tables: &Tables, size: Size, judge: impl Fn(&Placement, Mask) -> Bounds) -> usize {
    let limits = SolverLimits { nodes: Some(size.nodes), ..SolverLimits::default() };
    let mut used = Solver::new(tables.clone());
    let mut both = 0;
    for seed in 0..size.sets {
        let (placement, set) = random_set(men, seed);
        let some = used.any(&placement, set, limits);
        let shortest = used.shortest(&placement, set, limits);
        let (least, most) = bounds(shortest);
        let right = judge(&placement, set);
        let squares: Vec<Square> = squares_of(set).collect();
        let case = format!("{placement}, king on {squares:?}: {some:?}, {shortest:?}, judged {right:?}");
        assert!(least.max(right.0) <= most.min(right.1), "{case}");
        assert!(!matches!(some, MateVerdict::Mate { moves, .. } if moves < right.0), "{case}");
        both += usize::from(least == most && right.0 == right.1);
    }
    both
}

/// Without a table of the ending, a fresh solver for every set is the judge.
fn compare_with_fresh_solvers(size: Size) {
    let materials: [&[Role]; 4] = [
        &[Role::Rook, Role::Rook],
        &[Role::Queen, Role::Pawn],
        &[Role::Pawn, Role::Pawn],
        &[Role::Rook, Role::Bishop, Role::Pawn],
    ];
    let limits = SolverLimits { nodes: Some(size.nodes), ..SolverLimits::default() };
    let fresh =
        |placement: &Placement, set| bounds(Solver::new(tables().clone()).shortest(placement, set, limits));
    for men in materials {
        let both = compare(men, tables(), size, fresh);
        println!("{men:?}: {both} of {} compared in full", size.sets);
        assert!(both as u64 > size.sets / 8, "{men:?}: {both} are too few to compare");
    }
}

/// Searches with the tables of other endings against the table of this one.
fn compare_with_table(men: &[Role], others: &Tables, size: Size, table: &Tables) {
    let by_table = |placement: &Placement, set| match table.known(placement, set) {
        TableKnowledge::Mate(moves) => (moves, moves),
        _ => (u16::MAX, u16::MAX),
    };
    let both = compare(men, others, size, by_table);
    println!("{men:?}: {both} of {} compared in full", size.sets);
    assert!(both as u64 > size.sets / 8, "{men:?}: {both} are too few to compare");
}

#[test]
fn a_search_after_another_proves_what_a_fresh_one_does() {
    compare_with_fresh_solvers(QUICK);
}

#[test]
fn a_search_after_another_proves_what_the_table_says() {
    let none = Tables::new();
    compare_with_table(&[Role::Rook], &none, QUICK, tables());
    compare_with_table(&[Role::Queen], &none, QUICK, tables());
    compare_with_table(&[Role::Pawn], &with_closure("KQK"), QUICK, tables());
}

#[test]
#[ignore = "some minutes and 2 GB"]
fn the_same_with_more_sets() {
    compare_with_fresh_solvers(LARGE);
    for men in [Role::Rook, Role::Queen, Role::Pawn] {
        compare_with_table(&[men], &Tables::new(), LARGE, tables());
    }
    compare_with_table(&[Role::Rook, Role::Rook], tables(), LARGE, &with_closure("KRRK"));
}

#[test]
fn losses_under_a_guide_are_no_proofs() {
    let placement = Placement::parse(Board::CHESS, "Ke3 Rd2 Rb8").unwrap();
    let set = bit(Square::H1) | bit(Square::H5);
    let limits = SolverLimits { moves: 5, ..SolverLimits::default() };
    let mut used = Solver::new(tables().clone());
    used.any(&placement, set, SolverLimits { nodes: Some(20_000), ..SolverLimits::default() });
    assert_eq!(bounds(used.shortest(&placement, set, limits)), (4, 4));
    assert_eq!(bounds(Solver::new(tables().clone()).shortest(&placement, set, limits)), (4, 4));
}

/// A table of the ending itself answers, but a mate that is too long is no proof that there is none.
#[test]
fn a_table_at_the_root_answers_within_the_limit() {
    let placement = Placement::parse(Board::CHESS, "Kc3 Ra1").unwrap();
    let set = placement.king_squares(Board::CHESS);
    let mut solver = Solver::new(tables().clone());
    for (moves, expected) in [(24, MateVerdict::NotWithin(24)), (0, MateVerdict::NotWithin(0))] {
        let limits = SolverLimits { moves, ..SolverLimits::default() };
        assert_eq!(solver.any(&placement, set, limits), expected);
        assert_eq!(solver.shortest(&placement, set, limits), expected);
    }
    assert_eq!(bounds(solver.any(&placement, set, SolverLimits::default())), (25, 25));
    assert_eq!(bounds(solver.shortest(&placement, set, SolverLimits::default())), (25, 25));
    let drawn = Placement::parse(Board::CHESS, "Kg1 Ra6").unwrap();
    let set = drawn.king_squares(Board::CHESS);
    assert_eq!(solver.any(&drawn, set, SolverLimits::default()), MateVerdict::NotWithin(u16::MAX));
    assert_eq!(solver.shortest(&drawn, set, SolverLimits::default()), MateVerdict::NotWithin(u16::MAX));
}

/// To search for a king that is nowhere must not make every king unbeatable.
#[test]
fn an_empty_set_teaches_nothing() {
    let placement = Placement::parse(Board::CHESS, "Ke3 Rd2 Rb8").unwrap();
    let set = bit(Square::H1);
    let limits = SolverLimits { moves: 5, ..SolverLimits::default() };
    let mut used = Solver::new(Tables::new());
    assert_eq!(used.any(&placement, 0, limits), MateVerdict::NotWithin(u16::MAX));
    assert_eq!(used.shortest(&placement, bit(Square::E3), limits), MateVerdict::NotWithin(u16::MAX));
    assert!(matches!(used.shortest(&placement, set, limits), MateVerdict::Mate { .. }));
}
