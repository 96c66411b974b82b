//! Files of games, whichever form they are in: [JSON Lines](crate::json) or [Kriegspiel PGN](crate::pgn).

use std::io::{self, BufRead, Read, Write};

use thiserror::Error;

use crate::{
    json::{self, ReadError},
    pgn::{self, PgnError},
    rules::Rules,
    transcript::Record,
};

/// The largest PGN file that is read into memory.
const LARGEST_FILE: u64 = 256 << 20;

/// A game file's form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// JSON Lines: the header, then one event a line.
    Jsonl,
    /// Kriegspiel PGN.
    Pgn,
}

impl Form {
    /// Writes one game.
    pub fn write(self, game: &Record, out: impl Write) -> io::Result<()> {
        match self {
            Form::Jsonl => json::write(game, out),
            Form::Pgn => pgn::write(game, out),
        }
    }
}

/// Why a file holds no games that can be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// It cannot be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not right as JSON Lines.
    #[error(transparent)]
    Json(#[from] ReadError),
    /// It is not right as PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// More than anybody wants in memory.
    #[error("larger than 256 MiB")]
    TooLarge,
    /// No text from this line on.
    #[error("line {0}: neither JSON Lines nor PGN (not UTF-8 text)")]
    NotText(usize),
    /// Some other text.
    #[error("line 1: neither JSON Lines (which begin with `{{`) nor PGN (which begins with `[`)")]
    NeitherForm,
}

/// Reads the first games of a file, so many of JSON Lines and all of PGN; the form shows in the first character. `default_rules` are those of
/// games that do not name theirs.
pub fn read(
    mut reader: impl BufRead,
    most: usize,
    default_rules: &Rules,
) -> Result<(Form, Vec<Record>), GamesError> {
    let first = first_character(&mut reader)?;
    if first == Some(b'{') {
        let games = json::Games::of(reader).take(most).collect::<Result<_, _>>();
        return Ok((Form::Jsonl, games?));
    }
    let mut bytes = Vec::new();
    reader.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(GamesError::TooLarge);
    }
    if first.is_none() {
        return Err(ReadError::Empty.into());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        GamesError::NotText(valid.split(|&byte| byte == b'\n').count())
    })?;
    if first != Some(b'[') && !text.starts_with(['[', '1', '%', ';']) {
        return Err(GamesError::NeitherForm);
    }
    Ok((Form::Pgn, pgn::read(&text, default_rules)?))
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Skips a byte order mark, which some editors put in front and which is no part of the text; waits for no more than the
/// bytes that may belong to one: somebody may be typing.
pub fn without_mark(mut reader: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut read = 0;
    while read < MARK.len() && reader.fill_buf()?.first() == MARK.get(read) {
        reader.consume(1);
        read += 1;
    }
    // Less than the whole mark was text.
    let text = if read == MARK.len() { &[] } else { &MARK[..read] };
    Ok(if text.is_empty() { Box::new(reader) } else { Box::new(text.chain(reader)) })
}

/// The first character that is not blank, left unread.
fn first_character(reader: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        if let Some(at) = buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
            return Ok(Some(buffer[at]));
        }
        let blank = buffer.len();
        reader.consume(blank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_mark_is_skipped() {
        for (bytes, text) in [
            (&b"\xef\xbb\xbftext"[..], &b"text"[..]),
            (b"\xef\xbb\xbf\xef\xbb\xbf", b"\xef\xbb\xbf"),
            (b"\xef\xbb\xa0text", b"\xef\xbb\xa0text"),
            (b"\xef", b"\xef"),
            (b"text", b"text"),
            (b"", b""),
        ] {
            let mut read = Vec::new();
            without_mark(bytes).and_then(|mut reader| reader.read_to_end(&mut read)).expect("memory is read");
            assert_eq!(read, text);
        }
    }
}
