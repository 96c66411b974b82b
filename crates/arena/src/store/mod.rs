//! Where results are kept as they happen: one SQLite file.
//!
//! A match is known by its terms and by who plays, so that asking for it again goes on where it was, and a changed player begins
//! anew. Each game is one row, written in one transaction when it is over: a killed run loses at most the games it was
//! playing, and none is counted twice.

mod row;
mod schema;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, path::Path};

use nebel_kriegspiel::{Color, json, transcript::Record};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

pub use self::row::Row;
use self::{
    row::{SELECT, read_row},
    schema::VERSION,
};
use crate::{game::Played, identity::Identity, schedule::Fixture, score::Ending};

/// A file of results.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// Why results could not be kept or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file is no store, or cannot be used.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A later program wrote it.
    #[error("a store of version {0}, but this program knows version {VERSION}")]
    Version(i64),
    /// A file, perhaps a database, but none that this program has begun.
    #[error("no store of results")]
    NoStore,
    /// A row that makes no sense.
    #[error("game {0} in the store is damaged")]
    Damaged(i64),
}

/// A match in a store.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptMatch {
    /// Its number in the store.
    pub id: i64,
    /// Its terms.
    pub terms: Value,
    /// Who plays, in the order of the terms; `None` where an earlier version of the store did not keep it.
    pub contestants: Option<Vec<Identity>>,
    /// Games that are there.
    pub games: u32,
}

/// Which games count together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Versions {
    /// Those of the same players in the same version.
    #[default]
    Same,
    /// Those of the same specs, in whatever version.
    Mixed,
}

impl KeptMatch {
    /// Who played under this spec here, if that is known.
    pub fn contestant(&self, spec: &str) -> Option<&Identity> {
        self.contestants.as_ref()?.iter().find(|identity| identity.spec == spec)
    }

    /// Whether this spec is known to be the same in another match.
    fn plays_as_in(&self, other: &KeptMatch, spec: &str) -> bool {
        self.contestant(spec).is_some_and(|identity| Some(identity) == other.contestant(spec))
    }
}

/// The errors of the database, for callers who tell a wrong file from other failures.
pub use rusqlite::{Error as SqliteError, ErrorCode as SqliteErrorCode};

