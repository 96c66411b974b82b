//! The codes inside a Kriegspiel comment: what was announced, and what happened before the move.

use std::fmt::Write as _;

use shakmaty::{Bitboard, Color, Square};

use super::{PgnCause, notation};
use crate::{
    announcement::{Announcement, Capture, Kind, Tries, in_text_order},
    direction::Direction,
    event::{Answer, AskAnswer, Event, Input},
    men::OwnMen,
    over::Over,
    rules::{Rules, TriesAnnounced},
    start::shortened,
};

const LETTERS: [(Direction, char); 5] = [
    (Direction::File, 'F'),
    (Direction::Long, 'L'),
    (Direction::Knight, 'N'),
    (Direction::Rank, 'R'),
    (Direction::Short, 'S'),
];

/// The codes of an announcement.
pub(super) fn announced(announcement: &Announcement) -> String {
    let mut codes = Vec::new();
    if let Some(Capture { square, kind, en_passant }) = announcement.capture {
        codes.push(kind.map_or(format!("X{square}"), |kind| format!("X{square}-{}", kind.as_str())));
        codes.extend(en_passant.then(|| "EP".to_owned()));
    }
    codes.extend(announcement.promotion.then(|| "PR".to_owned()));
    if !announcement.check.is_empty() {
        let letters = LETTERS.iter().filter(|(direction, _)| announcement.check.contains(*direction));
        codes.push(std::iter::once('C').chain(letters.map(|&(_, letter)| letter)).collect());
    }
    codes.extend(match announcement.tries {
        None | Some(Tries::Count(0) | Tries::Any(false) | Tries::From(Bitboard::EMPTY)) => None,
        Some(Tries::Count(count)) => Some(format!("P{count}")),
        Some(Tries::Any(true)) => Some("P+".to_owned()),
        Some(Tries::From(squares)) => {
            Some(in_text_order(squares).fold("P@".to_owned(), |codes, square| format!("{codes}{square}")))
        }
    });
    codes.join(",")
}

/// Reads the codes of an announcement under these rules.
pub(super) fn read_announced(
    codes: &str,
    rules: &Rules,
    over: Option<Over>,
) -> Result<Announcement, PgnCause> {
    let mut announcement =
        Announcement { tries: no_tries(rules).filter(|_| over.is_none()), over, ..Announcement::default() };
    for code in codes.split(',').map(str::trim).filter(|code| !code.is_empty()) {
        read_code(code, &mut announcement).ok_or_else(|| PgnCause::Code(shortened(code)))?;
    }
    Ok(announcement)
}

fn read_code(code: &str, announcement: &mut Announcement) -> Option<()> {
    match code {
        "EP" => announcement.capture.as_mut()?.en_passant = true,
        "PR" => announcement.promotion = true,
        "P+" => announcement.tries = Some(Tries::Any(true)),
        _ => match code.split_at_checked(1)? {
            ("X" | "T", capture) => {
                let (square, kind) = capture.split_once('-').unwrap_or((capture, ""));
                let kind = match kind {
                    "" => None,
                    "pawn" => Some(Kind::Pawn),
                    "piece" => Some(Kind::Piece),
                    _ => return None,
                };
                announcement.capture =
                    Some(Capture { square: square.parse().ok()?, kind, en_passant: false });
            }
            ("C", letters) => {
                for letter in letters.chars() {
                    let (direction, _) = LETTERS.iter().find(|(_, known)| *known == letter)?;
                    announcement.check.insert(*direction);
                }
            }
            ("P", tries) => {
                announcement.tries = Some(match tries.strip_prefix('@') {
                    None => Tries::Count(tries.parse().ok()?),
                    Some(squares) => Tries::From(read_squares(squares)?),
                });
            }
            _ => return None,
        },
    }
    Some(())
}

fn read_squares(text: &str) -> Option<Bitboard> {
    text.as_bytes().chunks(2).map(|square| Square::from_ascii(square).ok()).collect()
}

/// What is left out when there are no pawn tries.
fn no_tries(rules: &Rules) -> Option<Tries> {
    match rules.tries {
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
        TriesAnnounced::Count => Some(Tries::Count(0)),
        TriesAnnounced::Any => Some(Tries::Any(false)),
        TriesAnnounced::From => Some(Tries::From(Bitboard::EMPTY)),
    }
}

/// The code of something that happened before the move of a turn.
pub(super) fn before(event: &Event, men: &OwnMen) -> Option<String> {
    Some(match event {
        Event::Attempt { said: None, .. } => "?".to_owned(),
        Event::Attempt { said: Some(Input::Attempt(attempt)), answer: Answer::Illegal, .. } => {
            notation::write(*attempt, men)
        }
        Event::Attempt { said: Some(said), .. } => format!("!{}", encoded(&said.to_string())),
        Event::Ask { answer: AskAnswer::Yes, .. } => "any?yes".to_owned(),
        Event::Ask { answer: AskAnswer::No, .. } => "any?no".to_owned(),
        Event::Ask { answer: AskAnswer::Nonsense, .. } => "any?nonsense".to_owned(),
        Event::End { .. } => return None,
    })
}

/// Reads the code of something that happened before the move of a turn.
pub(super) fn read_before(code: &str, by: Color, men: &OwnMen) -> Result<Event, PgnCause> {
    let ask = |answer| Event::Ask { by, answer };
    Ok(match code {
        "?" => Event::Attempt { by, said: None, answer: Answer::Illegal },
        "any?yes" => ask(AskAnswer::Yes),
        "any?no" => ask(AskAnswer::No),
        "any?nonsense" => ask(AskAnswer::Nonsense),
        _ if code.starts_with('!') => {
            let text = decoded(&code[1..]).ok_or_else(|| PgnCause::Code(shortened(code)))?;
            Event::Attempt { by, said: Some(Input::parse(&text)), answer: Answer::Nonsense }
        }
        _ => {
            let said = Some(Input::Attempt(notation::read(code, men)?));
            Event::Attempt { by, said, answer: Answer::Illegal }
        }
    })
}

/// Percent-encodes all but letters and digits, so that no text can break out of a comment.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}
