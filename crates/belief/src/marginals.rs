//! Marginals: for every square how probable each hidden man is there, the one form in which every kind of belief can be
//! shown, compared and averaged.

use nebel_kriegspiel::{Bitboard, Role, Square};
use nebel_position::{Key, Men, Side};

/// Probabilities of hidden men by square.
///
/// A player that does not tell the pieces apart says [`Man::Piece`] for knight, bishop, rook and queen
/// together.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    probabilities: Box<[[f64; 7]; 64]>,
}

/// A hidden man, as far as a player tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Man {
    /// A man of this role.
    Of(Role),
    /// A knight, bishop, rook or queen.
    Piece,
}

impl Man {
    /// All that can be believed of a square.
    pub const ALL: [Man; 7] = [
        Man::Of(Role::Pawn),
        Man::Of(Role::Knight),
        Man::Of(Role::Bishop),
        Man::Of(Role::Rook),
        Man::Of(Role::Queen),
        Man::Of(Role::King),
        Man::Piece,
    ];

    /// The letter of the role; `?` for a piece of whatever kind.
    pub const fn char(self) -> char {
        match self {
            Man::Of(role) => role.char(),
            Man::Piece => '?',
        }
    }

    /// The word that JSON uses.
    pub const fn name(self) -> &'static str {
        match self {
            Man::Of(Role::Pawn) => "pawn",
            Man::Of(Role::Knight) => "knight",
            Man::Of(Role::Bishop) => "bishop",
            Man::Of(Role::Rook) => "rook",
            Man::Of(Role::Queen) => "queen",
            Man::Of(Role::King) => "king",
            Man::Piece => "piece",
        }
    }

    const fn index(self) -> usize {
        match self {
            Man::Of(role) => role as usize - 1,
            Man::Piece => 6,
        }
    }
}

impl Default for Marginals {
    fn default() -> Marginals {
        Marginals { probabilities: Box::new([[0.0; 7]; 64]) }
    }
}

impl Marginals {
    /// Of positions with weights that add up to one.
    pub fn of(weighted: impl Iterator<Item = (Key, f64)>) -> Marginals {
        let mut marginals = Marginals::default();
        for (key, weight) in weighted {
            let men = key.unpack();
            for role in Role::ALL {
                for square in men.by_role(role) {
                    marginals.probabilities[square.to_usize()][Man::Of(role).index()] += weight;
                }
            }
        }
        marginals
    }

    /// Of positions that all count alike; nothing anywhere if there are none.
    pub fn alike(keys: impl Iterator<Item = Key>) -> Marginals {
        let mut count = 0.0_f64;
        let mut marginals = Marginals::of(keys.map(|key| (key, 1.0)).inspect(|_| count += 1.0));
        for probability in marginals.probabilities.iter_mut().flatten() {
            *probability /= count.max(1.0);
        }
        marginals
    }

    /// The log-probability that these give to what stands on each square without an own man (king, pawn, piece or nothing), summed
    /// over squares, in nats. No probability counts as less than `least`: one square must not outweigh a board.
    pub fn log_likelihood(&self, truth: &Men, own: Bitboard, least: f64) -> f64 {
        let probability = |square| match truth.role_at(square) {
            Some(role @ (Role::King | Role::Pawn)) => self.get(square, Man::Of(role)),
            Some(_) => {
                let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(Man::Of);
                pieces.into_iter().chain([Man::Piece]).map(|man| self.get(square, man)).sum()
            }
            None => 1.0 - self.occupied(square),
        };
        (!own).into_iter().map(|square| probability(square).clamp(least, 1.0).ln()).sum()
    }

    /// The probability that this man stands there.
    pub fn get(&self, square: Square, man: Man) -> f64 {
        self.probabilities[square.to_usize()][man.index()]
    }

    /// Says how probable it is that this man stands there.
    pub fn set(&mut self, square: Square, man: Man, probability: f64) {
        self.probabilities[square.to_usize()][man.index()] = probability;
    }

    /// The probability that anything stands there.
    pub fn occupied(&self, square: Square) -> f64 {
        self.probabilities[square.to_usize()].iter().sum()
    }

    /// The man that most probably stands there, if any can.
    pub fn most_likely(&self, square: Square) -> Option<Man> {
        let possible = Man::ALL.into_iter().filter(|&man| self.get(square, man) > 0.0);
        possible.max_by(|&a, &b| self.get(square, a).total_cmp(&self.get(square, b)))
    }
}
