//! Verification: what a table claims, replayed by the naive referee and tested by the Bellman equation.
//!
//! [`Replay`] follows the table's advice from every square of a set against every reply, with the referee of
//! [`crate::Referee`] giving the answers and the sets of what remains possible built from them alone.
//! [`bellman`] asks that the number stored for a random set be the best over attempts of the worst over answers, so
//! that no shorter mate was missed.

use std::collections::BTreeMap;

use nebel_kriegspiel::Attempt;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Square;
use thiserror::Error;

use crate::advice::{Tables, Tie};
use crate::board::{Board, Mask, bit, squares_of};
use crate::material::Ending;
use crate::placement::Placement;
use crate::referee::{Referee, Ruling};

/// What a table got wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The advice of a won set leads out of the table.
    #[error("{placement} with the king on {squares}: no mate within {moves} moves in the table", squares = names(*.set))]
    Lost {
        /// White's men.
        placement: Placement,
        /// The king's squares.
        set: Mask,
        /// The number promised.
        moves: u16,
    },
    /// The attempt draws, or loses a man that was needed.
    #[error("{placement} with the king on {king}: {attempt} does not win")]
    Spoilt {
        /// White's men.
        placement: Placement,
        /// The king.
        king: Square,
        /// The attempt advised.
        attempt: Attempt,
    },
    /// The attempt is refused wherever the king stands, so it tells nothing.
    #[error("{placement} with the king on {squares}: {attempt} is always refused", squares = names(*.set))]
    Useless {
        /// White's men.
        placement: Placement,
        /// The king's squares.
        set: Mask,
        /// The attempt advised.
        attempt: Attempt,
    },
    /// The stored number is not the best over attempts of the worst over answers.
    #[error("{placement} with the king on {squares}: the table says {stored:?}, one move ahead it is {found:?}", squares = names(*.set))]
    Bellman {
        /// White's men.
        placement: Placement,
        /// The king's squares.
        set: Mask,
        /// By the table.
        stored: Option<u16>,
        /// By the attempts.
        found: Option<u16>,
    },
}

/// How much was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Verified {
    /// Random sets whose value was compared with the best attempt.
    pub sets: usize,
    /// Of them, won ones.
    pub won: usize,
    /// Sets whose strategy was replayed, all that strategies led to included.
    pub replayed: usize,
    /// Physical positions put to the referee.
    pub positions: usize,
}

/// Verifies the table of `ending`: `sets` random sets by the Bellman equation, and every tenth won one (a filled board among them) by replay.
pub fn verify(
    tables: &Tables,
    ending: &Ending,
    sets: usize,
    seed: u64,
    tie: Tie,
    mut progress: impl FnMut(&Verified),
) -> Result<Verified, Fault> {
    let mut done = Verified::default();
    let Some(table) = tables.get(ending) else {
        return Ok(done);
    };
    let placements = table.index().placements();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut replay = Replay::new(tables, tie);
    while done.sets < sets {
        let number = random.random_range(0..placements.len());
        let set = random_set(&mut random, tables, ending, number);
        if set == 0 {
            continue;
        }
        done.sets += 1;
        let won = bellman(tables, &placements[number], set)?;
        if won.is_some() {
            done.won += 1;
            if done.won % 10 == 1 {
                replay.check(&placements[number], set)?;
            }
        }
        (done.replayed, done.positions) = (replay.seen.len(), replay.positions);
        progress(&done);
    }
    Ok(done)
}

/// Sets of all kinds: a filled board, random parts of it, and entries of the table or almost.
fn random_set(random: &mut Xoshiro256PlusPlus, tables: &Tables, ending: &Ending, number: usize) -> Mask {
    let Some(table) = tables.get(ending) else { return 0 };
    let all = table.index().placements()[number].king_squares(table.index().board());
    match random.random_range(0..8) {
        0 => all,
        1 => all & random.random::<u64>(),
        2 => all & random.random::<u64>() & random.random::<u64>(),
        3 => all & (random.random::<u64>() | random.random::<u64>()),
        kind => {
            let entries = table.entries(number).count();
            if entries == 0 {
                return 0;
            }
            let entry = table.entries(number).nth(random.random_range(0..entries));
            let mask = entry.map_or(0, |entry| entry.mask);
            match kind {
                4 => mask & random.random::<u64>(),
                5 => all & (mask | 1 << random.random_range(0..64)),
                _ => mask,
            }
        }
    }
}

/// Compares the stored number for `set` with the best attempt, each judged by what it leads to.
pub fn bellman(tables: &Tables, placement: &Placement, set: Mask) -> Result<Option<u16>, Fault> {
    let stored = tables.known(placement, set).moves();
    let found = tables.choices(Board::CHESS, placement, set).iter().map(|choice| choice.worst).min();
    if stored == found {
        return Ok(stored);
    }
    Err(Fault::Bellman { placement: placement.clone(), set, stored, found })
}

/// Replays of a table's strategies, remembering what has been replayed.
pub struct Replay<'a> {
    tables: &'a Tables,
    tie: Tie,
    seen: BTreeMap<(Placement, Mask), u16>,
    positions: usize,
}

impl<'a> Replay<'a> {
    /// Nothing replayed yet.
    pub fn new(tables: &'a Tables, tie: Tie) -> Replay<'a> {
        Replay { tables, tie, seen: BTreeMap::new(), positions: 0 }
    }

    /// Follows the strategy for a king somewhere in `set` to every mate; gives the number of moves it takes at worst.
    pub fn check(&mut self, placement: &Placement, set: Mask) -> Result<u16, Fault> {
        if let Some(&moves) = self.seen.get(&(placement.clone(), set)) {
            return Ok(moves);
        }
        let lost = |moves| Fault::Lost { placement: placement.clone(), set, moves };
        let advice = self.tables.advise(placement, set, self.tie).ok_or_else(|| lost(0))?;
        let attempt = advice.attempt;
        let (mut refused, mut goes_on, mut taken) = (0, BTreeMap::<u8, Mask>::new(), 0);
        for king in squares_of(set) {
            let spoilt = || Fault::Spoilt { placement: placement.clone(), king, attempt };
            self.positions += 1;
            let mut referee = Referee::new(placement, king).ok_or_else(spoilt)?;
            match referee.attempt(attempt) {
                Ruling::Refused => refused |= bit(king),
                Ruling::Mate => {}
                Ruling::Draw => return Err(spoilt()),
                Ruling::Moved(message) => {
                    for reply in referee.replies() {
                        if reply.takes {
                            taken |= bit(reply.to);
                        } else {
                            *goes_on.entry(message).or_default() |= bit(reply.to);
                        }
                    }
                }
            }
        }
        if refused == set {
            return Err(Fault::Useless { placement: placement.clone(), set, attempt });
        }
        let after = placement.moved_by(attempt);
        let mut moves = 1;
        for &next in goes_on.values() {
            moves = moves.max(1 + self.check(&after, next)?);
        }
        for square in squares_of(taken) {
            moves = moves.max(1 + self.check(&after.without(square), bit(square))?);
        }
        if refused != 0 {
            moves = moves.max(self.check(placement, refused)?);
        }
        if moves > advice.mate_in {
            return Err(lost(advice.mate_in));
        }
        self.seen.insert((placement.clone(), set), moves);
        Ok(moves)
    }
}

fn names(set: Mask) -> String {
    squares_of(set).map(|square| square.to_string()).collect::<Vec<_>>().join(",")
}
