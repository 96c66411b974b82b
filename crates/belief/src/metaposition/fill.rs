//! Whole sets of squares moved at once.
//!
//! A metaposition does not hold men but sets of squares where men may stand, so moves are made by shifting
//! sets: every rook that may be anywhere in a set slides at the same time.

use nebel_kriegspiel::Bitboard;

const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// One of the eight directions in which kings step and line pieces slide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ray {
    shift: i32,
    /// The file that a step in this direction cannot arrive on.
    wraps: Bitboard,
}

const fn ray(shift: i32, wraps: Bitboard) -> Ray {
    Ray { shift, wraps }
}

/// Along ranks and files, north and south first.
pub const STRAIGHT: [Ray; 4] =
    [ray(8, Bitboard::EMPTY), ray(-8, Bitboard::EMPTY), ray(1, FILE_A), ray(-1, FILE_H)];

/// Along diagonals.
pub const DIAGONAL: [Ray; 4] = [ray(9, FILE_A), ray(-7, FILE_A), ray(7, FILE_H), ray(-9, FILE_H)];

/// The squares one step away in this direction.
#[inline]
pub fn step(squares: Bitboard, ray: Ray) -> Bitboard {
    squares.shift(ray.shift) & !ray.wraps
}

/// Where line pieces on any of these squares may slide in this direction, through squares that may be free and
/// onto one of them.
#[inline]
pub fn slide(from: Bitboard, free: Bitboard, ray: Ray) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut front = step(from, ray) & free;
    while front.any() {
        reached |= front;
        front = step(front, ray) & free;
    }
    reached
}

/// The same in several directions.
#[inline]
pub fn slides(from: Bitboard, free: Bitboard, rays: &[Ray]) -> Bitboard {
    rays.iter().fold(Bitboard::EMPTY, |reached, &ray| reached | slide(from, free, ray))
}

/// The squares one step away in any of these directions.
#[inline]
pub fn steps(squares: Bitboard, rays: &[Ray]) -> Bitboard {
    rays.iter().fold(Bitboard::EMPTY, |reached, &ray| reached | step(squares, ray))
}

/// The squares a knight's move away from these.
#[inline]
pub fn knight_moves(squares: Bitboard) -> Bitboard {
    let east = step(squares, STRAIGHT[2]);
    let west = step(squares, STRAIGHT[3]);
    let far = step(east, STRAIGHT[2]) | step(west, STRAIGHT[3]);
    let near = east | west;
    near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, Square};
    use nebel_position::side::{neighbours, pawn_captures};
    use shakmaty::attacks;

    use super::*;

    #[test]
    fn sets_move_as_single_men_do() {
        let free = Bitboard(0x7e3c_ff81_a55a_ffff);
        for square in Square::ALL {
            let one = Bitboard::from_square(square);
            assert_eq!(neighbours(one), attacks::king_attacks(square), "{square}");
            assert_eq!(knight_moves(one), attacks::knight_attacks(square), "{square}");
            assert_eq!(
                pawn_captures(one, Color::White) & !Bitboard::from(square.rank()),
                attacks::pawn_attacks(Color::White, square)
            );
            let rook = slides(one, free, &STRAIGHT);
            assert_eq!(rook, attacks::rook_attacks(square, !free) & free, "{square}");
            assert_eq!(slides(one, free, &DIAGONAL), attacks::bishop_attacks(square, !free) & free);
            assert_eq!(steps(one, &STRAIGHT) | steps(one, &DIAGONAL), neighbours(one));
        }
    }
}
