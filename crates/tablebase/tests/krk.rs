//! KRK on the chess board: the exact counts, the shared vectors, the file format.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write as _;
use std::sync::{Arc, OnceLock, atomic::AtomicBool};

use nebel_tablebase::{
    AttemptEffect, Board, Chains, FileError, Placement, Table, TableKnowledge, Tables, Tie, bit, solve,
    solve_with,
};
use shakmaty::Square;

fn krk() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::new();
        tables.add(Arc::new(solve(Board::CHESS, &"KRK".parse().unwrap(), &[], |_| {}).unwrap()));
        tables
    })
}

fn placement(text: &str) -> Placement {
    Placement::parse(Board::CHESS, text).unwrap()
}

#[test]
fn the_counts_are_exact() {
    let table = &krk().all()[0];
    assert_eq!(table.len(), 507_285);
    assert_eq!(table.longest(), 37);
    let longest = (0..518).flat_map(|number| table.entries(number)).filter(|entry| entry.depth == 37);
    assert_eq!(longest.count(), 50);
}

#[test]
fn filled_boards_of_the_paper() {
    for (text, moves) in [("Kb2 Ra1", 26), ("Kd1 Re1", 30), ("Kc3 Ra1", 25)] {
        let placement = placement(text);
        assert_eq!(
            krk().known(&placement, placement.king_squares(Board::CHESS)),
            TableKnowledge::Mate(moves),
            "{text}"
        );
    }
}

/// The vectors lie beside the project in some check-outs only.
#[test]
fn shared_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vectors/krk.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        // Not by a macro, so that a passing test shows it.
        let _ = writeln!(std::io::stderr(), "skipped: the shared vectors are not here (krk.jsonl)");
        return;
    };
    assert_eq!(text.lines().count(), 50);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let words = |name: &str| {
            case[name].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect::<Vec<_>>()
        };
        let placement = placement(&words("white").join(" "));
        let set = words("king").iter().fold(0, |set, square| set | bit(square.parse::<Square>().unwrap()));
        let expected = case["mate_in"]
            .as_u64()
            .map_or(TableKnowledge::NotForced, |moves| TableKnowledge::Mate(moves as u16));
        assert_eq!(krk().known(&placement, set), expected, "{line}");
    }
}

/// The value of a set is the best over attempts of the worst over answers, on sets of all sizes.
#[test]
fn advice_and_values_satisfy_the_bellman_equation() {
    let tables = krk();
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed ^ seed >> 29
    };
    let mut won = 0;
    for _ in 0..3000 {
        let number = next() as usize % 518;
        let placement = &tables.all()[0].index().placements()[number];
        let all = placement.king_squares(Board::CHESS);
        let set = match next() % 4 {
            0 => all,
            1 => all & next(),
            2 => all & next() & next(),
            _ => all & (next() | next()),
        };
        if set == 0 {
            continue;
        }
        let best = tables.choices(Board::CHESS, placement, set).iter().map(|choice| choice.worst).min();
        assert_eq!(
            tables.known(placement, set),
            best.map_or(TableKnowledge::NotForced, TableKnowledge::Mate),
            "{placement} {set:x}"
        );
        won += usize::from(best.is_some());
        for tie in [Tie::FewestSquares, Tie::AverageDefender] {
            let advice = tables.advise(placement, set, tie);
            assert_eq!(advice.map(|advice| advice.mate_in), best);
            if let Some(advice) = advice {
                assert_ne!(advice.if_refused, set, "an attempt that is certain to be refused");
                let turns = AttemptEffect::all(Board::CHESS, placement);
                assert!(
                    turns.iter().any(|turn| turn.attempt == advice.attempt),
                    "{placement} {}",
                    advice.attempt
                );
            }
        }
    }
    assert!(won > 500, "{won}");
}

#[test]
fn a_file_is_read_back_and_damage_is_refused() {
    let table = &krk().all()[0];
    let directory = std::env::temp_dir().join(format!("nebel-tablebase-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("KRK.nbt");
    table.write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() < 10 * table.len(), "{} bytes", bytes.len());
    let back = Table::open(&path).unwrap();
    assert_eq!((back.len(), back.longest()), (table.len(), 37));
    assert!((0..518).all(|number| back.entries(number).eq(table.entries(number))));
    drop(back);

    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Table::open(&path).unwrap_err()
    };
    assert!(matches!(refused(&bytes[..bytes.len() / 2]), FileError::Damaged { .. }));
    assert!(matches!(refused(&bytes[..40]), FileError::Foreign { .. }));
    assert!(matches!(refused(&[]), FileError::Foreign { .. } | FileError::Io { .. }));
    for at in (0..110).chain([3000, bytes.len() - 1]) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let error = refused(&bytes);
        assert!(!matches!(error, FileError::Io { .. }), "byte {at}: {error}");
    }
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(matches!(Table::open(&path), Err(FileError::Io { .. })));
}

/// A refusal that costs a move makes mates longer, and loses none.
#[test]
fn chains_that_go_on_later_win_the_same_sets_no_faster() {
    let board = Board::new(5).unwrap();
    let ending = "KRK".parse().unwrap();
    let exact = solve(board, &ending, &[], |_| {}).unwrap();
    let carried =
        solve_with(board, &ending, &[], Chains::Carried(0), &AtomicBool::new(false), |_| {}).unwrap();
    let mut longer = 0;
    for (number, placement) in exact.index().placements().iter().enumerate() {
        for entry in exact.entries(number) {
            let later = carried.mate_in(placement, entry.mask).unwrap();
            assert!(later >= entry.depth);
            longer += usize::from(later > entry.depth);
        }
    }
    assert!(longer > 0 && carried.longest() > exact.longest());
}
