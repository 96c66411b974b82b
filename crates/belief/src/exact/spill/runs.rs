//! Sorted runs, and the merge that makes a set of them.
//!
//! Each time memory is full, the tables of all shares are sorted and written: a *run*. Every stretch of shares has one file, in
//! which run follows run. At the end (or when there are very many) the runs of a stretch are merged share by share, and what
//! is there several times is written once; then the stretch's file goes, so the disk holds each stretch twice at most for a
//! moment.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    collections::binary_heap::PeekMut,
    io,
    sync::{Mutex, PoisonError},
};

use super::{
    Stop,
    disk::{KeyFile, Spill},
    disk_set::{DiskSet, Writer, stretch},
};
use crate::exact::{
    budget::SLOT,
    merge::Shares,
    workers::{Workers, lock},
};

/// The most runs that are merged at once; then they are merged into one. Each is read by blocks, which get small when there are
/// many.
const MOST_RUNS: usize = 128;
/// Positions that a merge reads from a run at once, at least and at most.
const BLOCK: std::ops::RangeInclusive<usize> = 64..=1 << 16;

/// Runs of one step.
#[derive(Debug)]
pub(crate) struct Runs<'a> {
    spill: &'a Spill,
    /// One file a stretch, gone when it is merged.
    files: Vec<Mutex<Option<KeyFile>>>,
    /// For each run, how many positions each share has in it.
    lens: Vec<Vec<usize>>,
    shares: usize,
}

impl<'a> Runs<'a> {
    /// No runs yet, of two to the power of `bits` shares.
    pub(crate) fn new(spill: &'a Spill, bits: u32) -> io::Result<Runs<'a>> {
        let shares = 1_usize << bits;
        let files = (0..shares.div_ceil(stretch(shares))).map(|_| Ok(Mutex::new(Some(spill.file()?))));
        Ok(Runs { spill, files: files.collect::<io::Result<_>>()?, lens: Vec::new(), shares })
    }

    /// Writes what the tables hold as one more run.
    pub(crate) fn add(&mut self, shares: Shares, workers: &Workers<'_>) -> Result<(), Stop> {
        let per = stretch(self.shares);
        let tables: Vec<_> = shares.into_tables().into_iter().map(Mutex::new).collect();
        let lens = workers.collect(workers.budget.found(), self.files.len(), |index| {
            let mut file = lock(&self.files[index]);
            let mut writer = Writer::to(file.take().ok_or(io::ErrorKind::NotFound).map_err(io::Error::from)?);
            let mut lens = Vec::with_capacity(per);
            for table in tables.iter().skip(index * per).take(per) {
                let mut list = std::mem::take(&mut *lock(table)).into_list(workers.budget);
                list.sort_unstable();
                lens.push(list.len());
                writer.write(&list)?;
            }
            *file = Some(writer.finish()?);
            Ok::<_, Stop>(lens)
        })?;
        self.lens.push(lens.concat());
        if self.lens.len() == MOST_RUNS {
            let (files, shares) = self.merge(workers)?.into_parts();
            self.files = files.into_iter().map(|file| Mutex::new(Some(file))).collect();
            self.lens = vec![shares];
        }
        Ok(())
    }

    /// The set of all positions in the runs.
    pub(crate) fn into_set(mut self, workers: &Workers<'_>) -> Result<DiskSet, Stop> {
        if self.lens.len() == 1 {
            let files = self
                .files
                .into_iter()
                .filter_map(|file| file.into_inner().unwrap_or_else(PoisonError::into_inner));
            return Ok(DiskSet::new(files.collect(), self.lens.remove(0)));
        }
        self.merge(workers)
    }

    fn merge(&self, workers: &Workers<'_>) -> Result<DiskSet, Stop> {
        let positions = self.lens.iter().flatten().sum();
        let done = workers.collect(positions, self.files.len(), |index| {
            let Some(file) = lock(&self.files[index]).take() else {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            };
            self.merge_stretch(index, &file, workers)
        })?;
        let (files, shares): (Vec<KeyFile>, Vec<Vec<usize>>) = done.into_iter().unzip();
        Ok(DiskSet::new(files, shares.concat()))
    }

    /// Merges the runs of one stretch, share by share.
    fn merge_stretch(
        &self,
        index: usize,
        file: &KeyFile,
        workers: &Workers<'_>,
    ) -> Result<(KeyFile, Vec<usize>), Stop> {
        let per = stretch(self.shares);
        let room = self.spill.memory() / SLOT / workers.threads / self.lens.len().max(1);
        let room = room.clamp(*BLOCK.start(), *BLOCK.end());
        let mut from = 0;
        let mut cursors: Vec<Cursor<'_>> = Vec::with_capacity(self.lens.len());
        for run in &self.lens {
            let len: usize = run.iter().skip(index * per).take(per).sum();
            cursors.push(Cursor { file, next: from, end: from + len, block: Vec::new(), at: 0, room });
            from += len;
        }
        let mut writer = Writer::new(self.spill)?;
        let mut shares = Vec::with_capacity(per);
        let mut merged = Vec::new();
        for share in (index * per..self.shares).take(per) {
            let mut count = 0;
            let mut left: Vec<usize> = self.lens.iter().map(|run| run[share]).collect();
            let mut heads = BinaryHeap::with_capacity(left.len());
            for (run, left) in left.iter_mut().enumerate().filter(|(_, left)| **left > 0) {
                *left -= 1;
                heads.push(Reverse((cursors[run].take()?, run)));
            }
            let mut last = 0;
            while let Some(mut head) = heads.peek_mut() {
                let Reverse((key, run)) = *head;
                if key != last {
                    merged.push(key);
                    last = key;
                }
                if left[run] == 0 {
                    PeekMut::pop(head);
                } else {
                    left[run] -= 1;
                    *head = Reverse((cursors[run].take()?, run));
                }
                if merged.len() == *BLOCK.end() {
                    count += write(&mut writer, &mut merged, workers)?;
                }
            }
            shares.push(count + write(&mut writer, &mut merged, workers)?);
        }
        Ok((writer.finish()?, shares))
    }
}

/// Writes and counts merged positions.
fn write(writer: &mut Writer, merged: &mut Vec<u128>, workers: &Workers<'_>) -> Result<usize, Stop> {
    let count = merged.len();
    writer.write(merged)?;
    merged.clear();
    workers.budget.add_positions(count)?;
    workers.unless_stopped::<Stop>()?;
    Ok(count)
}

/// A place in a run.
struct Cursor<'a> {
    file: &'a KeyFile,
    next: usize,
    end: usize,
    block: Vec<u128>,
    at: usize,
    room: usize,
}

impl Cursor<'_> {
    /// The next position, of which there must be one.
    #[inline]
    fn take(&mut self) -> io::Result<u128> {
        if self.at == self.block.len() {
            let count = self.room.min(self.end - self.next);
            self.file.read(self.next, count, &mut self.block)?;
            self.next += count;
            self.at = 0;
        }
        self.at += 1;
        Ok(self.block[self.at - 1])
    }
}
