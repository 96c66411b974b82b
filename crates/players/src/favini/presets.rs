//! What `preset=paper` and `preset=program` say of options that are not given. What is given goes before them.
//!
//! `docs/papers.md` has the sentence of the paper for each, and says which of the program's numbers are known and which of them are followed.

use crate::options::{Given, PlayerOption, Strangers, Takes};

/// The option itself.
pub(super) const PRESET: PlayerOption = PlayerOption {
    name: "preset",
    takes: Takes::Word(&["best", "paper", "program"]),
    default: Some("best"),
    help: "what the options are that are left out: what plays best here, the letter of the paper, or what is known of its program",
    strangers: Strangers::Open,
};

/// The letter of the paper.
const PAPER: &[(&str, &str)] = &[
    ("worth", "men"),
    ("safety", "0"),
    ("backup", "max"),
    ("few", "0"),
    ("tables", "off"),
    ("tree", "messages"),
    ("legality", "subtracted"),
    ("replies", "constant"),
    ("spread", "printed"),
    ("gradient", "centred"),
    ("choice", "visits"),
    ("terms", "off"),
    ("parallel", "trees"),
];

/// The program, where it differs from the text and the difference is known: men count 1, 1.5, 2, 2.5 and 3, hidden ones 0.8 of their number; the tree goes on
/// through silence only; half of a turn's own value stays in C; the best-valued root move is played; pins and control are factors; root moves are
/// dealt out to threads; it hands over at a bare king.
const PROGRAM: &[(&str, &str)] = &[
    ("worth", "count"),
    ("safety", "0"),
    ("backup", "half"),
    ("few", "0"),
    ("tables", "off"),
    ("tree", "silence"),
    ("legality", "factors"),
    ("replies", "constant"),
    ("choice", "value"),
    ("terms", "off"),
    ("parallel", "deal"),
];

/// The constants of UCT, which are the program's in both: the paper says only that C's is lower than B's, and that it does not matter in A.
const EXPLORATION: [(&str, &str); 2] = [("b", "1"), ("c", "0.5")];

/// The options of a player with what its preset says.
pub(super) fn complete<'a>(name: &str, given: Given<'a>, declared: &[PlayerOption]) -> Given<'a> {
    let preset = match given.text("preset") {
        Some("paper") => PAPER,
        Some("program") => PROGRAM,
        _ => return given,
    };
    let has = |option: &str| declared.iter().any(|known| known.name == option);
    let known: Vec<_> = preset.iter().copied().filter(|(option, _)| has(option)).collect();
    let constant = EXPLORATION.iter().find(|(approach, _)| *approach == name).map(|&(_, c)| ("c", c));
    given.with(&known).with(constant.as_slice())
}
