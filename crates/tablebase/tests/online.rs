//! The online solver and the finisher against the tables and the naive referee.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::{Arc, OnceLock};

use nebel_tablebase::{
    Board, Defence, Ended, Ending, Finisher, KingBelief, Mask, MateVerdict, Placement, Solver, SolverLimits,
    TableKnowledge, Tables, Tie, play, random_placement, solve, squares_of, verify,
};
use shakmaty::Role;

/// KQK, KRK and KPK.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::new();
        for ending in "KPK".parse::<Ending>().unwrap().closure() {
            let table = solve(Board::CHESS, &ending, tables.all(), |_| {}).unwrap();
            tables.add(Arc::new(table));
        }
        tables
    })
}

fn filled(text: &str) -> (Placement, Mask) {
    let placement = Placement::parse(Board::CHESS, text).unwrap();
    let set = placement.king_squares(Board::CHESS);
    (placement, set)
}

#[test]
fn without_a_table_the_shortest_mate_is_found() {
    for text in ["Kb2 Ra1", "Ke4 Qd4"] {
        let (placement, set) = filled(text);
        let TableKnowledge::Mate(expected) = tables().known(&placement, set) else { panic!("{text} is won") };
        let verdict = Solver::new(Tables::new()).shortest(&placement, set, SolverLimits::default());
        assert!(
            matches!(verdict, MateVerdict::Mate { moves, .. } if moves == expected),
            "{text}: {verdict:?}"
        );
    }
}

#[test]
fn small_sets_agree_with_the_table() {
    let mut solver = Solver::new(Tables::new());
    let mut compared = [0, 0];
    for seed in 0..400 {
        let placement = random_placement(&[Role::Rook], seed);
        let all = placement.king_squares(Board::CHESS);
        let set =
            squares_of(all).step_by(11 + seed as usize % 40).fold(0, |set, s| set | nebel_tablebase::bit(s));
        let within = match tables().known(&placement, set) {
            TableKnowledge::Mate(moves) => moves,
            _ => u16::MAX,
        };
        let verdict = solver.shortest(&placement, set, SolverLimits { moves: 16, ..SolverLimits::default() });
        match verdict {
            MateVerdict::Mate { moves, .. } => assert_eq!(moves, within, "{placement} {set:x}"),
            _ => assert!(within > 16, "{placement} {set:x}: {verdict:?}, the table says {within}"),
        }
        compared[usize::from(within <= 16)] += 1;
    }
    assert!(compared.iter().all(|&count| count > 20), "{compared:?}");
}

#[test]
fn a_search_stops_when_told() {
    let (placement, set) = filled("Ke4 Bd4 Nc5 Nf2");
    let verdict = Solver::new(Tables::new()).shortest(
        &placement,
        set,
        SolverLimits { nodes: Some(200), ..SolverLimits::default() },
    );
    assert!(matches!(verdict, MateVerdict::Stopped(_)), "{verdict:?}");
    // The limit holds for all rounds and numbers of moves together; the set that hits it in each is counted too.
    let limits = SolverLimits { nodes: Some(2000), ..SolverLimits::default() };
    let mut solver = Solver::new(tables().clone());
    solver.any(&placement, set, limits);
    assert!(solver.nodes() < 2020, "{}", solver.nodes());
    let before = solver.nodes();
    solver.shortest(&placement, set, limits);
    assert!(solver.nodes() - before < 2020, "{}", solver.nodes() - before);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let limits = SolverLimits { stop: Some(&stop), ..SolverLimits::default() };
    assert!(matches!(Solver::new(Tables::new()).any(&placement, set, limits), MateVerdict::Stopped(_)));
}

/// Every win that is claimed is played out by the referee, in no more moves than claimed.
#[test]
fn claimed_wins_are_kept_and_nothing_is_stalemated() {
    let materials: [&[Role]; 5] = [
        &[Role::Queen, Role::Rook],
        &[Role::Rook, Role::Rook],
        &[Role::Queen, Role::Pawn],
        &[Role::Rook, Role::Bishop, Role::Pawn],
        &[Role::Rook, Role::Knight],
    ];
    let limits = SolverLimits { nodes: Some(4000), ..SolverLimits::default() };
    let mut claimed = 0;
    for (number, men) in materials.iter().enumerate() {
        for seed in 0..12 {
            let placement = random_placement(men, seed + 100 * number as u64);
            let set = placement.king_squares(Board::CHESS);
            let king = squares_of(set).nth(seed as usize % set.count_ones() as usize).unwrap();
            let mut finisher = Finisher::new(tables().clone(), Tie::FewestSquares);
            let king_belief = KingBelief::new(placement.clone(), set).unwrap();
            let promise = finisher.choose(&king_belief, limits).unwrap().mate_in;
            let defence = if seed % 2 == 0 { Defence::Random } else { Defence::Stubborn };
            let ended = play(&mut finisher, king_belief, king, defence, seed, 150, limits).unwrap();
            assert_ne!(ended, Ended::Stalemate, "{placement}");
            if let Some(most) = promise {
                claimed += 1;
                assert!(
                    matches!(ended, Ended::Mate(moves) if moves <= most),
                    "{placement}: {ended:?}, promised {most}"
                );
            }
        }
    }
    assert!(claimed >= 40, "{claimed}");
}

#[test]
fn a_game_does_not_depend_on_the_games_before_it() {
    let few = SolverLimits { nodes: Some(200), ..SolverLimits::default() };
    let many = SolverLimits { nodes: Some(20_000), ..SolverLimits::default() };
    let mut taught = 0;
    for seed in 0..12 {
        let placement = random_placement(&[Role::Rook, Role::Bishop], seed);
        let belief = KingBelief::new(placement.clone(), placement.king_squares(Board::CHESS)).unwrap();
        let mut finisher = Finisher::new(tables().clone(), Tie::FewestSquares);
        let fresh = finisher.choose(&belief, few);
        finisher.choose(&belief, many);
        taught += u32::from(finisher.choose(&belief, few) != fresh);
        finisher.new_game();
        assert_eq!(finisher.choose(&belief, few), fresh, "{placement}");
    }
    assert!(taught > 0, "what is learnt within a game is kept");
}

#[test]
fn tables_verify_and_a_false_one_does_not() {
    for (name, sets) in [("KRK", 1500), ("KQK", 400), ("KPK", 1500)] {
        let done = verify(tables(), &name.parse().unwrap(), sets, 1, Tie::FewestSquares, |_| {}).unwrap();
        assert!(done.won > sets / 10 && done.replayed > done.won, "{name} {done:?}");
    }
    // Without the endings a pawn promotes into, KPK's strategies lead out of the tables.
    let mut alone = Tables::new();
    alone.add(Arc::clone(tables().get(&"KPK".parse().unwrap()).unwrap()));
    assert!(verify(&alone, &"KPK".parse().unwrap(), 500, 1, Tie::FewestSquares, |_| {}).is_err());
}
