//! What a side can know: the positions that agree with all it has heard, or a sample of them.
//!
//! The belief is exact while it fits. Beyond the limit it is a sample, kept alive by refilling; how well it is known is
//! said with every number.

use std::time::Instant;

use nebel_belief::{
    Announce, Belief as Positions, BeliefLimits, Key, Statistics, TrackError, ViewState,
    particles::{HowKnown, ParticleLimits},
};
use nebel_kriegspiel::{Chess, Color, Event, Role, Rules, Square, json::Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What one side knows after each event of its view.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    events: Vec<Event>,
    positions: Positions,
}

/// Fewer positions than this are told one by one.
const LISTED: usize = 100;

/// The same view gives the same sample, whoever looks at it.
const SEED: u64 = 0;

impl Knowledge {
    /// What a side knows at the start of a game; exact up to so many positions.
    pub(crate) fn new(rules: Rules, start: &Chess, side: Color, limit: usize) -> Knowledge {
        let limits = BeliefLimits { exact: limit, particles: ParticleLimits::REFILLED };
        Knowledge { events: Vec::new(), positions: Positions::new(rules, start, side, limits, SEED) }
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
        self.positions.len()
    }

    /// Takes in an event of the side's view. An error is an event that no game can have.
    pub(crate) fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        self.positions.hear(event)?;
        self.events.push(event.clone());
        Ok(())
    }

    /// The belief as numbers. `begun` is when the work on it began.
    pub(crate) fn belief(&self, begun: Instant) -> Belief {
        let statistics = self.positions.statistics(Announce::Nothing);
        let mut belief = Belief::new(self.positions.view(), &statistics, self.positions.how_known(), begun);
        let squares: f64 = self.positions.weighted().map(|(_, weight)| weight * weight).sum();
        belief.effective = if squares > 0.0 { rounded(1.0 / squares) } else { 0.0 };
        if self.positions.len() < LISTED {
            belief.boards = self.positions.keys().filter_map(|key| self.board(key)).collect();
            belief.boards.sort();
        }
        belief
    }

    /// The hidden men of a position, as the first field of a FEN.
    fn board(&self, key: Key) -> Option<String> {
        let view = self.positions.view();
        let position = view.position_or_start(key)?;
        let mut board = nebel_kriegspiel::Position::board(&position).clone();
        for square in board.by_color(view.side()) {
            board.discard_piece_at(square);
        }
        Some(board.to_string())
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
    /// How the positions are known.
    pub known: BeliefKnown,
    /// How many positions of equal weight would say as much: one over the sum of the squared weights.
    pub effective: f64,
    /// The hidden men of each position, as the first field of a FEN, if there are fewer than a hundred.
    pub boards: Vec<String>,
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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

/// How the positions of a belief are known.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BeliefKnown {
    /// All that agree with everything heard.
    All,
    /// Some of those.
    Some,
    /// Such as agree with what was heard since an earlier turn.
    Since,
    /// Such as agree with the last event.
    Last,
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
    fn new(view: &ViewState, statistics: &Statistics, known: HowKnown, begun: Instant) -> Belief {
        let positions = statistics.positions();
        let exact = known == HowKnown::All;
        let with = |wanted: u64| {
            let attempts =
                statistics.attempts().iter().filter(move |attempt| exact && attempt.legal == wanted);
            attempts.map(|attempt| attempt.attempt.to_string()).collect()
        };
        Belief {
            states: exact.then_some(positions as usize),
            exact,
            sampled: (!exact).then_some(positions as usize),
            known: match known {
                HowKnown::All => BeliefKnown::All,
                HowKnown::Some => BeliefKnown::Some,
                HowKnown::Since => BeliefKnown::Since,
                HowKnown::LastEvent => BeliefKnown::Last,
            },
            effective: 0.0,
            boards: Vec::new(),
            side_to_move: Side::of(view.own().to_move()),
            squares: squares(|square, role| statistics.men(square, role), positions),
            legal: statistics
                .attempts()
                .iter()
                .map(|attempt| Chance {
                    attempt: attempt.attempt.to_string(),
                    probability: rounded(attempt.probability(positions)),
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
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
