//! The messages of the bot protocol, one JSON object a line.
//!
//! ```text
//! → {"type":"new","color":"white","rules":"icc","start":FEN,"seed":7,"clock":{"move_ms":1000}}
//! ← {"type":"ready","name":"…","version":"…"}
//! → {"type":"event", …an event of the bot's view…}
//! → {"type":"go","clock":{…}}
//! ← {"type":"try","attempt":"e2e4"} | {"type":"ask"} | {"type":"resign"}
//! → {"type":"over","result":"1-0","reason":"…"}
//! → {"type":"quit"}
//! ```
//!
//! What is written is exact. What is read may say less, or something odd where a default will do ([`lenient`]): a bot is not to
//! fail for a field that it does not need.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Attempt, Color, Event, Over, Rules, Square, start};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{Budget, Choice, Game, TimeControl};

/// What a bot is told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum ToBot {
    /// A game begins.
    New(NewGame),
    /// An event of the bot's view, as in transcripts.
    Event(Map<String, Value>),
    /// The bot is to choose.
    Go {
        #[serde(default, deserialize_with = "lenient")]
        clock: Clock,
    },
    /// The game is over.
    Over {
        #[serde(default)]
        result: Value,
        #[serde(default)]
        reason: Value,
    },
    /// The bot may leave.
    Quit,
}

/// What a bot says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum FromBot {
    /// It is ready for the game.
    Ready {
        #[serde(default, deserialize_with = "lenient")]
        name: String,
        #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    },
    /// It tries an attempt.
    Try { attempt: String },
    /// It asks "any?".
    Ask,
    /// It gives up.
    Resign,
}

/// How a game begins.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NewGame {
    #[serde(default, deserialize_with = "lenient")]
    color: Option<Side>,
    /// A name, or a ruleset of one's own.
    #[serde(default)]
    rules: Value,
    #[serde(default, deserialize_with = "lenient")]
    start: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    seed: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) clock: Clock,
}

/// A colour by its word.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

/// What limits a game, or one choice; what is left out does not limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Clock {
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    move_ms: Option<u64>,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    limit_ms: Option<u64>,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    attempt_ms: Option<u64>,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    base_ms: Option<u64>,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    increment_ms: Option<u64>,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

impl ToBot {
    /// Tells of an event.
    pub(super) fn event(event: &Event, rules: &Rules) -> ToBot {
        ToBot::Event(serde_json::from_str(&event.to_json(rules)).unwrap_or_default())
    }

    /// Tells how a game ended.
    pub(super) fn over(over: Over) -> ToBot {
        ToBot::Over { result: over.result.as_str().into(), reason: over.reason.as_str().into() }
    }
}

impl NewGame {
    /// Tells of a game, and how long the bot may think in it.
    pub(super) fn of(game: &Game, time: TimeControl) -> NewGame {
        let own_rules = || serde_json::to_value(&game.rules).unwrap_or_default();
        NewGame {
            color: Some(game.side.fold_wb(Side::White, Side::Black)),
            rules: if game.rules.is_known() { Value::from(&*game.rules.name) } else { own_rules() },
            start: Some(start::fen(&game.start)),
            seed: game.seed,
            clock: time.into(),
        }
    }

    /// The game, or what is wrong with it.
    pub(super) fn game(&self) -> Result<Game, String> {
        let side = match self.color.ok_or_else(|| "`color` is white or black".to_owned())? {
            Side::White => Color::White,
            Side::Black => Color::Black,
        };
        let rules = match &self.rules {
            Value::String(name) => Rules::by_name(name),
            other => Rules::from_json(&other.to_string()),
        };
        let fen = self.start.as_deref().unwrap_or(start::STANDARD);
        Ok(Game {
            side,
            rules: rules.map_err(|error| error.to_string())?,
            start: start::position(fen).map_err(|error| error.to_string())?,
            seed: self.seed,
        })
    }
}

impl FromBot {
    /// The choice that it says, if it says one.
    pub(super) fn choice(&self) -> Option<Choice> {
        match self {
            FromBot::Ready { .. } => None,
            // Text that is no attempt is nonsense, which a1a1 always is: the umpire will say so.
            FromBot::Try { attempt } => Some(Choice::Try(attempt.parse().unwrap_or(NONSENSE))),
            FromBot::Ask => Some(Choice::Ask),
            FromBot::Resign => Some(Choice::Resign),
        }
    }
}

const NONSENSE: Attempt = Attempt::new(Square::A1, Square::A1);

impl From<Choice> for FromBot {
    fn from(choice: Choice) -> FromBot {
        match choice {
            Choice::Try(attempt) => FromBot::Try { attempt: attempt.to_string() },
            Choice::Ask => FromBot::Ask,
            Choice::Resign => FromBot::Resign,
        }
    }
}

impl From<TimeControl> for Clock {
    fn from(time: TimeControl) -> Clock {
        match time {
            TimeControl::Unlimited => Clock::default(),
            TimeControl::Turn(time) => Clock { move_ms: Some(milliseconds(time)), ..Clock::default() },
            TimeControl::Attempt(time) => Clock { attempt_ms: Some(milliseconds(time)), ..Clock::default() },
            TimeControl::Clock { base, increment } => Clock {
                base_ms: Some(milliseconds(base)),
                increment_ms: Some(milliseconds(increment)),
                ..Clock::default()
            },
            TimeControl::Nodes(nodes) => Clock { nodes: Some(nodes), ..Clock::default() },
        }
    }
}

