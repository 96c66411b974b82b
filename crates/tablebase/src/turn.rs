//! White's turn: the attempts of a placement, and what the umpire would answer for every king square at once.
//!
//! Against a bare king only two kinds of attempt can be refused: a king's step next to the black king, and a
//! pawn's push onto (or over) him. A line piece can never meet him, because he would have stood in check
//! with White to move.

use std::fmt;
use std::str::FromStr;

use nebel_position::side::{forward, pawn_steps};
use shakmaty::{Bitboard, Color, Role, Square};
use thiserror::Error;

use crate::board::{Board, Mask, bit, squares_of};
use crate::placement::{Placement, attacks};

/// A move put to the umpire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attempt {
    /// Where the man stands.
    pub from: Square,
    /// Where he wants to go.
    pub to: Square,
    /// What a pawn reaching the last rank becomes.
    pub promotion: Option<Role>,
}

/// A text that is no attempt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no attempt: write it as in a1a4 or e7e8q")]
pub struct AttemptError(String);

/// One attempt from a placement and its consequences for every square of the black king.
///
/// The squares of [`Placement::king_squares`] are divided into `refused`, `stalemates` and the squares of `classes`.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The attempt.
    pub attempt: Attempt,
    /// The squares at which the umpire refuses it.
    pub refused: Mask,
    /// The squares at which it stalemates.
    pub stalemates: Mask,
    /// The other squares by message (0 is silence, else bits of [`crate::message`]), silence first.
    pub classes: Vec<(u8, Mask)>,
    /// The white men afterwards.
    pub after: Placement,
    /// Where the black king may stand once he has replied without taking anything.
    pub replies: Mask,
    /// White's undefended men: the black king may take one from any neighbouring square.
    pub loose: Mask,
}

impl Turn {
    /// The consequences of every attempt of [`Attempt::all`], in its order.
    pub fn all(board: Board, placement: &Placement) -> Vec<Turn> {
        let king_squares = placement.king_squares(board);
        let turn = |attempt: Attempt| {
            let refused = attempt.refused(board, placement, king_squares);
            Turn::new(board, attempt, placement.moved_by(attempt), king_squares, refused)
        };
        Attempt::all(board, placement).map(turn).collect()
    }

    fn new(board: Board, attempt: Attempt, after: Placement, king_squares: Mask, refused: Mask) -> Turn {
        let replies = after.king_squares(board);
        let loose = after.undefended(board);
        let legal = king_squares & !refused;
        let directions = after.check_directions(board);
        let mut classes: Vec<(u8, Mask)> = vec![(0, 0)];
        for square in squares_of(legal) {
            let message = directions[usize::from(square)];
            match classes.iter_mut().find(|class| class.0 == message) {
                Some(class) => class.1 |= bit(square),
                None => classes.push((message, bit(square))),
            }
        }
        let stalemates = classes[0].1 & !board.neighbours(replies | loose);
        classes[0].1 &= !stalemates;
        classes.retain(|class| class.1 != 0);
        Turn { attempt, refused, stalemates, classes, after, replies, loose }
    }

    /// The squares at which the attempt mates.
    pub fn mates(&self, board: Board) -> Mask {
        let checks = self.classes.iter().filter(|class| class.0 != 0).fold(0, |set, class| set | class.1);
        checks & !board.neighbours(self.replies | self.loose)
    }

    /// Where the king may be after replying (without a capture) from a square of `set`.
    pub fn successors(&self, board: Board, set: Mask) -> Mask {
        board.neighbours(set) & self.replies
    }

    /// The men that a king in `set` could take.
    pub fn losses(&self, board: Board, set: Mask) -> Mask {
        board.neighbours(set) & self.loose
    }
}

impl Attempt {
    /// Every attempt from `placement` that is no nonsense, castling and pawn captures aside: with a bare king
    /// there is nothing to take, and castling rights do not outlive the middle game.
    pub fn all(board: Board, placement: &Placement) -> impl Iterator<Item = Attempt> + '_ {
        let occupied = placement.occupied();
        placement.all().flat_map(move |(role, from)| {
            let targets = match role {
                Role::Pawn => pushes(board, from, occupied),
                _ => attacks(board, role, from, occupied) & !occupied,
            };
            squares_of(targets).flat_map(move |to| {
                let promotes = role == Role::Pawn && u8::from(to.rank()) + 1 == board.size();
                let becomes: &[Option<Role>] = if promotes {
                    &[Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)]
                } else {
                    &[None]
                };
                becomes.iter().map(move |&promotion| Attempt { from, to, promotion })
            })
        })
    }

    /// The part of `set` at which the umpire refuses this attempt of `placement`.
    pub fn refused(self, board: Board, placement: &Placement, set: Mask) -> Mask {
        if self.from == placement.king() {
            return set & board.neighbours(bit(self.to));
        }
        let in_the_way = match placement.role_at(self.from) {
            Role::Pawn => bit(self.to) | board.step(self.from, 0, 1).map_or(0, bit),
            _ => 0,
        };
        set & in_the_way
    }
}

/// Where a pawn may go when only White's men stand in its way.
fn pushes(board: Board, from: Square, occupied: Mask) -> Mask {
    let pawn = Bitboard(bit(from));
    let steps = pawn_steps(pawn, Color::White, Bitboard(occupied | !board.squares()));
    // A double step needs a board on which it does not reach the last rank.
    if board.size() < 5 { (steps & forward(pawn, Color::White)).0 } else { steps.0 }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

impl FromStr for Attempt {
    type Err = AttemptError;

    fn from_str(text: &str) -> Result<Attempt, AttemptError> {
        let error = || AttemptError(text.chars().take(20).flat_map(char::escape_debug).collect());
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(error());
        }
        let promotion = match text[4..].chars().next() {
            None => None,
            Some(c) => Some(Role::from_char(c).ok_or_else(error)?),
        };
        let square = |part: &str| part.parse::<Square>().map_err(|_| error());
        Ok(Attempt { from: square(&text[..2])?, to: square(&text[2..4])?, promotion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_king_square_gets_exactly_one_answer() {
        for text in ["Kc3 Ra1", "Ke5 Qd4", "Kb6 Pa7", "Ka1 Pe2", "Kd4 Bd5 Be5", "Kf6 Be4 Nf7", "Kc1 Ra1 Rh1"]
        {
            let placement = Placement::parse(Board::CHESS, text).unwrap();
            for turn in Turn::all(Board::CHESS, &placement) {
                let mut seen = turn.refused | turn.stalemates;
                assert_eq!(turn.refused & turn.stalemates, 0);
                for &(_, squares) in &turn.classes {
                    assert_eq!(seen & squares, 0);
                    seen |= squares;
                }
                assert_eq!(seen, placement.king_squares(Board::CHESS), "{text} {}", turn.attempt);
            }
        }
    }

    #[test]
    fn a_promotion_is_four_attempts_and_a_push_may_be_refused() {
        let placement = Placement::parse(Board::CHESS, "Ka1 Pe7").unwrap();
        let turns = Turn::all(Board::CHESS, &placement);
        assert_eq!(turns.iter().filter(|turn| turn.attempt.promotion.is_some()).count(), 4);
        assert!(turns.iter().filter(|t| t.attempt.to == Square::E8).all(|t| t.refused == bit(Square::E8)));
        assert_eq!(
            "e7e8q".parse(),
            Ok(turns.iter().find(|t| t.attempt.promotion.is_some()).unwrap().attempt)
        );
        assert!("e7e8\u{e9}".parse::<Attempt>().is_err());
    }
}
