//! Where results are kept as they happen: one SQLite file.
//!
//! A match is known by its terms, so that asking for it again goes on where it was. Each game is one
//! row, written in one transaction when it is over: a killed run loses at most the games it was
//! playing, and none is counted twice.

use std::{fmt::Write, path::Path, time::Duration};

use nebel_kriegspiel::{Color, GameResult, Over, Reason, json, transcript::Record};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::Value;
use thiserror::Error;

use crate::{
    game::{Account, Played},
    schedule::Fixture,
    score::Ending,
};

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

/// A game as it is kept.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the match.
    pub number: u32,
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
    /// The colour of a player of this game; White's, if it plays itself.
    pub fn color_of(&self, spec: &str) -> Color {
        if self.white == spec { Color::White } else { Color::Black }
    }
}

/// The errors of the database, for callers who tell a wrong file from other failures.
pub use rusqlite::{Error as SqliteError, ErrorCode as SqliteErrorCode};

const VERSION: i64 = 1;
/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(30);
const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS matches (
        id INTEGER PRIMARY KEY,
        terms TEXT NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY,
        match_id INTEGER NOT NULL REFERENCES matches(id),
        number INTEGER NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        result TEXT NOT NULL,
        reason TEXT NOT NULL,
        bare_king INTEGER NOT NULL,
        plies INTEGER NOT NULL,
        white_ms INTEGER NOT NULL,
        black_ms INTEGER NOT NULL,
        white_refusals INTEGER NOT NULL,
        black_refusals INTEGER NOT NULL,
        white_nonsense INTEGER NOT NULL,
        black_nonsense INTEGER NOT NULL,
        fault TEXT,
        transcript TEXT NOT NULL,
        UNIQUE (match_id, number)
    );
    CREATE TABLE IF NOT EXISTS credits (
        match_id INTEGER NOT NULL REFERENCES matches(id),
        number INTEGER NOT NULL,
        worker TEXT NOT NULL,
        PRIMARY KEY (match_id, number)
    );";

impl Store {
    /// Opens a file of results, or begins one.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::prepare(Connection::open(path)?)
    }

    /// Opens a file of results to read it; nothing is written, so the file may be one that cannot be.
    pub fn open_to_read(path: &Path) -> Result<Store, StoreError> {
        // For writing if possible: only so does the log disappear again, when nobody else holds the file.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        match Store::check(connection) {
            // The log of a file in a folder that cannot be written cannot be shared. Where there is none, nobody
            // writes either, and the file alone is all.
            Err(StoreError::Sqlite(_)) if log_is_empty(path) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                Store::check(Connection::open_with_flags(immutable(path), flags)?)
            }
            checked => checked,
        }
    }

    fn check(connection: Connection) -> Result<Store, StoreError> {
        connection.busy_timeout(PATIENCE)?;
        match version(&connection)? {
            VERSION => Ok(Store { connection }),
            ..VERSION => Err(StoreError::NoStore),
            later => Err(StoreError::Version(later)),
        }
    }

    /// Results that are forgotten with the program.
    pub fn in_memory() -> Result<Store, StoreError> {
        Store::prepare(Connection::open_in_memory()?)
    }

    fn prepare(connection: Connection) -> Result<Store, StoreError> {
        connection.busy_timeout(PATIENCE)?;
        let version = version(&connection)?;
        if version > VERSION {
            return Err(StoreError::Version(version));
        }
        // With a write-ahead log, what was committed survives the death of the program.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        Ok(Store { connection })
    }

    /// The match with these terms, begun if it is new.
    pub fn match_of(&self, terms: &Value) -> Result<i64, StoreError> {
        let text = terms.to_string();
        self.connection.execute("INSERT OR IGNORE INTO matches (terms) VALUES (?1)", [&text])?;
        Ok(self.connection.query_row("SELECT id FROM matches WHERE terms = ?1", [&text], |row| row.get(0))?)
    }

    /// All matches with their terms and numbers of games.
    pub fn matches(&self) -> Result<Vec<(i64, Value, u32)>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT matches.id, terms, count(games.id) FROM matches
             LEFT JOIN games ON games.match_id = matches.id GROUP BY matches.id ORDER BY matches.id",
        )?;
        let rows = statement.query_map([], |row| {
            let terms: String = row.get(1)?;
            Ok((row.get(0)?, serde_json::from_str(&terms).unwrap_or(Value::String(terms)), row.get(2)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
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

    /// The numbers of the games of a match that are there.
    pub fn finished(&self, match_id: i64) -> Result<Vec<u32>, StoreError> {
        let mut statement =
            self.connection.prepare("SELECT number FROM games WHERE match_id = ?1 ORDER BY number")?;
        let rows = statement.query_map([match_id], |row| row.get(0))?;
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

/// The version that a store was written by; 0 for other databases and for an empty file.
fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Whether all that was ever written is in the file itself.
fn log_is_empty(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(true, |log| log.len() == 0)
}

/// The name of a file for SQLite that says that it does not change.
fn immutable(path: &Path) -> String {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        // Writing into a String cannot fail.
        let _ = write!(name, "%{byte:02x}");
    }
    name + "?immutable=1"
}

const SELECT: &str =
    "SELECT id, match_id, number, white, black, result, reason, bare_king, plies, white_ms, black_ms,
    white_refusals, black_refusals, white_nonsense, black_nonsense, fault, transcript FROM games";

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<Row, StoreError>> {
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
    Ok(Ok(Row {
        match_id: row.get(1)?,
        number: row.get(2)?,
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
