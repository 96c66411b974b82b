//! Files of positions in the caller's folder.
//!
//! The files have no names: they are taken out of the folder as soon as they are open (or never put there, where the system
//! can do that), so whatever ends the program, they are gone with it, and two programs can use one folder. What they take is
//! seen by `df` and by [`Spill::most_bytes`], not by `ls`.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use crate::exact::{budget::SLOT, workers::lock};

/// Where positions go that memory does not hold, and when.
#[derive(Clone, Debug)]
pub struct Spill {
    folder: PathBuf,
    memory: usize,
    used: Arc<Used>,
}

/// The least memory, in bytes: below, a buffer and a table would be all there is, and each position a run.
const LEAST: usize = 1 << 14;

/// What the files of a folder take.
#[derive(Debug, Default)]
struct Used {
    now: AtomicU64,
    most: AtomicU64,
    written: AtomicU64,
}

impl Spill {
    /// Files in this folder, for what does not fit into so many bytes of memory (sixteen kibibytes at least). Fails where no
    /// file can be made.
    pub fn new(folder: &Path, memory: usize) -> io::Result<Spill> {
        let spill = Spill { folder: folder.to_owned(), memory: memory.max(LEAST), used: Arc::default() };
        spill.file()?;
        Ok(spill)
    }

    /// The bytes of memory that positions, tables and buffers may take.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The most bytes that the files took at any time.
    pub fn most_bytes(&self) -> u64 {
        self.used.most.load(Relaxed)
    }

    /// The bytes written in all.
    pub fn written(&self) -> u64 {
        self.used.written.load(Relaxed)
    }

    /// An empty file.
    pub(crate) fn file(&self) -> io::Result<KeyFile> {
        let file = tempfile::tempfile_in(&self.folder)?;
        Ok(KeyFile { file: Mutex::new(file), len: 0, used: Arc::clone(&self.used) })
    }
}

/// A file of packed positions.
#[derive(Debug)]
pub(crate) struct KeyFile {
    file: Mutex<File>,
    len: usize,
    used: Arc<Used>,
}

impl KeyFile {
    /// How many positions are in it.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Puts positions at its end.
    pub(crate) fn append(&mut self, keys: &[u128]) -> io::Result<()> {
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start((self.len * SLOT) as u64))?;
        file.write_all(bytemuck::cast_slice(keys))?;
        drop(file);
        self.len += keys.len();
        let bytes = size_of_val(keys) as u64;
        self.used.written.fetch_add(bytes, Relaxed);
        self.used.most.fetch_max(self.used.now.fetch_add(bytes, Relaxed) + bytes, Relaxed);
        Ok(())
    }

    /// Reads so many positions from the one of this number on, in the place of what the list held.
    pub(crate) fn read(&self, from: usize, count: usize, keys: &mut Vec<u128>) -> io::Result<()> {
        keys.resize(count, 0);
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start((from * SLOT) as u64))?;
        file.read_exact(bytemuck::cast_slice_mut(keys))
    }
}

impl Drop for KeyFile {
    fn drop(&mut self) {
        self.used.now.fetch_sub((self.len * SLOT) as u64, Relaxed);
    }
}
