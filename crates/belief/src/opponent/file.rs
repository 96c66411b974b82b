//! Models as files: JSON with whole numbers, small enough to read.
//!
//! ```json
//! {"nebel_model": 2, "games": 210, "moves": [0, 1, 2, …],
//!  "reactions": {"recapture": 1.1, "take_checker": 0.3, "use_try": 0.9, "hazard": 0.05},
//!  "policy": {"floor": 0.02, "weights": [0.31, …]},
//!  "white": {"pawn": ["0 0 … 1000 998 …", …], "knight": […], …, "king": […]}, "black": {…}}
//! ```
//!
//! For each colour and role there is one line of 64 numbers for each entry of `moves`: how often, in thousandths, such
//! a man stood on a1, b1, … h8 when its side had made so many moves. `reactions` are rates
//! for each unit of control, `use_try` a share of turns ([`Reactions`]). `policy` has the weights of the features of a move in the
//! order of [`super::policy`]; a file without it foretells all legal moves alike.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use nebel_kriegspiel::{Color, Role, side};
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{Density, Model, Policy, Reactions, policy::FEATURES};
use crate::{marginals::Man, matrices::Squares};

/// Why there is no model to be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too large for a model.
    #[error("it has more than {LARGEST} bytes")]
    TooLarge,
    /// It is no JSON.
    #[error("not a model: {0}")]
    Json(String),
    /// Something is missing, or has the wrong form.
    #[error("not a model: `{0}` is missing or not as it should be")]
    Field(String),
    /// Its reactions mean something else.
    #[error("a model of an earlier version: fit it again from its games")]
    Old,
}

/// The most snapshots that a model may have; what a file claims must not fill the memory.
const MOST_SNAPSHOTS: usize = 500;
/// The version of the file; in the first, reactions were shares of turns.
const VERSION: u32 = 2;
/// No rate is larger.
pub(super) const LARGEST_RATE: f64 = 20.0;
/// The last move that a model may speak of.
const LAST_MOVE: u64 = 1000;

/// No model is larger than this.
const LARGEST: u64 = 16 << 20;

impl Model {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Model, ModelError> {
        let mut text = String::new();
        let unreadable = |error: io::Error| ModelError::Unreadable(error.to_string());
        // One byte more than allowed tells that there is more.
        let mut file = File::open(path).map_err(unreadable)?.take(LARGEST + 1);
        file.read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > LARGEST {
            return Err(ModelError::TooLarge);
        }
        // Some editors put a byte order mark in front.
        Model::from_json(text.trim_start_matches('\u{feff}'))
    }

    /// Reads a model.
    pub fn from_json(text: &str) -> Result<Model, ModelError> {
        let value: Value = serde_json::from_str(text).map_err(|error| ModelError::Json(error.to_string()))?;
        let field = |name: &str| ModelError::Field(name.to_owned());
        if value["nebel_model"] == json!(1) {
            return Err(ModelError::Old);
        }
        if value["nebel_model"] != json!(VERSION) {
            return Err(field("nebel_model"));
        }
        let moves = value["moves"].as_array().ok_or_else(|| field("moves"))?;
        let moves: Vec<u64> = moves.iter().filter_map(Value::as_u64).collect();
        let rises = moves.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || moves.len() > MOST_SNAPSHOTS || moves.last().is_some_and(|&last| last > LAST_MOVE) {
            return Err(field("moves"));
        }
        let number = |name: &str, largest: f64| {
            let number = value["reactions"][name].as_f64().filter(|number| (0.0..=largest).contains(number));
            number.map(|number| number as f32).ok_or_else(|| field(name))
        };
        let reactions = Reactions {
            recapture: number("recapture", LARGEST_RATE)?,
            take_checker: number("take_checker", LARGEST_RATE)?,
            use_try: number("use_try", 1.0)?,
            hazard: number("hazard", LARGEST_RATE)?,
        };
        let densities = |color: Color| -> Result<Vec<Density>, ModelError> {
            let men = &value[side::name(color)];
            let mut all = vec![[[0.0; 64]; 6]; moves.len()];
            for role in Role::ALL {
                let name = Man::Of(role).name();
                let rows = men[name].as_array().filter(|rows| rows.len() == moves.len());
                for (row, density) in rows.ok_or_else(|| field(name))?.iter().zip(&mut all) {
                    density[role as usize - 1] = read_row(row).ok_or_else(|| field(name))?;
                }
            }
            Ok(all)
        };
        let games = value["games"].as_u64().ok_or_else(|| field("games"))? as u32;
        let moves = moves.iter().map(|&number| number as u32).collect();
        let model = Model::new(games, moves, [densities(Color::Black)?, densities(Color::White)?], reactions);
        // Models of before there were policies have none.
        if value["policy"].is_null() {
            return Ok(model);
        }
        let policy = read_policy(&value["policy"]).ok_or_else(|| field("policy"))?;
        Ok(model.with_policy(policy))
    }

