//! What men are worth.
//!
//! Approaches B and C of the paper only count: "how many pieces the player has left, minus the number of enemy pieces left" (Ciancarini and
//! Favini 2010, section 5.2). That gives no reason to go forward, so the standard here is the usual scale of chess with
//! pawns that gain as they come on, as they do in the program's static evaluation; the count is an option.

use nebel_kriegspiel::{Color, OwnMen, Role, Square};

use nebel_belief::matrices::Matrices;

/// A scale of values, in pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
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
            (_, Role::King) => KING,
            (Worth::Count, Role::Pawn) => 1.0,
            (Worth::Count, Role::Knight) => 1.5,
            (Worth::Count, Role::Bishop) => 2.0,
            (Worth::Count, Role::Rook) => 2.5,
            (Worth::Classic, Role::Pawn) => {
                let steps = color.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32());
                ADVANCED[steps as usize]
            }
            (Worth::Count, Role::Queen) | (Worth::Classic, Role::Knight | Role::Bishop) => 3.0,
            (Worth::Classic, Role::Rook) => 5.0,
            (Worth::Classic, Role::Queen) => 9.0,
        }
    }

    /// What a hidden pawn is worth.
    pub const fn hidden_pawn(self) -> f32 {
        match self {
            Worth::Count => 0.8,
            Worth::Classic => 1.0,
        }
    }

    /// What a hidden piece is worth: the mean of seven.
    pub const fn hidden_piece(self) -> f32 {
        match self {
            Worth::Count => 0.8 * 15.0 / 7.0,
            Worth::Classic => 31.0 / 7.0,
        }
    }

    /// The balance: own men less hidden men.
    pub fn balance(self, men: &OwnMen, hidden: &Matrices) -> f32 {
        self.own(men) - self.hidden(hidden)
    }

    /// Whether the own men are worth clearly more than the hidden ones.
    pub fn is_ahead(self, men: &OwnMen, hidden: &Matrices) -> bool {
        self.own(men) > AHEAD * self.hidden(hidden)
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

/// The king cannot be captured, but nobody likes to capture with him.
const KING: f32 = 20.0;
/// A pawn by its rank.
const ADVANCED: [f32; 8] = [1.0, 1.0, 1.02, 1.05, 1.15, 1.4, 2.0, 9.0];
/// How much more the own men must be worth.
const AHEAD: f32 = 1.1;
