//! The umpire against refereed games that others produced, answer by answer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;

use nebel_kriegspiel::{Rules, Umpire, start};
use serde_json::Value;

/// Plays a recorded game and compares every answer. Returns how many were compared.
fn compare(path: &Path, peculiarity: Peculiarity) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let header = lines.next().unwrap();
    let rules = Rules::by_name(header["rules"].as_str().unwrap()).unwrap();
    let position = start::position(header["start"].as_str().unwrap()).unwrap();
    let mut umpire = Umpire::at(rules, position);
    let mut compared = 0;
    for (index, expected) in lines.enumerate() {
        if umpire.over().is_some() {
            assert!(peculiarity.goes_on_after(&umpire), "{}: line {}", path.display(), index + 2);
            break;
        }
        let line = expected["attempt"].as_str().unwrap_or("any?");
        let event = umpire.hear(line).unwrap();
        let answered: Value = serde_json::from_str(&event.to_json(umpire.rules())).unwrap();
        if umpire.over().is_some() && peculiarity.goes_on_after(&umpire) {
            break;
        }
        let answered = peculiarity.as_it_would_say(answered);
        assert_eq!(answered, expected, "{}: line {}", path.display(), index + 2);
        compared += 1;
    }
    compared
}

/// Where the programs that produced the games are known to differ from the rules.
#[derive(Clone, Copy)]
enum Peculiarity {
    /// Under `berkeley` these games go on after dead material.
    IgnoresDeadMaterialUnderBerkeley,
    /// No directions with checkmate; no draws by fifty moves or repetition.
    NoDirectionsWithMate,
}

impl Peculiarity {
    fn goes_on_after(self, umpire: &Umpire) -> bool {
        let reason = umpire.over().unwrap().reason.as_str();
        match self {
            Peculiarity::IgnoresDeadMaterialUnderBerkeley => {
                reason == "material" && umpire.rules().name == "berkeley"
            }
            Peculiarity::NoDirectionsWithMate => matches!(reason, "fifty" | "repetition"),
        }
    }

    fn as_it_would_say(self, mut event: Value) -> Value {
        let is_mate = event["over"]["reason"] == "checkmate";
        if let (Peculiarity::NoDirectionsWithMate, true, Some(fields)) =
            (self, is_mate, event.as_object_mut())
        {
            fields.remove("check");
        }
        event
    }
}

/// Compares a folder of so many games with so many answers, no more and no fewer.
fn compare_folder(folder: &str, peculiarity: Peculiarity, games: usize, answers: usize) {
    let Some(paths) = common::vectors(folder) else {
        return;
    };
    let compared: usize = paths.iter().map(|path| compare(path, peculiarity)).sum();
    assert_eq!((paths.len(), compared), (games, answers), "{folder}: games, answers");
}

#[test]
fn umpire_vectors_are_reproduced() {
    compare_folder("umpire", Peculiarity::IgnoresDeadMaterialUnderBerkeley, 80, 11_368);
}

#[test]
fn ruleset_vectors_are_reproduced() {
    compare_folder("rulesets", Peculiarity::NoDirectionsWithMate, 60, 15_383);
}
