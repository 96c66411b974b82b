//! Strategies as people and other programs read them: attempts and announcements instead of numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use nebel_kriegspiel::{Attempt, Color, Rules};
use nebel_search::{Step as Found, Strategy};
use serde::{Deserialize, Serialize};

use crate::domain::{ASK, decode};
use crate::percept::{self, ANSWER_NO, ANSWER_REFUSED, ANSWER_YES};

/// A strategy: what to try or to ask, and what next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Any {
    /// "Are there any?"
    Any,
}

/// What follows a legal attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<Plan, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Writes a strategy of the search in the words of the rules.
    pub fn of(strategy: &Strategy, rules: &Rules) -> Plan {
        let answer = |percept| match strategy.heard.get(&percept) {
            Some(Found::Answered(next)) => Some(Box::new(Plan::of(next, rules))),
            _ => None,
        };
        if strategy.attempt == ASK {
            return Plan::Ask { ask: Any::Any, yes: answer(ANSWER_YES), no: answer(ANSWER_NO) };
        }
        let say = |mover: Color, percept| percept::announcement(rules, mover, percept).text(!mover);
        let mut legal = BTreeMap::new();
        for (&percept, step) in &strategy.heard {
            let step = match step {
                Found::Won => Step::Mate,
                Found::Answered(_) => continue,
                Found::Replied(next) => {
                    let plans = next.iter().map(|(&reply, next)| (say(Color::Black, reply), Plan::of(next, rules)));
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
            illegal: refused.or_else(|| answer(ANSWER_REFUSED)),
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
                        Step::Mate => writeln!(text, "{margin}  {announcement}"),
                        Step::Table => writeln!(text, "{margin}  {announcement} The table wins."),
                        Step::Then(_) => writeln!(text, "{margin}  {announcement}"),
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
