//! Strategies as people and other programs read them: attempts and announcements instead of numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use nebel_kriegspiel::{Attempt, Color, Rules};
use nebel_search::{Step, Strategy as SearchStrategy};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use nebel_position::PackedAnnouncement;

use crate::domain::{ASK, decode};

/// A strategy: what to try or to ask, and what next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Strategy {
    /// Try a move.
    Try {
        /// The attempt, as in UCI.
        #[serde(rename = "try")]
        attempt: String,
        /// What to do for each announcement, if it is legal.
        legal: BTreeMap<String, AfterAttempt>,
        /// What to do in the same turn if it is not; none if that cannot happen.
        illegal: Option<Box<Strategy>>,
    },
    /// Ask "any?".
    Ask {
        /// Always `any`.
        ask: Any,
        /// What to do after "yes"; none if that cannot happen.
        yes: Option<Box<Strategy>>,
        /// What to do after "no"; none if that cannot happen.
        no: Option<Box<Strategy>>,
    },
}

/// The only question there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Any {
    /// "Are there any?"
    Any,
}

/// What follows a legal attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterAttempt {
    /// The game is won: checkmate, or stalemate where that wins.
    Mate,
    /// A material win that a table guarantees.
    Table,
    /// Black replies; what to do for each announcement then.
    Then(BTreeMap<String, Strategy>),
}

impl Strategy {
    /// Reads the JSON form, by itself or as the field `strategy` of a report.
    pub fn from_json(text: &str) -> Result<Strategy, StrategyError> {
        if nesting(text) > MAX_NESTING {
            return Err(StrategyError::TooDeep);
        }
        // The reader recurses; its own limit is less than long chains of illegal attempts need.
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        let value = <Value as serde::Deserialize>::deserialize(&mut reader)?;
        reader.end()?;
        read_strategy(value.get("strategy").unwrap_or(&value), "strategy")
    }

    /// Writes a strategy of the search in the words of the rules.
    pub fn of(strategy: &SearchStrategy, rules: &Rules) -> Strategy {
        let answer = |packed: PackedAnnouncement| match strategy.heard.get(&packed.bits()) {
            Some(Step::Answered(next)) => Some(Box::new(Strategy::of(next, rules))),
            _ => None,
        };
        if strategy.attempt == ASK {
            return Strategy::Ask {
                ask: Any::Any,
                yes: answer(PackedAnnouncement::YES),
                no: answer(PackedAnnouncement::NO),
            };
        }
        let say =
            |mover: Color, percept| PackedAnnouncement::from(percept).announcement(rules, mover).text(!mover);
        let mut legal = BTreeMap::new();
        for (&percept, step) in &strategy.heard {
            let step = match step {
                Step::Won => AfterAttempt::Mate,
                Step::Settled => AfterAttempt::Table,
                Step::Answered(_) => continue,
                Step::Replied(next) => {
                    let strategies = next
                        .iter()
                        .map(|(&reply, next)| (say(Color::Black, reply), Strategy::of(next, rules)));
                    AfterAttempt::Then(strategies.collect())
                }
            };
            legal.insert(say(Color::White, percept), step);
        }
        let (from, to, promotion) = decode(strategy.attempt);
        let refused = strategy.refused.as_deref().map(|next| Box::new(Strategy::of(next, rules)));
        Strategy::Try {
            attempt: Attempt { from, to, promotion }.to_string(),
            legal,
            illegal: refused.or_else(|| answer(PackedAnnouncement::REFUSED)),
        }
    }

    /// The strategy for people, indented by what has been heard.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, "");
        text
    }

    fn write(&self, text: &mut String, indent: usize, before: &str) {
        let margin = "  ".repeat(indent);
        // Writing into a String cannot fail.
        let _ = match self {
            Strategy::Try { attempt, .. } => writeln!(text, "{margin}{before}try {attempt}"),
            Strategy::Ask { .. } => writeln!(text, "{margin}{before}ask \"any?\""),
        };
        match self {
            Strategy::Ask { yes, no, .. } => {
                for (answer, next) in [("Yes", yes), ("No", no)] {
                    if let Some(next) = next {
                        next.write(text, indent + 1, &format!("{answer}: "));
                    }
                }
            }
            Strategy::Try { legal, illegal, .. } => {
                for (announcement, step) in legal {
                    let _ = match step {
                        AfterAttempt::Mate | AfterAttempt::Then(_) => {
                            writeln!(text, "{margin}  {announcement}")
                        }
                        AfterAttempt::Table => writeln!(text, "{margin}  {announcement} The table wins."),
                    };
                    if let AfterAttempt::Then(next) = step {
                        for (announcement, next) in next {
                            next.write(text, indent + 2, &format!("{announcement} "));
                        }
                    }
                }
                if let Some(next) = illegal {
                    next.write(text, indent, "Illegal: ");
                }
            }
        }
    }
}

/// Why a text is no strategy.
#[derive(Debug, Error)]
pub enum StrategyError {
    /// No JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Something is missing or of the wrong kind; where, and what was expected there.
    #[error("{0}: expected {1}")]
    Expected(String, &'static str),
    /// More levels than any strategy has.
    #[error("nested more than {MAX_NESTING} levels deep")]
    TooDeep,
}

/// A turn nests by its refusals: a hundred in a row, over many turns, stay below this.
const MAX_NESTING: usize = 1000;

/// How deep the brackets of a JSON text nest, at most. Brackets within strings are counted too, which only errs on the
/// safe side.
pub fn nesting(text: &str) -> usize {
    let mut depth = 0usize;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn read_strategy(value: &Value, place: &str) -> Result<Strategy, StrategyError> {
    let expected = |what| StrategyError::Expected(place.to_owned(), what);
    let next = |field: &str| match value.get(field) {
        None | Some(Value::Null) => Ok::<_, StrategyError>(None),
        Some(next) => Ok(Some(Box::new(read_strategy(next, &format!("{place}.{field}"))?))),
    };
    if value.get("ask").and_then(Value::as_str) == Some("any") {
        return Ok(Strategy::Ask { ask: Any::Any, yes: next("yes")?, no: next("no")? });
    }
    let attempt = value.get("try").and_then(Value::as_str);
    let attempt = attempt.ok_or_else(|| expected("an object with `try`, or with `ask`: `any`"))?;
    let steps = value.get("legal").and_then(Value::as_object);
    let steps = steps.ok_or_else(|| expected("an object `legal`"))?;
    let mut legal = BTreeMap::new();
    for (announcement, step) in steps {
        let place = format!("{place}.legal.{announcement:?}");
        legal.insert(announcement.clone(), read_step(step, &place)?);
    }
    Ok(Strategy::Try { attempt: attempt.to_owned(), legal, illegal: next("illegal")? })
}

fn read_step(value: &Value, place: &str) -> Result<AfterAttempt, StrategyError> {
    match (value.as_str(), value.get("then").and_then(Value::as_object)) {
        (Some("mate"), _) => Ok(AfterAttempt::Mate),
        (Some("table"), _) => Ok(AfterAttempt::Table),
        (None, Some(next)) => {
            let read = |(announcement, strategy): (&String, &Value)| {
                let place = format!("{place}.then.{announcement:?}");
                Ok((announcement.clone(), read_strategy(strategy, &place)?))
            };
            next.iter().map(read).collect::<Result<_, _>>().map(AfterAttempt::Then)
        }
        _ => Err(StrategyError::Expected(place.to_owned(), "`mate`, `table` or an object with `then`")),
    }
}
