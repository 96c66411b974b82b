//! The memory of the arrays, as the games write it: a row of each array for each game.

use super::lane::Games;
use crate::{action::ACTIONS, observation::CODES};

/// Six planes of men.
const OWN: usize = 6 * 64;

/// The rows of some games, array after array.
pub(super) struct Rows<'a> {
    pub(super) own: &'a mut [u8],
    pub(super) events: &'a mut [u8],
    pub(super) mask: &'a mut [bool],
    pub(super) turn: &'a mut [u8],
    pub(super) marginals: &'a mut [f32],
    pub(super) answers: &'a mut [u8],
    pub(super) rewards: &'a mut [f32],
    pub(super) terminated: &'a mut [bool],
    pub(super) truncated: &'a mut [bool],
}

impl<'a> Rows<'a> {
    /// The rows of the first games, and of the others.
    pub(super) fn split(self, count: usize, games: &Games) -> (Rows<'a>, Rows<'a>) {
        let planes = if games.beliefs.is_some() { OWN } else { 0 };
        let own = self.own.split_at_mut(count * OWN);
        let events = self.events.split_at_mut(count * games.last * CODES);
        let mask = self.mask.split_at_mut(count * ACTIONS);
        let turn = self.turn.split_at_mut(count);
        let marginals = self.marginals.split_at_mut(count * planes);
        let answers = self.answers.split_at_mut(count);
        let rewards = self.rewards.split_at_mut(count * 2);
        let terminated = self.terminated.split_at_mut(count);
        let truncated = self.truncated.split_at_mut(count);
        let first = Rows {
            own: own.0,
            events: events.0,
            mask: mask.0,
            turn: turn.0,
            marginals: marginals.0,
            answers: answers.0,
            rewards: rewards.0,
            terminated: terminated.0,
            truncated: truncated.0,
        };
        let others = Rows {
            own: own.1,
            events: events.1,
            mask: mask.1,
            turn: turn.1,
            marginals: marginals.1,
            answers: answers.1,
            rewards: rewards.1,
            terminated: terminated.1,
            truncated: truncated.1,
        };
        (first, others)
    }

    /// The rows of one of these games.
    #[inline]
    pub(super) fn row(&mut self, game: usize) -> Row<'_, 'a> {
        Row { rows: self, game }
    }
}

/// The rows of one game. Each is looked for only when it is written, because most steps write few of them.
pub(super) struct Row<'r, 'a> {
    rows: &'r mut Rows<'a>,
    game: usize,
}

impl Row<'_, '_> {
    #[inline]
    pub(super) fn own(&mut self) -> &mut [u8] {
        &mut self.rows.own[self.game * OWN..][..OWN]
    }

    /// The row of so many events.
    #[inline]
    pub(super) fn events(&mut self, last: usize) -> &mut [u8] {
        &mut self.rows.events[self.game * last * CODES..][..last * CODES]
    }

    #[inline]
    pub(super) fn mask(&mut self) -> &mut [bool] {
        &mut self.rows.mask[self.game * ACTIONS..][..ACTIONS]
    }

    #[inline]
    pub(super) fn turn(&mut self) -> &mut u8 {
        &mut self.rows.turn[self.game]
    }

    #[inline]
    pub(super) fn marginals(&mut self) -> &mut [f32] {
        &mut self.rows.marginals[self.game * OWN..][..OWN]
    }

    /// Writes what a step brought.
    #[inline]
    pub(super) fn bring(&mut self, brought: Brought) {
        let Brought { answer, rewards, terminated, truncated } = brought;
        self.rows.answers[self.game] = answer;
        self.rows.rewards[2 * self.game..][..2].copy_from_slice(&rewards);
        self.rows.terminated[self.game] = terminated;
        self.rows.truncated[self.game] = truncated;
    }
}

/// What a step brought; by itself, nothing.
#[derive(Clone, Copy, Default)]
pub(super) struct Brought {
    pub(super) answer: u8,
    /// White's and Black's.
    pub(super) rewards: [f32; 2],
    pub(super) terminated: bool,
    pub(super) truncated: bool,
}
