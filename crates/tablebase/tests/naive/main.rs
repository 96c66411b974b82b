//! The generator against a naive program on small boards: every placement with every set of king squares.
//!
//! The naive program shares no code with the crate: it has its own squares, moves, attacks and announcements,
//! no symmetry, no masks of maximal sets, no factors. It knows sets of king squares as plain subsets, and solves the
//! game by value iteration over all of them, straight from the rules:
//!
//! a set is won in n if some attempt, refused or answered, leaves only sets won in time: the refused part in n,
//! every other answer in n − 1 after any reply.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use std::collections::BTreeMap;
use std::sync::Arc;

use nebel_tablebase::{Board, Ending, Placement, Table, solve};

use crate::program::{At, Naive};

/// Solves `endings` (each with those it needs before it) both ways and compares every subset of every placement.
fn compare(size: u8, endings: &[&str]) {
    let board = Board::new(size).unwrap();
    let mut naive = Naive { size: i32::from(size), solved: BTreeMap::new() };
    let mut tables: Vec<Arc<Table>> = Vec::new();
    let mut won = 0usize;
    let mut lost = 0usize;
    for name in endings {
        naive.solve(name);
        let ending: Ending = name.parse().unwrap();
        tables.push(Arc::new(solve(board, &ending, &tables, |_| {}).expect("sub-endings come first")));
        let table = tables.last().unwrap();
        let before = won + lost;
        for (men, solved) in naive
            .solved
            .iter()
            .filter(|(men, _)| men.iter().map(|man| man.0).eq(name[..name.len() - 1].chars()))
        {
            let square = |at: At| format!("{}{}", (b'a' + at.0 as u8) as char, at.1 + 1);
            let text: Vec<String> = men.iter().map(|man| format!("{}{}", man.0, square(man.1))).collect();
            let placement = Placement::parse(board, &text.join(" ")).unwrap();
            let bits: Vec<u64> = solved.squares.iter().map(|at| 1 << (at.1 * 8 + at.0)).collect();
            assert_eq!(placement.king_squares(board), bits.iter().sum::<u64>(), "{placement}");
            for set in 1..solved.moves.len() {
                let mask: u64 =
                    bits.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, bit)| bit).sum();
                let ours = table.mate_in(&placement, mask).unwrap_or(0);
                assert_eq!(ours, u16::from(solved.moves[set]), "{size}x{size} {placement} {mask:x}");
                if ours > 0 { won += 1 } else { lost += 1 }
            }
        }
        assert!(won + lost > before, "{name}: nothing was compared");
    }
    println!("{size}x{size} {endings:?}: {won} sets won, {lost} not");
    assert!(won > 0 || size == 3, "a comparison in which nothing is won shows nothing");
}

#[test]
fn every_set_on_3x3_with_one_and_two_men() {
    compare(3, &["KQK", "KRK", "KPK"]);
    compare(3, &["KRK", "KRRK"]);
    compare(3, &["KBBK"]);
    compare(3, &["KBNK"]);
    compare(3, &["KQK", "KRK", "KQRK"]);
}

#[test]
fn every_set_on_4x4_with_one_man() {
    compare(4, &["KQK", "KRK", "KPK"]);
}

#[test]
fn every_set_on_4x4_with_two_men() {
    compare(4, &["KBBK"]);
    compare(4, &["KBNK"]);
    compare(4, &["KNNK"]);
    compare(4, &["KRK", "KRBK"]);
    compare(4, &["KRK", "KRRK"]);
    compare(4, &["KQK", "KRK", "KQRK"]);
}

#[test]
fn every_set_on_4x4_with_a_piece_and_a_pawn() {
    compare(4, &["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQBK", "KRBK", "KBPK"]);
}

#[test]
fn every_set_on_5x5_with_a_rook() {
    compare(5, &["KRK"]);
}

/// The larger half of the comparison: `cargo test -p nebel-tablebase --release --test naive -- --ignored`.
#[test]
#[ignore = "some minutes"]
fn every_set_on_5x5_with_queen_and_pawn() {
    compare(5, &["KQK", "KRK", "KPK"]);
}
