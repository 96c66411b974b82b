//! Tables as files: written whole or not at all, and checked from end to end when they are opened.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use thiserror::Error;

use crate::board::Board;
use crate::index::Index;
use crate::storage::{Header, Storage};
use crate::table::Table;
use crate::whole::write_whole;

/// Why a table file is refused.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not a table, or not one that this version reads.
    #[error("{path} is not a table of this version: {reason}", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file is shorter or longer than its header says, or its contents do not fit the checksum.
    #[error("{path} is damaged: {reason}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl Table {
    /// Writes the table whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        write_whole(path, &self.storage().in_file_order())
            .map_err(|source| FileError::Io { path: path.to_owned(), source })
    }

    /// Maps a table file into memory after checking all of it.
    pub fn open(path: &Path) -> Result<Table, FileError> {
        let io = |source| FileError::Io { path: path.to_owned(), source };
        let foreign = |reason| FileError::Foreign { path: path.to_owned(), reason };
        let damaged = |reason: String| FileError::Damaged { path: path.to_owned(), reason };
        let file = File::open(path).map_err(io)?;
        // SAFETY: table files are written once and renamed into place, never changed afterwards; as with every
        // mapped file, a program that truncates one while it is in use would be at fault.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        let header = Header::of_file(&map).map_err(foreign)?;
        let board = Board::new(header.size).ok_or_else(|| damaged("no such board".to_owned()))?;
        let ending = header.ending().ok_or_else(|| damaged("no such ending".to_owned()))?;
        let index = Index::new(board, &ending).ok_or_else(|| damaged("no such ending".to_owned()))?;
        if header.placements as usize != index.placements().len() {
            return Err(damaged("the wrong number of placements".to_owned()));
        }
        let storage = Storage::from_file(map, header).map_err(damaged)?;
        Ok(Table::from_storage(Arc::new(index), storage))
    }
}
