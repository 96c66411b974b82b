//! A domain written down as tables, every entry drawn at random: what no hand-made example would contain.
//!
//! States, attempts and percepts are few, so that beliefs meet again and exhaustive search stays possible.

use std::ops::ControlFlow;

use crate::domain::{AttemptId, Choice, Domain, Outcome, Percept, Reply};

/// A state: a row of the tables, and what the turn's question has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The row.
    pub row: u16,
    /// The question.
    pub asked: Asked,
}

/// What has become of the turn's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// Not asked.
    No,
    /// Asked, and all attempts are left.
    Open,
    /// Asked, and only attempts with even numbers are left.
    Restricted,
}

/// How much of what the tables hold, in 64ths.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Rows.
    pub rows: u16,
    /// Attempts; the last is a question.
    pub attempts: u16,
    /// Percepts after attempts and after replies.
    pub percepts: u64,
    /// Most replies to a state.
    pub replies: u16,
    /// Share of refusals.
    pub refused: u64,
    /// Share of wins.
    pub won: u64,
    /// Share of failures.
    pub failed: u64,
}

/// The tables.
#[derive(Clone, Debug)]
pub struct TableDomain {
    attempts: Vec<Vec<Outcome<u16>>>,
    replies: Vec<Vec<Reply<u16>>>,
}

impl TableDomain {
    /// Draws the tables of a shape. The same seed gives the same tables.
    pub fn random(shape: Shape, seed: u64) -> Self {
        let mut dice = Dice(seed);
        let rows = u64::from(shape.rows.max(1));
        let mut draw_outcome = |attempt: u16| {
            let percept = dice.below(shape.percepts.max(1));
            let state = dice.below(rows) as u16;
            if attempt + 1 == shape.attempts {
                let choice = if percept == 0 { Choice::Restricted } else { Choice::Open };
                return Outcome::Answered { percept, state, choice };
            }
            let face = dice.below(64);
            if face < shape.refused {
                Outcome::Refused
            } else if face < shape.refused + shape.won {
                Outcome::Won(WON + percept)
            } else if face < shape.refused + shape.won + shape.failed {
                Outcome::Failed
            } else {
                Outcome::Moved { percept, state }
            }
        };
        let attempts =
            (0..shape.rows.max(1)).map(|_| (0..shape.attempts).map(&mut draw_outcome).collect()).collect();
        let mut draw_reply = |_| {
            let percept = dice.below(shape.percepts.max(1));
            match dice.below(64) {
                0 => Reply::Failed,
                1 | 2 => Reply::Won(WON + percept),
                _ => Reply::Continues { percept, state: dice.below(rows) as u16 },
            }
        };
        let replies =
            (0..shape.rows.max(1)).map(|row| (0..=row % shape.replies.max(1)).map(&mut draw_reply).collect());
        TableDomain { replies: replies.collect(), attempts }
    }

    /// A row with nothing asked.
    pub fn cell(&self, row: u16) -> Cell {
        Cell { row: row % self.attempts.len() as u16, asked: Asked::No }
    }
}

/// Percepts that come with a win are told from all others.
const WON: Percept = 1000;

impl Domain for TableDomain {
    type State = Cell;

    fn key(&self, state: &Cell) -> u128 {
        u128::from(state.row) << 2 | state.asked as u128
    }

    fn attempts(&self, state: &Cell, attempts: &mut Vec<AttemptId>) {
        let all = 0..self.attempts[usize::from(state.row)].len() as AttemptId;
        attempts.extend(all.filter(|&attempt| self.outcome(state, attempt) != Outcome::Refused));
    }

    fn is_question(&self, attempt: AttemptId) -> bool {
        // The last of every row.
        usize::from(attempt) + 1 == self.attempts[0].len()
    }

    fn outcome(&self, state: &Cell, attempt: AttemptId) -> Outcome<Cell> {
        let outcomes = &self.attempts[usize::from(state.row)];
        match (outcomes[usize::from(attempt)], state.asked) {
            (Outcome::Answered { .. }, Asked::Open | Asked::Restricted) => Outcome::Refused,
            (_, Asked::Restricted) if attempt % 2 == 1 => Outcome::Refused,
            // The question changes what is known, not the world.
            (Outcome::Answered { percept, choice, .. }, Asked::No) => {
                let asked = if choice == Choice::Open { Asked::Open } else { Asked::Restricted };
                Outcome::Answered { percept, state: Cell { row: state.row, asked }, choice }
            }
            (Outcome::Moved { percept, state }, _) => Outcome::Moved { percept, state: self.cell(state) },
            (Outcome::Won(percept), _) => Outcome::Won(percept),
            (Outcome::Failed, _) => Outcome::Failed,
            (Outcome::Refused, _) => Outcome::Refused,
        }
    }

    fn replies(&self, state: &Cell, mut visit: impl FnMut(Reply<Cell>) -> ControlFlow<()>) {
        for &reply in &self.replies[usize::from(state.row)] {
            let reply = match reply {
                Reply::Continues { percept, state } => Reply::Continues { percept, state: self.cell(state) },
                Reply::Won(percept) => Reply::Won(percept),
                Reply::Failed => Reply::Failed,
            };
            if visit(reply).is_break() {
                return;
            }
        }
    }
}

/// The generator of Steele, Lea and Flood (SplitMix64): enough for tables, and the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound
    }
}
