//! The order of bytes in a table file: little-endian, whatever the machine that writes or reads it.
//!
//! In memory all numbers are the machine's own, so that they can be looked at as they lie. Only a machine that keeps
//! the other order has to turn them around, once, between the file and its memory.

use std::borrow::Cow;

/// Consecutive numbers of the same width, as bytes from a first one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Where the first number begins.
    pub(crate) start: usize,
    /// How many there are.
    pub(crate) count: usize,
    /// The bytes of each.
    pub(crate) width: usize,
    /// The bytes from the beginning of one to that of the next.
    pub(crate) stride: usize,
}

impl Numbers {
    /// A single number.
    pub(crate) const fn one(start: usize, width: usize) -> Numbers {
        Numbers { start, count: 1, width, stride: width }
    }
}

/// An order of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// That of this machine.
    pub(crate) const HERE: ByteOrder =
        if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };

    /// Bytes in this order as they stand in a file, or the other way round: it is the same.
    pub(crate) fn exchanged<'a>(self, bytes: &'a [u8], numbers: &[Numbers]) -> Cow<'a, [u8]> {
        if self == ByteOrder::Little {
            return Cow::Borrowed(bytes);
        }
        let mut bytes = bytes.to_vec();
        for part in numbers {
            for at in (0..part.count).map(|number| part.start + number * part.stride) {
                bytes[at..at + part.width].reverse();
            }
        }
        Cow::Owned(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_big_endian_machine_are_turned_around_and_nothing_else() {
        let numbers = [
            Numbers { start: 1, count: 2, width: 4, stride: 6 },
            Numbers { start: 5, count: 2, width: 2, stride: 6 },
        ];
        let mut here = vec![9];
        for (long, short) in [(0x0102_0304_u32, 0x0506_u16), (7, 8)] {
            here.extend(long.to_be_bytes());
            here.extend(short.to_be_bytes());
        }
        let mut file = vec![9];
        for (long, short) in [(0x0102_0304_u32, 0x0506_u16), (7, 8)] {
            file.extend(long.to_le_bytes());
            file.extend(short.to_le_bytes());
        }
        assert_eq!(*ByteOrder::Big.exchanged(&here, &numbers), file);
        assert_eq!(*ByteOrder::Big.exchanged(&file, &numbers), here);
        assert_eq!(*ByteOrder::Little.exchanged(&file, &numbers), file);
    }
}
