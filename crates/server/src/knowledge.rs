//! What a side can know: the positions that agree with all it has heard, or a sample of them.
//!
//! The belief is exact while it fits. Beyond the limit it is a pool of positions, each of which agrees with
//! everything heard, cut at random when it grows too large; that is said with every number.

use std::time::Instant;

use nebel_belief::{Announce, Hearing, History, Key, Limit, Statistics, TrackError, Tracker, Walks};
use nebel_kriegspiel::{Chess, Color, Event, Role, Rules, Square, json::Side};
use nebel_players::sampling::pool::{Pool, PoolLimits};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use utoipa::ToSchema;

/// A pool is cut to `keep` when it has more than `most`: enough for a heat map, and quick.
const POOL: PoolLimits = PoolLimits { most: 100_000, keep: 30_000 };
/// When no position of a pool agrees with an event, so many are looked for by random walks…
const WALKED: usize = 200;
/// …of which so many may get stuck before the next succeeds.
const STUCK: u64 = 20_000;

/// What one side knows after each event of its view.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    rules: Rules,
    start: Chess,
    side: Color,
    events: Vec<Event>,
    positions: Positions,
}

#[derive(Clone, Debug)]
enum Positions {
    All(Box<Tracker>),
    Sample(Box<Pool>),
}

impl Knowledge {
    /// What a side knows at the start of a game; exact up to so many positions.
    pub(crate) fn new(rules: Rules, start: Chess, side: Color, limit: usize) -> Knowledge {
        let tracker = Tracker::new(rules.clone(), &start, side, Limit::positions(limit));
        Knowledge { rules, start, side, events: Vec::new(), positions: Positions::All(Box::new(tracker)) }
    }

    /// What it has heard.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many events it has heard.
    pub(crate) fn heard(&self) -> usize {
        self.events.len()
    }

    /// How many positions it holds.
    pub(crate) fn len(&self) -> usize {
        match &self.positions {
            Positions::All(tracker) => tracker.len(),
            Positions::Sample(pool) => pool.keys().len(),
        }
    }

    /// Takes in an event of the side's view. An error is an event that no game can have.
    pub(crate) fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        if let Positions::All(tracker) = &mut self.positions {
            match tracker.hear(event) {
                Ok(()) => {
                    self.events.push(event.clone());
                    return Ok(());
                }
                Err(error @ (TrackError::Contradiction(_) | TrackError::NoPosition)) => return Err(error),
                Err(TrackError::Positions(_) | TrackError::Bytes(_) | TrackError::Memory) => {
                    self.positions = Positions::Sample(Box::new(self.pool()?));
                }
            }
        }
        self.events.push(event.clone());
        let mut random = self.random();
        if let Positions::Sample(pool) = &mut self.positions {
            pool.hear(event, &mut random)?;
            if pool.keys().is_empty() {
                let history = History::new(self.rules.clone(), &self.start, self.side, &self.events);
                let history = history.map_err(|(_, error)| error)?;
                let found: Vec<Key> =
                    Walks::new(&history, 0, STUCK).take(WALKED).map(|walked| walked.key).collect();
                pool.add(found, &mut random);
            }
        }
        Ok(())
    }

    /// A pool that has heard all events so far.
    fn pool(&self) -> Result<Pool, TrackError> {
        let mut pool = Pool::new(self.rules.clone(), &self.start, self.side, POOL);
        let mut random = self.random();
        for event in &self.events {
            pool.hear(event, &mut random)?;
        }
        Ok(pool)
    }

    /// Randomness that depends on what was heard alone, so that the same view gives the same sample.
    fn random(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.events.len() as u64)
    }

    /// The belief as numbers. `begun` is when the work on it began.
    pub(crate) fn belief(&self, begun: Instant) -> Belief {
        let (hearing, statistics, states, sampled) = match &self.positions {
            Positions::All(tracker) => {
                let keys = tracker.set().iter();
                let gathered = Statistics::gather(tracker.hearing(), keys, Announce::Nothing);
                (tracker.hearing(), gathered, Some(tracker.len()), None)
            }
            Positions::Sample(pool) => {
                let keys = pool.keys().iter().copied();
                let gathered = Statistics::gather(pool.hearing(), keys, Announce::Nothing);
                let all = pool.is_complete().then(|| pool.keys().len());
                (pool.hearing(), gathered, all, all.is_none().then(|| pool.keys().len()))
            }
        };
        Belief::new(hearing, &statistics, states, sampled, begun)
    }
}

