//! What `minimax` can be told.

use super::{Tables, material::DangerBy};
use crate::options::{Given, OptionError, PlayerOption, SWITCH, Strangers, Takes};

/// Whether endings are played by tables; for the players too that hand over to this one.
pub(crate) const TABLES: PlayerOption = PlayerOption {
    name: "tables",
    takes: SWITCH,
    default: Some("on"),
    help: "whether endings against a bare king are played by tables, or by hand-made rules",
    strangers: Strangers::Open,
};

/// What the player can be told.
pub(crate) const OPTIONS: &[PlayerOption] = &[
    TABLES,
    PlayerOption {
        name: "preset",
        takes: Takes::Word(&["best", "paper", "program"]),
        default: Some("best"),
        help: "what the options are that are left out: what plays best here, the opponent of the paper's Figure 10, or what is known of the program",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "nodes",
        takes: Takes::Whole { least: 1, most: 10_000_000 },
        default: None,
        help: "metapositions for each choice, however much time there is; by time or the nodes given if left out",
        strangers: Strangers::Closed,
    },
    PlayerOption {
        name: "danger",
        takes: Takes::Word(&["lines", "knights"]),
        default: Some("lines"),
        help: "what endangers a man: pawns, the king and what stands on lines, as in the program, or knights too",
        strangers: Strangers::Open,
    },
    switch("checks", "whether a check is answered at once by taking where the checker may stand"),
    switch(
        "blunders",
        "whether moves are put last that surely lose the man that moves, or leave the queen to be taken",
    ),
];

const fn switch(name: &'static str, help: &'static str) -> PlayerOption {
    PlayerOption { name, takes: SWITCH, default: Some("off"), help, strangers: Strangers::Open }
}

/// What `preset=paper` says of options that are not given (Ciancarini and Favini 2010, section 6.1): "approximately 10000 metapositions
/// per move", "a series of hard-coded checks that prevent the program from making obvious blunders", and no tables.
const PAPER: &[(&str, &str)] =
    &[("tables", "off"), ("nodes", "10000"), ("danger", "knights"), ("checks", "on"), ("blunders", "on")];

/// What `preset=program` says: the historical program's budget and danger, its reactions to captures, pawn tries and checks alike, and no tables. Its other
/// numbers are in `numbers.rs`, which says of each whether it is followed.
const PROGRAM: &[(&str, &str)] =
    &[("tables", "off"), ("nodes", "5000"), ("danger", "lines"), ("checks", "on"), ("blunders", "off")];

/// How the player was told to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Settings {
    pub(super) tables: Tables,
    /// Metapositions for each choice, if they are fixed.
    pub(super) nodes: Option<u64>,
    pub(super) danger: DangerBy,
    /// Whether checks are reacted to.
    pub(super) checks: bool,
    /// Whether obvious blunders are put last.
    pub(super) blunders: bool,
}

impl Settings {
    /// Reads the text behind the colon.
    pub(super) fn read(text: Option<&str>) -> Result<Settings, OptionError> {
        let judged = Given::judge(OPTIONS, text)?;
        let preset = match judged.text("preset") {
            Some("paper") => PAPER,
            Some("program") => PROGRAM,
            _ => &[],
        };
        let given = judged.with(preset);
        Ok(Settings {
            tables: if given.is_on("tables") { Tables::On } else { Tables::Off },
            nodes: given.whole("nodes"),
            danger: if given.text("danger") == Some("knights") {
                DangerBy::WithKnights
            } else {
                DangerBy::Lines
            },
            checks: given.is_on("checks"),
            blunders: given.is_on("blunders"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_say_what_is_left_out_and_nothing_else() {
        let read = |text: &str| Settings::read(Some(text)).unwrap();
        let paper = read("preset=paper");
        assert_eq!((paper.nodes, paper.danger, paper.blunders), (Some(10_000), DangerBy::WithKnights, true));
        let program = read("preset=program");
        assert_eq!((program.nodes, program.danger, program.blunders), (Some(5_000), DangerBy::Lines, false));
        assert!(program.checks && program.tables == Tables::Off);
        assert_eq!(read("preset=program,nodes=7").nodes, Some(7));
        assert_eq!(Settings::read(None).unwrap().nodes, None);
    }
}
