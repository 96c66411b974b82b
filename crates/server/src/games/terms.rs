//! Who plays a game, and how: decided at its start, kept beside it.

use nebel_kriegspiel::{Color, Header, json::Side, start::in_one_line};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use super::{clock::ClockTerms, machine::MachineTerms, messages::GameFacts};
use crate::opponents::{self, NotOffered};

/// Who plays, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct GameTerms {
    /// The machine; without one two people play.
    pub(crate) machine: Option<MachineTerms>,
    /// The clocks; without them everybody has time.
    pub(crate) clock: Option<ClockTerms>,
    /// Whether the person sees the belief while playing.
    pub(crate) practice: bool,
}

/// The game that somebody wants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The name of the rules.
    #[serde(default = "default_rules")]
    pub rules: String,
    /// The side that the person plays.
    #[serde(rename = "as", default)]
    pub side: WantedSide,
    /// Who plays the other.
    pub opponent: Opponent,
    /// The clocks.
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    /// The starting position, as FEN.
    #[serde(default)]
    pub start: Option<String>,
    /// Whether the belief is shown while playing, which only the machine allows.
    #[serde(default)]
    pub practice: bool,
}

fn default_rules() -> String {
    nebel_kriegspiel::Rules::default().name.into_owned()
}

/// The side that a person wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WantedSide {
    /// White.
    White,
    /// Black.
    Black,
    /// Either, by lot.
    #[default]
    Random,
}

/// Who plays the other side.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Opponent {
    /// The machine.
    Player {
        /// A level's spec, or a kind of player.
        player: String,
        /// Milliseconds for a turn.
        #[serde(default = "default_move_ms")]
        move_ms: u64,
    },
    /// Another person, who gets a link.
    Link {
        /// Always true.
        link: bool,
    },
}

const fn default_move_ms() -> u64 {
    500
}

/// Why a game cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum TermsError {
    /// No player that can be chosen.
    #[error(transparent)]
    Player(#[from] NotOffered),
    /// Out of range.
    #[error("a turn of the machine takes between 20 and {LONGEST_TURN} ms")]
    MoveTime,
    /// Out of range.
    #[error("a clock begins with 1 second to 24 hours and adds at most 10 minutes a move")]
    Clock,
    /// Two people.
    #[error("practice shows what could be where: only the machine plays that")]
    Practice,
    /// `"link": false`.
    #[error("the opponent is a player, or \"link\": true")]
    Opponent,
}

/// The longest turn of the machine, in milliseconds.
const LONGEST_TURN: u64 = 60_000;

impl NewGame {
    /// Checks who plays and how; `person` is the side of the one who asks.
    pub(crate) fn terms(&self, person: Color, seed: u64) -> Result<GameTerms, TermsError> {
        let machine = match &self.opponent {
            Opponent::Link { link: false } => return Err(TermsError::Opponent),
            Opponent::Link { link: true } if self.practice => return Err(TermsError::Practice),
            Opponent::Link { link: true } => None,
            Opponent::Player { player, move_ms } => {
                opponents::offered(player)?;
                let is_white = person == Color::Black;
                Some(MachineTerms { is_white, spec: player.clone(), move_ms: *move_ms, seed })
            }
        };
        let terms = GameTerms { machine, clock: self.clock, practice: self.practice };
        terms.check()?;
        Ok(terms)
    }
}

impl GameTerms {
    /// The terms as they are kept beside a game. Times that nobody could have asked for are not believed; a player that is no
    /// longer offered fails in its turn, and the game can still be looked at.
    pub(crate) fn read(text: &str) -> Result<GameTerms, String> {
        let terms: GameTerms = serde_json::from_str(text).map_err(|error| in_one_line(&error.to_string()))?;
        terms.check().map_err(|error| error.to_string())?;
        Ok(terms)
    }

    fn check(&self) -> Result<(), TermsError> {
        if self.machine.as_ref().is_some_and(|machine| !(20..=LONGEST_TURN).contains(&machine.move_ms)) {
            return Err(TermsError::MoveTime);
        }
        if let Some(ClockTerms { initial_ms, increment_ms }) = self.clock
            && !((1000..=24 * 3_600_000).contains(&initial_ms) && increment_ms <= 600_000)
        {
            return Err(TermsError::Clock);
        }
        Ok(())
    }

    /// Who plays this side, as headers name them.
    pub(crate) fn player(&self, side: Color) -> String {
        match &self.machine {
            Some(machine) if machine.side() == side => machine.spec.clone(),
            _ => "human".to_owned(),
        }
    }

    /// Whether a person plays this side.
    pub(crate) fn is_person(&self, side: Color) -> bool {
        self.machine.as_ref().is_none_or(|machine| machine.side() != side)
    }

    /// The same with sides swapped, for another game.
    pub(crate) fn swapped(&self, seed: u64) -> GameTerms {
        let machine = self.machine.clone();
        let machine = machine.map(|machine| MachineTerms { is_white: !machine.is_white, seed, ..machine });
        GameTerms { machine, ..self.clone() }
    }

    /// What this side knows of the game from the first.
    pub(crate) fn facts(&self, id: &str, header: &Header, side: Color) -> GameFacts {
        GameFacts {
            id: id.to_owned(),
            side: Side::of(side),
            rules: header.rules.name.to_string(),
            start: header.start_fen.clone(),
            white: self.player(Color::White),
            black: self.player(Color::Black),
            practice: self.practice,
            link: self.machine.is_none(),
            watch: None,
            watching: false,
        }
    }
}
