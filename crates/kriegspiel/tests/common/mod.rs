//! What several tests share: the folder of vectors, and random games with everything in them.

#![allow(dead_code, unreachable_pub, reason = "each test uses its share")]

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use nebel_kriegspiel::{Color, Header, Over, Reason, Rules, Transcript, start};
use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The files of a folder of shared vectors, sorted; `None`, with a message that passing tests show too, where there are none.
pub fn vectors(folder: &str) -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(folder);
    let Ok(entries) = std::fs::read_dir(&root) else {
        let _ = writeln!(std::io::stderr(), "skipped: the shared vectors are not here ({folder})");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    Some(paths)
}

/// Starting positions in which castling, promotion and en passant come soon.
pub const STARTS: [&str; 4] = [
    start::STANDARD,
    "r3k2r/pPp2p1p/8/3pP3/3PpP2/8/P1P2PpP/R3K2R w KQkq d6 0 1",
    "4k3/1P4P1/8/2pPpP2/2PpPp2/8/1p4p1/4K3 w - - 3 10",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 96 80",
];

/// A generator with a recorded seed.
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A random game: sensible attempts, nonsense of both kinds, questions, now and then a resignation.
pub fn random_game(rules: &Rules, start: &str, seed: u64, lines: usize) -> Transcript {
    let mut random = random(seed);
    let mut header = Header::at(rules.clone(), start::position(start).expect("a known position"));
    start.clone_into(&mut header.start_fen);
    let mut game = Transcript::new(header);
    for _ in 0..lines {
        if game.umpire().over().is_some() {
            break;
        }
        if random.random_ratio(1, 400) {
            let loser = if random.random() { Color::White } else { Color::Black };
            let over = Over::lost_by(loser, Reason::Resignation);
            game.end(Some(loser), over).expect("the game is running");
            break;
        }
        let line = random_line(&game, &mut random);
        game.hear(&line).expect("the game is running");
    }
    game
}

fn random_line(game: &Transcript, random: &mut Xoshiro256PlusPlus) -> String {
    match random.random_range(0..20) {
        0 => ["", "e9e4", "}:,(%", "e2e4q", "O-O", "ä ß", "any", "0000"]
            .choose(random)
            .expect("not empty")
            .to_string(),
        1 => random_squares(random),
        2 => "any?".to_owned(),
        _ => {
            let sensible = game.umpire().sensible_attempts();
            // Under "any?" rules nothing may be left that makes sense before the question is settled.
            sensible.choose(random).map_or_else(|| "any?".to_owned(), ToString::to_string)
        }
    }
}

fn random_squares(random: &mut impl Rng) -> String {
    let mut square = || {
        let file = char::from(b'a' + random.random_range(0..8));
        let rank = char::from(b'1' + random.random_range(0..8));
        format!("{file}{rank}")
    };
    square() + &square()
}
