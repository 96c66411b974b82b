//! The tables of a store, the versions they had, and how a file is opened to write or to read.
//!
//! | version | matches are known by |
//! |---|---|
//! | 1 | their terms |
//! | 2 | their terms and who plays (`contestants`, [`crate::identity`]); missing for matches from version 1. `credits` says which worker of a farm played a game |
//!
//! A store of an earlier version becomes one of this version when it is opened to write, in one transaction. Opened to read it
//! stays as it is.

use std::{fmt::Write, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// The version that this program writes.
pub(super) const VERSION: i64 = 2;
/// The first in which it is kept who plays.
pub(super) const WITH_CONTESTANTS: i64 = 2;
/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(30);

const MATCHES: &str = "(
        id INTEGER PRIMARY KEY,
        terms TEXT NOT NULL,
        contestants TEXT,
        UNIQUE (terms, contestants)
    )";
const GAMES: &str = "(
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
    )";

/// Which worker of a farm played a game; nobody for games that were played here.
const CREDITS: &str = "CREATE TABLE IF NOT EXISTS credits (
        match_id INTEGER NOT NULL REFERENCES matches(id),
        number INTEGER NOT NULL,
        worker TEXT NOT NULL,
        PRIMARY KEY (match_id, number)
    );";

/// Makes a store of this version of an empty database or of an earlier store.
pub(super) fn prepare(connection: Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(PATIENCE)?;
    if version(&connection)? > VERSION {
        return Err(StoreError::Version(version(&connection)?));
    }
    // With a write-ahead log, what was committed survives the death of the program.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    if version(&connection)? < VERSION {
        // Games point at their matches, whose table is made anew. The setting cannot be changed within a transaction.
        connection.pragma_update(None, "foreign_keys", false)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let migrated = migrate(&connection);
        connection.execute_batch(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrated?;
    }
    Ok(connection)
}

/// What is to be done depends on the version now: another program may have been faster.
fn migrate(connection: &Connection) -> Result<(), StoreError> {
    match version(connection)? {
        0 => connection.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS matches {MATCHES}; CREATE TABLE IF NOT EXISTS games {GAMES}; {CREDITS}"
        ))?,
        1 => connection.execute_batch(&format!(
            "CREATE TABLE new_matches {MATCHES};
             INSERT INTO new_matches (id, terms) SELECT id, terms FROM matches;
             DROP TABLE matches;
             ALTER TABLE new_matches RENAME TO matches;
             {CREDITS}"
        ))?,
        _ => return Ok(()),
    }
    Ok(connection.pragma_update(None, "user_version", VERSION)?)
}

/// Opens a file to read it; nothing is written, so the file may be one that cannot be.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    // For writing if possible: only so does the log disappear again, when nobody else holds the file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match check(Connection::open_with_flags(path, flags)?) {
        // The log of a file in a folder that cannot be written cannot be shared. Where there is none, nobody
        // writes either, and the file alone is all.
        Err(StoreError::Sqlite(_)) if log_is_empty(path) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            check(Connection::open_with_flags(immutable(path), flags)?)
        }
        checked => checked,
    }
}

fn check(connection: Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(PATIENCE)?;
    match version(&connection)? {
        1..=VERSION => Ok(connection),
        ..1 => Err(StoreError::NoStore),
        later => Err(StoreError::Version(later)),
    }
}

/// The version that a store was written by; 0 for other databases and for an empty file.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
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
