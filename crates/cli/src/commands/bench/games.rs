//! Random games, the material of several parts.

use nebel_kriegspiel::{Chess, Event, Rules, Transcript, transcript::Header};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random game under these rules: attempts that make sense, a question now and then, and some nonsense.
pub(super) fn random_game(rules: &Rules, start: &Chess, plies: usize, seed: u64) -> Transcript {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Transcript::new(Header::at(rules.clone(), start.clone()));
    let mut moved = 0;
    while game.umpire().over().is_none() && moved < plies {
        let line = match random.random_range(0..40_u32) {
            0 => "any?".to_owned(),
            1 => "e2e5".to_owned(),
            _ => match game.umpire().sensible_attempts().choose(&mut random) {
                Some(attempt) => attempt.to_string(),
                None => break,
            },
        };
        let Ok(event) = game.hear(&line) else { break };
        moved += usize::from(is_move(event));
    }
    game
}

/// Whether a man has moved.
pub(super) fn is_move(event: &Event) -> bool {
    event.announcement().is_some()
}

/// Every ruleset with a number, from which seeds are made.
pub(super) fn rulesets() -> impl Iterator<Item = (u64, Rules)> {
    Rules::KNOWN.into_iter().map(|rules| rules()).enumerate().map(|(index, rules)| (index as u64, rules))
}

/// Seeds of a part's games that no other part has.
pub(super) fn seed_of(seed: u64, part: u64, ruleset: u64, game: usize) -> u64 {
    let number = (part << 48) | (ruleset << 40) | game as u64;
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number
}
