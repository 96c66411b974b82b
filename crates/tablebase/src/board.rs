//! The board: a square field of 3×3 to 8×8 squares in the corner of a 64-bit mask, and its eight symmetries.
//!
//! Squares carry the chess numbering (a1 = 0, b1 = 1, a2 = 8) on every size, so a small board is the
//! lower left corner of the big one. Small boards exist to be solved exhaustively by a naive program; see
//! the tests.

use nebel_position::side::neighbours;
use shakmaty::{Bitboard, Square};

/// A set of squares, bit `i` for square `i` (a1 = 0, h8 = 63).
pub type Mask = u64;

/// A square board of `size` files and ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    size: u8,
}

impl Board {
    /// The ordinary 8×8 board.
    pub const CHESS: Board = Board { size: 8 };

    /// A board of `size` × `size` squares; `None` outside 3..=8.
    pub fn new(size: u8) -> Option<Board> {
        (3..=8).contains(&size).then_some(Board { size })
    }

    /// Files (and ranks).
    pub fn size(self) -> u8 {
        self.size
    }

    /// Every square of the board.
    pub fn squares(self) -> Mask {
        let row = (1u64 << self.size) - 1;
        (0..self.size).fold(0, |all, rank| all | row << (8 * rank))
    }

    /// Whether the square lies on the board.
    pub fn contains(self, square: Square) -> bool {
        self.squares() & bit(square) != 0
    }

    /// The union of the neighbourhoods of all squares in `set`: where a king standing in `set` can step.
    #[inline]
    pub fn neighbours(self, set: Mask) -> Mask {
        neighbours(Bitboard(set)).0 & self.squares()
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub fn step(self, square: Square, files: i32, ranks: i32) -> Option<Square> {
        let file = i32::from(square.file()) + files;
        let rank = i32::from(square.rank()) + ranks;
        let inside = 0..i32::from(self.size);
        (inside.contains(&file) && inside.contains(&rank)).then(|| Square::new((rank * 8 + file) as u32))
    }

    /// Squares whose rising (a1–h8) diagonal is the long one, and squares whose falling diagonal is.
    ///
    /// On the chess board the two sets are complements. On odd boards the diagonals through some squares
    /// are equally long; there both count as long, which keeps every symmetry of the board.
    pub(crate) fn long_diagonals(self) -> (Mask, Mask) {
        let top = i32::from(self.size) - 1;
        let mut long = (0, 0);
        for square in squares_of(self.squares()) {
            let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
            let rising = top - (file - rank).abs();
            let falling = top - (file + rank - top).abs();
            if rising >= falling {
                long.0 |= bit(square);
            }
            if falling >= rising {
                long.1 |= bit(square);
            }
        }
        long
    }
}

/// One of the eight symmetries of the board: two mirrors, then the exchange of files and ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight, the identity first; the first two keep the ranks and so suit pawns.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];
    const MIRROR: u8 = 1;
    const FLIP: u8 = 2;
    const TRANSPOSE: u8 = 4;

    /// The symmetry with this number, as [`Symmetry::number`] gave it (taken modulo eight).
    pub fn from_number(number: u8) -> Symmetry {
        Symmetry(number & 7)
    }

    /// A number from 0 to 7.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        if self.0 & Self::TRANSPOSE == 0 {
            return self;
        }
        // Exchanging files and ranks turns one mirror into the other.
        Symmetry(Self::TRANSPOSE | (self.0 & Self::MIRROR) << 1 | (self.0 & Self::FLIP) >> 1)
    }

    /// The image of a set of squares.
    #[inline]
    pub fn apply(self, board: Board, mut set: Mask) -> Mask {
        let spare = u32::from(8 - board.size);
        if self.0 & Self::MIRROR != 0 {
            set = mirror(set) >> spare;
        }
        if self.0 & Self::FLIP != 0 {
            set = set.swap_bytes() >> (8 * spare);
        }
        if self.0 & Self::TRANSPOSE != 0 {
            set = transpose(set);
        }
        set
    }

    /// The image of one square.
    pub fn apply_square(self, board: Board, square: Square) -> Square {
        Square::new(self.apply(board, bit(square)).trailing_zeros() & 63)
    }
}

/// The set of one square.
#[inline]
pub fn bit(square: Square) -> Mask {
    1 << u32::from(square)
}

/// The squares of a set in ascending order.
pub fn squares_of(mut set: Mask) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| Square::new(set.trailing_zeros()))?;
        set &= set - 1;
        Some(square)
    })
}

#[inline]
fn mirror(mut x: Mask) -> Mask {
    x = x >> 1 & 0x5555_5555_5555_5555 | (x & 0x5555_5555_5555_5555) << 1;
    x = x >> 2 & 0x3333_3333_3333_3333 | (x & 0x3333_3333_3333_3333) << 2;
    x >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (x & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Exchange of files and ranks by three rounds of block swaps.
#[inline]
fn transpose(mut x: Mask) -> Mask {
    let mut t = (x ^ x << 28) & 0x0f0f_0f0f_0000_0000;
    x ^= t ^ t >> 28;
    t = (x ^ x << 14) & 0x3333_0000_3333_0000;
    x ^= t ^ t >> 14;
    t = (x ^ x << 7) & 0x5500_5500_5500_5500;
    x ^ t ^ t >> 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_move_coordinates_as_they_say_and_have_inverses() {
        for size in 3..=8 {
            let board = Board::new(size).unwrap();
            for symmetry in Symmetry::ALL {
                for square in squares_of(board.squares()) {
                    let (mut file, mut rank) = (u8::from(square.file()), u8::from(square.rank()));
                    if symmetry.number() & 1 != 0 {
                        file = size - 1 - file;
                    }
                    if symmetry.number() & 2 != 0 {
                        rank = size - 1 - rank;
                    }
                    if symmetry.number() & 4 != 0 {
                        (file, rank) = (rank, file);
                    }
                    let image = symmetry.apply_square(board, square);
                    assert_eq!(image, Square::new(u32::from(rank * 8 + file)));
                    assert_eq!(symmetry.inverse().apply_square(board, image), square);
                }
            }
        }
    }

    #[test]
    fn neighbours_are_king_steps() {
        for size in 3..=8 {
            let board = Board::new(size).unwrap();
            for square in squares_of(board.squares()) {
                let mut steps = 0;
                for (files, ranks) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                    steps |= board.step(square, files, ranks).map_or(0, bit);
                }
                assert_eq!(board.neighbours(bit(square)), steps);
            }
        }
    }
}
