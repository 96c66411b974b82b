//! The clocks of a game.
//!
//! A clock runs from one move to the next, whatever is tried and refused in between: what it shows is a
//! function of the times of moves, which both sides hear, and so tells nothing hidden.

use std::time::Duration;

use nebel_kriegspiel::{Color, json::Side};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;

/// A time control: so much at the start, so much for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockTerms {
    /// Milliseconds at the start, for each side.
    pub initial_ms: u64,
    /// Milliseconds added after each move.
    #[serde(default)]
    pub increment_ms: u64,
}

/// What the clocks show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct ClockFace {
    /// Milliseconds that White has left.
    pub white_ms: u64,
    /// Milliseconds that Black has left.
    pub black_ms: u64,
    /// Whose clock runs: `white`, `black`, or nobody's.
    #[schema(required)]
    pub running: Option<Side>,
}

/// Both clocks.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    increment: Duration,
    white: Duration,
    black: Duration,
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that stand still.
    pub(crate) fn new(increment: Duration, white: Duration, black: Duration) -> Clocks {
        Clocks { increment, white, black, running: None }
    }

    /// The increment of each move.
    pub(crate) fn increment(&self) -> Duration {
        self.increment
    }

    /// What a side has left.
    pub(crate) fn left(&self, side: Color, now: Instant) -> Duration {
        let at_rest = match side {
            Color::White => self.white,
            Color::Black => self.black,
        };
        match self.running {
            Some((runs, since)) if runs == side => at_rest.saturating_sub(now.duration_since(since)),
            _ => at_rest,
        }
    }

    /// When the running clock will be at zero.
    pub(crate) fn runs_out_at(&self) -> Option<Instant> {
        let (side, since) = self.running?;
        Some(since + if side == Color::White { self.white } else { self.black })
    }

    /// Lets this side's clock run, and no other.
    pub(crate) fn run(&mut self, side: Color, now: Instant) {
        self.stop(now);
        self.running = Some((side, now));
    }

    /// Stops the clock that runs.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((side, _)) = self.running {
            let left = self.left(side, now);
            *self.of(side) = left;
        }
        self.running = None;
    }

    /// A move was made: its side gets the increment, and the other's clock runs if one ran.
    pub(crate) fn moved(&mut self, by: Color, now: Instant) {
        let ran = self.running.is_some();
        self.stop(now);
        let increment = self.increment;
        *self.of(by) += increment;
        if ran {
            self.run(!by, now);
        }
    }

    /// What they show.
    pub(crate) fn face(&self, now: Instant) -> ClockFace {
        ClockFace {
            white_ms: self.left(Color::White, now).as_millis() as u64,
            black_ms: self.left(Color::Black, now).as_millis() as u64,
            running: self.running.map(|(side, _)| Side::of(side)),
        }
    }

    fn of(&mut self, side: Color) -> &mut Duration {
        match side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_charged_to_the_side_to_move_and_moves_earn_the_increment() {
        let second = Duration::from_secs(1);
        let begin = Instant::now();
        let mut clocks = Clocks::new(second, 10 * second, 10 * second);
        assert_eq!(clocks.runs_out_at(), None);
        clocks.run(Color::White, begin);
        assert_eq!(clocks.runs_out_at(), Some(begin + 10 * second));
        clocks.moved(Color::White, begin + 4 * second);
        assert_eq!(clocks.left(Color::White, begin + 9 * second), 7 * second);
        assert_eq!(clocks.left(Color::Black, begin + 9 * second), 5 * second);
        clocks.stop(begin + 9 * second);
        assert_eq!(clocks.face(begin + 60 * second).black_ms, 5000);
        clocks.moved(Color::Black, begin + 60 * second);
        assert_eq!(
            clocks.face(begin + 90 * second),
            ClockFace { white_ms: 7000, black_ms: 6000, running: None }
        );
    }
}
