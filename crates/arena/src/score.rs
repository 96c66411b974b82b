//! Wins, draws and losses of one player against another, and why games ended.

use std::collections::BTreeMap;

use nebel_kriegspiel::{Chess, Color, GameResult, Over, Position, over};
use serde::Serialize;

/// A score, seen from one player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<&'static str, u32>,
    /// Draws in which one side had only its king left and the other could still have mated: points
    /// that were there to be won.
    pub bare_king_draws: u32,
}

impl Score {
    /// Adds a game in which the player had this colour.
    pub fn add(&mut self, color: Color, over: Over, last: Ending) {
        match over.result.winner() {
            None => self.draws += 1,
            Some(winner) if winner == color => self.wins += 1,
            Some(_) => self.losses += 1,
        }
        *self.reasons.entry(over.reason.as_str()).or_default() += 1;
        let is_lost_point = over.result == GameResult::Draw && last == Ending::BareKing;
        self.bare_king_draws += u32::from(is_lost_point);
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

/// What the last position of a game looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One side has only its king, the other enough to mate.
    BareKing,
    /// Anything else.
    Other,
}

impl Ending {
    /// Looks at the last position of a game.
    pub fn of(position: &Chess) -> Ending {
        let board = position.board();
        let is_bare = |color| (board.by_color(color) & !board.kings()).is_empty();
        let someone_is_bare = Color::ALL.into_iter().any(is_bare);
        if someone_is_bare && !over::is_dead(board) { Ending::BareKing } else { Ending::Other }
    }
}
