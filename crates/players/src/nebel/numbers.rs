//! Every number of `nebel` that somebody chose, and where it comes from.
//!
//! *By hand* was chosen by hand, no match; matches are in `docs/champion.md`.

use crate::conversion::Drive;

/// The numbers of the player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// The share of the time that the first attempt of a turn may take: a refusal must leave some for the next. By hand.
    pub(crate) share: f64,
    /// Pawn, knight, bishop, rook, queen, and the king as a man who captures: the usual scale of chess, in pawns. A flatter one
    /// fits results better and plays worse.
    pub(crate) men: [f32; 6],
    /// What a pawn gains by its rank. By hand: without a reason to go forward nobody promotes.
    pub(crate) advanced: [f32; 8],
    /// What mate is worth: more than all material together, in pawns. By hand.
    pub(crate) mate: f32,
    /// The scale of the logistic curve from pawns to chances: so many pawns ahead are worth odds of e to one. Six by hand; against
    /// pawns themselves 136.5 of 160 points where they made 128 (`docs/champion.md`).
    pub(crate) scale: f32,
    /// How much the choice is blurred, so that games differ. By hand.
    pub(crate) noise: f32,
    /// Among so many of the best attempts a turn is planned. More are worth no more, and the best answer to few refusals is
    /// overrated.
    pub(crate) planned: usize,
    /// A branch of the game with so many positions counts half as its plan says and half as branches do. By hand.
    pub(crate) few: f32,
    /// What the own next turn gains counts by so much of it: what can be had now is taken now, since the other side moves too. By hand.
    pub(crate) later: f32,
    pub(crate) thinning: ThinningNumbers,
    /// Repetition, and moves without progress. By hand.
    pub(crate) drive: Drive,
    pub(crate) placement: PlacementNumbers,
    pub(crate) hunt: HuntNumbers,
}

/// When attempts of the own next turn are no longer compared. By hand; what it is worth stands in `docs/champion.md`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThinningNumbers {
    /// When a branch has so many positions…
    pub(crate) after: usize,
    /// …so many of the best attempts are left in it.
    pub(crate) keep: usize,
}

/// Where own men stand well. By hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacementNumbers {
    /// A knight or bishop off the first rank.
    pub(crate) developed: f32,
    /// For each square that a piece attacks on a board of its own men alone.
    pub(crate) mobile: f32,
    /// A pawn in the centre.
    pub(crate) centre: f32,
    /// The king on his first rank while the other side may have a queen or rooks.
    pub(crate) king_at_home: f32,
    /// A man that no other protects.
    pub(crate) loose: f32,
}

/// What drives the king of a side that has next to nothing left. By hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HuntNumbers {
    /// It begins when the other side has no more than so many men beside the king…
    pub(crate) men: usize,
    /// …and is behind by so many pawns.
    pub(crate) ahead: f32,
    /// For each square that his king can go to.
    pub(crate) flight: f32,
    /// For each step between the kings.
    pub(crate) distance: f32,
    /// For each step of his king from the edge.
    pub(crate) edge: f32,
}

/// The numbers that `nebel` plays with.
pub(crate) const NUMBERS: Numbers = Numbers {
    share: 0.7,
    men: [1.0, 3.0, 3.0, 5.0, 9.0, 20.0],
    advanced: [0.0, 0.0, 0.05, 0.15, 0.35, 0.8, 1.6, 0.0],
    mate: 60.0,
    scale: 6.0,
    noise: 0.03,
    planned: 4,
    few: 8.0,
    later: 0.7,
    thinning: ThinningNumbers { after: 12, keep: 10 },
    drive: Drive { again: 0.15, again_and_again: 0.3, patience: 15, impatience: 1.0 / 20.0 },
    placement: PlacementNumbers {
        developed: 0.15,
        mobile: 0.02,
        centre: 0.1,
        king_at_home: 0.3,
        loose: 0.05,
    },
    hunt: HuntNumbers { men: 4, ahead: 3.0, flight: 0.1, distance: 0.06, edge: 0.08 },
};
