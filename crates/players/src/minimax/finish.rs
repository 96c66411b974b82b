//! Endings against a bare king by exact tables, in place of hand-made rules.
//!
//! The tables of one man (queen, rook, pawn) are opened once for the whole program, and built on first use; with more men
//! the tablebase's search takes them as guides. Tables speak of White, so a black player's board is turned over.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use nebel_kriegspiel::{Attempt, Color, Role, Square};
use nebel_tablebase::{Board, Ending, Finisher, Hunt, Limits, Mask, Placement, Store, Tables, Tie, solve};

use crate::metaposition::Metaposition;

/// Plays endings against a bare king.
#[derive(Debug)]
pub(crate) struct Finish {
    finisher: Finisher,
}

/// What the ending asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Advice {
    pub(crate) attempt: Attempt,
    /// The number of moves within which mate is forced, if it is.
    pub(crate) mate_in: Option<u16>,
}

impl Finish {
    /// With the tables of this program.
    pub(crate) fn new() -> Finish {
        Finish { finisher: Finisher::new(tables().clone(), Tie::AverageDefender) }
    }

    /// A new game begins.
    pub(crate) fn new_game(&mut self) {
        self.finisher.new_game();
    }

    /// What to try against a bare king; nothing if he is not bare.
    pub(crate) fn advise(
        &mut self,
        meta: &Metaposition,
        nodes: Option<u64>,
        deadline: Option<Instant>,
    ) -> Option<Advice> {
        if meta.census().men() > 0 {
            return None;
        }
        let own = meta.own();
        let turn_over = |square: Square| match own.color() {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        let men =
            own.squares().into_iter().filter_map(|square| Some((own.role_at(square)?, turn_over(square))));
        let king = own.by_role(Role::King).first().map(turn_over)?;
        let others = men.filter(|&(role, _)| role != Role::King);
        let placement = Placement::new(Board::CHESS, king, others).ok()?;
        let set: Mask = meta
            .may_hold(Role::King)
            .into_iter()
            .map(turn_over)
            .fold(0, |set, square| set | 1 << square.to_u32());
        let hunt = Hunt::new(placement, set)?;
        let limits = Limits { nodes, deadline, ..Limits::default() };
        let finish = self.finisher.choose(&hunt, limits)?;
        let nebel_tablebase::Attempt { from, to, promotion } = finish.attempt;
        let attempt = Attempt { from: turn_over(from), to: turn_over(to), promotion };
        Some(Advice { attempt, mate_in: finish.mate_in })
    }
}

/// The tables of endings with one man, opened or built once.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let ending = Ending::new([Role::Pawn]);
        let kept = Store::of_user().and_then(|store| store.open_or_build(&ending, &mut |_| {}).ok());
        kept.unwrap_or_else(|| in_memory(&ending))
    })
}

/// The same without files, where there is no home for them or they are damaged.
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
    use nebel_kriegspiel::{Rules, start};

    use super::*;

    #[test]
    fn both_colours_mate_by_the_tables() {
        for (fen, side, mates) in [
            ("7k/5K2/8/8/8/8/8/R7 w - - 0 1", Color::White, "a1h1"),
            ("r7/8/8/8/8/8/5k2/7K b - - 0 1", Color::Black, "a8h8"),
        ] {
            let meta = Metaposition::new(&Rules::icc(), &start::position(fen).unwrap(), side);
            let advice = Finish::new().advise(&meta, Some(100), None).unwrap();
            assert_eq!((advice.attempt.to_string().as_str(), advice.mate_in), (mates, Some(1)));
        }
    }
}
