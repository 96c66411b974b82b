//! What men are worth: the only notion of Kriegspiel that approaches B and C have (Ciancarini and Favini 2010,
//! section 5.2: "counting how many pieces the player has left, minus the number of enemy pieces left").

use nebel_kriegspiel::{Color, OwnMen, Role, Square};

use crate::matrix::Matrices;

/// A scale of values, in pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Pawn 1, knight 1.5, bishop 2, rook 2.5, queen 3: the later program's numbers for the paper's count.
    Count,
    /// Pawns are worth more the further they have come, rooks 3 and queens 5: the program's static evaluation. Not in the
    /// paper, which knows nothing of promotion.
    Advance,
}

impl Worth {
    /// What an own man is worth.
    #[inline]
    pub fn of(self, role: Role, square: Square, color: Color) -> f32 {
        match (self, role) {
            (_, Role::King) => KING,
            (Worth::Count, Role::Pawn) => 1.0,
            (Worth::Advance, Role::Pawn) => {
                let steps = color.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32());
                ADVANCED[steps as usize]
            }
            (_, Role::Knight) => 1.5,
            (_, Role::Bishop) => 2.0,
            (Worth::Count, Role::Rook) => 2.5,
            (Worth::Count, Role::Queen) | (Worth::Advance, Role::Rook) => 3.0,
            (Worth::Advance, Role::Queen) => 5.0,
        }
    }

    /// What a hidden pawn is worth.
    pub const fn hidden_pawn(self) -> f32 {
        match self {
            Worth::Count => 0.8,
            Worth::Advance => 0.9,
        }
    }

    /// What a hidden piece is worth: the mean of seven.
    pub const fn hidden_piece(self) -> f32 {
        match self {
            Worth::Count => 0.8 * 15.0 / 7.0,
            Worth::Advance => 0.9 * 18.0 / 7.0,
        }
    }

    /// The balance: own men less hidden men.
    pub fn balance(self, men: &OwnMen, hidden: &Matrices) -> f32 {
        let squares = men.squares() & !men.by_role(Role::King);
        let own: f32 =
            squares.into_iter().filter_map(|at| Some(self.of(men.role_at(at)?, at, men.color()))).sum();
        let (pawns, pieces) = hidden.left();
        own - pawns * self.hidden_pawn() - pieces * self.hidden_piece()
    }
}

/// The king cannot be captured, but nobody likes to capture with him.
const KING: f32 = 10.0;
/// A pawn by its rank.
const ADVANCED: [f32; 8] = [0.6, 0.8, 0.85, 0.95, 1.2, 1.7, 2.6, 5.0];
