//! The learned value: what an attempt is worth beyond what the search says of it, and how likely it wins, draws and loses.
//!
//! A small network of one hidden layer and a direct path corrects the value of an attempt, in pawns, by what it is told of the attempt, the own men
//! and the belief ([`inputs`]). The corrected value becomes chances by an ordered logistic curve ([`calibration`]). `nebel train` learns all of it.
//!
//! ```json
//! {"nebel_value": 1, "inputs": ["value", "legal", …], "mean": […], "scale": […], "direct": […],
//!  "bias": […], "hidden": [[…], …], "out": […], "slope": [0.2, 0.3], "width": [0.1, 0.2], "sum": "9f…"}
//! ```

pub(super) mod calibration;
pub(super) mod inputs;
pub(super) mod surroundings;

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use calibration::{Calibration, Odds, logistic};
use inputs::MEN_LEFT;
pub use inputs::{Inputs, NAMES};

/// A learned value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Value {
    #[serde(rename = "nebel_value")]
    version: u32,
    inputs: Vec<String>,
    /// What is taken from each number before it counts, and by what it is multiplied then.
    mean: Vec<f32>,
    scale: Vec<f32>,
    /// The path past the hidden layer.
    direct: Vec<f32>,
    bias: Vec<f32>,
    /// The weights of each unit of the hidden layer.
    hidden: Vec<Vec<f32>>,
    out: Vec<f32>,
    #[serde(flatten)]
    calibration: Calibration,
    /// The checksum of all numbers above.
    sum: String,
}

/// The weights of the network, as they are learned.
#[derive(Clone, PartialEq, Debug)]
pub struct Layers {
    /// What is taken from each number before it counts.
    pub mean: Vec<f32>,
    /// By what it is multiplied then.
    pub scale: Vec<f32>,
    /// The path past the hidden layer.
    pub direct: Vec<f32>,
    /// The hidden layer: what each unit begins with.
    pub bias: Vec<f32>,
    /// The hidden layer: the weights of each unit.
    pub hidden: Vec<Vec<f32>>,
    /// What each unit adds.
    pub out: Vec<f32>,
}

/// Why there is no value to be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ValueError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too large.
    #[error("it has more than {LARGEST} bytes")]
    TooLarge,
    /// It is no JSON, or has not what it should have.
    #[error("not a learned value: {0}")]
    Json(String),
    /// It is of another version, or of other inputs.
    #[error("a learned value of another version: train it again")]
    Old,
    /// The numbers do not fit together.
    #[error("not a learned value: `{0}` is not as it should be")]
    Field(&'static str),
    /// The numbers are not those that were written.
    #[error("a damaged learned value: its numbers do not agree with its checksum")]
    Damaged,
}

/// The version of the file.
const VERSION: u32 = 1;
/// No file is larger.
const LARGEST: u64 = 2 << 20;
/// No hidden layer is wider.
const WIDEST: usize = 256;
/// No correction is larger, in pawns: it is to tell attempts apart that the search finds alike, not to outvote it. By hand.
const MOST: f32 = 2.0;
impl Value {
    /// A value of these weights.
    pub fn new(layers: Layers, calibration: Calibration) -> Value {
        let Layers { mean, scale, direct, bias, hidden, out } = layers;
        let inputs = NAMES.map(str::to_owned).into();
        let mut value = Value {
            version: VERSION,
            inputs,
            mean,
            scale,
            direct,
            bias,
            hidden,
            out,
            calibration,
            sum: String::new(),
        };
        value.sum = value.checksum();
        value
    }

    /// What to add to the value of an attempt, in pawns.
    pub fn correction(&self, inputs: &Inputs) -> f32 {
        let mut told = [0.0; NAMES.len()];
        for (told, ((input, mean), scale)) in
            told.iter_mut().zip(inputs.iter().zip(&self.mean).zip(&self.scale))
        {
            *told = (input - mean) * scale;
        }
        let unit =
            |((weights, bias), out): ((&Vec<f32>, &f32), &f32)| out * (bias + dot(weights, &told)).max(0.0);
        let hidden: f32 = self.hidden.iter().zip(&self.bias).zip(&self.out).map(unit).sum();
        (dot(&self.direct, &told) + hidden).clamp(-MOST, MOST)
    }

