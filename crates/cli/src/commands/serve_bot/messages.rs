//! What the bot API of kriegspiel.org sends and wants, as far as it matters to us. Fields that are not named here are left out.

use std::time::Duration;

use nebel_kriegspiel::Color;
use serde::Deserialize;
use serde_json::Value;

use super::secret::Secret;

/// A game of ours.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) game_id: String,
    pub(super) rule_variant: String,
    pub(super) state: Stage,
}

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stage {
    Waiting,
    Active,
    Completed,
}

/// A side in the site's word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SideName {
    White,
    Black,
}

/// All of them, each still to be read.
#[derive(Debug, Deserialize)]
pub(super) struct Games {
    pub(super) games: Vec<Value>,
}

/// What we may know of a game of ours.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct State {
    #[serde(rename = "state")]
    pub(super) stage: Stage,
    #[serde(default)]
    pub(super) turn: Option<SideName>,
    pub(super) your_color: SideName,
    pub(super) allowed_moves: Vec<String>,
    pub(super) possible_actions: Vec<String>,
    pub(super) scoresheet: Value,
    #[serde(default)]
    clock: Clock,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct Clock {
    #[serde(default)]
    white_remaining: Option<f64>,
    #[serde(default)]
    black_remaining: Option<f64>,
}

impl From<SideName> for Color {
    fn from(side: SideName) -> Color {
        match side {
            SideName::White => Color::White,
            SideName::Black => Color::Black,
        }
    }
}

impl State {
    /// What is left on our clock, if it is told.
    pub(super) fn left(&self) -> Option<Duration> {
        let seconds = match self.your_color {
            SideName::White => self.clock.white_remaining,
            SideName::Black => self.clock.black_remaining,
        };
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}

/// What came of an attempt.
#[derive(Debug, Deserialize)]
pub(super) struct Tried {
    pub(super) move_done: bool,
}

/// What a new bot is told, once.
#[derive(Deserialize)]
pub(super) struct Registered {
    pub(super) api_token: String,
}

/// Who registers a bot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registration<'a> {
    pub(super) username: &'a str,
    pub(super) display_name: &'a str,
    pub(super) owner_email: &'a str,
    /// The site's key, if it asks for one.
    pub(super) key: Option<&'a Secret>,
}

impl Registration<'_> {
    /// Whether the site would take these names, by its guide.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if !(1..=33).contains(&self.username.len()) || !self.username.chars().all(is_word) {
            return Err("--register: a name has 1 to 33 letters, digits or underscores".to_owned());
        }
        if !(3..=40).contains(&self.display_name.chars().count()) {
            return Err("--display-name: a name that people see has 3 to 40 letters".to_owned());
        }
        if !self.owner_email.contains('@') {
            return Err("--email: this is no address for mail".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_judged_before_they_are_sent() {
        let good =
            Registration { username: "nebel_1", display_name: "Nebel", owner_email: "a@b.c", key: None };
        assert!(good.check().is_ok());
        for bad in [
            Registration { username: "", ..good },
            Registration { username: "a-b", ..good },
            Registration { display_name: "ab", ..good },
            Registration { owner_email: "nobody", ..good },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_state_is_read_for_what_we_need_and_its_clock_is_judged() {
        let state = |clock: Value| {
            serde_json::from_value::<State>(
                json!({"state": "active", "turn": "black", "your_color": "black", "allowed_moves": ["e7e5"],
                "possible_actions": ["move"], "scoresheet": {}, "clock": clock, "material_summary": {"white": 3}}),
            )
        };
        assert_eq!(
            state(json!({"black_remaining": 1.5, "white_remaining": 0})).unwrap().left(),
            Some(Duration::from_millis(1500))
        );
        assert_eq!(state(json!({"black_remaining": -1.0})).unwrap().left(), None);
        assert_eq!(state(json!({"black_remaining": 1e300})).unwrap().left(), None);
        assert_eq!(state(json!({})).unwrap().left(), None);
        assert!(state(json!("soon")).is_err());
    }
}
