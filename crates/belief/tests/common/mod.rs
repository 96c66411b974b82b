//! What several tests share.
#![allow(dead_code, reason = "each test uses its share")]

pub(crate) mod naive;
mod second;

use std::{io::Write as _, path::Path};

use nebel_kriegspiel::{Chess, Color, Header, Rules, Transcript, View, json, start};
use rand::{RngExt, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// The entries of a file of shared vectors; none, with a message, where the file is not.
pub(crate) fn vectors(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(file);
    let Ok(text) = std::fs::read_to_string(path) else {
        // Not by a macro, so that a passing test shows it.
        let _ = writeln!(std::io::stderr(), "skipped: the shared vectors are not here ({file})");
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The view in an entry, if it has one.
pub(crate) fn view_of(entry: &Value) -> Option<View> {
    let lines = entry["view"].as_array()?;
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let record = json::read(text.join("\n").as_bytes()).unwrap();
    let side = record.side().unwrap();
    record.into_view(side)
}

/// Positions as beliefs name them, sorted.
pub(crate) fn fens(positions: impl Iterator<Item = Chess>) -> Vec<String> {
    let mut fens: Vec<String> = positions.map(|position| start::fen_without_counters(&position)).collect();
    fens.sort();
    fens
}

/// Starts with few men, castling, promotion and en passant near.
pub(crate) const STARTS: [&str; 12] = [
    "r3k3/1p4P1/8/2pP4/4p3/8/1p3P2/4K2R w Kq c6 0 1",
    "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p2/8/2P1P3/2p1p3/8/1P1P1P2/4K3 w - - 0 1",
    "3qk3/2pp4/8/8/8/8/2PP4/3QK3 b - - 0 1",
    "6k1/P4p2/8/5r2/8/2R5/p4P2/6K1 w - - 0 1",
    "kb6/8/8/3p4/8/4P3/8/6BK w - - 0 1",
    "8/1p6/k1P5/8/8/5p1K/6P1/8 b - - 0 1",
    "1n2k1n1/pp4pp/8/8/8/8/PP4PP/1N2K1N1 w - - 0 1",
    "8/8/2k5/1p6/8/1P6/1K6/6B1 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/3b4/3pP3/2pP4/8/8/R3K2R b KQkq d3 0 1",
    "4k3/8/8/1K1pP2r/8/8/8/4R3 w - d6 0 1",
];

/// A game of random attempts, refusals, nonsense and questions, up to so many moves.
pub(crate) fn random_game(
    rules: Rules,
    start: &str,
    moves: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Transcript {
    let header = Header::at(rules, start::position(start).unwrap());
    let mut game = Transcript::new(header);
    let mut made = 0;
    while made < moves && game.umpire().over().is_none() {
        let attempts = game.umpire().sensible_attempts();
        let attempt = attempts.choose(rng).map_or_else(String::new, ToString::to_string);
        let line = match rng.random_range(0..12) {
            0 | 1 => "any?".to_owned(),
            2 => "a1a1".to_owned(),
            // Legal moves more often than chance, so that games get somewhere.
            3..6 => game
                .umpire()
                .legal_moves()
                .choose(rng)
                .map_or(attempt, |&m| nebel_kriegspiel::Attempt::of_move(m).to_string()),
            _ => attempt,
        };
        let event = game.hear(&line).unwrap();
        made += usize::from(event.announcement().is_some());
    }
    game
}

/// Both sides.
pub(crate) const SIDES: [Color; 2] = [Color::White, Color::Black];
