//! The lines of the board as lists of squares, walked outwards from a square.

use nebel_kriegspiel::{Bitboard, Color, Square};
use shakmaty::attacks;

/// Up to seven squares in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    squares: [u8; 7],
    len: u8,
}

impl Ray {
    /// The squares, the nearest first.
    #[inline]
    pub fn squares(&self) -> impl Iterator<Item = usize> + '_ {
        self.squares[..usize::from(self.len)].iter().map(|&square| usize::from(square))
    }
}

/// File and rank steps of the eight directions.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// For every square its eight rays.
pub(crate) static RAYS: [[Ray; 8]; 64] = rays();

const fn rays() -> [[Ray; 8]; 64] {
    let mut all = [[Ray { squares: [0; 7], len: 0 }; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (file_step, rank_step) = STEPS[direction];
            let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                let ray = &mut all[square][direction];
                ray.squares[ray.len as usize] = (rank * 8 + file) as u8;
                ray.len += 1;
                file += file_step;
                rank += rank_step;
            }
            direction += 1;
        }
        square += 1;
    }
    all
}

/// The ray from `from` on which `to` lies, if they are on a common line.
pub fn ray_towards(from: Square, to: Square) -> Option<&'static Ray> {
    let files = i32::from(to.file()) - i32::from(from.file());
    let ranks = i32::from(to.rank()) - i32::from(from.rank());
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return None;
    }
    let step = (files.signum() as i8, ranks.signum() as i8);
    let direction = STEPS.iter().position(|&known| known == step)?;
    Some(&RAYS[from.to_usize()][direction])
}

/// The squares from which a pawn of `color` captures on `square`.
#[inline]
pub fn pawn_origins(color: Color, square: Square) -> Bitboard {
    attacks::pawn_attacks(!color, square)
}

/// The rank on which pawns of `color` are promoted, and that behind their start, on neither of which they stand.
pub const NO_PAWNS: Bitboard = Bitboard::BACKRANKS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_are_the_lines_of_the_chess_library() {
        for square in Square::ALL {
            let all: Bitboard = RAYS[square.to_usize()]
                .iter()
                .flat_map(Ray::squares)
                .map(|square| Square::new(square as u32))
                .collect();
            assert_eq!(all, attacks::queen_attacks(square, Bitboard::EMPTY));
        }
        assert!(ray_towards(Square::A1, Square::B3).is_none());
        assert_eq!(ray_towards(Square::A1, Square::C3).unwrap().squares().next(), Some(9));
    }
}
