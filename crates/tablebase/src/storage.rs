//! The file format: one header, one list of spans and all masks, mapped into memory as they lie on disk.
//!
//! All numbers are little-endian on every machine (`byte_order`); sections follow each other, each a multiple of eight
//! bytes:
//!
//! | section | bytes |
//! |---|---|
//! | header | 96: magic, version, board, men, rules, flags, counts, BLAKE3 of all the rest |
//! | placements | 4 each, and one more: number of the placement's first span |
//! | spans | 12 each: first entry, number of entries, depth, size of the largest set |
//! | masks | 8 an entry |
//! | attempts | 1 an entry |
//!
//! A span is the entries of one placement and depth. Every offset is checked when a file is opened, so a
//! damaged file is an error and never a wrong answer or a panic later.

use std::borrow::Cow;
use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use memmap2::Mmap;

use crate::board::Mask;
use crate::byte_order::{ByteOrder, Numbers};
use crate::index::Index;
use crate::material::Ending;
use crate::table::Run;

/// Version of the format and of the order of attempts that entries refer to.
pub const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"NEBELTB\n";

/// The first bytes of a file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    magic: [u8; 8],
    /// See [`VERSION`].
    pub version: u32,
    /// Files and ranks of the board.
    pub size: u8,
    men: [u8; 3],
    rules: [u8; 8],
    /// 1 if entries were merged with supersets that share the attempt: depths are then upper bounds.
    pub merged: u32,
    /// Representative placements.
    pub placements: u32,
    /// Spans.
    pub spans: u64,
    /// Entries.
    pub entries: u64,
    /// The largest depth.
    pub longest: u16,
    reserved: [u8; 14],
    checksum: [u8; 32],
}

/// The entries of one placement and depth.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Span {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) depth: u16,
    pub(crate) largest: u16,
}

/// The bytes of a table, owned or mapped, and where the sections lie.
#[derive(Debug)]
pub(crate) struct Storage {
    bytes: Bytes,
    header: Header,
    layout: Layout,
}

#[derive(Debug)]
enum Bytes {
    /// Words, so that the masks are aligned.
    Owned(Vec<u64>),
    Mapped(Mmap),
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    spans: usize,
    masks: usize,
    moves: usize,
    end: usize,
}

impl Layout {
    /// `None` if the counts overflow.
    fn new(header: &Header) -> Option<Layout> {
        let padded = |bytes: usize| bytes.checked_next_multiple_of(8);
        let entries = usize::try_from(header.entries).ok()?;
        let spans =
            size_of::<Header>() + padded((header.placements as usize).checked_add(1)?.checked_mul(4)?)?;
        let span_bytes = usize::try_from(header.spans).ok()?.checked_mul(size_of::<Span>())?;
        let masks = spans.checked_add(padded(span_bytes)?)?;
        let moves = masks.checked_add(entries.checked_mul(8)?)?;
        Some(Layout { spans, masks, moves, end: moves.checked_add(padded(entries)?)? })
    }

    /// Every number of more than a byte.
    fn numbers(&self, header: &Header) -> Vec<Numbers> {
        let in_spans = |offset: usize, width| Numbers {
            start: self.spans + offset,
            count: header.spans as usize,
            width,
            stride: size_of::<Span>(),
        };
        let firsts = header.placements as usize + 1;
        let sections = [
            Numbers { start: size_of::<Header>(), count: firsts, width: 4, stride: 4 },
            in_spans(offset_of!(Span, first), 4),
            in_spans(offset_of!(Span, count), 4),
            in_spans(offset_of!(Span, depth), 2),
            in_spans(offset_of!(Span, largest), 2),
            Numbers { start: self.masks, count: header.entries as usize, width: 8, stride: 8 },
        ];
        HEADER_NUMBERS.into_iter().chain(sections).collect()
    }
}

/// The numbers of the header itself.
const HEADER_NUMBERS: [Numbers; 6] = [
    Numbers::one(offset_of!(Header, version), 4),
    Numbers::one(offset_of!(Header, merged), 4),
    Numbers::one(offset_of!(Header, placements), 4),
    Numbers::one(offset_of!(Header, spans), 8),
    Numbers::one(offset_of!(Header, entries), 8),
    Numbers::one(offset_of!(Header, longest), 2),
];