    /// The model as text.
    pub fn to_json(&self) -> String {
        let side = |color: Color| -> Value {
            let row = |squares: &Squares| {
                let numbers: Vec<String> =
                    squares.iter().map(|share| format!("{}", (share * 1000.0).round())).collect();
                Value::String(numbers.join(" "))
            };
            let rows = |role: Role| -> Value {
                self.densities[color as usize]
                    .iter()
                    .map(|density| row(&density[role as usize - 1]))
                    .collect()
            };
            let men: Map<String, Value> =
                Role::ALL.iter().map(|&role| (Man::Of(role).name().to_owned(), rows(role))).collect();
            Value::Object(men)
        };
        let rounded = |share: f32| (f64::from(share) * 1e4).round() / 1e4;
        let Reactions { recapture, take_checker, use_try, hazard } = self.reactions;
        let value = json!({
            "nebel_model": VERSION,
            "games": self.games,
            "moves": self.snapshots,
            "reactions": {
                "recapture": rounded(recapture), "take_checker": rounded(take_checker),
                "use_try": rounded(use_try), "hazard": rounded(hazard),
            },
            "policy": {
                "floor": rounded(self.policy.floor()),
                "weights": self.policy.weights().iter().map(|&weight| rounded(weight)).collect::<Vec<f64>>(),
            },
            "white": side(Color::White),
            "black": side(Color::Black),
        });
        serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
    }
}

fn read_policy(value: &Value) -> Option<Policy> {
    let weights = value["weights"].as_array().filter(|weights| weights.len() == FEATURES)?;
    let weights = weights.iter().map(|weight| Some(weight.as_f64()? as f32)).collect::<Option<Vec<f32>>>()?;
    Policy::new(weights, value["floor"].as_f64()? as f32)
}

fn read_row(row: &Value) -> Option<Squares> {
    let mut squares = [0.0; 64];
    let mut count = 0;
    for word in row.as_str()?.split_ascii_whitespace() {
        let share: u32 = word.parse().ok().filter(|&share| share <= 1000)?;
        *squares.get_mut(count)? = share as f32 / 1000.0;
        count += 1;
    }
    (count == 64).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_what_it_writes() {
        let standard = Model::standard();
        assert!(standard.games > 0, "the standard model is there");
        let text = standard.to_json();
        assert_eq!(&Model::from_json(&text).unwrap(), &*standard);
    }

    #[test]
    fn wrong_texts_are_refused_with_what_is_wrong() {
        let text = Model::standard().to_json();
        let wrong = [
            ("{", "not a model"),
            ("{}", "nebel_model"),
            (r#"{"nebel_model": 1}"#, "fit it again"),
            (&*text.replace("\"recapture\"", "\"other\""), "recapture"),
            (&*text.replacen("\"queen\"", "\"lady\"", 1), "queen"),
            (&*text.replacen("1000 ", "1001 ", 1), "`"),
            (&*text.replacen("\"floor\"", "\"ceiling\"", 1), "policy"),
            (&*text.replacen("\"moves\": [", "\"moves\": [7,", 1), "moves"),
        ];
        for (text, expected) in wrong {
            let error = Model::from_json(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
