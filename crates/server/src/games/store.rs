//! Where games are kept as they happen: one SQLite file, one thread that writes.
//!
//! Whoever has something written waits until it is committed; only then is anybody told. Requests that come
//! while the disk is busy are committed together. After a crash the file holds all that was ever told.

use std::{path::Path, sync::Arc, thread, time::Duration};

use nebel_kriegspiel::{Transcript, json, transcript::Record};
use rusqlite::{Connection, OptionalExtension, params};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use super::writer::{BATCH, Change, Request, write_all};

/// The games on disk; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    writer: mpsc::Sender<Request>,
    file: Arc<std::path::PathBuf>,
}

/// Why games could not be kept or read.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    /// The file is no store, or cannot be used.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A later program wrote it.
    #[error("games of version {0}, but this program knows version {VERSION}")]
    Version(i64),
    /// A commit failed.
    #[error("{0}")]
    NotWritten(String),
    /// The thread that writes, or one that reads, is gone.
    #[error("the file of games is closed")]
    Closed,
    /// What stands in the file is not what was written.
    #[error("the game is damaged: {0}")]
    Damaged(String),
    /// The game was found to be damaged before.
    #[error("the game is damaged")]
    SetAside,
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// Its name.
    pub(crate) id: String,
    /// The header line of its transcript.
    pub(crate) header: String,
    /// Who plays, and how: JSON that only the games understand.
    pub(crate) terms: String,
    /// The fingerprints of the secrets of White and Black; none for the machine.
    pub(crate) tokens: [Option<String>; 2],
    /// Milliseconds left to White and Black when it was last written.
    pub(crate) left: [u64; 2],
    /// Whether it is over.
    pub(crate) is_over: bool,
    /// The lines of its events.
    pub(crate) events: Vec<String>,
}

impl Row {
    /// The game as the umpire knows it, or what is wrong with it.
    pub(super) fn transcript(&self) -> Result<Transcript, String> {
        let mut text = self.header.clone();
        for event in &self.events {
            text.push('\n');
            text.push_str(event);
        }
        match json::read(text.as_bytes()) {
            Ok(Record::Transcript(transcript)) => Ok(*transcript),
            Ok(Record::View(_)) => Err("it is the view of one side".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

const VERSION: i64 = 1;
const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        header TEXT NOT NULL,
        terms TEXT NOT NULL,
        white_token TEXT,
        black_token TEXT,
        white_ms INTEGER NOT NULL,
        black_ms INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        created INTEGER NOT NULL DEFAULT (unixepoch()),
        touched INTEGER NOT NULL DEFAULT (unixepoch())
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS running ON games (is_over, touched);
    CREATE TABLE IF NOT EXISTS damaged (
        game TEXT PRIMARY KEY REFERENCES games(id) ON DELETE CASCADE,
        why TEXT NOT NULL,
        noted INTEGER NOT NULL DEFAULT (unixepoch())
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS opinions (
        game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
        is_white INTEGER NOT NULL,
        version INTEGER NOT NULL,
        opinion TEXT NOT NULL,
        PRIMARY KEY (game, is_white)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS events (
        game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;";

/// No clock shows more; a file that says so is not believed.
const MOST_LEFT: u64 = 30 * 24 * 3_600_000;

impl Store {
    /// Opens the file of games, or begins one.
    pub(crate) fn open(file: &Path) -> Result<Store, StoreError> {
        let connection = connect(file)?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version > VERSION {
            return Err(StoreError::Version(version));
        }
        // With a write-ahead log, what was committed survives the death of the program; with every commit
        // forced to the disk, that of the machine as well.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        let (writer, requests) = mpsc::channel(BATCH);
        let started = thread::Builder::new().name("game writer".to_owned());
        started.spawn(move || write_all(connection, requests)).map_err(|_| StoreError::Closed)?;
        Ok(Store { writer, file: Arc::new(file.to_owned()) })
    }

    /// Writes a change; when this returns well, it is on the disk. Says how many games were changed.
    pub(crate) async fn write(&self, change: Change) -> Result<usize, StoreError> {
        let (done, is_done) = oneshot::channel();
        self.writer.send(Request { change, done }).await.map_err(|_| StoreError::Closed)?;
        is_done.await.map_err(|_| StoreError::Closed)?.map_err(StoreError::NotWritten)
    }

    /// One game.
    pub(crate) async fn read(&self, id: &str) -> Result<Option<Row>, StoreError> {
        let id = id.to_owned();
        self.with_connection(move |connection| read(connection, &id)).await
    }

    /// The opinion of a side's game that is kept with it, if it is of this version.
    pub(crate) async fn opinion(
        &self,
        game: &str,
        is_white: bool,
        version: i64,
    ) -> Result<Option<String>, StoreError> {
        let game = game.to_owned();
        self.with_connection(move |connection| {
            let sql = "SELECT opinion FROM opinions WHERE game = ?1 AND is_white = ?2 AND version = ?3";
            let found = connection.query_row(sql, params![game, is_white, version], |row| row.get(0));
            Ok(found.optional()?)
        })
        .await
    }

    /// How many games are not over.
    pub(crate) async fn unfinished(&self) -> Result<usize, StoreError> {
        self.with_connection(|connection| {
            let sql = "SELECT COUNT(*) FROM games WHERE is_over = 0";
            let number: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            Ok(number as usize)
        })
        .await
    }

    async fn with_connection<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = Arc::clone(&self.file);
        let result = tokio::task::spawn_blocking(move || read(&connect(&file)?)).await;
        result.unwrap_or(Err(StoreError::Closed))
    }
}

pub(super) fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn read(connection: &Connection, id: &str) -> Result<Option<Row>, StoreError> {
    let whole = || {
        // One transaction, so that game and events belong together.
        let snapshot = connection.unchecked_transaction()?;
        let sql = "SELECT header, terms, white_token, black_token, white_ms, black_ms, is_over FROM games WHERE id = ?1";
        let row = snapshot.query_row(sql, [id], |row| {
            Ok(Row {
                id: id.to_owned(),
                header: row.get(0)?,
                terms: row.get(1)?,
                tokens: [row.get(2)?, row.get(3)?],
                left: [row.get::<_, i64>(4)?, row.get(5)?].map(|left| (left.max(0) as u64).min(MOST_LEFT)),
                is_over: row.get(6)?,
                events: Vec::new(),
            })
        });
        let Some(mut row) = row.optional()? else { return Ok(None) };
        let mut statement = snapshot.prepare("SELECT event FROM events WHERE game = ?1 ORDER BY number")?;
        row.events = statement.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Some(row))
    };
    let sql = "SELECT EXISTS (SELECT 1 FROM damaged WHERE game = ?1)";
    if connection.query_row(sql, [id], |row| row.get(0))? {
        return Err(StoreError::SetAside);
    }
    whole().map_err(|error| {
        if is_damage(&error) { StoreError::Damaged(error.to_string()) } else { StoreError::Sqlite(error) }
    })
}

/// Whether this tells of a value that no program of ours wrote, and not of the disk.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    matches!(
        error,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)
    )
}
