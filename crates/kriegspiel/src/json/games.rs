//! Several games in one file of JSON Lines, one after the other, each beginning with its header.

use std::io::BufRead;

use serde_json::Value;

use super::{ReadError, lines::Lines, read_game};
use crate::transcript::Record;

/// The games of a file, read as they are asked for. After an error there is no further one.
///
/// ```
/// use nebel_kriegspiel::json::Games;
///
/// let file = r#"{"nebel":1,"rules":"icc"}
/// {"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}
/// {"nebel":1,"rules":"berkeley"}
/// {"by":"white","attempt":"d2d4","answer":"moved"}"#;
/// let games: Vec<_> = Games::of(file.as_bytes()).collect::<Result<_, _>>().unwrap();
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].header().rules.name, "berkeley");
/// ```
pub struct Games<R> {
    lines: Lines<R>,
    stage: Stage,
}

enum Stage {
    /// Nothing was read.
    Start,
    /// The header of the next game was read.
    At(String),
    /// Nothing follows.
    End,
}

impl<R: BufRead> Games<R> {
    /// The games that a reader holds.
    pub fn of(reader: R) -> Games<R> {
        Games { lines: Lines { reader, number: 0 }, stage: Stage::Start }
    }

    fn game_after(&mut self, stage: Stage) -> Result<Option<Record>, ReadError> {
        let header = match stage {
            Stage::Start => self.lines.next_text()?.ok_or(ReadError::Empty)?,
            Stage::At(header) => header,
            Stage::End => return Ok(None),
        };
        let (record, next) = read_game(&mut self.lines, &header, is_header)?;
        self.stage = next.map_or(Stage::End, Stage::At);
        Ok(Some(record))
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let stage = std::mem::replace(&mut self.stage, Stage::End);
        self.game_after(stage).transpose()
    }
}

/// Whether a line is a header: only those have a field `nebel`. Few others hold the word at all, which is looked at first.
fn is_header(text: &str) -> bool {
    let has_field = || serde_json::from_str::<Value>(text).is_ok_and(|line| line.get("nebel").is_some());
    text.contains("\"nebel\"") && has_field()
}
