//! How long a player may think in a game: a turn, an attempt, a clock, or a number of nodes; and as text.

use std::{fmt, str::FromStr, time::Duration};

use nebel_kriegspiel::start::shortened;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// Text that is no duration or clock.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a time (write 500ms, 2s, 3m, or 3m+2s for a clock)")]
pub struct ParseTimeError(String);

/// Reads `500ms`, `2s`, `1.5s`, `3m`, `1h`; a bare number means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, ParseTimeError> {
    let bare = |number: f64| Duration::try_from_secs_f64(number).ok();
    let time = match text.parse() {
        Ok(number) => bare(number),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.filter(|time| *time <= Duration::from_hours(24)).ok_or_else(|| ParseTimeError(shortened(text)))
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
        let wrong = || ParseTimeError(shortened(text));
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
        }
        assert!(
            parse_duration("-1s").is_err() && parse_duration("25h").is_err() && parse_duration("").is_err()
        );
    }
}
