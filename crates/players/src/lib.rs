//! Players of Kriegspiel: the one trait they share, and every player there is.
//!
//! A [`Player`] is told the start of a game and then what its side hears as [`ViewEvent`]s, nothing else: no type in
//! its reach holds the position. What it wants next is a [`Choice`]. A player may be a program outside
//! ([`Exec`]), which can die or fall silent: that is an ordinary value, a [`Fault`].
//!
//! ```
//! use nebel_kriegspiel::{Chess, Color, Rules};
//! use nebel_players::{Budget, Choice, Game, by_spec};
//!
//! let mut player = by_spec("random").unwrap();
//! player.start(Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 7 }).unwrap();
//! assert!(matches!(player.choose(&Budget::unlimited()), Ok(Choice::Try(_))));
//! ```

mod agreement;
mod candidates;
mod conversion;
mod darkboard;
pub mod evaluate;
pub mod explain;
pub mod favini;
mod greedy;
mod nebel;
mod options;
mod outside;
pub mod parker;
pub mod provenance;
mod random;
mod spec;
pub mod time;
pub mod wolfe;

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Attempt, Chess, Color, Rules, ViewEvent};
pub use nebel_search::Cancel;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use agreement::agrees_to_draw;
pub use darkboard::Minimax;
pub use explain::Explanation;
pub use greedy::Greedy;
pub use nebel::{
    Calibration, INPUT_NAMES, Inputs, Layers, Nebel, NotedInputs, Odds, Value, ValueError, logistic, men_left,
};
pub use options::{OptionError, PlayerOption, Strangers, Takes};
pub use outside::{Exec, Introduction, ServeError, end_programs, serve};
pub use random::Random;
pub use spec::{Behind, Kind, SpecError, by_spec, check_contained, check_untrusted, kinds};
pub use time::TimeControl;
pub use wolfe::{Program, Wolfe};

/// What a player knows before the first event.
#[derive(Clone, Debug)]
pub struct Game {
    /// The side it plays.
    pub side: Color,
    /// The rules.
    pub rules: Rules,
    /// The starting position, which both sides know.
    pub start: Chess,
    /// The seed of its randomness. Each side has one of its own.
    pub seed: u64,
}

/// What a player wants to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Put this attempt to the umpire.
    Try(Attempt),
    /// Ask "any?".
    Ask,
    /// Give up.
    Resign,
}

/// How long a player may think about one choice.
#[derive(Clone, Debug)]
pub struct Budget {
    /// It should have chosen by then.
    pub aim: Option<Instant>,
    /// It loses if it has not chosen by then.
    pub limit: Option<Instant>,
    /// It may look at so many nodes, by its own count: for runs that must repeat on any machine.
    pub nodes: Option<u64>,
    /// Raised when nobody waits for the choice any more: every player then returns within some milliseconds, whatever
    /// it has.
    pub stop: Cancel,
}

impl Budget {
    /// As long as it likes.
    pub fn unlimited() -> Budget {
        Budget { aim: None, limit: None, nodes: None, stop: Cancel::default() }
    }

    /// Until then at the latest, and not longer than somebody waits.
    pub fn until(aim: Instant, stop: Cancel) -> Budget {
        Budget { aim: Some(aim), stop, ..Budget::unlimited() }
    }

    /// Whether thinking must end now: the aim is reached, or nobody waits any more.
    pub fn is_over(&self) -> bool {
        self.stop.is_cancelled() || self.aim.is_some_and(|aim| Instant::now() >= aim)
    }

    /// The same with this share of the time that is left until the aim.
    #[must_use]
    pub fn share(&self, share: f64) -> Budget {
        let aim = self.time().map(|time| Instant::now() + time.mul_f64(share));
        Budget { aim, ..self.clone() }
    }

    /// The time from now until the aim.
    pub fn time(&self) -> Option<Duration> {
        self.aim.map(|aim| aim.saturating_duration_since(Instant::now()))
    }
}

/// A player that tries more nonsense than this in one turn loses by forfeit.
pub const MOST_NONSENSE: u32 = 100;

/// How a player outside this program fails. It loses the game, and the match goes on.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It could not be started.
    #[error("cannot be started: {0}")]
    Start(String),
    /// It ended by itself.
    #[error("died")]
    Died,
    /// It did not answer in its time.
    #[error("fell silent")]
    Silent,
    /// Nobody waits for its answer any more.
    #[error("was stopped")]
    Stopped,
    /// It said something that is no answer.
    #[error("broke the protocol: {0}")]
    Protocol(String),
}

/// A player of one side of a game.
pub trait Player: Send {
    /// Its name and options, as one would write them to get it again.
    fn spec(&self) -> String;

    /// Is told, before a game begins, how long it may think in it. Our own players take the budget of each choice as it
    /// comes; a program outside is told, so that it can plan.
    fn allow(&mut self, _time: TimeControl) {}

    /// Begins a game; forgets the last one.
    fn start(&mut self, game: Game) -> Result<(), Fault>;

    /// Hears an event of its view.
    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault>;

    /// Chooses what to do next. Called only when its side is to move.
    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault>;

    /// What it believes now and why it chose what it chose last; `None` for a player that cannot say.
    fn explain(&self) -> Option<Explanation> {
        None
    }
}