impl Storage {
    /// `None` if there are more entries than the format can count.
    pub(crate) fn from_runs(index: &Index, runs: &[Vec<Run>]) -> Option<Storage> {
        let mut spans: Vec<Span> = Vec::new();
        let mut firsts: Vec<u32> = vec![0];
        let (mut masks, mut moves): (Vec<Mask>, Vec<u8>) = (Vec::new(), Vec::new());
        for runs in runs {
            for run in runs.iter().filter(|run| !run.masks.is_empty()) {
                let largest = run.masks.iter().map(|mask| mask.count_ones()).max().unwrap_or(0) as u16;
                spans.push(Span {
                    first: masks.len() as u32,
                    count: run.masks.len() as u32,
                    depth: run.depth,
                    largest,
                });
                masks.extend(&run.masks);
                moves.extend(&run.moves);
            }
            firsts.push(spans.len() as u32);
        }
        u32::try_from(masks.len()).ok()?;
        let header = Header {
            spans: spans.len() as u64,
            entries: masks.len() as u64,
            longest: spans.iter().map(|span| span.depth).max().unwrap_or(0),
            ..Header::of(index)
        };
        let layout = Layout::new(&header)?;
        let mut words = vec![0u64; layout.end / 8];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let mut section = |start: usize, part: &[u8]| bytes[start..][..part.len()].copy_from_slice(part);
        section(size_of::<Header>(), bytemuck::cast_slice(&firsts));
        section(layout.spans, bytemuck::cast_slice(&spans));
        section(layout.masks, bytemuck::cast_slice(&masks));
        section(layout.moves, &moves);
        let mut storage = Storage { bytes: Bytes::Owned(words), header, layout };
        storage.seal();
        Some(storage)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Says in the header that entries were merged; only a table in memory can be changed.
    pub(crate) fn mark_merged(&mut self) {
        self.header.merged = 1;
        self.seal();
    }

    /// Puts the header in its place, with the checksum of the file that this will be.
    fn seal(&mut self) {
        self.put_header();
        self.header.checksum = checksum(&self.in_file_order());
        self.put_header();
    }

    fn put_header(&mut self) {
        let Bytes::Owned(words) = &mut self.bytes else { return };
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
        bytes[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(&self.header));
    }

    /// The bytes of the file.
    pub(crate) fn in_file_order(&self) -> Cow<'_, [u8]> {
        ByteOrder::HERE.exchanged(self.bytes(), &self.layout.numbers(&self.header))
    }

    pub(crate) fn spans(&self, placement: usize) -> &[Span] {
        let firsts: &[u32] = bytemuck::cast_slice(&self.bytes()[size_of::<Header>()..self.layout.spans]);
        &self.all_spans()[firsts[placement] as usize..firsts[placement + 1] as usize]
    }

    pub(crate) fn masks(&self) -> &[Mask] {
        bytemuck::cast_slice(&self.bytes()[self.layout.masks..self.layout.moves])
    }

    pub(crate) fn moves(&self) -> &[u8] {
        &self.bytes()[self.layout.moves..][..self.header.entries as usize]
    }

    fn all_spans(&self) -> &[Span] {
        let bytes = self.header.spans as usize * size_of::<Span>();
        bytemuck::cast_slice(&self.bytes()[self.layout.spans..][..bytes])
    }

    fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(words) => bytemuck::cast_slice(words),
            Bytes::Mapped(map) => map,
        }
    }

    /// Takes a mapped file whose header this is; the error says what is wrong with it, of which every offset and the checksum
    /// are looked at.
    pub(crate) fn from_file(map: Mmap, header: Header) -> Result<Storage, String> {
        let layout = Layout::new(&header).ok_or("impossible counts")?;
        if map.len() != layout.end {
            return Err(format!("{} bytes where the header asks for {}", map.len(), layout.end));
        }
        if checksum(&map) != header.checksum {
            return Err("the checksum does not fit".to_owned());
        }
        let turned = match ByteOrder::HERE.exchanged(&map, &layout.numbers(&header)) {
            Cow::Borrowed(_) => None,
            Cow::Owned(bytes) => Some(bytemuck::pod_collect_to_vec(&bytes)),
        };
        let bytes = turned.map_or(Bytes::Mapped(map), Bytes::Owned);
        let storage = Storage { bytes, header, layout };
        if storage.points_inside() { Ok(storage) } else { Err("an offset points nowhere".to_owned()) }
    }

    /// Whether every offset points to something.
    fn points_inside(&self) -> bool {
        let firsts: &[u32] = bytemuck::cast_slice(&self.bytes()[size_of::<Header>()..self.layout.spans]);
        let firsts = &firsts[..=self.header.placements as usize];
        let in_order =
            firsts[0] == 0 && firsts.is_sorted() && u64::from(firsts[firsts.len() - 1]) == self.header.spans;
        let end = |span: &Span| u64::from(span.first) + u64::from(span.count);
        let inside = self.all_spans().iter().all(|span| end(span) <= self.header.entries);
        in_order && inside
    }
}

