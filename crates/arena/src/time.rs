//! How long players may think: what was agreed ([`TimeControl`]), and the clock that runs.

use std::{
    fmt,
    time::{Duration, Instant},
};

use nebel_players::Budget;
pub use nebel_players::time::{ParseTimeError, TimeControl, parse_clock, parse_duration};

/// How long the two of a pair may think. An outside program and a player of ours seldom count nodes alike, so each may
/// have a budget of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// The first of the pair, whatever its colour.
    pub first: TimeControl,
    /// The second.
    pub second: TimeControl,
}

impl Times {
    /// The same for both.
    pub const fn alike(time: TimeControl) -> Times {
        Times { first: time, second: time }
    }

    /// By place in the pair: the first's, or the second's.
    pub(crate) const fn of(self, is_first: bool) -> TimeControl {
        if is_first { self.first } else { self.second }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { first, second } = self;
        if first == second { write!(f, "{first}") } else { write!(f, "{first} against {second}") }
    }
}

/// What the scheduler and the pipes may cost before a player is called late.
const MARGIN: Duration = Duration::from_millis(100);

/// One side's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    /// What is left of the game's time, or of the turn's.
    left: Duration,
    used: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let left = match control {
            TimeControl::Clock { base, .. } => base,
            TimeControl::Turn(time) | TimeControl::Attempt(time) => time,
            TimeControl::Unlimited | TimeControl::Nodes(_) => Duration::ZERO,
        };
        Clock { control, left, used: Duration::ZERO }
    }

    /// Whether time can run out at all.
    fn is_timed(&self) -> bool {
        !matches!(self.control, TimeControl::Unlimited | TimeControl::Nodes(_))
    }

    /// What the player may use for its next choice.
    pub fn budget(&self, now: Instant) -> Budget {
        let nodes = match self.control {
            TimeControl::Nodes(nodes) => Some(nodes),
            _ => None,
        };
        if !self.is_timed() {
            return Budget { nodes, ..Budget::unlimited() };
        }
        let aim = match self.control {
            TimeControl::Clock { increment, .. } => share_of_clock(self.left, increment),
            _ => self.left,
        };
        Budget { aim: Some(now + aim), limit: Some(now + self.left + MARGIN), ..Budget::unlimited() }
    }

    /// Takes the time of a choice off. Returns whether it was in time.
    pub fn spend(&mut self, time: Duration) -> bool {
        self.used += time;
        let in_time = !self.is_timed() || time <= self.left + MARGIN;
        if !matches!(self.control, TimeControl::Attempt(_)) {
            self.left = self.left.saturating_sub(time);
        }
        in_time
    }

    /// The move is made: the next turn begins with its own time.
    pub fn moved(&mut self) {
        match self.control {
            TimeControl::Turn(time) => self.left = time,
            TimeControl::Clock { increment, .. } => self.left += increment,
            TimeControl::Unlimited | TimeControl::Attempt(_) | TimeControl::Nodes(_) => {}
        }
    }

    /// All the time used so far.
    pub fn used(&self) -> Duration {
        self.used
    }
}

/// What a turn should take of a clock: a Kriegspiel game is about fifty moves long, and some of a turn goes
/// into refused attempts.
pub fn share_of_clock(left: Duration, increment: Duration) -> Duration {
    (left / 40 + increment / 2).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_shared_by_its_attempts_and_an_attempt_is_not() {
        let (time, half) = (Duration::from_secs(10), Duration::from_secs(6));
        let mut turn = Clock::new(TimeControl::Turn(time));
        assert!(turn.spend(half) && !turn.spend(half));
        turn.moved();
        assert!(turn.spend(half));
        let mut attempt = Clock::new(TimeControl::Attempt(time));
        assert!(attempt.spend(half) && attempt.spend(half));
        let mut clock = Clock::new(TimeControl::Clock { base: time, increment: Duration::from_secs(5) });
        assert!(clock.spend(half));
        clock.moved();
        assert!(clock.spend(half) && !clock.spend(half));
    }
}