    /// How likely an attempt of this value, in pawns, wins, draws and loses.
    pub fn odds(&self, pawns: f32, inputs: &Inputs) -> Odds {
        self.calibration.odds(pawns + self.correction(inputs), men_left(inputs))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Value, ValueError> {
        let unreadable = |error: io::Error| ValueError::Unreadable(error.to_string());
        let mut text = String::new();
        // One byte more than allowed tells that there is more.
        let mut file = File::open(path).map_err(unreadable)?.take(LARGEST + 1);
        file.read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > LARGEST {
            return Err(ValueError::TooLarge);
        }
        Value::from_json(&text)
    }

    /// Reads a value.
    pub fn from_json(text: &str) -> Result<Value, ValueError> {
        let json = |error: serde_json::Error| ValueError::Json(error.to_string());
        let whole: serde_json::Value = serde_json::from_str(text).map_err(json)?;
        if whole["nebel_value"].as_u64().is_some_and(|version| version != u64::from(VERSION)) {
            return Err(ValueError::Old);
        }
        let value: Value = serde_json::from_value(whole).map_err(json)?;
        if value.inputs != NAMES {
            return Err(ValueError::Old);
        }
        let (inputs, units) = (NAMES.len(), value.hidden.len());
        let rows = [("mean", &value.mean), ("scale", &value.scale), ("direct", &value.direct)];
        if let Some((name, _)) = rows.into_iter().find(|(_, row)| row.len() != inputs) {
            return Err(ValueError::Field(name));
        }
        if units > WIDEST || value.hidden.iter().any(|unit| unit.len() != inputs) {
            return Err(ValueError::Field("hidden"));
        }
        let rows = [("bias", &value.bias), ("out", &value.out)];
        if let Some((name, _)) = rows.into_iter().find(|(_, row)| row.len() != units) {
            return Err(ValueError::Field(name));
        }
        if value.checksum() != value.sum {
            return Err(ValueError::Damaged);
        }
        Ok(value)
    }

    /// The value as text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The weights of the path past the hidden layer.
    pub fn direct(&self) -> &[f32] {
        &self.direct
    }

    /// How values become chances.
    pub fn calibration(&self) -> Calibration {
        self.calibration
    }

    /// The hash of Fowler, Noll and Vo (FNV-1a) over all numbers: a file that was cut or changed shows.
    fn checksum(&self) -> String {
        let Calibration { slope, width } = &self.calibration;
        let rows: [&[f32]; 7] = [&self.mean, &self.scale, &self.direct, &self.bias, &self.out, slope, width];
        let numbers = rows.into_iter().chain(self.hidden.iter().map(Vec::as_slice)).flatten();
        let hash = numbers
            .flat_map(|number| number.to_bits().to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        format!("{hash:016x}")
    }
}

/// The share of men that are left, of those that a learned value is told.
pub fn men_left(inputs: &Inputs) -> f32 {
    inputs[MEN_LEFT]
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Value {
        let row =
            |seed: usize| (0..NAMES.len()).map(|at| ((at * 7 + seed) % 11) as f32 / 100.0 - 0.05).collect();
        let layers = Layers {
            mean: row(1),
            scale: vec![1.5; NAMES.len()],
            direct: row(2),
            bias: vec![0.1, -0.2],
            hidden: vec![row(3), row(4)],
            out: vec![0.3, -0.4],
        };
        Value::new(layers, Calibration { slope: [0.2, 0.3], width: [0.5, 0.1] })
    }

    #[test]
    fn a_value_reads_what_it_writes() {
        let value = some();
        let read = Value::from_json(&value.to_json()).unwrap();
        assert_eq!(read, value);
        let inputs = [0.7; NAMES.len()];
        assert_eq!(read.correction(&inputs).to_bits(), value.correction(&inputs).to_bits());
    }

    #[test]
    fn damaged_files_are_refused_with_what_is_wrong() {
        let text = some().to_json();
        let wrong = [
            (text[..text.len() / 2].to_owned(), "not a learned value"),
            (text.replacen("\"nebel_value\":1", "\"nebel_value\":9", 1), "train it again"),
            (text.replacen("\"legal\"", "\"lawful\"", 1), "train it again"),
            (text.replacen("\"mean\":[", "\"mean\":[1.0,", 1), "`mean`"),
            (text.replacen("\"out\":[", "\"out\":[1.0,", 1), "`out`"),
            (text.replacen("\"hidden\":[[", "\"hidden\":[[1.0,", 1), "`hidden`"),
            (text.replacen("1.5", "1.25", 1), "checksum"),
            (text.replacen("1.5", "1e999", 1), "not a learned value"),
            (text.replacen("\"out\"", "\"in\"", 1), "not a learned value"),
        ];
        for (text, expected) in wrong {
            let error = Value::from_json(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, not {expected}");
        }
    }
}
