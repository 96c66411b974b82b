//! What happens to files and messages, for the fuzz targets of all crates: cut off, overwritten, pieces lost, doubled or
//! put in where they do not belong. A seed repeats it.

#![allow(dead_code, unreachable_pub, reason = "each target uses its share")]

use std::fmt::Display;

use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What is put in where it does not belong.
const PIECES: [&str; 30] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    ",",
    ":",
    "=",
    "/",
    "-",
    "+",
    "??",
    "1-0",
    "null",
    "true",
    "-1",
    "1e999",
    "99999999999999999999",
    "NaN",
    "e2e4",
    "a1a1",
    "any",
    "\u{0}",
    "ä",
    "\u{feff}",
    "{\"nebel\":1,\"rules\":\"icc\"}",
    "\"type\":\"new\"",
    "8/8/8/8/8/8/8/8 w - - 0 1",
];

/// A text to which one to three things have happened.
pub fn damaged(text: impl Into<Vec<u8>>, seed: u64) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = text.into();
    for _ in 0..random.random_range(1..=3) {
        harm(&mut text, &mut random);
    }
    text
}

/// The same for what must be a text.
pub fn damaged_text(text: &str, seed: u64) -> String {
    String::from_utf8_lossy(&damaged(text, seed)).into_owned()
}

fn harm(text: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let from = random.random_range(0..=text.len());
    let to = random.random_range(from..=text.len().min(from + 80));
    match random.random_range(0..6) {
        0 => text.truncate(from),
        1 => drop(text.drain(from..to)),
        2 => {
            if let Some(byte) = text.get_mut(from) {
                *byte = random.random();
            }
        }
        3 => {
            let piece = text[from..to].to_vec();
            let place = random.random_range(0..=text.len());
            drop(text.splice(place..place, piece));
        }
        4 => {
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            if let Some(&at) = digits.choose(random) {
                text[at] = b'0' + random.random_range(0..10);
            }
        }
        _ => {
            let piece = PIECES.choose(random).map_or("", |piece| piece);
            drop(text.splice(from..from, piece.bytes()));
        }
    }
}

/// Bytes without any sense.
pub fn garbage(seed: u64, longest: usize) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bytes = vec![0; random.random_range(0..=longest)];
    random.fill_bytes(&mut bytes);
    bytes
}

/// What was read; what was refused says why, in one line.
pub fn judged<T, E: Display>(result: Result<T, E>) -> Option<T> {
    result.map_err(|error| one_line(&error.to_string())).ok()
}

/// Holds a message to one line of a length that people read.
pub fn one_line(text: &str) {
    assert!(!text.is_empty() && !text.contains(['\n', '\r']) && text.len() < 2000, "{text:?}");
}
