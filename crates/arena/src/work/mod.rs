//! Units of work: what a match, a measurement or a collection of problems is made of, wherever it is done.
//!
//! A [`Unit`] is a number and a bounded payload that says all that the work depends on (game 17 of these terms; problem 230
//! with this algorithm and limit). Doing it is a function of the payload alone, so that it does not matter who does it: a
//! thread of this process ([`threads`]) or a worker of the [farm](crate::farm). A kind of unit implements [`Work`]; who wants
//! units done implements [`collect::Job`], and one loop, [`collect::collect`], hands them to a [`queue::Queue`] and takes
//! the results.
//!
//! | concept | module |
//! |---|---|
//! | a game as a unit: what is sent, and what comes back | [`game`] |
//! | who does units: the trait of queues | [`queue`] |
//! | the threads of this process | [`threads`] |
//! | the loop above every queue: what is handed out, what is kept | [`collect`] |
//! | who is believed: results that are repeated here, workers that are banned | [`audit`] |

pub mod audit;
pub mod collect;
pub mod game;
pub mod queue;
pub mod replay;
pub mod threads;

use std::{collections::BTreeMap, sync::Arc};

pub use nebel_players::Cancel;
use thiserror::Error;

/// One piece of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its number in the run: the name by which its result is known.
    pub number: u64,
    /// All that the work depends on.
    pub payload: Vec<u8>,
}

/// The largest payload of a unit.
pub const LARGEST_UNIT: usize = 256 << 10;
/// The largest result of a unit.
pub const LARGEST_RESULT: usize = 512 << 10;

/// A kind of unit.
pub trait Work: Send + Sync {
    /// The name of the kind in messages.
    fn kind(&self) -> &'static str;

    /// Short fixed work of this kind, whose outcome tells programs apart that would find other results. `subject` is what the
    /// units of a run are about: the spec of a player, or nothing.
    fn signature(&self, subject: &str, trust: Trust) -> Result<String, UnitError>;

    /// Somebody who does units of this kind one after the other, and may keep what it needs for the next.
    fn hand(&self, trust: Trust) -> Box<dyn Hand>;
}

/// Who does units, one at a time.
pub trait Hand: Send {
    /// Judges a unit and does it. Whoever raises `cancel` wants the result no more.
    fn work(&mut self, payload: &[u8], cancel: &Cancel) -> Result<Vec<u8>, UnitError>;
}

/// Whether units come from the user of this process, or from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// They may start programs and read files.
    Own,
    /// They may not, and stay within bounds.
    Stranger,
}

/// Why a unit has no result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UnitError {
    /// It is no unit of this kind, or one that is not done here.
    #[error("{0}")]
    Refused(String),
    /// Somebody wanted it no more.
    #[error("stopped")]
    Stopped,
}

/// The kinds of unit that a process knows.
#[derive(Clone, Default)]
pub struct Kinds(BTreeMap<&'static str, Arc<dyn Work>>);

impl Kinds {
    /// The kinds that the arena itself has: games.
    pub fn of_the_arena() -> Kinds {
        Kinds::default().with(Arc::new(game::Games::default()))
    }

    /// One kind more.
    #[must_use]
    pub fn with(mut self, work: Arc<dyn Work>) -> Kinds {
        self.0.insert(work.kind(), work);
        self
    }

    /// The kind of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Work>> {
        self.0.get(name)
    }
}
