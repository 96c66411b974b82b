//! The thread that writes games: what changes in the file, committed together with all else that waits.

use std::{collections::BTreeSet, time::Duration};

use rusqlite::{Connection, Transaction, params};
use tokio::sync::{mpsc, oneshot};

use super::store::Row;

/// Something to write.
#[derive(Debug)]
pub(crate) enum Change {
    /// A new game, without events.
    Create(Box<Row>),
    /// Events that follow those that are there.
    Append { id: String, first: usize, events: Vec<String>, left: [u64; 2], is_over: bool },
    /// All events from this one on are taken back.
    TakeBack { id: String, first: usize },
    /// What the clocks show.
    Clocks { id: String, left: [u64; 2] },
    /// The game cannot be read: it stays in the file, and nobody plays it.
    SetAside { id: String, why: String },
    /// The machine's opinion of a side's game, in place of another.
    Opinion { game: String, is_white: bool, version: i64, text: String },
    /// Games are forgotten, a number at a time.
    Forget(Forget),
}

/// Games to forget, those touched longest ago first. What is in memory is kept.
#[derive(Clone, Debug)]
pub(crate) struct Forget {
    /// Which.
    pub(crate) which: Which,
    /// The names of the games in memory.
    pub(crate) in_memory: BTreeSet<String>,
}

/// Which games to forget.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    /// Not over, and not touched for so long.
    Untouched(Duration),
    /// Over or damaged, and not touched for so long.
    Old(Duration),
    /// Over, and more of them than this.
    MoreThan(usize),
    /// At most so many without a single event.
    NeverBegun(usize),
}

/// A change, and who waits for it.
pub(super) struct Request {
    pub(super) change: Change,
    pub(super) done: oneshot::Sender<Result<usize, String>>,
}

/// The most changes in one commit, and the most that wait.
pub(super) const BATCH: usize = 512;
/// The most games that are forgotten in one commit: nobody who plays should notice.
const FORGOTTEN: usize = 100;

/// The writer: takes what is waiting, commits it at once, and says so to everybody.
pub(super) fn write_all(mut connection: Connection, mut requests: mpsc::Receiver<Request>) {
    let mut fails = false;
    let mut keep = |connection: &mut Connection, changes: &[Request]| {
        let kept = commit(connection, changes.iter().map(|request| &request.change));
        // Said when it begins and when it ends, not for each game.
        match &kept {
            Err(why) if !fails => eprintln!("nebel: games cannot be written: {why}"),
            Ok(_) if fails => eprintln!("nebel: games are written again"),
            _ => {}
        }
        fails = kept.is_err();
        kept
    };
    while let Some(first) = requests.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = requests.try_recv()
        {
            batch.push(next);
        }
        let kept = keep(&mut connection, &batch);
        if kept.is_err() && batch.len() > 1 {
            // One change that cannot be written must not take the others with it.
            for request in batch {
                let kept = keep(&mut connection, std::slice::from_ref(&request));
                let _ = request.done.send(kept.map(|games| games.into_iter().sum()));
            }
            continue;
        }
        for (place, request) in batch.into_iter().enumerate() {
            // Who has stopped waiting does not want to know.
            let _ = request.done.send(kept.as_ref().map(|games| games[place]).map_err(String::clone));
        }
    }
}

/// Commits changes together: how many games each of them changed, or why none is written.
fn commit<'a>(
    connection: &mut Connection,
    changes: impl Iterator<Item = &'a Change>,
) -> Result<Vec<usize>, String> {
    let written = |connection: &mut Connection| {
        let transaction = connection.transaction()?;
        let games = changes.map(|change| apply(&transaction, change)).collect::<rusqlite::Result<_>>()?;
        transaction.commit()?;
        Ok(games)
    };
    written(connection).map_err(|error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => "the disk is full".to_owned(),
        _ => error.to_string(),
    })
}

