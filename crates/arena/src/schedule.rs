//! Which games a match or tournament consists of, each with its players, start and seeds.

use nebel_kriegspiel::{Chess, Color};
use serde::Serialize;

use crate::{guests::Guests, opening::Starts};

/// A match or a tournament, as it was asked for.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The specs of the players.
    pub players: Vec<String>,
    /// Who meets whom: indices into `players`.
    pub pairs: Vec<(usize, usize)>,
    /// Games for each pair.
    pub games_per_pair: u32,
    /// Starting positions, taken in turn; each is played with both colours before the next.
    pub starts: Starts,
    /// The seed from which all others come.
    pub seed: u64,
    /// Players that no spec makes.
    pub guests: Guests,
}

/// One game to be played.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its number in the schedule, from 0.
    pub number: u32,
    /// The spec of White.
    pub white: String,
    /// The spec of Black.
    pub black: String,
    /// The colour of the pair's first player.
    pub first: Color,
    /// Where it starts.
    pub start: Chess,
    /// The seeds of White and Black.
    pub seeds: [u64; 2],
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Form {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
}

impl Schedule {
    /// A match of two.
    pub fn of_two(a: &str, b: &str, games: u32, starts: impl Into<Starts>, seed: u64) -> Schedule {
        let players = vec![a.to_owned(), b.to_owned()];
        let (starts, guests) = (starts.into(), Guests::default());
        Schedule { players, pairs: vec![(0, 1)], games_per_pair: games, starts, seed, guests }
    }

    /// The same with players that no spec makes.
    #[must_use]
    pub fn with_guests(self, guests: Guests) -> Schedule {
        Schedule { guests, ..self }
    }

    /// A tournament of many.
    pub fn of_many(
        players: Vec<String>,
        form: Form,
        games: u32,
        starts: impl Into<Starts>,
        seed: u64,
    ) -> Schedule {
        let all = (0..players.len()).flat_map(|a| (a + 1..players.len()).map(move |b| (a, b)));
        let pairs = all.filter(|(a, _)| form == Form::RoundRobin || *a == 0).collect();
        let (starts, guests) = (starts.into(), Guests::default());
        Schedule { players, pairs, games_per_pair: games, starts, seed, guests }
    }

    /// How many games there are.
    pub fn len(&self) -> u32 {
        self.games_per_pair.saturating_mul(self.pairs.len() as u32)
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A game by its number. Pairs take turns, so that an interrupted tournament is balanced; colours
    /// alternate within a pair.
    pub fn fixture(&self, number: u32) -> Fixture {
        let pairs = self.pairs.len().max(1) as u32;
        let (first, second) = self.pairs.get((number % pairs) as usize).copied().unwrap_or((0, 0));
        let round = number / pairs;
        let [a, b] = [first, second].map(|index| self.players.get(index).cloned().unwrap_or_default());
        let first = first_color(round);
        let (white, black) = if first == Color::White { (a, b) } else { (b, a) };
        let start = self.starts.of_pair(round / 2);
        let seeds = Color::ALL.map(|color| side_seed(self.seed, number, color));
        Fixture { number, white, black, first, start, seeds }
    }
}

/// The colour of a pair's first player in a round of it.
pub(crate) const fn first_color(round: u32) -> Color {
    if round.is_multiple_of(2) { Color::White } else { Color::Black }
}

/// The seed of one side of one game. A hash, so that a player cannot work out the other side's seed
/// from its own.
fn side_seed(seed: u64, number: u32, color: Color) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("nebel arena: seed of a side of a game");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&number.to_le_bytes());
    hasher.update(&[color as u8]);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_alternate_and_seeds_differ() {
        let schedule = Schedule::of_two("a", "b", 4, vec![Chess::new()], 1);
        let whites: Vec<String> = (0..4).map(|number| schedule.fixture(number).white).collect();
        assert_eq!(whites, ["a", "b", "a", "b"]);
        let mut seeds: Vec<u64> = (0..4).flat_map(|number| schedule.fixture(number).seeds).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 8);
    }

    #[test]
    fn a_tournament_has_every_pair_or_those_of_the_first() {
        let players: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let all = Schedule::of_many(players.clone(), Form::RoundRobin, 2, vec![Chess::new()], 1);
        assert_eq!((all.pairs.len(), all.len()), (6, 12));
        let gauntlet = Schedule::of_many(players, Form::Gauntlet, 2, vec![Chess::new()], 1);
        assert_eq!(gauntlet.pairs, [(0, 1), (0, 2), (0, 3)]);
    }
}