/// What could be where, and what can be tried.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Belief {
    /// How many positions agree with everything heard; null when there are too many to count.
    #[schema(required)]
    pub states: Option<usize>,
    /// Whether the numbers are of all positions.
    pub exact: bool,
    /// How many positions were sampled, where they are not.
    #[schema(required)]
    pub sampled: Option<usize>,
    /// Whose turn it is.
    pub side_to_move: Side,
    /// For each kind of man the probability that an enemy one stands there: a1, b1, …, h8.
    pub squares: Squares,
    /// How likely each attempt that makes sense is legal, if it is the side's turn.
    pub legal: Vec<Chance>,
    /// The attempts that are legal in every position.
    pub known_legal: Vec<String>,
    /// The attempts that are legal in none.
    pub known_illegal: Vec<String>,
    /// How long the work took.
    pub seconds: f64,
}

/// For each kind of man the probabilities that one stands there: a1, b1, …, h8.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Squares {
    /// Pawns.
    pub p: Vec<f64>,
    /// Knights.
    pub n: Vec<f64>,
    /// Bishops.
    pub b: Vec<f64>,
    /// Rooks.
    pub r: Vec<f64>,
    /// Queens.
    pub q: Vec<f64>,
    /// The king.
    pub k: Vec<f64>,
}

/// An attempt and the probability that it is legal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Chance {
    /// The attempt.
    pub attempt: String,
    /// The share of positions in which it is legal.
    pub probability: f64,
}

impl Belief {
    fn new(
        hearing: &Hearing,
        statistics: &Statistics,
        states: Option<usize>,
        sampled: Option<usize>,
        begun: Instant,
    ) -> Belief {
        let positions = statistics.positions();
        let exact = sampled.is_none();
        let with = |wanted: u64| {
            let fates = statistics.fates().iter().filter(move |fate| exact && fate.legal == wanted);
            fates.map(|fate| fate.attempt.to_string()).collect()
        };
        Belief {
            states,
            exact,
            sampled,
            side_to_move: Side::of(hearing.own().to_move()),
            squares: squares(|square, role| statistics.men(square, role), positions),
            legal: statistics
                .fates()
                .iter()
                .map(|fate| Chance {
                    attempt: fate.attempt.to_string(),
                    probability: rounded(fate.probability(positions)),
                })
                .collect(),
            known_legal: with(positions),
            known_illegal: with(0),
            seconds: rounded(begun.elapsed().as_secs_f64()),
        }
    }
}

/// The probabilities of men by kind and square, from counts over so many positions.
pub(crate) fn squares(count: impl Fn(Square, Role) -> u64, positions: u64) -> Squares {
    let share = |role| {
        let counts = Square::ALL.iter().map(|&square| count(square, role));
        counts.map(|count| rounded(count as f64 / positions.max(1) as f64)).collect()
    };
    Squares {
        p: share(Role::Pawn),
        n: share(Role::Knight),
        b: share(Role::Bishop),
        r: share(Role::Rook),
        q: share(Role::Queen),
        k: share(Role::King),
    }
}

/// The probabilities of men of `color` over these positions.
pub(crate) fn squares_of<'a>(positions: impl Iterator<Item = &'a Chess>, color: Color) -> Squares {
    let mut counts = [[0u64; 6]; 64];
    let mut total = 0;
    for position in positions {
        total += 1;
        let board = nebel_kriegspiel::Position::board(position);
        for (square, man) in board.iter().filter(|(_, man)| man.color == color) {
            counts[square.to_usize()][man.role as usize - 1] += 1;
        }
    }
    squares(|square, role| counts[square.to_usize()][role as usize - 1], total)
}

/// Four digits are more than anybody sees, and short to send.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