impl Store {
    /// Opens a file of results, or begins one. One of an earlier version becomes one of this version.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { connection: schema::prepare(Connection::open(path)?)? })
    }

    /// Opens a file of results to read it; nothing is written, so the file may be one that cannot be.
    pub fn open_to_read(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { connection: schema::open_to_read(path)? })
    }

    /// Results that are forgotten with the program.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store { connection: schema::prepare(Connection::open_in_memory()?)? })
    }

    /// Whether results outlive the program.
    pub fn is_kept(&self) -> bool {
        // A database in memory has no file, whose name is then empty.
        self.connection.path().is_some_and(|path| !path.is_empty())
    }

    /// The match of these contestants on these terms, begun if it is new.
    pub fn match_of(&self, terms: &Value, contestants: &[Identity]) -> Result<i64, StoreError> {
        let known = params![terms.to_string(), json_text(&contestants)];
        self.connection
            .execute("INSERT OR IGNORE INTO matches (terms, contestants) VALUES (?1, ?2)", known)?;
        let sql = "SELECT id FROM matches WHERE terms = ?1 AND contestants = ?2";
        Ok(self.connection.query_row(sql, known, |row| row.get(0))?)
    }

    /// All matches.
    pub fn matches(&self) -> Result<Vec<KeptMatch>, StoreError> {
        let is_old = schema::version(&self.connection)? < schema::WITH_CONTESTANTS;
        let contestants = if is_old { "NULL" } else { "contestants" };
        let mut statement = self.connection.prepare(&format!(
            "SELECT matches.id, terms, {contestants}, count(games.id) FROM matches
             LEFT JOIN games ON games.match_id = matches.id GROUP BY matches.id ORDER BY matches.id"
        ))?;
        let rows = statement.query_map([], |row| {
            let (terms, contestants): (String, Option<String>) = (row.get(1)?, row.get(2)?);
            Ok(KeptMatch {
                id: row.get(0)?,
                terms: serde_json::from_str(&terms).unwrap_or(Value::String(terms)),
                contestants: contestants.and_then(|text| serde_json::from_str(&text).ok()),
                games: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The games that count for a match, by number: its own, and of matches on the same terms those whose two players are
    /// the same as here. So a tournament in which one player has changed keeps the games of the others. With
    /// [`Versions::Mixed`] all games on the same terms count, whoever played them; one of each number.
    pub fn counted(&self, match_id: i64, versions: Versions) -> Result<Vec<Row>, StoreError> {
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let matches = self.matches()?;
        let Some(own) = matches.iter().find(|kept| kept.id == match_id) else { return Ok(Vec::new()) };
        let kin = matches.iter().filter(|kept| kept.terms == own.terms && kept.id != match_id).rev();
        for kept in std::iter::once(own).chain(kin) {
            if kept.games == 0 {
                continue;
            }
            let is_same = |spec: &str| own.plays_as_in(kept, spec);
            for row in self.games(Some(kept.id))? {
                let counts = versions == Versions::Mixed
                    || kept.id == match_id
                    || (is_same(&row.white) && is_same(&row.black));
                if counts {
                    rows.entry(row.number).or_insert(row);
                }
            }
        }
        Ok(rows.into_values().collect())
    }

    /// Keeps a finished game. One that is there already stays as it is.
    pub fn keep(&self, match_id: i64, fixture: &Fixture, played: &Played) -> Result<(), StoreError> {
        let mut transcript = Vec::new();
        // Writing into memory cannot fail.
        let _ = json::write(&Record::Transcript(Box::new(played.transcript.clone())), &mut transcript);
        let bare_king = Ending::of(played.transcript.umpire().position()) == Ending::BareKing;
        let plies = played.transcript.events().iter().filter(|event| event.announcement().is_some()).count();
        let fault =
            Color::ALL.into_iter().zip([&played.white, &played.black]).find_map(|(color, account)| {
                account.fault.as_ref().map(|fault| format!("{} {fault}", nebel_kriegspiel::side::name(color)))
            });
        self.connection.execute(
            "INSERT OR IGNORE INTO games (match_id, number, white, black, result, reason, bare_king, plies,
                white_ms, black_ms, white_refusals, black_refusals, white_nonsense, black_nonsense, fault, transcript)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
            params![
                match_id,
                fixture.number,
                fixture.white,
                fixture.black,
                played.over.result.as_str(),
                played.over.reason.as_str(),
                bare_king,
                plies as i64,
                played.white.time.as_millis() as i64,
                played.black.time.as_millis() as i64,
                played.white.refusals,
                played.black.refusals,
                played.white.nonsense,
                played.black.nonsense,
                fault,
                String::from_utf8_lossy(&transcript),
            ],
        )?;
        Ok(())
    }

    /// Throws a game away: somebody must play it again.
    pub(crate) fn forget(&self, match_id: i64, number: u32) -> Result<(), StoreError> {
        for table in ["games", "credits"] {
            let sql = format!("DELETE FROM {table} WHERE match_id = ?1 AND number = ?2");
            self.connection.execute(&sql, params![match_id, number])?;
        }
        Ok(())
    }

    /// Notes which worker of the farm played a game, before the game is kept.
    pub(crate) fn credit(&self, match_id: i64, number: u32, worker: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR REPLACE INTO credits (match_id, number, worker) VALUES (?1, ?2, ?3)",
            params![match_id, number, worker],
        )?;
        Ok(())
    }

    /// The games of a match that workers of the farm played, and who did.
    pub(crate) fn credits(&self, match_id: i64) -> Result<Vec<(u32, String)>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT games.number, worker FROM games JOIN credits USING (match_id, number) WHERE match_id = ?1",
        )?;
        let rows = statement.query_map([match_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One game of a match.
    pub fn game(&self, match_id: i64, number: u32) -> Result<Option<Row>, StoreError> {
        let sql = format!("{SELECT} WHERE match_id = ?1 AND number = ?2");
        let row = self.connection.query_row(&sql, params![match_id, number], read_row).optional()?;
        row.transpose()
    }

    /// Games in the order of matches and numbers, of one match or of all.
    pub fn games(&self, match_id: Option<i64>) -> Result<Vec<Row>, StoreError> {
        let sql = format!("{SELECT} WHERE ?1 IS NULL OR match_id = ?1 ORDER BY match_id, number");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([match_id], read_row)?;
        rows.map(|row| row?).collect()
    }
}

fn json_text(value: &impl Serialize) -> String {
    // Neither names nor numbers can fail to be written.
    serde_json::to_string(value).unwrap_or_default()
}
