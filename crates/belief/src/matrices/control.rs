//! How many hidden men bear on a square, and how likely a line is open.

use nebel_kriegspiel::{Bitboard, Square};
use shakmaty::attacks;

use super::{
    Matrices,
    geometry::{RAYS, Ray, pawn_origins},
    numbers::NUMBERS,
};

impl Matrices {
    /// The expected number of hidden men that control a square (the paper's `Prob_control`): the king beside it, pawns
    /// that capture there, and 3/7 of what stands on its lines, damped by what stands between (c2), as is 2/7
    /// of what stands a knight's move away. `own` men shut lines.
    #[inline]
    pub fn control(&self, square: Square, own: Bitboard) -> f32 {
        let mut sum = self.line_control(square, own);
        for near in attacks::king_attacks(square) {
            sum += self.king[near.to_usize()];
        }
        sum + self.pawn_control(square)
    }

    /// The expected number of pawns that could capture on a square.
    #[inline]
    pub fn pawn_control(&self, square: Square) -> f32 {
        pawn_origins(self.color, square).into_iter().map(|origin| self.pawn[origin.to_usize()]).sum()
    }

    /// The part of [`Matrices::control`] that pieces have.
    pub fn line_control(&self, square: Square, own: Bitboard) -> f32 {
        let mut sum = 0.0;
        for near in attacks::knight_attacks(square) {
            sum += NUMBERS.knights * self.piece[near.to_usize()];
        }
        for ray in &RAYS[square.to_usize()] {
            sum += NUMBERS.on_lines * self.seen_along(*ray, own, &self.piece);
        }
        sum
    }

    /// What stands along a ray, each square damped by the probability that all before it are empty.
    #[inline]
    pub fn seen_along(&self, ray: Ray, own: Bitboard, of: &[f32; 64]) -> f32 {
        let (mut sum, mut open) = (0.0, 1.0);
        for at in ray.squares() {
            if own.0 >> at & 1 != 0 {
                break;
            }
            sum += open * of[at];
            open *= self.empty[at];
            if open < NUMBERS.shut {
                break;
            }
        }
        sum
    }

    /// The probability that every one of these squares is empty, taken as independent.
    #[inline]
    pub fn all_empty(&self, squares: Bitboard) -> f32 {
        squares.into_iter().map(|square| self.empty[square.to_usize()]).product()
    }

    /// Calls `each` with every square that a slider on `from` attacks and the probability that the line to it is open.
    #[inline]
    pub fn for_each_attacked(
        &self,
        from: Square,
        directions: impl Iterator<Item = usize>,
        own: Bitboard,
        mut each: impl FnMut(usize, f32),
    ) {
        for direction in directions {
            let mut open = 1.0;
            for at in RAYS[from.to_usize()][direction].squares() {
                if own.0 >> at & 1 != 0 {
                    break;
                }
                each(at, open);
                // A king does not shut the line against himself: the square behind him is attacked too.
                open *= 1.0 - (self.pawn[at] + self.piece[at]).min(1.0);
                if open < NUMBERS.shut {
                    break;
                }
            }
        }
    }
}
