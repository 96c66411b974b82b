//! Belief matrices: how probably a hidden king, pawn or piece stands on each square (Ciancarini and
//! Favini 2010, section 5.2).
//!
//! Three matrices of 64 numbers, `Pk`, `Pw` and `Pc` in the paper: king, pawn, and any other man, because
//! umpires hardly ever tell the pieces apart. Their sums are the men that are left: one king, so many pawns,
//! so many pieces (real numbers, since a pawn may have been promoted unseen). Correlations are not kept.
//!
//! | what | module |
//! |---|---|
//! | the numbers, kept normalised | this |
//! | how many hidden men bear on a square | [`control`] |
//! | the opponent's unseen move | [`spread`], as it is printed `printed` |
//! | evidence: squares found empty or held, checks, tries | [`evidence`] |
//! | a player's own matrices, taught by its view | [`MatrixTracker`] |

mod arrive;
pub mod control;
pub mod evidence;
pub mod geometry;
mod listener;
mod numbers;
mod printed;
pub mod spread;

pub use listener::MatrixTracker;

use nebel_kriegspiel::{Bitboard, Chess, Color, Kind, Position, Role, Square};

use crate::marginals::{Man, Marginals};

use self::geometry::NO_PAWNS;

/// A number for every square.
pub type Squares = [f32; 64];

/// What is believed of the hidden men of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrices {
    /// Whose men these are.
    color: Color,
    pub(crate) king: Squares,
    pub(crate) pawn: Squares,
    pub(crate) piece: Squares,
    /// The probability that a square is empty, from the three others.
    pub(crate) empty: Squares,
    /// The pawns left.
    pub(crate) pawns: f32,
    /// The pieces left.
    pub(crate) pieces: f32,
}

impl Matrices {
    /// The men of `color` in a position that is known.
    pub fn of(position: &Chess, color: Color) -> Matrices {
        let board = position.board();
        let men = board.by_color(color);
        let squares = |wanted: Bitboard| -> Squares {
            std::array::from_fn(|square| f32::from(u8::from(wanted.contains(Square::new(square as u32)))))
        };
        let (king, pawn) = (men & board.kings(), men & board.pawns());
        let piece = men & !board.kings() & !board.pawns();
        let mut matrices = Matrices {
            color,
            king: squares(king),
            pawn: squares(pawn),
            piece: squares(piece),
            empty: [0.0; 64],
            pawns: pawn.count() as f32,
            pieces: piece.count() as f32,
        };
        matrices.refresh();
        matrices
    }

    /// Matrices that know how many men there are and nothing else: every square that the own men leave free is as
    /// likely as any other.
    #[must_use]
    pub fn uniform(&self, own: Bitboard) -> Matrices {
        let mut matrices = Matrices { king: [1.0; 64], pawn: [1.0; 64], piece: [1.0; 64], ..self.clone() };
        matrices.normalise(own);
        matrices
    }

    /// Whose men these are.
    #[inline]
    pub fn color(&self) -> Color {
        self.color
    }

    /// The probability that the king stands there.
    #[inline]
    pub fn king(&self, square: Square) -> f32 {
        self.king[square.to_usize()]
    }

    /// The probability that a pawn stands there.
    #[inline]
    pub fn pawn(&self, square: Square) -> f32 {
        self.pawn[square.to_usize()]
    }

    /// The probability that a piece stands there.
    #[inline]
    pub fn piece(&self, square: Square) -> f32 {
        self.piece[square.to_usize()]
    }

    /// The probability that nothing hidden stands there.
    #[inline]
    pub fn empty(&self, square: Square) -> f32 {
        self.empty[square.to_usize()]
    }

    /// The probability that a pawn or a piece stands there.
    #[inline]
    pub fn man(&self, square: Square) -> f32 {
        (self.pawn[square.to_usize()] + self.piece[square.to_usize()]).min(1.0)
    }

    /// The probabilities of all squares.
    pub fn marginals(&self) -> Marginals {
        let mut marginals = Marginals::default();
        for square in Square::ALL {
            marginals.set(square, Man::Of(Role::King), self.king(square).into());
            marginals.set(square, Man::Of(Role::Pawn), self.pawn(square).into());
            marginals.set(square, Man::Piece, self.piece(square).into());
        }
        marginals
    }

    /// Pawns and pieces left; the pawns may be fewer and the pieces more, by promotion.
    #[inline]
    pub fn left(&self) -> (f32, f32) {
        (self.pawns, self.pieces)
    }

