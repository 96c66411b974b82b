//! What a long experiment has found so far: lines in a file that a killed run goes on from.
//!
//! The first line says whose journal it is; a line that was cut off by the kill is found anew.

use std::{
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why a journal cannot be used: where it is, and why.
#[derive(Debug, Error)]
#[error("{place}: {cause}")]
pub struct JournalError {
    place: String,
    cause: String,
}

/// A journal that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    header: String,
}

impl Journal {
    /// Goes on with the journal at `path`, or begins one: also the lines that are there. One that begins otherwise belongs to
    /// other work, and `other` says to what.
    pub(crate) fn open(
        path: &Path,
        header: &str,
        other: &str,
    ) -> Result<(Journal, Vec<String>), JournalError> {
        let place = path.display().to_string();
        let fails =
            |cause: &dyn fmt::Display| JournalError { place: place.clone(), cause: cause.to_string() };
        let io = |error: io::Error| fails(&error);
        let journal = |file| Journal { file, path: path.to_owned(), header: header.to_owned() };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(io)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(fails(&"another run is writing to it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        if header.starts_with(&text) {
            file.rewind().and_then(|()| file.write_all(header.as_bytes())).map_err(io)?;
            return Ok((journal(file), Vec::new()));
        }
        let body = text.strip_prefix(header).ok_or_else(|| fails(&other))?;
        let whole = body.rfind('\n').map_or(0, |end| end + 1);
        let kept = (header.len() + whole) as u64;
        file.set_len(kept).and_then(|()| file.seek(SeekFrom::Start(kept))).map_err(io)?;
        Ok((journal(file), body[..whole].lines().map(str::to_owned).collect()))
    }

    /// Writes one more line.
    pub(crate) fn note(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Writes all lines anew, where some were found to be wrong.
    pub(crate) fn rewrite(&mut self, lines: impl Iterator<Item = String>) -> io::Result<()> {
        let text = lines.fold(self.header.clone(), |text, line| text + &line + "\n");
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())
    }

    /// Removes it: what it was for is kept elsewhere.
    pub(crate) fn remove(self) -> io::Result<()> {
        fs::remove_file(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_run_goes_on_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open = |header| Journal::open(&path, header, "it is of other terms");
        let (mut journal, lines) = open("these terms\n").unwrap();
        assert!(lines.is_empty());
        journal.note("one").unwrap();
        assert!(open("these terms\n").unwrap_err().to_string().contains("another run"));
        journal.note("two").unwrap();
        drop(journal);
        let cut = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &cut[..cut.len() - 2]).unwrap();
        let (mut journal, lines) = open("these terms\n").unwrap();
        assert_eq!(lines, ["one"]);
        journal.note("two").unwrap();
        drop(journal);
        assert_eq!(open("these terms\n").unwrap().1, ["one", "two"]);
        assert!(open("those terms\n").unwrap_err().to_string().ends_with("it is of other terms"));
    }
}
