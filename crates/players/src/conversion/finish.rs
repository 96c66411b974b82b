//! Finishing won games: against a bare king a player hands over to the endgame tables.
//!
//! `Finisher` of crate `tablebase` plays White; Black's board is turned over. Ciancarini and Favini's program changes its manner at the same
//! moment; here the ending is played from tables where there are some.

use std::sync::{Arc, OnceLock};

use nebel_kriegspiel::{Attempt, Bitboard, Color, OwnMen, Role, Square};
use nebel_tablebase::{
    Board, Ending, Finisher, KingBelief, Placement, SolverLimits, Store, Tables, Tie, solve,
};

/// What to try against a bare king, by tables and search.
#[derive(Debug)]
pub(crate) struct Finish {
    finisher: Finisher,
}

/// What the ending asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Advice {
    /// The attempt.
    pub(crate) attempt: Attempt,
    /// The number of moves within which mate is forced, if it is.
    pub(crate) mate_in: Option<u16>,
}

impl Finish {
    /// With the user's tables; those of one man are built if they are not there (some seconds, once).
    pub(crate) fn new() -> Finish {
        Finish { finisher: Finisher::new(tables().clone(), Tie::AverageDefender) }
    }

    /// Forgets the last game.
    pub(crate) fn new_game(&mut self) {
        self.finisher.new_game();
    }

    /// What to try with these men against a king that is alone and on one of these squares.
    pub(crate) fn advise(
        &mut self,
        men: &OwnMen,
        king_may_be: Bitboard,
        limits: SolverLimits,
    ) -> Option<Advice> {
        let finish = self.finisher.choose(&king_belief(men, king_may_be)?, limits)?;
        let Attempt { from, to, promotion } = finish.attempt;
        let color = men.color();
        let attempt = Attempt { from: turned(from, color), to: turned(to, color), promotion };
        Some(Advice { attempt, mate_in: finish.mate_in })
    }
}

impl Default for Finish {
    fn default() -> Finish {
        Finish::new()
    }
}

/// These men and where the king may be as the tables see them.
fn king_belief(men: &OwnMen, king_may_be: Bitboard) -> Option<KingBelief> {
    let turned = |square| turned(square, men.color());
    let king = men.by_role(Role::King).first().map(turned)?;
    let placed = men.squares().into_iter().filter_map(|square| Some((men.role_at(square)?, turned(square))));
    let others = placed.filter(|(role, _)| *role != Role::King);
    let placement = Placement::new(Board::CHESS, king, others).ok()?;
    let mask = king_may_be.into_iter().fold(0_u64, |mask, at| mask | 1 << turned(at).to_u32());
    KingBelief::new(placement, mask)
}

/// The square seen from the side that plays White in the tables.
fn turned(square: Square, color: Color) -> Square {
    if color == Color::White { square } else { square.flip_vertical() }
}

/// The tables of the process: endings with one man, and whatever else the user has built.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let ending = Ending::new([Role::Pawn]);
        let Some(store) = Store::of_user() else { return in_memory(&ending) };
        let mut tables = store.open_or_build(&ending, &mut |_| {}).unwrap_or_else(|_| in_memory(&ending));
        for name in LARGER {
            if let Ok(ending) = name.parse::<Ending>()
                && let Ok(table) = store.open(&ending)
            {
                tables.add(Arc::new(table));
            }
        }
        tables
    })
}

/// Endings with two men that are used if they are there.
const LARGER: [&str; 5] = ["KBBK", "KBNK", "KRRK", "KRBK", "KRNK"];

/// Tables without files, where there is no home for them or they are damaged.
fn in_memory(ending: &Ending) -> Tables {
    let mut tables = Tables::new();
    for part in ending.closure() {
        if let Some(table) = solve(Board::CHESS, &part, tables.all(), |_| {}) {
            tables.add(Arc::new(table));
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{OwnSide, Rules, start};

    use super::*;

    #[test]
    fn both_colours_mate_by_the_tables() {
        for (fen, side, king, mates) in [
            ("7k/5K2/8/8/8/8/8/R7 w - - 0 1", Color::White, Square::H8, "a1h1"),
            ("r7/8/8/8/8/8/5k2/7K b - - 0 1", Color::Black, Square::H1, "a8h8"),
        ] {
            let own = OwnSide::new(Rules::icc(), &start::position(fen).unwrap(), side);
            let limits = SolverLimits { nodes: Some(100), ..SolverLimits::default() };
            let advice = Finish::new().advise(own.men(), Bitboard::from_square(king), limits).unwrap();
            assert_eq!((advice.attempt.to_string().as_str(), advice.mate_in), (mates, Some(1)));
        }
    }
}
