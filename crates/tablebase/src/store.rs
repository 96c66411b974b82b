//! Tables on disk: one file an ending, built on first use.

use std::path::{Path, PathBuf};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use etcetera::{BaseStrategy, choose_base_strategy};
use thiserror::Error;

use crate::advice::Tables;
use crate::board::Board;
use crate::file::FileError;
use crate::generator::{Chains, Depth, solve_with};
use crate::material::{Ending, MAX_MEN};
use crate::table::Table;

/// A directory of table files.
#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
    stop: Arc<AtomicBool>,
}

/// Why a table is not to be had.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file that cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// No table of this ending in the directory.
    #[error("there is no table of {0} in {directory}; build it with `nebel tablebase build {0}`", directory = .1.display())]
    Missing(Ending, PathBuf),
    /// The ending has more men than a table can hold.
    #[error("{0} has too many men: tables hold one or two besides the king")]
    TooMany(Ending),
    /// The directory cannot be made.
    #[error("{directory}: {source}", directory = .directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Somebody raised the flag ([`Store::stop_flag`]).
    #[error("stopped")]
    Stopped,
}

/// What a build reports as it goes.
#[derive(Debug)]
pub enum Progress<'a> {
    /// An ending is begun.
    Begin(&'a Ending),
    /// A depth of it is done.
    Depth(&'a Ending, Depth),
    /// An ending is solved.
    Done(&'a Ending, &'a Table),
    /// A solved table could not be kept; it is used all the same.
    NotKept(&'a Ending, StoreError),
}

impl Store {
    /// The tables in `directory`, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Store {
        Store { directory: directory.into(), stop: Arc::default() }
    }

    /// The user's own: `nebel/tablebases` in `$XDG_DATA_HOME`, or in `~/.local/share`; `None` without a home.
    pub fn of_user() -> Option<Store> {
        let data = choose_base_strategy().ok()?.data_dir();
        data.is_absolute().then(|| Store::new(data.join("nebel").join("tablebases")))
    }

    /// A flag that ends building and searching soon when it is raised; clones of the store share it.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of an ending.
    pub fn path(&self, ending: &Ending) -> PathBuf {
        self.directory.join(format!("{ending}.nbt"))
    }

    /// The file of an ending's merged table; see [`Table::merged`].
    pub fn merged_path(&self, ending: &Ending) -> PathBuf {
        self.directory.join(format!("{ending}.merged.nbt"))
    }

    /// The files present, by name.
    pub fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(&self.directory) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "nbt"));
        files.sort();
        files
    }

    /// Opens the table of an ending.
    pub fn open(&self, ending: &Ending) -> Result<Table, StoreError> {
        let path = self.path(ending);
        let table = self.open_file(&path, ending)?;
        if !table.is_exact() {
            let reason = "its entries are merged, its numbers upper bounds".to_owned();
            return Err(FileError::Foreign { path, reason }.into());
        }
        Ok(table)
    }

    fn open_file(&self, path: &Path, ending: &Ending) -> Result<Table, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(ending.clone(), self.directory.clone()));
        }
        let table = Table::open(path)?;
        if table.index().ending() != ending || table.index().board() != Board::CHESS {
            let reason = format!("it holds {}, not {ending}", table.index().ending());
            return Err(FileError::Foreign { path: path.to_owned(), reason }.into());
        }
        Ok(table)
    }

    /// Every table of the ending's closure: opened where there is a file, built and kept where there is none.
    ///
    /// A file that cannot be written is no failure: the table is used from memory. A damaged file is one.
    pub fn open_or_build(
        &self,
        ending: &Ending,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Tables, StoreError> {
        let mut tables = Tables::new();
        // Usually the whole closure is needed only to build; a present table still needs the others to advise
        // beyond a capture or a promotion.
        for part in ending.closure() {
            let table = match self.open(&part) {
                Err(StoreError::Missing(..)) => self.build(&part, &tables, progress)?,
                other => other?,
            };
            tables.add(Arc::new(table));
        }
        Ok(tables)
    }

    /// As [`Store::open_or_build`], but content with merged tables where there are no others. None is built from a merged one.
    pub(crate) fn open_merged_or_build(
        &self,
        ending: &Ending,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Tables, StoreError> {
        let mut tables = Tables::new();
        for part in ending.closure() {
            let merged = self.merged_path(&part);
            match self.open(&part) {
                Ok(table) => tables.add(Arc::new(table)),
                Err(StoreError::Missing(..)) if merged.is_file() => {
                    tables.add(Arc::new(self.open_file(&merged, &part)?));
                }
                Err(StoreError::Missing(..)) => {
                    let built = self.open_or_build(&part, progress)?;
                    built.get(&part).into_iter().for_each(|table| tables.add(Arc::clone(table)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(tables)
    }

    /// Solves one ending anew, those it leads to being in `tables`, and writes its file.
    pub fn build(
        &self,
        ending: &Ending,
        tables: &Tables,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Table, StoreError> {
        let table = self.solve(ending, tables, progress)?;
        if let Err(error) = self.keep(&table) {
            progress(Progress::NotKept(ending, error));
        }
        Ok(table)
    }

    /// As [`Store::build`], without writing anything.
    pub fn solve(
        &self,
        ending: &Ending,
        tables: &Tables,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Table, StoreError> {
        if ending.men().len() > MAX_MEN {
            return Err(StoreError::TooMany(ending.clone()));
        }
        progress(Progress::Begin(ending));
        let table = solve_with(Board::CHESS, ending, tables.all(), Chains::Whole, &self.stop, |depth| {
            progress(Progress::Depth(ending, depth));
        });
        if self.stop.load(Relaxed) {
            return Err(StoreError::Stopped);
        }
        let table = table.ok_or_else(|| StoreError::Missing(ending.clone(), self.directory.clone()))?;
        progress(Progress::Done(ending, &table));
        Ok(table)
    }

    /// Writes a table's file, a merged one beside the exact; gives its path.
    pub fn keep(&self, table: &Table) -> Result<PathBuf, StoreError> {
        std::fs::create_dir_all(&self.directory)
            .map_err(|source| StoreError::Directory { directory: self.directory.clone(), source })?;
        let ending = table.index().ending();
        let path = if table.is_exact() { self.path(ending) } else { self.merged_path(ending) };
        table.write(&path)?;
        Ok(path)
    }
}
