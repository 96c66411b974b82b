//! How long a player may think in a game: a turn, an attempt, a clock, or a number of nodes; as text, and as programs
//! outside are told it.

use std::{fmt, str::FromStr, time::Duration};

use serde_json::{Value, json};
use thiserror::Error;

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// As long as it likes.
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

impl TimeControl {
    /// The `clock` of the message that begins a game.
    pub(crate) fn to_message(self) -> Value {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        match self {
            TimeControl::Unlimited => json!({}),
            TimeControl::Turn(time) => json!({"move_ms": milliseconds(time)}),
            TimeControl::Attempt(time) => json!({"attempt_ms": milliseconds(time)}),
            TimeControl::Clock { base, increment } => {
                json!({"base_ms": milliseconds(base), "increment_ms": milliseconds(increment)})
            }
            TimeControl::Nodes(nodes) => json!({"nodes": nodes}),
        }
    }

    /// Reads the `clock` of the message that begins a game; what it does not say does not limit.
    pub(crate) fn from_message(clock: &Value) -> TimeControl {
        let time = |name: &str| clock[name].as_u64().map(Duration::from_millis);
        let nodes = || clock["nodes"].as_u64().map(TimeControl::Nodes);
        let clock = || {
            let increment = time("increment_ms").unwrap_or_default();
            time("base_ms").map(|base| TimeControl::Clock { base, increment })
        };
        let turn = time("move_ms").map(TimeControl::Turn);
        let attempt = || time("attempt_ms").map(TimeControl::Attempt);
        turn.or_else(attempt).or_else(clock).or_else(nodes).unwrap_or(TimeControl::Unlimited)
    }
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
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
            assert_eq!(TimeControl::from_message(&control.to_message()), control);
        }
        assert!(
            parse_duration("-1s").is_err() && parse_duration("1h").is_err() && parse_duration("").is_err()
        );
    }
}
