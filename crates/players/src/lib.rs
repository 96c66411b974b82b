//! Players of Kriegspiel: the one trait they share, and every player there is.
//!
//! A [`Player`] is told the start of a game and then what its side [`Heard`], nothing else: no type in
//! its reach holds the position. What it wants next is a [`Choice`].
//!
//! ```
//! use nebel_kriegspiel::{Chess, Color, Rules};
//! use nebel_players::{Budget, Choice, Game, by_spec};
//!
//! let mut player = by_spec("random").unwrap();
//! player.start(Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 7 });
//! assert!(matches!(player.choose(&Budget::unlimited()), Choice::Try(_)));
//! ```

mod random;
mod spec;

use std::time::Instant;

use nebel_kriegspiel::{Attempt, Chess, Color, Heard, Rules};

pub use random::Random;
pub use spec::{SpecError, by_spec};

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
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// It must have chosen by then.
    pub deadline: Option<Instant>,
    /// It may look at so many nodes, by its own count: for runs that must repeat on any machine.
    pub nodes: Option<u64>,
}

impl Budget {
    /// As long as it likes.
    pub const fn unlimited() -> Budget {
        Budget { deadline: None, nodes: None }
    }
}

/// A player of one side of a game.
pub trait Player: Send {
    /// Its name and options, as one would write them to get it again.
    fn spec(&self) -> String;

    /// Begins a game; forgets the last one.
    fn start(&mut self, game: Game);

    /// Hears an event of its view.
    fn hear(&mut self, event: &Heard);

    /// Chooses what to do next. Called only when its side is to move.
    fn choose(&mut self, budget: &Budget) -> Choice;
}
