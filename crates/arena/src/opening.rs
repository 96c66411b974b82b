//! Varied starting positions, where programs without a book would play much the same game again and again.
//!
//! Games that share their first twenty moves are not so many games: their results go together, and an interval that
//! takes them for independent is too small. Ciancarini and Favini's programs opened from a book of some nine hundred
//! lines; here each start is a few random quiet moves of both sides, known to both, and is played with both colours.

use nebel_kriegspiel::{Chess, Position};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// So many different games there are to begin.
const STARTS: usize = 50;

/// Fifty positions after so many random plies each. No ply captures, checks, or lets the other side capture, so
/// that every start is level in men and nothing hangs.
pub fn starts(plies: usize, seed: u64) -> Vec<Chess> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..STARTS).map(|_| quiet(plies, &mut random)).collect()
}

fn quiet(plies: usize, random: &mut Xoshiro256PlusPlus) -> Chess {
    let mut position = Chess::new();
    for _ in 0..plies {
        let after = |m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            let is_quiet = !after.is_check() && after.legal_moves().iter().all(|m| !m.is_capture());
            is_quiet.then_some(after)
        };
        let next: Vec<Chess> = position.legal_moves().into_iter().filter_map(after).collect();
        let Some(next) = next.choose(random) else { break };
        position = next.clone();
    }
    position
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use nebel_kriegspiel::start::fen;

    use super::*;

    #[test]
    fn starts_are_many_level_and_the_same_for_the_same_seed() {
        let positions = starts(8, 1);
        let fens: Vec<String> = positions.iter().map(fen).collect();
        assert!(fens.iter().collect::<BTreeSet<_>>().len() > 45);
        assert_eq!(fens, starts(8, 1).iter().map(fen).collect::<Vec<_>>());
        for position in positions {
            assert_eq!(position.board().occupied().count(), 32);
            assert!(!position.is_check() && position.legal_moves().iter().all(|m| !m.is_capture()));
        }
    }
}
