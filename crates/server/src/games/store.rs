//! Where games are kept as they happen: one SQLite file, one thread that writes.
//!
//! Whoever has something written waits until it is committed; only then is anybody told. Requests that come
//! while the disk is busy are committed together. After a crash the file holds all that was ever told.

use std::{path::Path, sync::Arc, thread, time::Duration};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

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
    /// The thread that writes is gone, or its commit failed.
    #[error("the games cannot be written")]
    NotWritten,
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

/// Something to write.
#[derive(Debug)]
pub(crate) enum Change {
    /// A new game, without events.
    Create(Box<Row>),
    /// Events that follow those that are there.
    Append { id: String, first: usize, events: Vec<String>, left: [u64; 2], is_over: bool },
    /// What the clocks show.
    Clocks { id: String, left: [u64; 2] },
    /// The game is forgotten.
    Delete { id: String },
}

struct Request {
    change: Change,
    done: oneshot::Sender<bool>,
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
    CREATE TABLE IF NOT EXISTS events (
        game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;";

/// The most changes in one commit, and the most that wait.
const BATCH: usize = 512;

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
        started.spawn(move || write_all(connection, requests)).map_err(|_| StoreError::NotWritten)?;
        Ok(Store { writer, file: Arc::new(file.to_owned()) })
    }

    /// Writes a change; when this returns well, it is on the disk.
    pub(crate) async fn write(&self, change: Change) -> Result<(), StoreError> {
        let (done, is_done) = oneshot::channel();
        self.writer.send(Request { change, done }).await.map_err(|_| StoreError::NotWritten)?;
        match is_done.await {
            Ok(true) => Ok(()),
            _ => Err(StoreError::NotWritten),
        }
    }

    /// One game.
    pub(crate) async fn read(&self, id: &str) -> Result<Option<Row>, StoreError> {
        let id = id.to_owned();
        self.with_connection(move |connection| read(connection, &id)).await
    }

    /// The names of all games that are not over.
    pub(crate) async fn running(&self) -> Result<Vec<String>, StoreError> {
        self.with_connection(|connection| {
            let mut statement =
                connection.prepare("SELECT id FROM games WHERE NOT is_over ORDER BY touched")?;
            let ids = statement.query_map([], |row| row.get(0))?;
            ids.collect()
        })
        .await
    }

    /// The names of running games that nobody has touched for so long.
    pub(crate) async fn untouched(&self, time: Duration) -> Result<Vec<String>, StoreError> {
        self.with_connection(move |connection| {
            let sql = "SELECT id FROM games WHERE NOT is_over AND touched <= unixepoch() - ?1";
            let mut statement = connection.prepare(sql)?;
            let ids = statement.query_map([time.as_secs() as i64], |row| row.get(0))?;
            ids.collect()
        })
        .await
    }

    async fn with_connection<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = Arc::clone(&self.file);
        let result = tokio::task::spawn_blocking(move || Ok(read(&connect(&file)?)?)).await;
        result.unwrap_or(Err(StoreError::NotWritten))
    }
}

fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn read(connection: &Connection, id: &str) -> rusqlite::Result<Option<Row>> {
    // One transaction, so that game and events belong together.
    let snapshot = connection.unchecked_transaction()?;
    let sql = "SELECT header, terms, white_token, black_token, white_ms, black_ms, is_over FROM games WHERE id = ?1";
    let row = snapshot.query_row(sql, [id], |row| {
        Ok(Row {
            id: id.to_owned(),
            header: row.get(0)?,
            terms: row.get(1)?,
            tokens: [row.get(2)?, row.get(3)?],
            left: [row.get::<_, i64>(4)?.max(0) as u64, row.get::<_, i64>(5)?.max(0) as u64],
            is_over: row.get(6)?,
            events: Vec::new(),
        })
    });
    let Some(mut row) = row.optional()? else { return Ok(None) };
    let mut statement = snapshot.prepare("SELECT event FROM events WHERE game = ?1 ORDER BY number")?;
    row.events = statement.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(Some(row))
}

/// The writer: takes what is waiting, commits it at once, and says so to everybody.
fn write_all(mut connection: Connection, mut requests: mpsc::Receiver<Request>) {
    while let Some(first) = requests.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = requests.try_recv()
        {
            batch.push(next);
        }
        let committed = commit(&mut connection, batch.iter().map(|request| &request.change)).is_ok();
        if committed || batch.len() == 1 {
            for request in batch {
                // Who has stopped waiting does not want to know.
                let _ = request.done.send(committed);
            }
            continue;
        }
        // One change that cannot be written must not take the others with it.
        for request in batch {
            let committed = commit(&mut connection, std::iter::once(&request.change)).is_ok();
            let _ = request.done.send(committed);
        }
    }
}

fn commit<'a>(
    connection: &mut Connection,
    changes: impl Iterator<Item = &'a Change>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for change in changes {
        apply(&transaction, change)?;
    }
    transaction.commit()
}

fn apply(transaction: &Transaction<'_>, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::Create(row) => {
            let sql =
                "INSERT INTO games (id, header, terms, white_token, black_token, white_ms, black_ms, is_over)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let [white, black] = &row.tokens;
            let [white_ms, black_ms] = row.left.map(|left| left as i64);
            let values =
                params![row.id, row.header, row.terms, white, black, white_ms, black_ms, row.is_over];
            transaction.prepare_cached(sql)?.execute(values)?;
        }
        Change::Append { id, first, events, left, is_over } => {
            let sql = "INSERT INTO events (game, number, event) VALUES (?1, ?2, ?3)";
            let mut statement = transaction.prepare_cached(sql)?;
            for (number, event) in (*first..).zip(events) {
                statement.execute(params![id, number as i64, event])?;
            }
            let sql = "UPDATE games SET white_ms = ?2, black_ms = ?3, is_over = ?4, touched = unixepoch()
                       WHERE id = ?1";
            let values = params![id, left[0] as i64, left[1] as i64, is_over];
            transaction.prepare_cached(sql)?.execute(values)?;
        }
        Change::Clocks { id, left } => {
            let sql = "UPDATE games SET white_ms = ?2, black_ms = ?3 WHERE id = ?1";
            transaction.prepare_cached(sql)?.execute(params![id, left[0] as i64, left[1] as i64])?;
        }
        Change::Delete { id } => {
            transaction.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}
