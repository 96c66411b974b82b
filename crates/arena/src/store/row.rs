//! A game as it is kept: one row.

use std::time::Duration;

use nebel_kriegspiel::{Color, GameResult, Over, Reason};
use serde_json::Value;

use super::StoreError;
use crate::{
    game::Account,
    score::{Ending, PairKey},
};

/// A game as it is kept.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the match.
    pub number: u32,
    /// Its number among the games of its two players: rounds 0 and 1 are their first pair, and so on.
    pub round: u32,
    /// The match it belongs to.
    pub match_id: i64,
    /// The spec of White.
    pub white: String,
    /// The spec of Black.
    pub black: String,
    /// How it ended.
    pub over: Over,
    /// What the last position looked like.
    pub ending: Ending,
    /// How many moves were made, of both sides together.
    pub plies: u32,
    /// What White did in numbers.
    pub white_account: Account,
    /// What Black did in numbers.
    pub black_account: Account,
    /// Who failed, and how, if somebody did.
    pub fault: Option<String>,
    /// The transcript in JSON Lines.
    pub transcript: String,
}

impl Row {
    /// What it has in common with the other game of its pair.
    pub fn pair(&self) -> PairKey {
        (self.match_id, self.round / 2)
    }

    /// The colour of a player of this game; White's, if it plays itself.
    pub fn color_of(&self, spec: &str) -> Color {
        if self.white == spec { Color::White } else { Color::Black }
    }
}

/// What is read of a game. The last column is the number of pairings in its match.
pub(super) const SELECT: &str =
    "SELECT id, match_id, number, white, black, result, reason, bare_king, plies, white_ms, black_ms,
    white_refusals, black_refusals, white_nonsense, black_nonsense, fault, transcript,
    (SELECT CASE WHEN json_valid(terms) THEN json_array_length(terms, '$.pairs') END
        FROM matches WHERE matches.id = match_id) FROM games";

/// Reads what [`SELECT`] asks for.
pub(super) fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<Row, StoreError>> {
    let id: i64 = row.get(0)?;
    let word = |index| row.get::<_, String>(index).map(Value::String);
    let (result, reason) = (word(5)?, word(6)?);
    let (Ok(result), Ok(reason)) =
        (serde_json::from_value::<GameResult>(result), serde_json::from_value::<Reason>(reason))
    else {
        return Ok(Err(StoreError::Damaged(id)));
    };
    let account = |time: usize, refusals: usize, nonsense: usize| -> rusqlite::Result<Account> {
        let milliseconds: i64 = row.get(time)?;
        Ok(Account {
            time: Duration::from_millis(milliseconds.max(0) as u64),
            refusals: row.get(refusals)?,
            nonsense: row.get(nonsense)?,
            fault: None,
        })
    };
    let (number, pairings): (u32, Option<u32>) = (row.get(2)?, row.get(17)?);
    Ok(Ok(Row {
        match_id: row.get(1)?,
        number,
        round: number / pairings.unwrap_or(1).max(1),
        white: row.get(3)?,
        black: row.get(4)?,
        over: Over { result, reason },
        ending: if row.get(7)? { Ending::BareKing } else { Ending::Other },
        plies: row.get(8)?,
        white_account: account(9, 11, 13)?,
        black_account: account(10, 12, 14)?,
        fault: row.get(15)?,
        transcript: row.get(16)?,
    }))
}