    /// A pawn or piece less: what was captured on `square`, as far as it was said.
    pub fn capture(&mut self, square: Square, kind: Option<Kind>) {
        let at = square.to_usize();
        let (pawn, piece) = (self.pawn[at].max(1e-6), self.piece[at].max(1e-6));
        let pawn_share = match kind {
            Some(Kind::Pawn) => 1.0,
            Some(Kind::Piece) => 0.0,
            None => pawn / (pawn + piece),
        };
        // A piece that falls when none was left had been a pawn, and the other way round by rounding.
        let from_pawns = pawn_share.min(self.pawns).max(1.0 - self.pieces).clamp(0.0, 1.0);
        self.pawns = (self.pawns - from_pawns).max(0.0);
        self.pieces = (self.pieces - (1.0 - from_pawns)).max(0.0);
        (self.king[at], self.pawn[at], self.piece[at]) = (0.0, 0.0, 0.0);
    }

    /// Says how many men there are left besides the king. Rounding must not let one appear.
    pub fn set_left(&mut self, men: u32) {
        let sum = self.pawns + self.pieces;
        if men == 0 || sum <= 0.0 {
            (self.pawns, self.pieces) = (0.0, men as f32);
        } else {
            let factor = men as f32 / sum;
            self.pawns *= factor;
            self.pieces *= factor;
        }
    }

    /// Brings every matrix to its sum, with nothing on the squares of `own` men.
    pub fn normalise(&mut self, own: Bitboard) {
        let free = !own;
        rescale(&mut self.king, 1.0, free);
        rescale(&mut self.pawn, self.pawns, free & !NO_PAWNS);
        rescale(&mut self.piece, self.pieces, free);
        self.refresh();
    }

    /// As [`Matrices::normalise`], and no square may hold more than one man: what is too much goes elsewhere.
    pub fn settle(&mut self, own: Bitboard) {
        for _ in 0..ROUNDS {
            self.normalise(own);
            let mut is_settled = true;
            for at in 0..64 {
                let sum = self.king[at] + self.pawn[at] + self.piece[at];
                if sum > 1.0 {
                    is_settled = is_settled && sum < 1.001;
                    for matrix in [&mut self.king, &mut self.pawn, &mut self.piece] {
                        matrix[at] /= sum;
                    }
                }
            }
            if is_settled {
                break;
            }
        }
        self.normalise(own);
    }

    /// The probability that a man of this role stands there, pieces by the share of their kind.
    #[inline]
    pub fn role(&self, role: Role, square: Square) -> f32 {
        match role {
            Role::King => self.king(square),
            Role::Pawn => self.pawn(square),
            _ => self.piece(square),
        }
    }

    fn refresh(&mut self) {
        for at in 0..64 {
            self.empty[at] = (1.0 - self.king[at] - self.pawn[at] - self.piece[at]).max(0.0);
        }
    }
}

/// How often [`Matrices::settle`] moves what is too much; twenty rounds leave less than a thousandth.
const ROUNDS: usize = 20;

/// Scales numbers to a sum, none above 1 and none outside `free`; what cannot be scaled is spread evenly.
fn rescale(values: &mut Squares, total: f32, free: Bitboard) {
    for (at, value) in values.iter_mut().enumerate() {
        if !free.contains(Square::new(at as u32)) {
            *value = 0.0;
        }
    }
    let sum: f32 = values.iter().sum();
    if total <= 0.0 {
        *values = [0.0; 64];
        return;
    }
    if sum < 1e-6 {
        let even = (total / free.count().max(1) as f32).min(1.0);
        for square in free {
            values[square.to_usize()] = even;
        }
        return;
    }
    let factor = total / sum;
    let mut has_clipped = false;
    for value in values.iter_mut() {
        *value *= factor;
        if *value > 1.0 {
            *value = 1.0;
            has_clipped = true;
        }
    }
    if has_clipped {
        fill_up(values, total, free);
    }
}

/// Spreads what clipping took away over the squares that have room, in proportion to what they hold.
fn fill_up(values: &mut Squares, total: f32, free: Bitboard) {
    for _ in 0..ROUNDS {
        let missing = total - values.iter().sum::<f32>();
        if missing <= total * 1e-5 {
            return;
        }
        let open: f32 = values.iter().filter(|&&value| value < 1.0).sum();
        if open < 1e-6 {
            // Everything that holds something is full: the rest is spread evenly over what is free.
            let room =
                free.into_iter().filter(|square| values[square.to_usize()] < 1.0).count().max(1) as f32;
            for square in free {
                let value = &mut values[square.to_usize()];
                if *value < 1.0 {
                    *value = (*value + missing / room).min(1.0);
                }
            }
            continue;
        }
        let factor = 1.0 + missing / open;
        for value in values.iter_mut().filter(|value| **value < 1.0) {
            *value = (*value * factor).min(1.0);
        }
    }
}
