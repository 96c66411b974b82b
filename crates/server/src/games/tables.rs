//! The tables in memory, and the places for more. The lock is never held while anything is waited for.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{handle::TableHandle, task::GameTask};
use crate::secret::Fingerprint;

/// The tables in memory; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    open: BTreeMap<String, TableHandle>,
    /// Places kept for games that are being written or read.
    coming: usize,
}

/// A place for one more table.
pub(super) struct Place {
    tables: Tables,
}

impl Tables {
    /// The table of a game, if it is in memory.
    pub(super) fn get(&self, id: &str) -> Option<TableHandle> {
        self.shared().get(id)
    }

    /// A place for one more, if there are not as many as this.
    pub(super) fn place(&self, most: usize) -> Option<Place> {
        let mut shared = self.shared();
        shared.open.retain(|_, handle| !handle.is_closed());
        if shared.open.len() + shared.coming >= most {
            return None;
        }
        shared.coming += 1;
        Some(Place { tables: self.clone() })
    }

    /// The names of the games in memory.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let shared = self.shared();
        shared.open.iter().filter(|(_, handle)| !handle.is_closed()).map(|(id, _)| id.clone()).collect()
    }

    /// All tables, which are no longer here then.
    pub(super) fn take_all(&self) -> Vec<TableHandle> {
        std::mem::take(&mut self.shared().open).into_values().collect()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // Nothing that could panic happens under this lock.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn get(&self, id: &str) -> Option<TableHandle> {
        self.open.get(id).filter(|handle| !handle.is_closed()).cloned()
    }
}

impl Place {
    /// Starts a table at this place, unless somebody was faster: what he has is newer.
    pub(super) fn take(self, id: &str, table: GameTask, tokens: [Option<Fingerprint>; 2]) -> TableHandle {
        let mut shared = self.tables.shared();
        if let Some(handle) = shared.get(id) {
            return handle;
        }
        let handle = TableHandle::of(table, tokens);
        shared.open.insert(id.to_owned(), handle.clone());
        handle
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.tables.shared().coming -= 1;
    }
}
