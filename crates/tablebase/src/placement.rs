//! Placements of the white men: parsing, printing, what they attack and from which direction they check.

use std::fmt;

use arrayvec::ArrayVec;
use nebel_kriegspiel::Attempt;
use nebel_position::side::attacks_of;
use shakmaty::{Bitboard, Role, Square};
use thiserror::Error;

use crate::board::{Board, Mask, Symmetry, bit, squares_of};
use crate::material::Ending;

/// The most men a side can have.
pub const MAX_PLACED: usize = 16;

/// Where White's king and men stand; men sorted strongest first, then by square.
///
/// ```
/// use nebel_tablebase::{Board, Placement};
/// let placement = Placement::parse(Board::CHESS, "Ra1 Kc3")?;
/// assert_eq!(placement.to_string(), "Kc3 Ra1");
/// # Ok::<(), nebel_tablebase::PlacementError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    king: Square,
    men: ArrayVec<(Role, Square), MAX_PLACED>,
}

/// Why men cannot stand as written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// A word that is not a man on a square.
    #[error("`{0}` is no man on a square: write them as in Kc3 Ra1")]
    Syntax(String),
    /// White needs exactly one king.
    #[error("there must be one white king, not {0}")]
    Kings(usize),
    /// Two men on one square.
    #[error("two men stand on {0}")]
    Occupied(Square),
    /// A pawn on its first or last rank.
    #[error("a pawn cannot stand on {0}")]
    Pawn(Square),
    /// A square outside a small board.
    #[error("{0} is not on the board")]
    Outside(Square),
    /// More men than a side has.
    #[error("a side has at most {MAX_PLACED} men")]
    TooMany,
}

/// Directions of check, seen from the checked king, as bits of a message; a silent answer is 0.
pub mod message {
    use nebel_kriegspiel::Direction;

    /// By a knight.
    pub const KNIGHT: u8 = bit(Direction::Knight);
    /// Along the rank.
    pub const RANK: u8 = bit(Direction::Rank);
    /// Along the file.
    pub const FILE: u8 = bit(Direction::File);
    /// Along the longer diagonal through the king.
    pub const LONG: u8 = bit(Direction::Long);
    /// Along the shorter diagonal through the king.
    pub const SHORT: u8 = bit(Direction::Short);
    /// Every direction with its name.
    pub const NAMES: [(u8, &str); 5] =
        [(KNIGHT, "knight"), (RANK, "rank"), (FILE, "file"), (LONG, "long"), (SHORT, "short")];

    /// The bit of a direction, as in [`nebel_kriegspiel::Directions::bits`].
    pub const fn bit(direction: Direction) -> u8 {
        1 << direction as u8
    }
}

impl Placement {
    /// A placement of `king` and `men`, checked against the board.
    pub fn new(
        board: Board,
        king: Square,
        men: impl IntoIterator<Item = (Role, Square)>,
    ) -> Result<Placement, PlacementError> {
        let mut placed = ArrayVec::new();
        let mut occupied = bit(king);
        if !board.contains(king) {
            return Err(PlacementError::Outside(king));
        }
        for (role, square) in men {
            if !board.contains(square) {
                return Err(PlacementError::Outside(square));
            }
            let rank = u8::from(square.rank());
            if role == Role::Pawn && (rank == 0 || rank + 1 == board.size()) {
                return Err(PlacementError::Pawn(square));
            }
            if occupied & bit(square) != 0 {
                return Err(PlacementError::Occupied(square));
            }
            if placed.len() + 1 == MAX_PLACED {
                return Err(PlacementError::TooMany);
            }
            occupied |= bit(square);
            placed.push((role, square));
        }
        Ok(Placement::sorted(king, placed))
    }

