//! The opponent's unseen move: densities spread (Ciancarini and Favini 2010, section 5.2 and Figure 7).
//!
//! Every man is as likely to be moved as any other, so each moves with probability 1/(k1+k2+1). The king walks
//! to a neighbouring square, pawns go forward, pieces move within the runs of squares that no own man shuts, and
//! by the knight's jump. Where the model of the opponent knows that a kind of man tends towards a
//! square at this time, the square attracts more ([`Attraction`]); without a model all squares are equal.

use nebel_kriegspiel::{Bitboard, Color, Square};
use shakmaty::attacks;

use super::{Matrices, Squares, numbers::NUMBERS};

/// How attractive squares are to the king, the pawns and the pieces of a side at one time: the gradients of its
/// densities, scaled and centred, never below a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Attraction {
    /// To the king.
    pub king: Squares,
    /// To pawns.
    pub pawn: Squares,
    /// To pieces.
    pub piece: Squares,
}

impl Attraction {
    /// No square attracts more than another.
    pub const EVEN: Attraction = Attraction { king: [1.0; 64], pawn: [1.0; 64], piece: [1.0; 64] };
}

/// How an unseen move spreads the densities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spreading {
    /// Every man is as likely to move as any other; a piece along each kind of line, or by the knight's jump, by its share of moves.
    Each,
    /// As the paper prints it.
    Printed,
    /// As printed, with the probability that a given man moves in place of that some man of its kind does.
    Corrected,
}

/// Lines by direction, each square with its neighbours' order: starts and steps of the ranks, files and diagonals.
static LINES: [Line; 42] = lines();

#[derive(Clone, Copy)]
struct Line {
    start: u8,
    step: i8,
    len: u8,
}

impl Matrices {
    /// An unseen move of these men, nothing captured. Sums stay as they are but for pawns that reach the last rank,
    /// which are pieces from then on. The caller normalises.
    pub fn spread(&mut self, attraction: &Attraction, own: Bitboard) {
        let each = 1.0 / (self.pawns + self.pieces + 1.0);
        self.spread_king(&attraction.king, own, each);
        self.spread_pieces(&attraction.piece, own, each);
        self.spread_pawns(&attraction.pawn, own, each);
    }

    fn spread_king(&mut self, attraction: &Squares, own: Bitboard, moves: f32) {
        let before = self.king;
        for (at, &mass) in before.iter().enumerate() {
            if mass < 1e-4 {
                continue;
            }
            let targets = attacks::king_attacks(Square::new(at as u32)) & !own;
            let weight =
                |to: Square| attraction[to.to_usize()] * (self.empty[to.to_usize()] + NUMBERS.held_attracts);
            let sum: f32 = targets.into_iter().map(weight).sum();
            if sum <= 0.0 {
                continue;
            }
            let share = mass * moves / sum;
            for to in targets {
                self.king[to.to_usize()] += share * weight(to);
            }
            self.king[at] -= mass * moves;
        }
    }

    fn spread_pieces(&mut self, attraction: &Squares, own: Bitboard, moves: f32) {
        let mut pull = [0.0; 64];
        for (at, pull) in pull.iter_mut().enumerate() {
            *pull = if own.0 >> at & 1 == 0 {
                attraction[at] * (self.empty[at] + NUMBERS.held_attracts)
            } else {
                0.0
            };
        }
        let before = self.piece;
        let on_lines = moves * NUMBERS.along_a_line;
        for_each_run(own, |run| self.walk(&before, &pull, run, on_lines));
        let by_jump = moves * NUMBERS.by_a_jump;
        for (at, &mass) in before.iter().enumerate() {
            if mass < 1e-3 {
                continue;
            }
            let targets = attacks::knight_attacks(Square::new(at as u32));
            let sum: f32 = targets.into_iter().map(|to| pull[to.to_usize()]).sum();
            if sum > 1e-6 {
                let share = mass * by_jump / sum;
                for to in targets {
                    self.piece[to.to_usize()] += share * pull[to.to_usize()];
                }
                self.piece[at] -= mass * by_jump;
            }
        }
    }

    /// The fast random walk over one run: every square gives its share to the others, by how much they attract.
    fn walk(&mut self, before: &Squares, pull: &Squares, run: &[usize], moves: f32) {
        let (mut mass, mut sum) = (0.0, 0.0);
        for &at in run {
            mass += before[at];
            sum += pull[at];
        }
        if mass < 1e-3 || sum < 1e-6 {
            return;
        }
        // Each gives `moves` of its mass to the whole run, itself included: its own part comes back to it.
        let share = moves * mass / sum;
        for &square in run {
            self.piece[square] += share * pull[square] - moves * before[square];
        }
    }