impl Header {
    fn of(index: &Index) -> Header {
        let mut men = [0; 3];
        for (place, &role) in men.iter_mut().zip(index.ending().men()) {
            *place = role.upper_char() as u8;
        }
        Header {
            magic: MAGIC,
            version: VERSION,
            size: index.board().size(),
            men,
            rules: *b"icc\0\0\0\0\0",
            placements: index.placements().len() as u32,
            ..Header::zeroed()
        }
    }

    /// The header of a file; the error says why it is none of this version.
    pub(crate) fn of_file(file: &[u8]) -> Result<Header, String> {
        let start = file.get(..size_of::<Header>()).ok_or("too short")?;
        let header: Header = bytemuck::pod_read_unaligned(&ByteOrder::HERE.exchanged(start, &HEADER_NUMBERS));
        if header.magic != MAGIC {
            return Err("it does not begin as one".to_owned());
        }
        if header.version != VERSION {
            return Err(format!("it has version {}, not {VERSION}", header.version));
        }
        Ok(header)
    }

    /// The ending the file is for.
    pub fn ending(&self) -> Option<Ending> {
        let men: String = self.men.iter().take_while(|&&c| c != 0).map(|&c| c as char).collect();
        format!("K{men}K").parse().ok()
    }

    /// The rules whose announcements the entries rely on.
    pub fn rules(&self) -> String {
        self.rules.iter().take_while(|&&c| c != 0).map(|&c| c as char).collect()
    }

    /// The checksum, in hexadecimal.
    pub fn checksum(&self) -> String {
        blake3::Hash::from_bytes(self.checksum).to_hex().to_string()
    }
}

/// The checksum of a file, its own place taken as empty.
fn checksum(file: &[u8]) -> [u8; 32] {
    let (before, after) = (&file[..offset_of!(Header, checksum)], &file[size_of::<Header>()..]);
    *blake3::Hasher::new().update(before).update(&[0; 32]).update(after).finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    /// Reads the sections by hand: as a file, and as the memory of a machine of the other kind would hold it.
    #[test]
    fn every_number_of_a_file_is_little_endian() {
        let table = crate::generator::solve(Board::new(4).unwrap(), &"KRK".parse().unwrap(), &[], |_| {});
        let table = table.unwrap();
        let (header, layout) = (table.storage().header, table.storage().layout);
        let file = table.storage().in_file_order();
        let other = ByteOrder::Big.exchanged(&file, &layout.numbers(&header));
        let read = |at: usize, width: usize| {
            let little = file[at..at + width].iter().rev();
            let number = little.fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
            let big = other[at..at + width].iter();
            assert_eq!(big.fold(0, |number, &byte| number << 8 | u64::from(byte)), number, "at {at}");
            number
        };
        assert_eq!((&file[..8], read(8, 4), read(24, 4)), (&MAGIC[..], u64::from(VERSION), 0));
        let (placements, spans, entries) = (read(28, 4) as usize, read(32, 8) as usize, read(40, 8) as usize);
        assert_eq!((placements, entries), (table.index().placements().len(), table.len()));
        assert_eq!(read(48, 2), u64::from(table.longest()));
        let spans_at = 96 + ((placements + 1) * 4).next_multiple_of(8);
        let masks_at = spans_at + (spans * 12).next_multiple_of(8);
        let mut seen = 0;
        for number in 0..placements {
            let mut kept = table.entries(number);
            for span in read(96 + 4 * number, 4)..read(100 + 4 * number, 4) {
                let at = spans_at + 12 * span as usize;
                let (first, count) = (read(at, 4) as usize, read(at + 4, 4) as usize);
                let mut largest = 0;
                for entry in first..first + count {
                    let mask = read(masks_at + 8 * entry, 8);
                    let kept = kept.next().unwrap();
                    let attempt = file[masks_at + 8 * entries + entry];
                    assert_eq!(
                        (kept.mask, u64::from(kept.depth), kept.attempt),
                        (mask, read(at + 8, 2), attempt)
                    );
                    largest = largest.max(mask.count_ones());
                    seen += 1;
                }
                assert_eq!(read(at + 10, 2), u64::from(largest));
            }
            assert!(kept.next().is_none());
        }
        assert!(seen == entries && seen > 100, "{seen}");
    }
}
