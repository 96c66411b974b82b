//! Kriegspiel: the rules, the umpire, and who hears what.
//!
//! Kriegspiel is chess in which each side sees only its own men. A side puts *attempts* to the
//! umpire, who alone knows the position; the answers are *announcements*, of which each side hears
//! its share.
//!
//! | concept | module |
//! |---|---|
//! | which things a ruleset announces, as data | [`rules`] |
//! | a move put to the umpire | [`attempt`] |
//! | one side's own men, and what makes sense to ask | [`men`], [`turn`] |
//! | what the umpire says of a move | [`announcement`], [`direction`], [`over`] |
//! | one thing that happened, and who hears it | [`event`] |
//! | the referee, the only holder of the position | [`umpire`] |
//! | one side's running knowledge of its own men | [`side`] |
//! | whole games, full or as one side heard them | [`transcript`]; files of them: [`games`], [`json`], [`pgn`] |
//! | starting positions from FEN | [`start`] |
//! | the umpire in words, for people | [`words`] |
//!
//! Chess itself (moves, check, FEN, SAN) comes from [`shakmaty`]; there is no move generator here.
//!
//! ```
//! use nebel_kriegspiel::{Rules, Umpire};
//!
//! let mut umpire = Umpire::new(Rules::icc());
//! assert_eq!(umpire.sensible_attempts().len(), 34);
//! let event = umpire.hear("e2e4").expect("the game is running");
//! assert_eq!(event.to_json(umpire.rules()), r#"{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}"#);
//! ```

pub mod announcement;
pub mod attempt;
pub mod direction;
pub mod event;
pub mod games;
pub mod json;
pub mod men;
pub mod over;
pub mod pgn;
pub mod rules;
pub mod side;
pub mod start;
pub mod transcript;
pub mod turn;
pub mod umpire;
pub mod words;

pub use announcement::{Announcement, Capture, Kind, Tries};
pub use attempt::Attempt;
pub use direction::{Direction, Directions};
pub use event::{Answer, AskAnswer, Event, Input, ViewEvent};
pub use men::OwnMen;
pub use over::{GameResult, Over, Reason};
pub use rules::Rules;
pub use side::OwnSide;
pub use transcript::{Header, Transcript, View};
pub use turn::Turn;
pub use umpire::Umpire;

/// The two sides. Re-exported from the chess library, as are the other words of chess.
pub use shakmaty::{Bitboard, Chess, Color, File, Position, Rank, Role, Square};