    pub(super) fn spread_pawns(&mut self, attraction: &Squares, own: Bitboard, moves: f32) {
        let forward: i32 = if self.color == Color::White { 8 } else { -8 };
        let (home, last) = if self.color == Color::White { (1, 7) } else { (6, 0) };
        let before = self.pawn;
        for (at, &mass) in before.iter().enumerate() {
            let one = at as i32 + forward;
            if mass < 1e-4 || !(0..64).contains(&one) || own.0 >> one & 1 != 0 {
                continue;
            }
            let one = one as usize;
            let step = attraction[one] * self.empty[one];
            let two = (one as i32 + forward) as usize;
            let leaps = at / 8 == home && own.0 >> two & 1 == 0;
            let leap = if leaps { attraction[two] * self.empty[one] * self.empty[two] } else { 0.0 };
            if step + leap < 1e-6 {
                continue;
            }
            let mass = mass * moves;
            self.pawn[at] -= mass;
            let stepped = mass * step / (step + leap);
            if one / 8 == last {
                self.piece[one] += stepped;
                self.pieces += stepped;
                self.pawns = (self.pawns - stepped).max(0.0);
            } else {
                self.pawn[one] += stepped;
            }
            if leaps {
                self.pawn[two] += mass - stepped;
            }
        }
    }
}

/// Calls `each` with every run of two or more squares of a line on which no own man stands (Figure 7).
#[inline]
pub(super) fn for_each_run(own: Bitboard, mut each: impl FnMut(&[usize])) {
    for line in &LINES {
        let mut run = [0; 8];
        let mut long = 0;
        for index in 0..=line.len {
            let at = i16::from(line.start) + i16::from(line.step) * i16::from(index);
            if index < line.len && own.0 >> at & 1 == 0 {
                run[long] = at as usize;
                long += 1;
            } else {
                if long > 1 {
                    each(&run[..long]);
                }
                long = 0;
            }
        }
    }
}

const fn lines() -> [Line; 42] {
    let mut all = [Line { start: 0, step: 1, len: 8 }; 42];
    let mut count = 0;
    let mut index = 0;
    while index < 8 {
        all[count] = Line { start: index * 8, step: 1, len: 8 };
        all[count + 1] = Line { start: index, step: 8, len: 8 };
        count += 2;
        index += 1;
    }
    // Diagonals of at least two squares: from the first rank and the sides.
    let mut at = 0_u8;
    while at < 7 {
        all[count] = Line { start: at, step: 9, len: 8 - at };
        all[count + 1] = Line { start: 7 - at, step: 7, len: 8 - at };
        count += 2;
        if at > 0 {
            all[count] = Line { start: at * 8, step: 9, len: 8 - at };
            all[count + 1] = Line { start: at * 8 + 7, step: 7, len: 8 - at };
            count += 2;
        }
        at += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Position};

    use super::*;

    #[test]
    fn every_square_lies_on_its_lines() {
        let mut seen = [0; 64];
        for line in &LINES {
            for index in 0..line.len {
                seen[(i16::from(line.start) + i16::from(line.step) * i16::from(index)) as usize] += 1;
            }
        }
        // Corners lie on one diagonal of two squares or more, all others on two.
        for (at, count) in seen.into_iter().enumerate() {
            let is_corner = [0, 7, 56, 63].contains(&at);
            assert_eq!(count, if is_corner { 3 } else { 4 }, "{at}");
        }
    }

    #[test]
    fn a_spread_keeps_every_sum_and_takes_nothing_that_is_not_there() {
        let start = Chess::new();
        let own = start.us();
        let mut matrices = Matrices::of(&start, Color::Black);
        for _ in 0..40 {
            matrices.spread(&Attraction::EVEN, own);
            matrices.normalise(own);
            let sum = |values: &Squares| values.iter().sum::<f32>();
            assert!((sum(&matrices.king) - 1.0).abs() < 1e-3);
            assert!((sum(&matrices.pawn) - matrices.pawns).abs() < 1e-2);
            assert!((sum(&matrices.piece) - matrices.pieces).abs() < 1e-2);
            assert!((matrices.pawns + matrices.pieces - 15.0).abs() < 1e-2);
            let all = [&matrices.king, &matrices.pawn, &matrices.piece];
            assert!(all.iter().all(|values| values.iter().all(|value| (-1e-6..=1.0).contains(value))));
        }
        assert!(matrices.man(Square::E5) > 0.05 && matrices.man(Square::E2) == 0.0);
    }
}
