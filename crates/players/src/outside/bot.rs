//! The bot protocol: a player behind JSON Lines on standard input and output.
//!
//! ```text
//! → {"type":"new","color":"white","rules":"icc","start":FEN,"seed":7,"clock":{"move_ms":1000}}
//! ← {"type":"ready","name":"…"}
//! → {"type":"event", …an event of the bot's view…}
//! → {"type":"go","clock":{…}}
//! ← {"type":"try","attempt":"e2e4"} | {"type":"ask"} | {"type":"resign"}
//! → {"type":"over","result":"1-0","reason":"…"}
//! → {"type":"quit"}
//! ```
//!
//! This module holds the messages and [`serve`], the bot's end; [`crate::Exec`] is the other end.

use std::{
    io::{self, BufRead, Write},
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Attempt, Color, Event, OwnSide, Rules, side, start};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::{Budget, Choice, Fault, Game, Player, TimeControl};

/// The message that begins a game.
pub(crate) fn new_message(game: &Game, time: TimeControl) -> Value {
    let rules = if game.rules.is_known() {
        Value::from(&*game.rules.name)
    } else {
        serde_json::to_value(&game.rules).unwrap_or_default()
    };
    json!({
        "type": "new",
        "color": side::name(game.side),
        "rules": rules,
        "start": start::fen(&game.start),
        "seed": game.seed,
        "clock": time.to_message(),
    })
}

/// The message that tells of an event.
pub(crate) fn event_message(event: &Event, rules: &Rules) -> Value {
    let mut message = Map::from_iter([("type".to_owned(), Value::from("event"))]);
    if let Ok(Value::Object(fields)) = serde_json::from_str(&event.to_json(rules)) {
        message.extend(fields);
    }
    Value::Object(message)
}

/// The message that ends a game.
pub(crate) fn over_message(over: nebel_kriegspiel::Over) -> Value {
    json!({"type": "over", "result": over.result.as_str(), "reason": over.reason.as_str()})
}

/// The message that lets a program go.
pub(crate) fn quit_message() -> Value {
    json!({"type": "quit"})
}

/// The message that asks for a choice.
pub(crate) fn go_message(budget: &Budget) -> Value {
    let mut clock = Map::new();
    if let Some(time) = budget.time() {
        clock.insert("move_ms".to_owned(), Value::from(time.as_millis() as u64));
    }
    if let Some(limit) = budget.limit {
        let time = limit.saturating_duration_since(Instant::now());
        clock.insert("limit_ms".to_owned(), Value::from(time.as_millis() as u64));
    }
    if let Some(nodes) = budget.nodes {
        clock.insert("nodes".to_owned(), Value::from(nodes));
    }
    json!({"type": "go", "clock": clock})
}

/// Reads a bot's choice.
pub(crate) fn read_choice(line: &str) -> Result<Choice, Fault> {
    let wrong = || Fault::Protocol(line.chars().take(100).collect());
    let message: Value = serde_json::from_str(line).map_err(|_| wrong())?;
    match message["type"].as_str() {
        Some("try") => {
            let attempt = message["attempt"].as_str().ok_or_else(wrong)?;
            // Text that is no attempt is nonsense, which a1a1 always is: the umpire will say so.
            Ok(Choice::Try(attempt.parse().unwrap_or(NONSENSE)))
        }
        Some("ask") => Ok(Choice::Ask),
        Some("resign") => Ok(Choice::Resign),
        _ => Err(wrong()),
    }
}

const NONSENSE: Attempt = Attempt::new(nebel_kriegspiel::Square::A1, nebel_kriegspiel::Square::A1);

/// The bot's choice as a message.
fn choice_message(choice: Choice) -> Value {
    match choice {
        Choice::Try(attempt) => json!({"type": "try", "attempt": attempt.to_string()}),
        Choice::Ask => json!({"type": "ask"}),
        Choice::Resign => json!({"type": "resign"}),
    }
}

/// Why a bot stopped serving.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A message cannot be understood.
    #[error("line {line}: {cause}")]
    Message {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: String,
    },
    /// The other end is gone, or cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves a player over the bot protocol until `quit` or the end of input.
pub fn serve(player: &mut dyn Player, input: impl BufRead, mut output: impl Write) -> Result<(), ServeError> {
    let mut own: Option<OwnSide> = None;
    for (index, text) in input.lines().enumerate() {
        let text = text?;
        let wrong = |cause: String| ServeError::Message { line: index + 1, cause };
        if text.trim().is_empty() {
            continue;
        }
        let message: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let answer = match message["type"].as_str() {
            Some("new") => {
                let game = read_game(&message).map_err(wrong)?;
                own = Some(OwnSide::new(game.rules.clone(), &game.start, game.side));
                player.allow(TimeControl::from_message(&message["clock"]));
                player.start(game).map_err(|fault| wrong(fault.to_string()))?;
                Some(json!({"type": "ready", "name": player.spec()}))
            }
            Some("event") => {
                let own = own.as_mut().ok_or_else(|| wrong("an event before `new`".to_owned()))?;
                let mut fields = message.as_object().cloned().unwrap_or_default();
                fields.remove("type");
                let event = Event::from_json(&Value::Object(fields).to_string());
                let event = event.map_err(|error| wrong(error.to_string()))?;
                let heard = own.take(event).map_err(|error| wrong(error.to_string()))?;
                player.hear(&heard).map_err(|fault| wrong(fault.to_string()))?;
                None
            }
            Some("go") => {
                let choice = player.choose(&read_budget(&message["clock"]));
                Some(choice_message(choice.map_err(|fault| wrong(fault.to_string()))?))
            }
            Some("over") => None,
            Some("quit") => return Ok(()),
            _ => return Err(wrong("no known `type`".to_owned())),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

fn read_game(message: &Value) -> Result<Game, String> {
    let side = match message["color"].as_str() {
        Some("white") => Color::White,
        Some("black") => Color::Black,
        _ => return Err("`color` is white or black".to_owned()),
    };
    let rules = match &message["rules"] {
        Value::String(name) => Rules::by_name(name),
        other => Rules::from_json(&other.to_string()),
    };
    let fen = message["start"].as_str().unwrap_or(start::STANDARD);
    Ok(Game {
        side,
        rules: rules.map_err(|error| error.to_string())?,
        start: start::position(fen).map_err(|error| error.to_string())?,
        seed: message["seed"].as_u64().unwrap_or(0),
    })
}

fn read_budget(clock: &Value) -> Budget {
    let until = |name: &str| clock[name].as_u64().map(|ms| Instant::now() + Duration::from_millis(ms));
    Budget {
        aim: until("move_ms"),
        limit: until("limit_ms"),
        nodes: clock["nodes"].as_u64(),
        ..Budget::unlimited()
    }
}
