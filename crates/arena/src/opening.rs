//! Where games begin: listed positions, or positions drawn from a seed.
//!
//! Programs without a book play much the same game again and again. Games that share their first twenty moves are not so many
//! games: their results go together, and an interval that takes them for independent is too small. Ciancarini and Favini's programs
//! opened from a book of some nine hundred lines; here each start is a few random quiet moves of both sides, known to
//! both, and is played with both colours. There is another start for every pair of games unless a number is asked for: a start
//! that comes back is a book of that many lines.

use std::sync::{Arc, Mutex, PoisonError};

use nebel_kriegspiel::{Chess, Position, start};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

/// The starting positions of a match: one for each pair of games.
#[derive(Clone, Debug)]
pub enum Starts {
    /// These, again from the first when all were played. None at all are the usual start.
    Listed(Vec<Chess>),
    /// As many as are needed, each after a few random plies.
    Drawn(Drawn),
}

/// An endless row of positions from one seed.
#[derive(Clone, Debug)]
pub struct Drawn {
    plies: usize,
    /// What is drawn so far, and what the next is drawn from. Shared, so that a copy draws nothing twice.
    drawn: Arc<Mutex<(Vec<Chess>, Xoshiro256PlusPlus)>>,
}

impl Starts {
    /// Positions after so many random plies, another one for every pair of games. No ply captures, checks, or lets the other
    /// side capture, so that every start is level in men and nothing hangs.
    pub fn drawn(plies: usize, seed: u64) -> Starts {
        let drawn = (Vec::new(), Xoshiro256PlusPlus::seed_from_u64(seed));
        Starts::Drawn(Drawn { plies, drawn: Arc::new(Mutex::new(drawn)) })
    }

    /// The first so many of these alone.
    #[must_use]
    pub fn first(&self, count: u32) -> Starts {
        Starts::Listed((0..count).map(|pair| self.of_pair(pair)).collect())
    }

    /// Where the two games of a pair begin.
    pub fn of_pair(&self, pair: u32) -> Chess {
        match self {
            Starts::Listed(positions) => {
                positions.get(pair as usize % positions.len().max(1)).cloned().unwrap_or_default()
            }
            Starts::Drawn(drawn) => drawn.at(pair as usize),
        }
    }

    /// What a match is known by: the positions, or what they are drawn from besides the seed of the match.
    pub fn terms(&self) -> Value {
        match self {
            Starts::Listed(positions) => positions.iter().map(start::fen).collect(),
            Starts::Drawn(drawn) => json!({"random_plies": drawn.plies}),
        }
    }
}

impl From<Vec<Chess>> for Starts {
    fn from(positions: Vec<Chess>) -> Starts {
        Starts::Listed(positions)
    }
}

impl Drawn {
    fn at(&self, index: usize) -> Chess {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let (positions, random) = &mut *drawn;
        while positions.len() <= index {
            positions.push(quiet(self.plies, random));
        }
        positions[index].clone()
    }
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
        let starts = Starts::drawn(8, 1);
        // The last first: what is drawn does not depend on who asks for it when.
        let late = starts.of_pair(199);
        let fens: Vec<String> = (0..200).map(|pair| fen(&starts.of_pair(pair))).collect();
        assert!(fens.iter().collect::<BTreeSet<_>>().len() > 195, "no limit of fifty");
        assert_eq!(fens[199], fen(&late));
        assert_eq!(fens, (0..200).map(|pair| fen(&Starts::drawn(8, 1).of_pair(pair))).collect::<Vec<_>>());
        assert_ne!(fens[0], fen(&Starts::drawn(8, 2).of_pair(0)));
        for pair in 0..200 {
            let position = starts.of_pair(pair);
            assert_eq!(position.board().occupied().count(), 32);
            assert!(!position.is_check() && position.legal_moves().iter().all(|m| !m.is_capture()));
        }
    }

    #[test]
    fn listed_starts_come_back_and_drawn_ones_do_not() {
        let drawn = Starts::drawn(8, 1);
        let three = drawn.first(3);
        assert_eq!(fen(&three.of_pair(4)), fen(&drawn.of_pair(1)));
        assert_eq!(three.terms().as_array().map(Vec::len), Some(3));
        assert_eq!(drawn.terms(), json!({"random_plies": 8}));
        assert_eq!(fen(&Starts::from(Vec::new()).of_pair(7)), fen(&Chess::new()));
    }
}
