//! A move put to the umpire: from-square, to-square and, for a pawn that reaches the last rank, the
//! piece it becomes. Written as in UCI (`e2e4`, `e7e8q`); castling is the king's two-square move.

use std::{fmt, str::FromStr};

use shakmaty::{CastlingSide, Move, Role, Square};
use thiserror::Error;

/// A move put to the umpire, sensible or not.
///
/// ```
/// use nebel_kriegspiel::Attempt;
///
/// let attempt: Attempt = "e7e8q".parse().unwrap();
/// assert_eq!(attempt.to_string(), "e7e8q");
/// assert!("e7e8k".parse::<Attempt>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attempt {
    /// The square the man stands on.
    pub from: Square,
    /// The square it is to go to.
    pub to: Square,
    /// What the pawn becomes: one of queen, rook, bishop and knight.
    pub promotion: Option<Role>,
}

/// The pieces that a pawn may become, in the order in which attempts are listed.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Attempt {
    /// An attempt without promotion.
    pub const fn new(from: Square, to: Square) -> Attempt {
        Attempt { from, to, promotion: None }
    }

    /// Reads an attempt from bytes; `None` when they are none.
    pub fn from_ascii(text: &[u8]) -> Option<Attempt> {
        let (squares, promotion) = text.split_at_checked(4)?;
        let promotion = match promotion {
            [] => None,
            [letter] => Some(promotion_from_letter(*letter)?),
            _ => return None,
        };
        let (from, to) = squares.split_at(2);
        Some(Attempt { from: Square::from_ascii(from).ok()?, to: Square::from_ascii(to).ok()?, promotion })
    }

    /// The attempt that asks for a move of the chess library.
    pub fn of_move(m: Move) -> Attempt {
        match m {
            Move::Normal { from, to, promotion, .. } => Attempt { from, to, promotion },
            Move::EnPassant { from, to } => Attempt::new(from, to),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                Attempt::new(king, Square::from_coords(side.king_to_file(), king.rank()))
            }
            Move::Put { to, .. } => Attempt::new(to, to),
        }
    }
}

fn promotion_from_letter(letter: u8) -> Option<Role> {
    match letter {
        b'q' => Some(Role::Queen),
        b'r' => Some(Role::Rook),
        b'b' => Some(Role::Bishop),
        b'n' => Some(Role::Knight),
        _ => None,
    }
}

/// The text is no attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not an attempt (write squares as in e2e4, promotions as in e7e8q)")]
pub struct ParseAttemptError;

impl FromStr for Attempt {
    type Err = ParseAttemptError;

    fn from_str(text: &str) -> Result<Attempt, ParseAttemptError> {
        Attempt::from_ascii(text.as_bytes()).ok_or(ParseAttemptError)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}
