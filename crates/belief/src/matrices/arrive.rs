//! The other side captures: who came, and from where.

use nebel_kriegspiel::{Bitboard, OwnMen, Square};
use shakmaty::attacks;

use super::{
    Matrices,
    geometry::{RAYS, pawn_origins},
    numbers::NUMBERS,
};

impl Matrices {
    /// A hidden man captured on `square`, where an own man stood `before`. By how likely each could come: a pawn (not if his
    /// side was told that no pawn captures), the king, a piece.
    pub fn arrive(&mut self, square: Square, before: &OwnMen, has_tries: Option<bool>) {
        let own = before.squares();
        let pawns = if has_tries == Some(false) { Bitboard::EMPTY } else { pawn_origins(self.color, square) };
        let kings = attacks::king_attacks(square);
        // A side that has a pawn capture nearly always makes it.
        let keen = if has_tries == Some(true) { NUMBERS.keen_pawn } else { 1.0 };
        let pawn = keen * pawns.into_iter().map(|at| self.pawn[at.to_usize()]).sum::<f32>();
        let king: f32 = NUMBERS.shy_king * kings.into_iter().map(|at| self.king[at.to_usize()]).sum::<f32>();
        let piece = self.line_control(square, own);
        let sum = pawn + king + piece;
        let [pawn, king, piece] =
            if sum > 1e-6 { [pawn / sum, king / sum, piece / sum] } else { [0.0, 0.0, 1.0] };
        take(&mut self.pawn, pawns.into_iter().map(|at| (at.to_usize(), 1.0)), pawn);
        take(&mut self.king, kings.into_iter().map(|at| (at.to_usize(), 1.0)), king);
        let from = self.line_origins(square, own);
        take(&mut self.piece, from.into_iter(), piece);
        let at = square.to_usize();
        (self.king[at], self.pawn[at], self.piece[at]) = (king, pawn, piece);
        if square.rank() == self.color.fold_wb(nebel_kriegspiel::Rank::Eighth, nebel_kriegspiel::Rank::First)
        {
            // A pawn that captures on the last rank is a piece now.
            self.pawn[at] = 0.0;
            self.piece[at] += pawn;
            self.pawns = (self.pawns - pawn).max(0.0);
            self.pieces += pawn;
        }
    }

    /// A pawn was promoted: one pawn less, one piece more, on the last rank.
    pub fn promote(&mut self) {
        if self.pawns >= 1.0 {
            self.pawns -= 1.0;
            self.pieces += 1.0;
        }
    }

    /// The king does not stand on these squares.
    pub fn found_no_king(&mut self, squares: Bitboard) {
        for square in squares {
            self.king[square.to_usize()] = 0.0;
        }
    }

    fn line_origins(&self, square: Square, own: Bitboard) -> Vec<(usize, f32)> {
        let mut origins: Vec<(usize, f32)> =
            attacks::knight_attacks(square).into_iter().map(|at| (at.to_usize(), NUMBERS.knights)).collect();
        for ray in &RAYS[square.to_usize()] {
            let mut open = NUMBERS.on_lines;
            for at in ray.squares() {
                if own.0 >> at & 1 != 0 {
                    break;
                }
                origins.push((at, open));
                open *= self.empty[at];
            }
        }
        origins
    }
}

/// Takes `mass` away from where it may have come from, in proportion.
fn take(values: &mut [f32; 64], from: impl Iterator<Item = (usize, f32)> + Clone, mass: f32) {
    let sum: f32 = from.clone().map(|(at, weight)| weight * values[at]).sum();
    if sum > 1e-6 {
        for (at, weight) in from {
            values[at] = (values[at] - mass * weight * values[at] / sum).max(0.0);
        }
    }
}
