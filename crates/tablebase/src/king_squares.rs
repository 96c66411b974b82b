//! Where the bare king may be, as people write it: squares such as `e5,e6`, or `all`.

use thiserror::Error;

use crate::board::{Board, Mask, bit};
use crate::placement::Placement;

/// The squares that somebody named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KingSquares {
    /// Those where the king may be.
    pub possible: Mask,
    /// Those where he cannot be with White to move: occupied or attacked.
    pub dropped: Mask,
}

/// Why a text names no squares.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KingSquaresError {
    /// A word is none.
    #[error("`{0}` is no square: write them as in e5,e6, or `all`")]
    NoSquare(String),
    /// There is none.
    #[error("no square is given")]
    None,
    /// None of them can be.
    #[error("the king cannot be on any of these squares")]
    Impossible,
}

impl KingSquares {
    /// Reads squares, with commas or blanks between, for a king on a chess board.
    pub fn parse(placement: &Placement, text: &str) -> Result<KingSquares, KingSquaresError> {
        let possible = placement.king_squares(Board::CHESS);
        let mut set = 0;
        if text.trim().eq_ignore_ascii_case("all") {
            set = possible;
        } else {
            for word in text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
                let square: Result<shakmaty::Square, _> = word.to_ascii_lowercase().parse();
                set |= bit(square.map_err(|_| KingSquaresError::NoSquare(word.chars().take(20).collect()))?);
            }
        }
        match (set, set & possible) {
            (0, _) => Err(KingSquaresError::None),
            (_, 0) => Err(KingSquaresError::Impossible),
            (_, left) => Ok(KingSquares { possible: left, dropped: set & !possible }),
        }
    }
}
