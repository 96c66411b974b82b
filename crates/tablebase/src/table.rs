//! A solved ending: which sets of king squares are won, in how many moves and by which attempt.
//!
//! For each placement (up to symmetry) the table holds *runs*, one for each depth: the maximal sets won in that number of
//! moves and not faster, smallest first, each with an attempt. So the first superset found in
//! storage order has the least depth and, among those, the fewest squares, which is the choice of Ciancarini & Favini.

use std::sync::Arc;

use crate::antichain::{any_superset, first_superset};
use crate::board::Mask;
use crate::index::Index;
use crate::placement::Placement;
use crate::storage::{Header, Span, Storage};

/// The maximal sets of one depth at one placement.
#[derive(Debug, Clone)]
pub struct Run {
    /// Number of White's moves.
    pub depth: u16,
    /// The sets, smallest first.
    pub masks: Vec<Mask>,
    /// For each set the number of its attempt in [`crate::AttemptEffect::all`].
    pub moves: Vec<u8>,
}

/// A stored entry: a set of king squares with what the table says of it, in the orientation of the representative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The largest set for which this holds.
    pub mask: Mask,
    /// White mates within this number of moves.
    pub depth: u16,
    /// The number of the attempt in [`crate::AttemptEffect::all`] of the representative.
    pub attempt: u8,
}

/// A solved ending, in memory or mapped from a file.
#[derive(Debug)]
pub struct Table {
    index: Arc<Index>,
    storage: Storage,
}

impl Table {
    /// Builds a table from the runs of each representative placement, in the order of the index.
    pub(crate) fn from_runs(index: Arc<Index>, runs: &[Vec<Run>]) -> Option<Table> {
        let storage = Storage::from_runs(&index, runs)?;
        Some(Table { index, storage })
    }

    pub(crate) fn from_storage(index: Arc<Index>, storage: Storage) -> Table {
        Table { index, storage }
    }

    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The table with one entry for a set and a superset that share the attempt, as section 4 of the paper discusses: the
    /// numbers are then upper bounds. `None` if there are too many entries.
    pub fn merged(&self) -> Option<Table> {
        let runs: Vec<Vec<Run>> =
            (0..self.index.placements().len()).map(|number| self.merged_runs(number)).collect();
        let mut storage = Storage::from_runs(&self.index, &runs)?;
        storage.mark_merged();
        Some(Table { index: Arc::clone(&self.index), storage })
    }

    /// The entries of a placement that no later entry with the same attempt contains.
    fn merged_runs(&self, number: usize) -> Vec<Run> {
        let entries: Vec<Entry> = self.entries(number).collect();
        let mut later: Vec<Vec<Mask>> = vec![Vec::new(); 256];
        let mut runs: Vec<Run> = Vec::new();
        for entry in entries.iter().rev() {
            let same = &mut later[usize::from(entry.attempt)];
            if any_superset(same, entry.mask) {
                continue;
            }
            same.push(entry.mask);
            if runs.last().is_none_or(|run| run.depth != entry.depth) {
                runs.push(Run { depth: entry.depth, masks: Vec::new(), moves: Vec::new() });
            }
            if let Some(run) = runs.last_mut() {
                run.masks.push(entry.mask);
                run.moves.push(entry.attempt);
            }
        }
        runs.reverse();
        for run in &mut runs {
            run.masks.reverse();
            run.moves.reverse();
        }
        runs
    }

    /// The placements and their symmetries.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Counts and origin.
    pub fn header(&self) -> &Header {
        self.storage.header()
    }

    /// Whether its numbers are the shortest mates, and not mere bounds as in a merged table.
    pub fn is_exact(&self) -> bool {
        self.header().merged == 0
    }

    /// The largest number of moves of any entry; 0 if nothing is won.
    pub fn longest(&self) -> u16 {
        self.header().longest
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.storage.masks().len()
    }

    /// Whether nothing is won in this ending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shortest forced mate for a king somewhere in `set`, or a bound for it if the table was merged: `None` if
    /// there is none, or the placement belongs to another ending. The set must not be empty and lie within [`Placement::king_squares`].
    pub fn mate_in(&self, placement: &Placement, set: Mask) -> Option<u16> {
        self.best(placement, set).map(|(entry, _)| entry.depth)
    }

    /// The entry that answers for `set` in the orientation of the representative, and the representative's number.
    pub(crate) fn best(&self, placement: &Placement, set: Mask) -> Option<(Entry, usize)> {
        let (number, symmetry) = self.index.find(placement)?;
        let set = symmetry.apply(self.index.board(), set);
        self.best_of(number, set).map(|entry| (entry, number))
    }

    /// As [`Table::mate_in`], for a representative placement in its own orientation.
    #[inline]
    pub fn best_of(&self, number: usize, set: Mask) -> Option<Entry> {
        let size = set.count_ones();
        for span in self.spans(number) {
            if size > u32::from(span.largest) {
                continue;
            }
            let masks = self.masks(*span);
            if let Some(at) = first_superset(masks, set) {
                let attempt = self.storage.moves()[span.first as usize + at];
                return Some(Entry { mask: masks[at], depth: span.depth, attempt });
            }
        }
        None
    }

    /// The same answer by looking at every entry in turn: what a lookup costs without order (for the benchmark).
    pub fn best_by_plain_scan(&self, number: usize, set: Mask) -> Option<Entry> {
        self.entries(number)
            .filter(|entry| set & !entry.mask == 0)
            .min_by_key(|entry| (entry.depth, entry.mask.count_ones()))
    }

    /// All entries of a representative placement, by depth.
    pub fn entries(&self, number: usize) -> impl Iterator<Item = Entry> + '_ {
        self.spans(number).iter().flat_map(|span| {
            let moves = &self.storage.moves()[span.first as usize..];
            let masks = self.masks(*span).iter().zip(moves);
            masks.map(|(&mask, &attempt)| Entry { mask, depth: span.depth, attempt })
        })
    }

    /// The sets won in exactly `depth` moves at a representative placement.
    pub(crate) fn masks_of_depth(&self, number: usize, depth: u16) -> &[Mask] {
        self.spans(number).iter().find(|span| span.depth == depth).map_or(&[], |span| self.masks(*span))
    }

    fn spans(&self, number: usize) -> &[Span] {
        self.storage.spans(number)
    }

    fn masks(&self, span: Span) -> &[Mask] {
        &self.storage.masks()[span.first as usize..(span.first + span.count) as usize]
    }
}
