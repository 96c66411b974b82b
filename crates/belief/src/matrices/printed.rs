//! The unseen move as Ciancarini and Favini (2010, section 5.2 and Figure 7) print it.
//!
//! With k1 pawns and k2 pieces left, n = k1 + k2 + 1:
//!
//! ```text
//! P_king = 1/n    P_pawn = k1/n    P_piece = k2/n
//! Pk(t+1) = (1 − P_king) Pk(t) + P_king · Σ over the nine squares around of f · Pk(t)
//! Pc(t+1) = (1 − P_piece) Pc(t) + c1 · P_piece · Σ over the lines of c2 · Pc(t)    c1 = 3/7, c2 = 1/(k − 1)
//! ```
//!
//! f scales and centres the model's gradients, so that their sum is 1; pawns go forward as a one-way chain; along the lines every run of k
//! squares without an own man is a fast random walk. The sums are not kept: the matrices are normalised afterwards, as the paper
//! says. Knights have no move of their own in the text.
//!
//! `P_pawn` and `P_piece` are probabilities that *some* pawn or piece moves, but stand where the probability of a given one is
//! wanted: with eight pawns every one of them would go forward every other move. [`Spreading::Corrected`] has 1/n there.

use nebel_kriegspiel::{Bitboard, Square};
use shakmaty::attacks;

use super::{
    Matrices, Squares,
    numbers::NUMBERS,
    spread::{Attraction, Spreading, for_each_run},
};

impl Matrices {
    /// An unseen move in one of these ways. The caller normalises.
    pub fn spread_as(&mut self, how: Spreading, attraction: &Attraction, own: Bitboard) {
        let men = self.pawns + self.pieces + 1.0;
        let (pawn, piece) = match how {
            Spreading::Each => return self.spread(attraction, own),
            Spreading::Printed => (self.pawns / men, self.pieces / men),
            Spreading::Corrected => (1.0 / men, 1.0 / men),
        };
        self.walk_king(&attraction.king, own, 1.0 / men);
        self.sweep_pieces(&attraction.piece, own, piece.min(1.0));
        self.spread_pawns(&attraction.pawn, own, pawn.min(1.0));
    }

    fn walk_king(&mut self, f: &Squares, own: Bitboard, moves: f32) {
        let before = self.king;
        for to in !own {
            let around = (attacks::king_attacks(to) | Bitboard::from_square(to)) & !own;
            let sum: f32 = around.into_iter().map(|from| f[from.to_usize()]).sum();
            // Where nothing attracts, all permissible squares are equal.
            let weight = |from: Square| {
                if sum > 1e-6 { f[from.to_usize()] / sum } else { 1.0 / around.count() as f32 }
            };
            let came: f32 = around.into_iter().map(|from| weight(from) * before[from.to_usize()]).sum();
            self.king[to.to_usize()] = (1.0 - moves) * before[to.to_usize()] + moves * came;
        }
    }

    fn sweep_pieces(&mut self, f: &Squares, own: Bitboard, moves: f32) {
        let before = self.piece;
        for value in &mut self.piece {
            *value *= 1.0 - moves;
        }
        let c1 = NUMBERS.on_lines;
        for_each_run(own, |run| {
            // With even attraction every square is given 1/(k − 1) of what each of the others holds.
            let pull: f32 = run.iter().map(|&at| f[at]).sum();
            for &to in run {
                let came: f32 = run
                    .iter()
                    .filter(|&&from| from != to)
                    .map(|&from| {
                        let others = pull - f[from];
                        let c2 = if others > 1e-6 { f[to] / others } else { 1.0 / (run.len() - 1) as f32 };
                        c2 * before[from]
                    })
                    .sum();
                self.piece[to] += c1 * moves * came;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, start};

    use super::*;

    fn near(found: f32, by_hand: f32) {
        assert!((found - by_hand).abs() < 1e-6, "{found}, by hand {by_hand}");
    }

    /// A king on a8, a rook on h8 and two pawns: n = 4, so that `P_king` = 1/4, `P_pawn` = 2/4 and `P_piece` = 1/4.
    fn board() -> (Matrices, Bitboard) {
        let position = start::position("k6r/p6p/8/8/8/8/8/K7 w - - 0 1").unwrap();
        (Matrices::of(&position, Color::Black), Bitboard::from_square(Square::A1))
    }

    #[test]
    fn the_printed_formulas_are_worked_out_by_hand() {
        let (mut matrices, own) = board();
        matrices.spread_as(Spreading::Printed, &Attraction::EVEN, own);
        // The king stays with 3/4, and of the last quarter each of the four squares around a8, itself among them, has a share.
        near(matrices.king(Square::A8), 0.75 + 0.25 / 4.0);
        // From b7 nine squares are around; the formula takes a ninth of what a8 holds.
        near(matrices.king(Square::B7), 0.25 / 9.0);
        // The rook: 3/4 stays; along the rank and the file the runs have eight squares, so that c2 = 1/7; the long diagonal
        // ends before the own king and has seven.
        near(matrices.piece(Square::H8), 0.75);
        near(matrices.piece(Square::B8), 3.0 / 7.0 * 0.25 / 7.0);
        near(matrices.piece(Square::H1), 3.0 / 7.0 * 0.25 / 7.0);
        near(matrices.piece(Square::C3), 3.0 / 7.0 * 0.25 / 6.0);
        // Pawns: half of each moves, by one or two squares alike, on a file where nothing is believed to stand.
        near(matrices.pawn(Square::A7), 0.5);
        near(matrices.pawn(Square::A6), 0.25);
        near(matrices.pawn(Square::A5), 0.25);
    }

    #[test]
    fn the_corrected_ones_give_every_man_the_same_chance() {
        let (mut matrices, own) = board();
        matrices.spread_as(Spreading::Corrected, &Attraction::EVEN, own);
        near(matrices.pawn(Square::A7), 0.75);
        near(matrices.piece(Square::H8), 0.75);
    }

    #[test]
    fn a_square_that_attracts_is_given_more_of_its_run() {
        let (mut matrices, own) = board();
        let mut attraction = Attraction::EVEN;
        attraction.piece[Square::E8.to_usize()] = 3.0;
        matrices.spread_as(Spreading::Printed, &attraction, own);
        // Of the seven other squares of the rank one weighs three: 3/9 and 1/9.
        near(matrices.piece(Square::E8), 3.0 / 7.0 * 0.25 * 3.0 / 9.0);
        near(matrices.piece(Square::B8), 3.0 / 7.0 * 0.25 / 9.0);
    }
}
