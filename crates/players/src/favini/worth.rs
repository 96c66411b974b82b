//! What men are worth.
//!
//! Approaches B and C of the paper only count: "how many pieces the player has left, minus the number of enemy pieces left" (Ciancarini and
//! Favini 2010, section 5.2). That gives no reason to go forward, so the standard here is the usual scale of chess with
//! pawns that gain as they come on, as they do in the program's static evaluation; the count is an option, by the letter of the text or
//! with the program's numbers.

use nebel_kriegspiel::{Color, OwnMen, Role, Square};

use super::numbers::NUMBERS;
use nebel_belief::matrices::Matrices;

/// A scale of values, in pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Every man 1, own and hidden, as the text counts.
    Men,
    /// Pawn 1, knight 1.5, bishop 2, rook 2.5, queen 3: the program's numbers for the paper's count.
    Count,
    /// Knight and bishop 3, rook 5, queen 9; a pawn 1 at home and more as it comes on.
    Classic,
}

impl Worth {
    /// What an own man is worth.
    #[inline]
    pub fn of(self, role: Role, square: Square, color: Color) -> f32 {
        match (self, role) {
            (_, Role::King) => NUMBERS.worth.king,
            (Worth::Men, _) => 1.0,
            (Worth::Classic, Role::Pawn) => {
                let steps = color.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32());
                NUMBERS.worth.advanced[steps as usize]
            }
            // Roles count from the pawn, which is 1.
            (Worth::Count, _) => NUMBERS.worth.count[role as usize - 1],
            (Worth::Classic, _) => NUMBERS.worth.classic[role as usize - 2],
        }
    }

    /// What a hidden pawn is worth.
    pub const fn hidden_pawn(self) -> f32 {
        match self {
            Worth::Count => NUMBERS.worth.hidden_count,
            Worth::Men | Worth::Classic => 1.0,
        }
    }

    /// What a hidden piece is worth: the mean of seven.
    pub const fn hidden_piece(self) -> f32 {
        match self {
            Worth::Men => 1.0,
            Worth::Count => NUMBERS.worth.hidden_count * NUMBERS.worth.seven_count / 7.0,
            Worth::Classic => NUMBERS.worth.seven_classic / 7.0,
        }
    }

    /// The balance: own men less hidden men.
    pub fn balance(self, men: &OwnMen, hidden: &Matrices) -> f32 {
        self.own(men) - self.hidden(hidden)
    }

    /// Whether the own men are worth clearly more than the hidden ones.
    pub fn is_ahead(self, men: &OwnMen, hidden: &Matrices) -> bool {
        self.own(men) > NUMBERS.worth.ahead * self.hidden(hidden)
    }

    fn own(self, men: &OwnMen) -> f32 {
        let squares = men.squares() & !men.by_role(Role::King);
        squares.into_iter().filter_map(|at| Some(self.of(men.role_at(at)?, at, men.color()))).sum()
    }

    fn hidden(self, hidden: &Matrices) -> f32 {
        let (pawns, pieces) = hidden.left();
        pawns * self.hidden_pawn() + pieces * self.hidden_piece()
    }
}
