//! How long players may think: a turn, an attempt, a clock, or a number of nodes.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use nebel_players::Budget;
use thiserror::Error;

/// How long players may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// As long as they like.
    Unlimited,
    /// So long for a turn, all its attempts together.
    Turn(Duration),
    /// So long for each attempt, as in Parker, Nau and Subrahmanian (2005), section 5.
    Attempt(Duration),
    /// A clock for the game, with an increment for each move.
    Clock {
        /// At the start.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// So many nodes for each choice, by the player's own count: repeats on any machine.
    Nodes(u64),
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

/// Text that is no duration or clock.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a time (write 500ms, 2s, 3m, or 3m+2s for a clock)")]
pub struct ParseTimeError(String);

/// Reads `500ms`, `2s`, `1.5s`, `3m`; a bare number means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, ParseTimeError> {
    let wrong = || ParseTimeError(text.chars().take(40).collect());
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let scale = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * scale;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| *time <= Duration::from_hours(24))
        .ok_or_else(wrong)
}

/// Reads a clock such as `3m+0` or `60s+1s`.
pub fn parse_clock(text: &str) -> Result<TimeControl, ParseTimeError> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (base, increment) = (parse_duration(base)?, parse_duration(increment)?);
    Ok(TimeControl::Clock { base, increment })
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Unlimited => write!(f, "unlimited"),
            TimeControl::Turn(time) => write!(f, "turn {}ms", time.as_millis()),
            TimeControl::Attempt(time) => write!(f, "attempt {}ms", time.as_millis()),
            TimeControl::Clock { base, increment } => {
                write!(f, "clock {}ms+{}ms", base.as_millis(), increment.as_millis())
            }
            TimeControl::Nodes(nodes) => write!(f, "nodes {nodes}"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeError;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<TimeControl, ParseTimeError> {
        let wrong = || ParseTimeError(text.to_owned());
        match text.split_once(' ') {
            None if text == "unlimited" => Ok(TimeControl::Unlimited),
            Some(("turn", time)) => Ok(TimeControl::Turn(parse_duration(time)?)),
            Some(("attempt", time)) => Ok(TimeControl::Attempt(parse_duration(time)?)),
            Some(("clock", clock)) => parse_clock(clock),
            Some(("nodes", nodes)) => nodes.parse().map(TimeControl::Nodes).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_what_they_write() {
        for text in ["unlimited", "turn 10ms", "attempt 30000ms", "clock 180000ms+2000ms", "nodes 5000"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert!(
            parse_duration("-1s").is_err() && parse_duration("1h").is_err() && parse_duration("").is_err()
        );
    }

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