impl From<Clock> for TimeControl {
    fn from(clock: Clock) -> TimeControl {
        let Clock { move_ms, attempt_ms, base_ms, increment_ms, nodes, .. } = clock;
        let time = |ms: Option<u64>| ms.map(Duration::from_millis);
        let base = || {
            let increment = time(increment_ms).unwrap_or_default();
            time(base_ms).map(|base| TimeControl::Clock { base, increment })
        };
        let turn = time(move_ms).map(TimeControl::Turn);
        let attempt = || time(attempt_ms).map(TimeControl::Attempt);
        let nodes = || nodes.map(TimeControl::Nodes);
        turn.or_else(attempt).or_else(base).or_else(nodes).unwrap_or(TimeControl::Unlimited)
    }
}

impl From<&Budget> for Clock {
    fn from(budget: &Budget) -> Clock {
        let left = |limit: Instant| milliseconds(limit.saturating_duration_since(Instant::now()));
        Clock {
            move_ms: budget.time().map(milliseconds),
            limit_ms: budget.limit.map(left),
            nodes: budget.nodes,
            ..Clock::default()
        }
    }
}

impl From<Clock> for Budget {
    fn from(clock: Clock) -> Budget {
        let until = |ms: Option<u64>| ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        Budget {
            aim: until(clock.move_ms),
            limit: until(clock.limit_ms),
            nodes: clock.nodes,
            ..Budget::unlimited()
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// Reads a value of which the default will do if it is something else.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(reader: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(reader)?).unwrap_or_default())
}

/// A message as a line, its fields in the order of their names.
pub(super) fn line(message: &impl Serialize) -> String {
    serde_json::to_value(message).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::Chess;

    use super::*;

    #[test]
    fn messages_are_those_of_the_protocol() {
        let game = Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 7 };
        let time = TimeControl::Turn(Duration::from_secs(1));
        let is = |said: String, text: &str| {
            let [said, text] = [&*said, text].map(|text| serde_json::from_str::<Value>(text).unwrap());
            assert_eq!(said, text);
        };
        let new =
            r#"{"type":"new","color":"white","rules":"icc","start":"FEN","seed":7,"clock":{"move_ms":1000}}"#;
        is(line(&ToBot::New(NewGame::of(&game, time))), &new.replace("FEN", start::STANDARD));
        is(line(&ToBot::Go { clock: Clock::default() }), r#"{"type":"go","clock":{}}"#);
        let over = ToBot::over(Over::draw(nebel_kriegspiel::Reason::Length));
        is(line(&over), r#"{"type":"over","result":"1/2-1/2","reason":"length"}"#);
        is(line(&ToBot::Quit), r#"{"type":"quit"}"#);
        let event = r#"{"by":"black","answer":"moved","tries":{"count":0}}"#;
        let told = ToBot::event(&Event::from_json(event).unwrap(), &Rules::icc());
        is(line(&told), &event.replacen('{', r#"{"type":"event","#, 1));
        let attempt = Choice::Try("e2e4".parse().unwrap());
        is(line(&FromBot::from(attempt)), r#"{"type":"try","attempt":"e2e4"}"#);
        is(line(&FromBot::Ready { name: "c".to_owned(), version: None }), r#"{"type":"ready","name":"c"}"#);
        is(line(&FromBot::Ask), r#"{"type":"ask"}"#);
        is(line(&FromBot::Resign), r#"{"type":"resign"}"#);
    }

    #[test]
    fn what_is_odd_is_read_as_what_is_left_out() {
        let read = |text: &str| serde_json::from_str::<ToBot>(text);
        let odd =
            r#"{"type":"new","color":"black","rules":"icc","start":5,"seed":-1,"clock":"none","more":[]}"#;
        let Ok(ToBot::New(new)) = read(odd) else { panic!("no game") };
        let game = new.game().unwrap();
        assert_eq!((game.side, game.seed, new.clock), (Color::Black, 0, Clock::default()));
        let Ok(ToBot::Go { clock }) = read(r#"{"type":"go","clock":{"nodes":9,"move_ms":"x"}}"#) else {
            panic!("no go")
        };
        assert_eq!(clock, Clock { nodes: Some(9), ..Clock::default() });
        assert!(matches!(read(r#"{"type":"over"}"#), Ok(ToBot::Over { .. })));
        assert!(matches!(read(r#"{"type":"quit","why":"late"}"#), Ok(ToBot::Quit)));
        assert!(read(r#"{"type":"dance"}"#).is_err() && read("5").is_err());
    }

    #[test]
    fn clocks_say_what_time_controls_do() {
        for control in [
            TimeControl::Unlimited,
            TimeControl::Turn(Duration::from_millis(1500)),
            TimeControl::Attempt(Duration::from_secs(2)),
            TimeControl::Clock { base: Duration::from_mins(3), increment: Duration::from_secs(2) },
            TimeControl::Nodes(500),
        ] {
            assert_eq!(TimeControl::from(Clock::from(control)), control);
        }
    }
}
