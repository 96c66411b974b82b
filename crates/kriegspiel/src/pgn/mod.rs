//! Kriegspiel PGN, in the form of Darkboard and the Internet Chess Club.
//!
//! A full game is ordinary PGN: any chess program can replay it. Each move is followed by a comment
//! `{(announced:before)}`. *Announced* is what the umpire said of the move, *before* what happened in
//! the turn before it, in order; both are comma-separated:
//!
//! | code | meaning |
//! |---|---|
//! | `Xd5`, `Xd5-pawn`, `Xd5-piece`, `EP` | a capture, its kind where it is told, "en passant" |
//! | `PR` | a promotion, where it is told |
//! | `CF`, `CRS` | check, by the directions **F**ile, **L**ong, k**N**ight, **R**ank, **S**hort |
//! | `P2`, `P+`, `P@e4g5` | pawn tries: how many, that there are any, from where; none if left out |
//! | `Nf3`, `exd5` | before the move: an attempt that was illegal |
//! | `!e2e5` | before the move: nonsense, percent-encoded |
//! | `?` | before the move: an attempt of the other side that was heard to be illegal |
//! | `any?yes` | before the move: the question and its answer |
//!
//! A turn that was not finished is a comment of its own at the end. A view hides the other side's
//! moves as `??`; its own moves and attempts are written as they look on a board with the own men
//! alone. The tags `Rules`, `View` and `Termination` carry the rest of a transcript.
//!
//! The older form of the University of Maryland, `{(K:before:announced)}`, is read too.
//!
//! The few tokens that Kriegspiel needs are read here; SAN itself is the chess library's. Its PGN reader
//! (`pgn-reader` 0.29) was tried for the tokens and cannot do it, as `tests/pgn_reader.rs` shows:
//!
//! - `??` comes as the annotation `$4`, and so does the `??` of a bad move: `e4 ??` and `e4??` are the same to it;
//! - a word that is no SAN and a line that is no tag are passed over in silence, where a transcript must
//!   not lose a move;
//! - an empty line between moves begins another game;
//! - nothing has a line or a place, so errors could only say that something is wrong somewhere.
//!
//! It keeps the text and the order of comments, and so reads every full game that is written here: the same
//! test holds the writer to that.

mod code;
mod notation;
mod read;
mod token;
mod write;

use std::io::{self, Write};

use thiserror::Error;

use crate::{
    rules::{Rules, RulesError},
    side::Contradiction,
    start::FenError,
    transcript::{Mismatch, Record},
};

/// Reads all games of a PGN text; `default_rules` are those of games that do not name theirs.
pub fn read(text: &str, default_rules: &Rules) -> Result<Vec<Record>, PgnError> {
    read::games(text, default_rules)
}

/// Writes one game.
pub fn write(record: &Record, mut out: impl Write) -> io::Result<()> {
    out.write_all(write::game(record).as_bytes())
}

/// Why a text could not be read as Kriegspiel PGN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {cause}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: PgnCause,
}

/// What is wrong with a PGN text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnCause {
    /// No game in it.
    #[error("no game in this file")]
    Empty,
    /// A comment, a tag or a variation is cut off.
    #[error("{0} is not closed")]
    NotClosed(&'static str),
    /// A tag that is none.
    #[error("`{0}` is not a tag pair")]
    Tag(String),
    /// A tag with a value it cannot have.
    #[error("tag {tag}: `{value}` is not understood")]
    TagValue {
        /// The tag.
        tag: &'static str,
        /// Its value.
        value: String,
    },
    /// Unusable rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Unusable start.
    #[error(transparent)]
    Start(#[from] FenError),
    /// Not a move, or not one that fits.
    #[error("`{0}` is not a move that can be made here")]
    Move(String),
    /// Several men could make it.
    #[error("`{0}` could be several moves")]
    Ambiguous(String),
    /// A comment of ours that is malformed.
    #[error("`{0}` is not a Kriegspiel comment's code")]
    Code(String),
    /// The umpire disagrees.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A view that does not fit together.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}
