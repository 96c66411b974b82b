//! Transcripts and views as JSON Lines: the header, then one event a line. A file may hold several games ([`Games`]), each
//! from its header to the next.
//!
//! What is read is checked: see [`crate::transcript`]. A header without `"view"` whose events hide
//! one side's attempts is read as the other side's view.

mod event;
mod games;
mod lines;

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Write},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shakmaty::Color;
use thiserror::Error;

use self::lines::Lines;
pub use self::{
    event::{EventJson, TriesJson},
    games::Games,
};
use crate::{
    event::Event,
    rules::{Rules, RulesError},
    side::Contradiction,
    start::{self, FenError, in_one_line, shortened},
    transcript::{self, Header, Mismatch, Record, Transcript, View},
};

/// The longest line that is read; no event comes near it.
const LONGEST_LINE: usize = 1 << 16;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file holds nothing.
    #[error("empty: a transcript begins with a header")]
    Empty,
    /// One line is wrong.
    #[error("line {line}: {cause}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: LineError,
    },
    /// The file itself cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineError {
    /// Nobody writes such lines.
    #[error("longer than {LONGEST_LINE} bytes")]
    TooLong,
    /// Not text.
    #[error("not UTF-8 text")]
    NotText,
    /// Not JSON, or not of the right form.
    #[error("{0}")]
    Json(String),
    /// Another version of the format.
    #[error("format version {0}, but this program reads version 1")]
    Version(u64),
    /// Unusable rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Unusable start.
    #[error(transparent)]
    Start(#[from] FenError),
    /// Neither an attempt, nor a question, nor an end.
    #[error("{0}")]
    Form(&'static str),
    /// The umpire disagrees.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A view that does not fit together.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// Reads a transcript or a view, which must be all there is.
pub fn read(reader: impl BufRead) -> Result<Record, ReadError> {
    let mut lines = Lines { reader, number: 0 };
    let header_line = lines.next_text()?.ok_or(ReadError::Empty)?;
    let (record, _) = read_game(&mut lines, &header_line, |_| false)?;
    Ok(record)
}

/// Reads the game whose header was read last, up to the line that another one begins with; gives that line too.
fn read_game(
    lines: &mut Lines<impl BufRead>,
    header_line: &str,
    begins_another: impl Fn(&str) -> bool,
) -> Result<(Record, Option<String>), ReadError> {
    let header_line_number = lines.number;
    let (header, side) = read_header(header_line).map_err(|cause| lines.wrong(cause))?;
    let mut events = Vec::new();
    let mut next = None;
    while let Some(text) = lines.next_text()? {
        if begins_another(&text) {
            next = Some(text);
            break;
        }
        events.push((lines.number, read_event(&text).map_err(|cause| lines.wrong(cause))?));
    }
    let record = replay(header, header_line_number, side, events)?;
    Ok((record, next))
}

/// Puts a game together, each line judged by what came before it.
fn replay(
    header: Header,
    header_line_number: usize,
    side: Option<Color>,
    events: Vec<(usize, Event)>,
) -> Result<Record, ReadError> {
    let hidden = events.iter().find_map(|(_, event)| transcript::hides_attempt(event));
    let at = |line, cause| ReadError::Line { line, cause };
    match side.or(hidden.map(Color::other)) {
        None => {
            start::position(&header.start_fen).map_err(|error| at(header_line_number, error.into()))?;
            let mut transcript = Transcript::new(header);
            for (line, event) in events {
                transcript.add(&event).map_err(|error| at(line, error.into()))?;
            }
            Ok(Record::Transcript(Box::new(transcript)))
        }
        Some(side) => {
            let mut view = View::new(header, side);
            for (line, event) in events {
                view.add(event).map_err(|error| at(line, error.into()))?;
            }
            Ok(Record::View(Box::new(view)))
        }
    }
}

/// Writes a transcript or a view.
pub fn write(record: &Record, mut out: impl Write) -> io::Result<()> {
    let header = record.header();
    writeln!(out, "{}", header.to_json(record.side()))?;
    record.events().iter().try_for_each(|event| writeln!(out, "{}", event.to_json(&header.rules)))
}

impl Header {
    /// The header line of a transcript, or of one side's view.
    pub fn to_json(&self, view: Option<Color>) -> String {
        let rules = if self.rules.is_known() {
            Value::from(&*self.rules.name)
        } else {
            serde_json::to_value(&self.rules).unwrap_or_default()
        };
        to_text(&HeaderJson {
            nebel: 1,
            rules,
            start: Some(self.start_fen.clone()),
            view: view.map(Side::of),
            white: self.white.clone(),
            black: self.black.clone(),
            other: self.other.clone(),
        })
    }
}

impl Event {
    /// The event as one line of JSON, worded as the rules word it.
    pub fn to_json(&self, rules: &Rules) -> String {
        to_text(&EventJson::new(self, rules))
    }

    /// Reads an event. Where the rules refuse nonsense as "illegal", it is [`Answer::Illegal`] here;
    /// the transcript or view that the event joins tells them apart.
    pub fn from_json(text: &str) -> Result<Event, LineError> {
        read_event(text)
    }
}

fn to_text(value: &impl Serialize) -> String {
    // Maps with string keys and plain values: serialising them cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

fn read_header(text: &str) -> Result<(Header, Option<Color>), LineError> {
    let json: HeaderJson = serde_json::from_str(text).map_err(|error| json_error(text, &error))?;
    if json.nebel != 1 {
        return Err(LineError::Version(json.nebel));
    }
    let rules = match json.rules {
        Value::String(name) => Rules::by_name(&name)?,
        object => Rules::from_json(&object.to_string())?,
    };
    let start_fen = json.start.unwrap_or_else(|| start::STANDARD.to_owned());
    let header = Header {
        rules,
        start: start::refereed_elsewhere(&start_fen)?,
        start_fen,
        white: json.white,
        black: json.black,
        other: json.other,
    };
    Ok((header, json.view.map(Side::color)))
}

fn read_event(text: &str) -> Result<Event, LineError> {
    let json: EventJson = serde_json::from_str(text).map_err(|error| json_error(text, &error))?;
    json.into_event()
}

fn json_error(text: &str, error: &serde_json::Error) -> LineError {
    let cause = if error.is_eof() { "cut off, or not JSON" } else { "" };
    LineError::Json(if cause.is_empty() {
        format!("{} in `{}`", in_one_line(&error.to_string()), shortened(text))
    } else {
        format!("{cause}: `{}`", shortened(text))
    })
}

#[derive(Serialize, Deserialize)]
struct HeaderJson {
    nebel: u64,
    rules: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    view: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

/// A side by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// The side of this colour.
    pub const fn of(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    /// Its colour.
    pub const fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}
