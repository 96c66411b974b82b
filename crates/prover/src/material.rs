//! Material wins as leaves (Russell & Wolfe 2005, footnote 4): endings against a bare king that a table wins.
//!
//! A leaf is what White knows after an attempt: his men, and the squares where the bare king may be. It is won if a table
//! has a forced mate for all those squares together, after every reply. The tables' rules hold under all rulesets here:
//! against a bare king nobody has a pawn to try with, and checks, refusals and captured squares are always announced.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use nebel_kriegspiel::{Color, Role};
use nebel_position::Position;
use nebel_search::{AttemptId, Domain, Outcome, Reply, ReplyName};
use nebel_tablebase::{Board, Ending, Mask, Placement, Progress, Store, StoreError, Tables, bit};

use crate::domain::Kriegspiel;

/// Tables that are opened as they are needed. Those of one man are built where they are missing; those of two take
/// minutes, and are used if they are there.
pub struct MaterialWins {
    store: Store,
    /// Tables of more men are left alone.
    most_men: usize,
    opened: Mutex<Opened>,
    note: fn(Progress<'_>),
}

#[derive(Default)]
struct Opened {
    /// Those that there are, and what there is not.
    tables: BTreeMap<Ending, Option<Tables>>,
    /// The first file that could not be used.
    error: Option<StoreError>,
}

impl MaterialWins {
    /// The tables of a store; `note` hears what is built.
    pub fn new(store: Store, note: fn(Progress<'_>)) -> Self {
        MaterialWins { store, most_men: usize::MAX, opened: Mutex::default(), note }
    }

    /// Those of one man only, so that the answers do not depend on which files there are.
    pub fn of_one_man(store: Store) -> Self {
        MaterialWins { most_men: 1, ..MaterialWins::new(store, |_| {}) }
    }

    /// Whether White mates by force, his move, with the bare king somewhere in `set`. False where there is no table.
    pub fn wins(&self, placement: &Placement, set: Mask) -> bool {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = &mut *opened;
        // The file system is asked once for each ending.
        let tables = opened.tables.entry(placement.ending()).or_insert_with_key(|ending| {
            let buildable = ending.men().len() == 1 && !ending.is_dead();
            if ending.men().len() > self.most_men || !buildable && !self.store.path(ending).is_file() {
                return None;
            }
            let tables = self.store.open_or_build(ending, &mut { self.note });
            tables.map_err(|error| opened.error.get_or_insert(error)).ok()
        });
        tables.as_ref().is_some_and(|tables| tables.known(placement, set).moves().is_some())
    }

    /// What went wrong with the first table that could not be used: without it, wins may have been missed.
    pub fn take_error(&self) -> Option<StoreError> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).error.take()
    }
}

/// Kriegspiel in which an ending that a table wins is as good as mate.
pub struct WithTables<'a> {
    game: Kriegspiel,
    tables: &'a MaterialWins,
}

impl<'a> WithTables<'a> {
    /// The game with these tables.
    pub fn new(game: Kriegspiel, tables: &'a MaterialWins) -> Self {
        WithTables { game, tables }
    }
}

impl Domain for WithTables<'_> {
    type State = Position;

    const SETTLES: bool = true;

    fn settled(&self, positions: &[Position]) -> bool {
        let bare = |position: &Position| position.side(Color::Black).count() == 1;
        if !positions.iter().all(bare) {
            return false;
        }
        let mut kings: BTreeMap<Placement, Mask> = BTreeMap::new();
        let mut lost = false;
        for position in positions {
            self.game.replies(position, |reply| {
                lost = match reply {
                    Reply::Continues { state, .. } => match placement(&state) {
                        Some(placement) => {
                            *kings.entry(placement).or_default() |= bit(state.king(Color::Black));
                            false
                        }
                        None => true,
                    },
                    Reply::Won(_) => false,
                    Reply::Failed => true,
                };
                if lost { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if lost {
                return false;
            }
        }
        kings.iter().all(|(placement, &set)| self.tables.wins(placement, set))
    }

    fn key(&self, position: &Position) -> u128 {
        self.game.key(position)
    }

    fn attempts(&self, position: &Position, attempts: &mut Vec<AttemptId>) {
        self.game.attempts(position, attempts);
    }

    fn is_question(&self, attempt: AttemptId) -> bool {
        self.game.is_question(attempt)
    }

    fn outcome(&self, position: &Position, attempt: AttemptId) -> Outcome<Position> {
        self.game.outcome(position, attempt)
    }

    fn replies(&self, position: &Position, visit: impl FnMut(Reply<Position>) -> ControlFlow<()>) {
        self.game.replies(position, visit);
    }

    fn open_replies(
        &self,
        position: &Position,
        first: ReplyName,
        visit: impl FnMut(ReplyName, Reply<Position>) -> ControlFlow<()>,
    ) {
        self.game.open_replies(position, first, visit);
    }
}

/// White's men as the tables know them.
fn placement(position: &Position) -> Option<Placement> {
    let men = Role::ALL.into_iter().filter(|&role| role != Role::King);
    let men =
        men.flat_map(|role| position.men(Color::White, role).into_iter().map(move |square| (role, square)));
    Placement::new(Board::CHESS, position.king(Color::White), men).ok()
}
