//! Directions of check, as the umpire names them: seen from the checked king.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// Where a check comes from.
///
/// `Long` is the longer of the two whole diagonals through the king's square; they never tie,
/// because their lengths differ in parity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Direction {
    /// By a knight.
    Knight,
    /// Along the rank.
    Rank,
    /// Along the file.
    File,
    /// Along the longer diagonal.
    Long,
    /// Along the shorter diagonal.
    Short,
}

impl Direction {
    /// All directions in the order in which they are announced.
    pub const ALL: [Direction; 5] =
        [Direction::Knight, Direction::Rank, Direction::File, Direction::Long, Direction::Short];

    /// The direction of a check on a king by a man of this role.
    pub fn of_check(king: Square, checker: Square, role: Role) -> Direction {
        if role == Role::Knight {
            Direction::Knight
        } else if king.rank() == checker.rank() {
            Direction::Rank
        } else if king.file() == checker.file() {
            Direction::File
        } else if is_on_long_diagonal(king, checker) {
            Direction::Long
        } else {
            Direction::Short
        }
    }

    /// The squares from which a check in this direction comes, were nothing between.
    pub fn line(self, king: Square) -> Bitboard {
        let diagonals = || attacks::bishop_attacks(king, Bitboard::EMPTY);
        let straight = || attacks::rook_attacks(king, Bitboard::EMPTY);
        let is_long_rising = RISING_IS_LONG.contains(king);
        match self {
            Direction::Knight => attacks::knight_attacks(king),
            Direction::Rank => straight() & Bitboard::from(king.rank()),
            Direction::File => straight() & Bitboard::from(king.file()),
            Direction::Long | Direction::Short if is_long_rising == (self == Direction::Long) => {
                diagonals() & rising_through(king)
            }
            Direction::Long | Direction::Short => diagonals() & !rising_through(king),
        }
    }

    /// Whether a man of this role can give such a check.
    pub const fn is_given_by(self, role: Role) -> bool {
        match self {
            Direction::Knight => matches!(role, Role::Knight),
            Direction::Rank | Direction::File => matches!(role, Role::Rook | Role::Queen),
            Direction::Long | Direction::Short => matches!(role, Role::Bishop | Role::Queen | Role::Pawn),
        }
    }

    /// Squares that a man of this role attacks, divided by the direction from which a king there is checked; in the order
    /// of [`Direction::ALL`].
    #[inline]
    pub fn divide(role: Role, from: Square, attacked: Bitboard) -> [Bitboard; 5] {
        if role == Role::Knight {
            return [attacked, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY];
        }
        let (rank, file) = (Bitboard::from(from.rank()), Bitboard::from(from.file()));
        let diagonal = attacked & !rank & !file;
        let rising = diagonal & rising_through(from);
        let long = (rising & RISING_IS_LONG) | (diagonal & !rising & !RISING_IS_LONG);
        [Bitboard::EMPTY, attacked & rank, attacked & file, long, diagonal & !long]
    }

    /// The word in transcripts.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Knight => "knight",
            Direction::Rank => "rank",
            Direction::File => "file",
            Direction::Long => "long",
            Direction::Short => "short",
        }
    }

    /// The words of the canonical announcement.
    pub const fn words(self) -> &'static str {
        match self {
            Direction::Knight => "Knight",
            Direction::Rank => "Rank",
            Direction::File => "File",
            Direction::Long => "Long Diagonal",
            Direction::Short => "Short Diagonal",
        }
    }
}

/// Whether a square diagonal to the king lies on the longer diagonal through the king.
fn is_on_long_diagonal(king: Square, checker: Square) -> bool {
    let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
    let rises = (i32::from(checker.file()) - file) == (i32::from(checker.rank()) - rank);
    rises == RISING_IS_LONG.contains(king)
}

/// The squares on which the rising diagonal is the long one: the nearer the middle of the board, the longer.
const RISING_IS_LONG: Bitboard = {
    let mut squares = 0;
    let mut index: i32 = 0;
    while index < 64 {
        let (file, rank) = (index % 8, index / 8);
        if (file - rank).abs() < (file + rank - 7).abs() {
            squares |= 1 << index;
        }
        index += 1;
    }
    Bitboard(squares)
};

/// The rising diagonal through a square.
fn rising_through(square: Square) -> Bitboard {
    let shift = i32::from(square.rank()) - i32::from(square.file());
    let main: u64 = 0x8040_2010_0804_0201;
    // Ranks shifted off the board are lost, and no file is left.
    Bitboard(if shift >= 0 { main << (8 * shift) } else { main >> (-8 * shift) })
}

/// A set of directions: none, one, or two when the check is double.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Directions(u8);

impl Directions {
    /// No check.
    pub const NONE: Directions = Directions(0);

    /// The checks on the king of `color`.
    #[inline]
    pub fn on_king(board: &Board, color: Color) -> Directions {
        let Some(king) = board.king_of(color) else {
            return Directions::NONE;
        };
        let mut directions = Directions::NONE;
        for checker in board.attacks_to(king, !color, board.occupied()) {
            let role = board.role_at(checker).unwrap_or(Role::Queen);
            directions.insert(Direction::of_check(king, checker, role));
        }
        directions
    }

    /// Adds a direction.
    pub const fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction as u8;
    }

    /// Whether the direction is among these.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// Whether there is no check.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as five bits, for compact keys.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The directions in the order in which they are announced.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Directions {
        let mut set = Directions::NONE;
        directions.into_iter().for_each(|direction| set.insert(direction));
        set
    }
}

impl fmt::Display for Directions {
    /// `Rank and Short Diagonal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, direction) in self.iter().enumerate() {
            let joint = if index == 0 { "" } else { " and " };
            write!(f, "{joint}{}", direction.words())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_diagonal_is_long() {
        let direction = |king, checker| Direction::of_check(king, checker, Role::Bishop);
        assert_eq!(direction(Square::A1, Square::H8), Direction::Long);
        assert_eq!(direction(Square::G8, Square::H7), Direction::Short);
        assert_eq!(direction(Square::G8, Square::A2), Direction::Long);
        assert_eq!(direction(Square::E1, Square::H4), Direction::Short);
        assert_eq!(direction(Square::E1, Square::A5), Direction::Long);
    }

    #[test]
    fn lines_and_divided_attacks_agree_with_the_direction_of_a_check() {
        for (king, from) in Square::ALL.into_iter().flat_map(|king| Square::ALL.map(|from| (king, from))) {
            for role in [Role::Knight, Role::Queen] {
                let attacked = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    _ => attacks::queen_attacks(from, Bitboard::EMPTY),
                };
                let divided = Direction::divide(role, from, attacked);
                for direction in Direction::ALL.into_iter().filter(|direction| direction.is_given_by(role)) {
                    let checks =
                        attacked.contains(king) && Direction::of_check(king, from, role) == direction;
                    assert_eq!(divided[direction as usize].contains(king), checks, "{role:?} {from} {king}");
                    assert_eq!(direction.line(king).contains(from), checks, "{role:?} {from} {king}");
                }
            }
        }
    }

    #[test]
    fn the_two_diagonals_never_tie() {
        for king in Square::ALL {
            let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
            assert_ne!((file - rank).abs(), (file + rank - 7).abs());
        }
    }
}