    /// Reads men like `Kc3 Ra1`, separated by blanks or commas, in any order.
    pub fn parse(board: Board, text: &str) -> Result<Placement, PlacementError> {
        let mut men = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let syntax =
                || PlacementError::Syntax(word.chars().take(20).flat_map(char::escape_debug).collect());
            let mut letters = word.chars();
            let role = letters.next().and_then(Role::from_char).ok_or_else(syntax)?;
            let square = letters.as_str().parse().map_err(|_| syntax())?;
            men.push((role, square));
        }
        let kings: Vec<Square> = men.iter().filter(|man| man.0 == Role::King).map(|man| man.1).collect();
        let &[king] = kings.as_slice() else {
            return Err(PlacementError::Kings(kings.len()));
        };
        Placement::new(board, king, men.into_iter().filter(|man| man.0 != Role::King))
    }

    fn sorted(king: Square, mut men: ArrayVec<(Role, Square), MAX_PLACED>) -> Placement {
        men.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Placement { king, men }
    }

    /// White's king.
    pub fn king(&self) -> Square {
        self.king
    }

    /// The men besides the king.
    pub fn men(&self) -> &[(Role, Square)] {
        &self.men
    }

    /// The king and then the men.
    pub fn all(&self) -> impl Iterator<Item = (Role, Square)> {
        std::iter::once((Role::King, self.king)).chain(self.men.iter().copied())
    }

    /// The man on a square; the king's role for any square without one.
    pub(crate) fn role_at(&self, square: Square) -> Role {
        self.men.iter().find(|man| man.1 == square).map_or(Role::King, |man| man.0)
    }

    /// Which ending this is.
    pub fn ending(&self) -> Ending {
        Ending::new(self.men.iter().map(|man| man.0))
    }

    /// The squares White's men stand on.
    pub fn occupied(&self) -> Mask {
        self.men.iter().fold(bit(self.king), |set, man| set | bit(man.1))
    }

    /// Every square White attacks, own men's squares (defended) included.
    ///
    /// The black king is transparent: a square behind him on a checking line is attacked too, so he may
    /// not retreat along it.
    pub fn attacked(&self, board: Board) -> Mask {
        let occupied = self.occupied();
        self.all().fold(0, |set, (role, square)| set | attacks(board, role, square, occupied))
    }

    /// Where the black king may stand with White to move.
    pub fn king_squares(&self, board: Board) -> Mask {
        board.squares() & !self.occupied() & !self.attacked(board)
    }

    /// The men the black king could take if he stood next to them.
    pub fn undefended(&self, board: Board) -> Mask {
        (self.occupied() & !bit(self.king)) & !self.attacked(board)
    }

    /// For each square attacked by a man other than the king, the directions of the check as bits of [`message`].
    pub fn check_directions(&self, board: Board) -> [u8; 64] {
        let occupied = self.occupied();
        let (rising, falling) = board.long_diagonals();
        let mut directions = [0; 64];
        for &(role, from) in &self.men {
            for to in squares_of(attacks(board, role, from, occupied)) {
                let direction = if role == Role::Knight {
                    message::KNIGHT
                } else if from.rank() == to.rank() {
                    message::RANK
                } else if from.file() == to.file() {
                    message::FILE
                } else {
                    let is_rising = (from.file() < to.file()) == (from.rank() < to.rank());
                    let long = if is_rising { rising } else { falling };
                    if long & bit(to) != 0 { message::LONG } else { message::SHORT }
                };
                directions[usize::from(to)] |= direction;
            }
        }
        directions
    }

    /// The image under a symmetry of the board.
    #[must_use]
    pub fn transformed(&self, board: Board, symmetry: Symmetry) -> Placement {
        let men =
            self.men.iter().map(|&(role, square)| (role, symmetry.apply_square(board, square))).collect();
        Placement::sorted(symmetry.apply_square(board, self.king), men)
    }

    /// The placement after the man on `from` goes to `to` and becomes `role`.
    #[must_use]
    fn moved(&self, from: Square, to: Square, role: Role) -> Placement {
        if role == Role::King {
            return Placement { king: to, men: self.men.clone() };
        }
        let moved = |man: &(Role, Square)| if man.1 == from { (role, to) } else { *man };
        Placement::sorted(self.king, self.men.iter().map(moved).collect())
    }

    /// The placement after an attempt of this placement succeeds.
    #[must_use]
    pub fn moved_by(&self, attempt: Attempt) -> Placement {
        let role = attempt.promotion.unwrap_or_else(|| self.role_at(attempt.from));
        self.moved(attempt.from, attempt.to, role)
    }

    /// The placement without the man on `square`.
    #[must_use]
    pub fn without(&self, square: Square) -> Placement {
        Placement { king: self.king, men: self.men.iter().copied().filter(|man| man.1 != square).collect() }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K{}", self.king)?;
        for (role, square) in &self.men {
            write!(f, " {}{square}", role.upper_char())?;
        }
        Ok(())
    }
}

/// The squares a white man attacks, lines ending on the first white man (included). What is not on a small board stands in the
/// way as men do.
pub(crate) fn attacks(board: Board, role: Role, from: Square, occupied: Mask) -> Mask {
    let squares = board.squares();
    attacks_of(role, from, Bitboard(occupied | !squares)).0 & squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_placements_are_refused_with_a_reason() {
        let parse = |text| Placement::parse(Board::CHESS, text).unwrap_err().to_string();
        assert_eq!(parse("Kc3 Rc3"), "two men stand on c3");
        assert_eq!(parse("Ra1"), "there must be one white king, not 0");
        assert_eq!(parse("Ka1 Kc1 Rh1"), "there must be one white king, not 2");
        assert_eq!(parse("Ka1 Pe8"), "a pawn cannot stand on e8");
        assert!(parse("Ka1 Xe8").contains("`Xe8`"));
        assert!(parse("Ka1 Re9").contains("`Re9`"));
        assert!(parse("Ka1 R\u{1f600}").contains("no man"));
    }

    #[test]
    fn the_own_king_blocks_and_the_black_king_does_not() {
        let placement = Placement::parse(Board::CHESS, "Kc1 Ra1").unwrap();
        let attacked = placement.attacked(Board::CHESS);
        assert_ne!(attacked & bit(Square::C1), 0, "the king is defended");
        assert_eq!(attacked & bit(Square::E1), 0, "the king shields what lies behind him");
        assert_eq!(placement.king_squares(Board::CHESS).count_ones(), 64 - 2 - 5 - 7);
    }
}
