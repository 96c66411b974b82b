//! Finishing won games: against a bare king a player hands over to the endgame tables.
//!
//! `Finisher` of crate `tablebase` plays White and knows the squares where the king may be; this keeps that set from the
//! events of a view, for either colour (Black's board is turned over). It begins when the last man of the other side
//! falls, with every square where the king can be by then. Ciancarini and Favini's program hands over at the same
//! moment; here the ending is played from tables where there are some.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use nebel_kriegspiel::{
    Answer, Attempt, Bitboard, Color, Direction, Directions, Event, OwnMen, Role, Said, Square,
};
use nebel_tablebase::{Board, Ending, Finisher, Hunt, Limits, Placement, Store, Tables, Tie, message, solve};

use crate::{Budget, matrix::Listener};

/// What to try against a bare king, by tables and search.
#[derive(Debug)]
pub struct Finish {
    finisher: Finisher,
}

/// What the ending asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The attempt.
    pub attempt: Attempt,
    /// The number of moves within which mate is forced, if it is.
    pub mate_in: Option<u16>,
}

impl Finish {
    /// With the user's tables; those of one man are built if they are not there (some seconds, once).
    pub fn new() -> Finish {
        Finish { finisher: Finisher::new(tables().clone(), Tie::AverageDefender) }
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.finisher.new_game();
    }

    /// What to try with these men against a king that is alone and on one of these squares.
    pub fn advise(&mut self, men: &OwnMen, king_may_be: Bitboard, limits: Limits) -> Option<Advice> {
        self.hunt(&hunt(men, king_may_be)?, men.color(), limits)
    }

    fn hunt(&mut self, hunt: &Hunt, color: Color, limits: Limits) -> Option<Advice> {
        let finish = self.finisher.choose(hunt, limits)?;
        let nebel_tablebase::Attempt { from, to, promotion } = finish.attempt;
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
fn hunt(men: &OwnMen, king_may_be: Bitboard) -> Option<Hunt> {
    let turned = |square| turned(square, men.color());
    let king = men.by_role(Role::King).first().map(turned)?;
    let placed = men.squares().into_iter().filter_map(|square| Some((men.role_at(square)?, turned(square))));
    let others = placed.filter(|(role, _)| *role != Role::King);
    let placement = Placement::new(Board::CHESS, king, others).ok()?;
    let mask = king_may_be.into_iter().fold(0_u64, |mask, at| mask | 1 << turned(at).to_u32());
    Hunt::new(placement, mask)
}

/// Plays on against a bare king, whose squares it keeps from event to event.
#[derive(Debug, Default)]
pub struct BareKing {
    finish: Finish,
    hunt: Option<Hunt>,
}

impl BareKing {
    /// With the user's tables.
    pub fn new() -> BareKing {
        BareKing::default()
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.finish.new_game();
        self.hunt = None;
    }

    /// Takes in an event that the listener has heard. Nothing happens while the other side has more than its king.
    pub fn hear(&mut self, event: &Event, listener: &Listener) {
        if listener.men_left() > 0 {
            return;
        }
        let (own, color) = (listener.own(), listener.own().men().color());
        if let Some(hunt) = &mut self.hunt
            && let Event::Attempt { by, said, answer } = event
        {
            let attempt = said.as_ref().and_then(Said::attempt).map(|attempt| nebel_tablebase::Attempt {
                from: turned(attempt.from, color),
                to: turned(attempt.to, color),
                promotion: attempt.promotion,
            });
            match (answer, attempt) {
                (Answer::Illegal, Some(attempt)) if *by == color => hunt.refused(attempt),
                (Answer::Moved(said), Some(attempt)) if *by == color => {
                    hunt.moved(attempt, check_message(said.check));
                }
                (Answer::Moved(said), _) => {
                    let taken = said.capture.map(|capture| turned(capture.captured_square(color), color));
                    hunt.replied(taken);
                }
                _ => {}
            }
        }
        let is_lost = self.hunt.as_ref().is_none_or(|hunt| {
            let occupied = Bitboard(hunt.placement().occupied());
            let expected: Bitboard =
                own.men().squares().into_iter().map(|square| turned(square, color)).collect();
            hunt.set() == 0 || occupied != expected
        });
        if own.is_to_move() && is_lost {
            self.hunt = hunt(own.men(), listener.king_may_be());
        }
    }

    /// Where the king may be; nothing while he is not alone.
    pub fn king_may_be(&self, color: Color) -> Option<Bitboard> {
        let set = Bitboard(self.hunt.as_ref()?.set());
        Some(set.into_iter().map(|square| turned(square, color)).collect())
    }

    /// The attempt to make within the budget, with the number of moves to a forced mate if there is one. `None` where there is
    /// nothing to win or nothing known.
    pub fn choose(&mut self, color: Color, budget: &Budget) -> Option<Advice> {
        let hunt = self.hunt.as_ref()?;
        if !can_mate(hunt.placement()) {
            return None;
        }
        let time = budget.time().map(|time| (time / 2).min(LONGEST));
        let nodes = budget.nodes.unwrap_or(MOST_SETS).min(MOST_SETS);
        let limits = Limits {
            nodes: Some(nodes),
            deadline: time.map(|time| Instant::now() + time),
            ..Limits::default()
        };
        self.finish.hunt(hunt, color, limits)
    }
}

/// The most time that a search for a forced mate takes where there is no table.
const LONGEST: Duration = Duration::from_millis(300);
/// The most sets that it examines.
const MOST_SETS: u64 = 20_000;

/// The directions of a check as the tables write them.
fn check_message(directions: Directions) -> u8 {
    directions.iter().fold(0, |bits, direction| {
        bits | match direction {
            Direction::Knight => message::KNIGHT,
            Direction::Rank => message::RANK,
            Direction::File => message::FILE,
            Direction::Long => message::LONG,
            Direction::Short => message::SHORT,
        }
    })
}

/// The square seen from the side that plays White in the tables.
fn turned(square: Square, color: Color) -> Square {
    if color == Color::White { square } else { square.flip_vertical() }
}

fn can_mate(placement: &Placement) -> bool {
    let count = |wanted: &[Role]| placement.men().iter().filter(|(role, _)| wanted.contains(role)).count();
    count(&[Role::Pawn, Role::Rook, Role::Queen]) > 0 || count(&[Role::Bishop, Role::Knight]) > 1
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
            let limits = Limits { nodes: Some(100), ..Limits::default() };
            let advice = Finish::new().advise(own.men(), Bitboard::from_square(king), limits).unwrap();
            assert_eq!((advice.attempt.to_string().as_str(), advice.mate_in), (mates, Some(1)));
        }
    }
}
