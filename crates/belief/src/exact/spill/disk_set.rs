//! A finished set of positions on disk: the shares one after the other, each in order.
//!
//! Neighbouring shares are a *stretch*, and each stretch has a file, so that threads write apart and a file can go as soon as
//! nobody needs it.

use std::io;

use nebel_position::Key;

use super::{
    Stop,
    disk::{KeyFile, Spill},
};
use crate::{exact::filter::take_marks_off, exact::set::PositionSet, exact::workers::Workers, step::Step};

/// The most stretches: many enough for any number of threads, few enough to be open together three times over.
const STRETCHES: usize = 64;
/// Positions that are written at once.
const BLOCK: usize = 1 << 16;

/// A set of positions in files.
#[derive(Debug)]
pub(crate) struct DiskSet {
    files: Vec<KeyFile>,
    /// How many positions each share has.
    shares: Vec<usize>,
    len: usize,
}

/// How many shares a stretch has, of so many in all.
pub(crate) fn stretch(shares: usize) -> usize {
    shares.div_ceil(STRETCHES)
}

impl DiskSet {
    /// The set of these files, of which each holds a stretch of these shares.
    pub(crate) fn new(files: Vec<KeyFile>, shares: Vec<usize>) -> DiskSet {
        let len = files.iter().map(KeyFile::len).sum();
        DiskSet { files, shares, len }
    }

    /// Writes a set that is in memory.
    pub(crate) fn write(set: &PositionSet, spill: &Spill, workers: &Workers<'_>) -> Result<DiskSet, Stop> {
        let lists = set.lists();
        let per = stretch(lists.len());
        let files = workers.collect(set.len(), lists.len().div_ceil(per), |index| {
            let mut writer = Writer::new(spill)?;
            for list in lists.iter().skip(index * per).take(per) {
                let mut list = list.clone();
                list.sort_unstable();
                writer.write(&list)?;
            }
            Ok::<_, Stop>(writer.finish()?)
        })?;
        Ok(DiskSet::new(files, lists.iter().map(Vec::len).collect()))
    }

    /// The same set in memory.
    pub(crate) fn read(&self) -> io::Result<PositionSet> {
        let mut lists = Vec::with_capacity(self.shares.len());
        for index in 0..self.files.len() {
            self.for_each_share(index, |list| {
                lists.push(list.clone());
                Ok::<(), io::Error>(())
            })?;
        }
        Ok(PositionSet::from_lists(lists))
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The files and how many positions each share has.
    pub(crate) fn into_parts(self) -> (Vec<KeyFile>, Vec<usize>) {
        (self.files, self.shares)
    }

    /// Pieces of so many positions at most: the number of a file, and from where on how many.
    pub(crate) fn chunks(&self, most: usize) -> Vec<(usize, usize, usize)> {
        let pieces = |(index, file): (usize, &KeyFile)| {
            let len = file.len();
            (0..len).step_by(most).map(move |from| (index, from, most.min(len - from)))
        };
        self.files.iter().enumerate().flat_map(pieces).collect()
    }

    /// Reads a piece.
    pub(crate) fn read_chunk(&self, chunk: (usize, usize, usize), keys: &mut Vec<u128>) -> io::Result<()> {
        let (file, from, count) = chunk;
        self.files[file].read(from, count, keys)
    }

    /// Calls `each` with every position.
    pub(crate) fn for_each(&self, mut each: impl FnMut(Key)) -> io::Result<()> {
        let mut keys = Vec::new();
        for chunk in self.chunks(BLOCK) {
            self.read_chunk(chunk, &mut keys)?;
            for &bits in &keys {
                each(Key::from_bits(bits));
            }
        }
        Ok(())
    }

    /// The positions that a step leaves which [only leaves out](Step::only_leaves_out), and how many they were before any ran
    /// together. A share is in memory as a whole, for each thread.
    pub(crate) fn filter(
        &self,
        step: &Step,
        spill: &Spill,
        workers: &Workers<'_>,
    ) -> Result<(DiskSet, u64), Stop> {
        workers.progress.begin(self.len);
        let takes_marks_off = matches!(step, Step::Made(..));
        let done = workers.collect(self.len, self.files.len(), |index| {
            let (mut writer, mut shares, mut kept) = (Writer::new(spill)?, Vec::new(), 0);
            self.for_each_share(index, |list| {
                let before = list.len();
                list.retain(|&key| step.leaves(Key::from_bits(key)));
                kept += list.len() as u64;
                if takes_marks_off && take_marks_off(list) {
                    list.sort_unstable();
                }
                shares.push(list.len());
                workers.budget.add_positions(list.len())?;
                workers.progress.advance(before, workers.budget.found());
                workers.unless_stopped::<Stop>()?;
                Ok::<(), Stop>(writer.write(list)?)
            })?;
            Ok::<_, Stop>((writer.finish()?, shares, kept))
        })?;
        let kept = done.iter().map(|(_, _, kept)| kept).sum();
        let (files, shares): (Vec<KeyFile>, Vec<Vec<usize>>) =
            done.into_iter().map(|(file, shares, _)| (file, shares)).unzip();
        Ok((DiskSet::new(files, shares.concat()), kept))
    }

    /// Calls `each` with every share of a stretch, in order.
    fn for_each_share<E: From<io::Error>>(
        &self,
        file: usize,
        mut each: impl FnMut(&mut Vec<u128>) -> Result<(), E>,
    ) -> Result<(), E> {
        let per = stretch(self.shares.len());
        let (mut from, mut list) = (0, Vec::new());
        for &count in self.shares.iter().skip(file * per).take(per) {
            self.files[file].read(from, count, &mut list)?;
            from += count;
            each(&mut list)?;
        }
        Ok(())
    }
}

/// A file in the making, written in large blocks.
pub(crate) struct Writer {
    file: KeyFile,
    block: Vec<u128>,
}

impl Writer {
    pub(crate) fn new(spill: &Spill) -> io::Result<Writer> {
        Ok(Writer::to(spill.file()?))
    }

    /// Goes on with a file.
    pub(crate) fn to(file: KeyFile) -> Writer {
        Writer { file, block: Vec::new() }
    }

    pub(crate) fn write(&mut self, keys: &[u128]) -> io::Result<()> {
        if self.block.len() + keys.len() > BLOCK {
            self.empty()?;
            if keys.len() > BLOCK {
                return self.file.append(keys);
            }
        }
        self.block.extend_from_slice(keys);
        Ok(())
    }

    /// The file, with everything in it.
    pub(crate) fn finish(mut self) -> io::Result<KeyFile> {
        self.empty()?;
        Ok(self.file)
    }

    fn empty(&mut self) -> io::Result<()> {
        self.file.append(&self.block)?;
        self.block.clear();
        Ok(())
    }
}
