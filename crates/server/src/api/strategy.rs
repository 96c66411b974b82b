//! How strategies are described to those who read the API. They are the prover's, which writes them; a test holds the
//! description to what it writes.
#![allow(dead_code, reason = "these types are read by the description of the API alone")]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A strategy: what to try or to ask, and what next.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(untagged, deny_unknown_fields)]
#[schema(no_recursion)]
pub(crate) enum Strategy {
    /// Try a move.
    Try {
        /// The attempt, as in `e2e4`.
        #[serde(rename = "try")]
        attempt: String,
        /// What to do for each announcement, if it is legal.
        legal: BTreeMap<String, Step>,
        /// What to do in the same turn if it is not; null if that cannot happen.
        #[schema(required)]
        illegal: Option<Box<Strategy>>,
    },
    /// Ask "any?".
    Ask {
        /// Always `any`.
        ask: Any,
        /// What to do after "yes"; null if that cannot happen.
        #[schema(required)]
        yes: Option<Box<Strategy>>,
        /// What to do after "no"; null if that cannot happen.
        #[schema(required)]
        no: Option<Box<Strategy>>,
    },
}

/// The only question there is.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Any {
    /// "Are there any?"
    Any,
}

/// What follows a legal attempt.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(no_recursion)]
pub(crate) enum Step {
    /// The game is won.
    Mate,
    /// A material win that a table guarantees.
    Table,
    /// Black replies; what to do for each announcement then.
    Then(BTreeMap<String, Strategy>),
}

/// The rest of a strategy at a place: in White's turn, or after a legal attempt.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(no_recursion)]
pub(crate) enum Rest {
    /// White's turn.
    Turn(Strategy),
    /// Black's.
    After(Step),
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Rules, start};
    use nebel_prover::{Problem, Strategy as Proof};
    use nebel_search::{Algorithm, Limits};
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_the_prover_writes_is_what_is_described() {
        let kings = ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1", "7k/8/5K2/8/Q7/8/8/8 w - - 0 1"];
        for rules in [Rules::berkeley(), Rules::berkeley_any()] {
            let positions = kings.map(|fen| start::position(fen).unwrap()).to_vec();
            let problem = Problem::new(rules.clone(), positions).unwrap();
            let report = problem.solve(3, Algorithm::Auto, &Limits::default()).unwrap();
            let plan = Proof::of(&report.strategy.expect("a mate"), &rules);
            let written: Value = serde_json::to_value(&plan).unwrap();
            let described: Strategy = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(serde_json::to_value(described).unwrap(), written);
        }
        let asks =
            r#"{"ask":"any","yes":null,"no":{"try":"e2e4","legal":{"Checkmate.":"mate"},"illegal":null}}"#;
        let described: Strategy = serde_json::from_str(asks).unwrap();
        let plan = Proof::from_json(asks).unwrap();
        assert_eq!(serde_json::to_value(described).unwrap(), serde_json::to_value(plan).unwrap());
    }
}