/// Writes a change; says how many games it changed.
fn apply(transaction: &Transaction<'_>, change: &Change) -> rusqlite::Result<usize> {
    match change {
        Change::Create(row) => {
            let sql =
                "INSERT INTO games (id, header, terms, white_token, black_token, white_ms, black_ms, is_over)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let [white, black] = &row.tokens;
            let [white_ms, black_ms] = row.left.map(|left| left as i64);
            let values =
                params![row.id, row.header, row.terms, white, black, white_ms, black_ms, row.is_over];
            transaction.prepare_cached(sql)?.execute(values)
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
            transaction.prepare_cached(sql)?.execute(values)
        }
        Change::TakeBack { id, first } => {
            let sql = "DELETE FROM events WHERE game = ?1 AND number >= ?2";
            transaction.prepare_cached(sql)?.execute(params![id, *first as i64])?;
            let sql = "UPDATE games SET touched = unixepoch() WHERE id = ?1";
            transaction.prepare_cached(sql)?.execute(params![id])
        }
        Change::Clocks { id, left } => {
            let sql = "UPDATE games SET white_ms = ?2, black_ms = ?3, touched = unixepoch() WHERE id = ?1";
            transaction.prepare_cached(sql)?.execute(params![id, left[0] as i64, left[1] as i64])
        }
        Change::SetAside { id, why } => {
            let sql = "INSERT OR IGNORE INTO damaged (game, why) VALUES (?1, ?2)";
            let is_new = transaction.prepare_cached(sql)?.execute(params![id, why])?;
            if is_new > 0 {
                eprintln!("nebel: the game {id} is damaged and was set aside: {why}");
            }
            Ok(is_new)
        }
        Change::Opinion { game, is_white, version, text } => {
            // Of a game that was forgotten meanwhile there is nothing to keep.
            let sql = "INSERT OR REPLACE INTO opinions (game, is_white, version, opinion)
                       SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM games WHERE id = ?1)";
            transaction.prepare_cached(sql)?.execute(params![game, is_white, version, text])
        }
        Change::Forget(forget) => forget.apply(transaction),
    }
}

impl Forget {
    fn apply(&self, transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
        let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        let most = FORGOTTEN as i64;
        let (condition, value, order, limit, offset) = match self.which {
            Which::Untouched(time) => (
                "is_over = 0 AND touched <= unixepoch() - ?1 AND id NOT IN (SELECT game FROM damaged)",
                seconds(time),
                "touched",
                most,
                0,
            ),
            Which::Old(time) => (
                "(is_over = 1 OR id IN (SELECT game FROM damaged)) AND touched <= unixepoch() - ?1",
                seconds(time),
                "touched",
                most,
                0,
            ),
            Which::MoreThan(number) => ("is_over = 1 AND ?1 = 0", 0, "touched DESC", most, number as i64),
            Which::NeverBegun(number) => (
                "is_over = 0 AND ?1 = 0 AND NOT EXISTS (SELECT 1 FROM events WHERE game = id)",
                0,
                "touched",
                most.min(number as i64),
                0,
            ),
        };
        let sql = format!(
            "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE {condition} \
             AND id NOT IN (SELECT value FROM json_each(?4)) ORDER BY {order}, id LIMIT ?2 OFFSET ?3)"
        );
        let in_memory = serde_json::to_string(&self.in_memory).unwrap_or_default();
        transaction.execute(&sql, params![value, limit, offset, in_memory])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::store::{Store, connect};

    #[test]
    fn a_full_disk_is_called_by_its_name_and_takes_nothing_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let _store = Store::open(&file).unwrap();
        let mut connection = connect(&file).unwrap();
        let pages: i64 = connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        connection.pragma_update(None, "max_page_count", pages + 2).unwrap();
        let game = |id: &str, header: String| {
            let (tokens, left) = ([None, None], [0; 2]);
            Change::Create(Box::new(Row {
                id: id.to_owned(),
                header,
                terms: String::new(),
                tokens,
                left,
                is_over: false,
                events: Vec::new(),
            }))
        };
        assert_eq!(commit(&mut connection, [game("small", String::new())].iter()), Ok(vec![1]));
        let large = [game("other", String::new()), game("large", "x".repeat(100_000))];
        assert_eq!(commit(&mut connection, large.iter()), Err("the disk is full".to_owned()));
        let games: i64 = connection.query_row("SELECT COUNT(*) FROM games", [], |row| row.get(0)).unwrap();
        assert_eq!(games, 1, "all of a commit, or nothing");
    }
}
