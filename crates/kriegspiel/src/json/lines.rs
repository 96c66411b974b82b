//! Lines of bounded length, with their numbers.

use std::io::{self, BufRead};

use super::{LONGEST_LINE, LineError, ReadError};

/// A reader of lines of bounded length.
pub(super) struct Lines<R> {
    pub(super) reader: R,
    pub(super) number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is not blank.
    pub(super) fn next_text(&mut self) -> Result<Option<String>, ReadError> {
        loop {
            let mut line = Vec::new();
            let limit = LONGEST_LINE as u64 + 1;
            let length = io::Read::take(&mut self.reader, limit).read_until(b'\n', &mut line)?;
            if length == 0 {
                return Ok(None);
            }
            self.number += 1;
            if line.len() > LONGEST_LINE {
                return Err(self.wrong(LineError::TooLong));
            }
            let text = String::from_utf8(line).map_err(|_| self.wrong(LineError::NotText))?;
            if !text.trim().is_empty() {
                return Ok(Some(text.trim().to_owned()));
            }
        }
    }

    pub(super) fn wrong(&self, cause: LineError) -> ReadError {
        ReadError::Line { line: self.number, cause }
    }
}
