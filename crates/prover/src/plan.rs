//! Strategies as people and other programs read them: attempts and announcements instead of numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use nebel_kriegspiel::{Attempt, Color, Rules};
use nebel_search::{Step as Found, Strategy};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use nebel_position::PackedAnnouncement;

use crate::domain::{ASK, decode};

/// A strategy: what to try or to ask, and what next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Plan {
    /// Try a move.
    Try {
        /// The attempt, as in UCI.
        #[serde(rename = "try")]
        attempt: String,
        /// What to do for each announcement, if it is legal.
        legal: BTreeMap<String, Step>,
        /// What to do in the same turn if it is not; none if that cannot happen.
        illegal: Option<Box<Plan>>,
    },
    /// Ask "any?".
    Ask {
        /// Always `any`.
        ask: Any,
        /// What to do after "yes"; none if that cannot happen.
        yes: Option<Box<Plan>>,
        /// What to do after "no"; none if that cannot happen.
        no: Option<Box<Plan>>,
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
pub enum Step {
    /// The game is won: checkmate, or stalemate where that wins.
    Mate,
    /// A material win that a table guarantees.
    Table,
    /// Black replies; what to do for each announcement then.
    Then(BTreeMap<String, Plan>),
}

impl Plan {
    /// Reads the JSON form, by itself or as the field `strategy` of a report.
    pub fn from_json(text: &str) -> Result<Plan, PlanError> {
        if nesting(text) > MAX_NESTING {
            return Err(PlanError::TooDeep);
        }
        // The reader recurses; its own limit is less than long chains of illegal attempts need.
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        let value = <Value as serde::Deserialize>::deserialize(&mut reader)?;
        reader.end()?;
        read_plan(value.get("strategy").unwrap_or(&value), "strategy")
    }

    /// Writes a strategy of the search in the words of the rules.
    pub fn of(strategy: &Strategy, rules: &Rules) -> Plan {
        let answer = |packed: PackedAnnouncement| match strategy.heard.get(&packed.bits()) {
            Some(Found::Answered(next)) => Some(Box::new(Plan::of(next, rules))),
            _ => None,
        };
        if strategy.attempt == ASK {
            return Plan::Ask {
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
                Found::Won => Step::Mate,
                Found::Settled => Step::Table,
                Found::Answered(_) => continue,
                Found::Replied(next) => {
                    let plans =
                        next.iter().map(|(&reply, next)| (say(Color::Black, reply), Plan::of(next, rules)));
                    Step::Then(plans.collect())
                }
            };
            legal.insert(say(Color::White, percept), step);
        }
        let (from, to, promotion) = decode(strategy.attempt);
        let refused = strategy.refused.as_deref().map(|next| Box::new(Plan::of(next, rules)));
        Plan::Try {
            attempt: Attempt { from, to, promotion }.to_string(),
            legal,
            illegal: refused.or_else(|| answer(PackedAnnouncement::REFUSED)),
        }
    }

    /// The plan for people, indented by what has been heard.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, "");
        text
    }

    fn write(&self, text: &mut String, indent: usize, before: &str) {
        let margin = "  ".repeat(indent);
        // Writing into a String cannot fail.
        let _ = match self {
            Plan::Try { attempt, .. } => writeln!(text, "{margin}{before}try {attempt}"),
            Plan::Ask { .. } => writeln!(text, "{margin}{before}ask \"any?\""),
        };
        match self {
            Plan::Ask { yes, no, .. } => {
                for (answer, next) in [("Yes", yes), ("No", no)] {
                    if let Some(next) = next {
                        next.write(text, indent + 1, &format!("{answer}: "));
                    }
                }
            }
            Plan::Try { legal, illegal, .. } => {
                for (announcement, step) in legal {
                    let _ = match step {
                        Step::Mate | Step::Then(_) => writeln!(text, "{margin}  {announcement}"),
                        Step::Table => writeln!(text, "{margin}  {announcement} The table wins."),
                    };
                    if let Step::Then(next) = step {
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
pub enum PlanError {
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

fn read_plan(value: &Value, place: &str) -> Result<Plan, PlanError> {
    let expected = |what| PlanError::Expected(place.to_owned(), what);
    let next = |field: &str| match value.get(field) {
        None | Some(Value::Null) => Ok::<_, PlanError>(None),
        Some(next) => Ok(Some(Box::new(read_plan(next, &format!("{place}.{field}"))?))),
    };
    if value.get("ask").and_then(Value::as_str) == Some("any") {
        return Ok(Plan::Ask { ask: Any::Any, yes: next("yes")?, no: next("no")? });
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
    Ok(Plan::Try { attempt: attempt.to_owned(), legal, illegal: next("illegal")? })
}

fn read_step(value: &Value, place: &str) -> Result<Step, PlanError> {
    match (value.as_str(), value.get("then").and_then(Value::as_object)) {
        (Some("mate"), _) => Ok(Step::Mate),
        (Some("table"), _) => Ok(Step::Table),
        (None, Some(next)) => {
            let read = |(announcement, plan): (&String, &Value)| {
                let place = format!("{place}.then.{announcement:?}");
                Ok((announcement.clone(), read_plan(plan, &place)?))
            };
            next.iter().map(read).collect::<Result<_, _>>().map(Step::Then)
        }
        _ => Err(PlanError::Expected(place.to_owned(), "`mate`, `table` or an object with `then`")),
    }
}
