//! Probing: the shortest forced mate for a set of king squares, and the attempt to make.
//!
//! The table names an attempt with each entry. It cannot be taken blindly: an entry may rest on an attempt
//! that is certain to be refused on the set at hand (its gain lay in other squares), and what to try instead was
//! dropped from the table with the smaller set. Then, and when ties are to be broken by the average
//! defender, every attempt is judged by the values of all it leads to.

use std::sync::Arc;

use nebel_kriegspiel::Attempt;

use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, bit, squares_of};
use crate::material::Ending;
use crate::placement::Placement;
use crate::table::Table;

/// The tables at hand, by ending.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    tables: Vec<Arc<Table>>,
}

/// What the tables know of a set of king squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKnowledge {
    /// There is no table of this ending.
    Nothing,
    /// No mate can be forced.
    NotForced,
    /// White mates in this number of moves, and cannot force it faster.
    Mate(u16),
    /// White mates within this number of moves, perhaps faster: the table was merged.
    AtMost(u16),
}

/// How to choose among attempts with the same worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tie {
    /// The entry with the fewest squares, as Ciancarini & Favini do.
    #[default]
    FewestSquares,
    /// The attempt with the smallest mean over the king's squares, each as likely as the others, of the number of moves
    /// the table promises after the umpire's answer: what wins faster when Black does not play like an oracle.
    AverageDefender,
}

/// What to do with a king somewhere in a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// White mates within this number of moves.
    pub mate_in: u16,
    /// The attempt to make now.
    pub attempt: Attempt,
    /// Where the king is if the attempt is refused: ask again with this set.
    pub if_refused: Mask,
}

/// An attempt that keeps the shortest worst case.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The attempt and what may come of it.
    pub effect: AttemptEffect,
    /// Worst number of moves, this one included.
    pub worst: u16,
    /// Mean number of moves over the king's squares, by the measure of [`Tie::AverageDefender`].
    pub mean: f64,
}

impl TableKnowledge {
    /// The number of moves within which White mates, exact or not.
    pub fn moves(self) -> Option<u16> {
        match self {
            TableKnowledge::Mate(moves) | TableKnowledge::AtMost(moves) => Some(moves),
            TableKnowledge::Nothing | TableKnowledge::NotForced => None,
        }
    }
}

impl Tables {
    /// No tables.
    pub fn new() -> Tables {
        Tables::default()
    }

    /// Adds a table, in place of one of the same ending.
    pub fn add(&mut self, table: Arc<Table>) {
        self.tables.retain(|old| old.index().ending() != table.index().ending());
        self.tables.push(table);
    }

    /// The table of an ending.
    pub fn get(&self, ending: &Ending) -> Option<&Arc<Table>> {
        self.tables.iter().find(|table| table.index().ending() == ending)
    }

    /// All tables.
    pub fn all(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Those whose numbers are exact.
    pub(crate) fn exact_ones(mut self) -> Tables {
        self.tables.retain(|table| table.is_exact());
        self
    }

    /// What is known of a king somewhere in `set`, a non-empty part of [`Placement::king_squares`].
    pub fn known(&self, placement: &Placement, set: Mask) -> TableKnowledge {
        let roles = || placement.men().iter().map(|man| man.0);
        match self.tables.iter().find(|table| roles().eq(table.index().ending().men().iter().copied())) {
            Some(table) => match table.mate_in(placement, set) {
                Some(moves) if table.is_exact() => TableKnowledge::Mate(moves),
                Some(moves) => TableKnowledge::AtMost(moves),
                None => TableKnowledge::NotForced,
            },
            None if placement.ending().is_dead() => TableKnowledge::NotForced,
            None => TableKnowledge::Nothing,
        }
    }

    /// The shortest forced mate and the attempt to make; `None` if no mate is forced or no table covers the placement.
    pub fn advise(&self, placement: &Placement, set: Mask, tie: Tie) -> Option<Advice> {
        let table = self.get(&placement.ending())?;
        let board = table.index().board();
        let (entry, number) = table.best(placement, set)?;
        let (_, symmetry) = table.index().find(placement)?;
        if tie == Tie::FewestSquares {
            let attempt =
                table.index().placements()[number].attempts(board).nth(usize::from(entry.attempt))?;
            let back = |square| symmetry.inverse().apply_square(board, square);
            let attempt = Attempt { from: back(attempt.from), to: back(attempt.to), ..attempt };
            let if_refused = placement.refused(board, attempt, set);
            if if_refused != set {
                return Some(Advice { mate_in: entry.depth, attempt, if_refused });
            }
        }
        let choices = self.choices(board, placement, set);
        let best = choices.into_iter().min_by(|a, b| {
            (a.worst, a.mean).partial_cmp(&(b.worst, b.mean)).unwrap_or(std::cmp::Ordering::Equal)
        })?;
        Some(Advice {
            mate_in: best.worst,
            attempt: best.effect.attempt,
            if_refused: set & best.effect.refused,
        })
    }

    /// Every attempt after which a mate is still forced whatever happens, with its worst case and its mean.
    pub fn choices(&self, board: Board, placement: &Placement, set: Mask) -> Vec<Choice> {
        let effects = AttemptEffect::all(board, placement).into_iter();
        effects.filter_map(|effect| self.judge(board, placement, set, effect)).collect()
    }

    /// `None` if the attempt is refused everywhere, or may spoil the win.
    fn judge(&self, board: Board, placement: &Placement, set: Mask, effect: AttemptEffect) -> Option<Choice> {
        let refused = set & effect.refused;
        if refused == set || set & effect.stalemates != 0 {
            return None;
        }
        let moves = |placement: &Placement, set: Mask| self.known(placement, set).moves();
        let mut worst = 1;
        let mut total = 0.0;
        if refused != 0 {
            worst = moves(placement, refused)?;
            total += f64::from(worst) * f64::from(refused.count_ones());
        }
        for &(_, class) in &effect.classes {
            let here = set & class;
            let mut after = 1;
            let next = effect.successors(board, here);
            if next != 0 {
                after = 1 + moves(&effect.after, next)?;
            }
            for square in squares_of(effect.losses(board, here)) {
                after = after.max(1 + moves(&effect.after.without(square), bit(square))?);
            }
            if here != 0 {
                worst = worst.max(after);
            }
            // Squares where the game ends now count one move, whatever the others of the same message need.
            let mated = here & !board.neighbours(effect.replies | effect.loose);
            total +=
                f64::from(mated.count_ones()) + f64::from(after) * f64::from((here & !mated).count_ones());
        }
        Some(Choice { effect, worst, mean: total / f64::from(set.count_ones()) })
    }
}
