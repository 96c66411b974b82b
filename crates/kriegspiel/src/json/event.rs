//! The wire form of an event.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Square};

use super::{LineError, Side};
use crate::{
    announcement::{Announcement, Capture, Kind, Tries, in_text_order},
    direction::Direction,
    event::{Answer, AskAnswer, Event, Input},
    over::Over,
    rules::{NonsenseWord, Rules},
};

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = EventAnswer))]
#[serde(rename_all = "lowercase")]
enum Word {
    Moved,
    Illegal,
    Nonsense,
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Asked))]
#[serde(rename_all = "lowercase")]
enum AskJson {
    Any,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = EventCapture))]
#[serde(deny_unknown_fields)]
struct CaptureJson {
    #[serde(with = "square_text")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    square: Square,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    kind: Option<Kind>,
}

/// The pawn captures of the side to move, as far as they are told.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Tries))]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum TriesJson {
    /// How many distinct (from, to) there are.
    Count(u8),
    /// Whether there is one.
    Any(bool),
    /// From which squares there is one.
    From(Vec<SquareJson>),
}

/// A square by its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Square, value_type = String))]
pub struct SquareJson(#[serde(with = "square_text")] Square);

/// An event as one line of JSON. Of a view, the other side's have no attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GameEvent))]
#[serde(deny_unknown_fields)]
pub struct EventJson {
    /// Who tried, asked, or ended the game; missing where it ended by nobody's doing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    by: Option<Side>,
    /// What was tried, where this side hears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    attempt: Option<String>,
    /// The question, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    ask: Option<AskJson>,
    /// The umpire's answer; missing where the game ended otherwise than by a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    answer: Option<Word>,
    /// A man was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    capture: Option<CaptureJson>,
    /// The capture was announced as "en passant".
    #[serde(default, skip_serializing_if = "is_false")]
    en_passant: bool,
    /// A pawn was promoted, where that is announced.
    #[serde(default, skip_serializing_if = "is_false")]
    promotion: bool,
    /// Where the side to move is checked from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    check: Vec<Direction>,
    /// The pawn captures of the side to move, where they are announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    tries: Option<TriesJson>,
    /// The game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    over: Option<Over>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl EventJson {
    const EMPTY: EventJson = EventJson {
        by: None,
        attempt: None,
        ask: None,
        answer: None,
        capture: None,
        en_passant: false,
        promotion: false,
        check: Vec::new(),
        tries: None,
        over: None,
    };

    /// An event, worded as the rules word it.
    pub fn new(event: &Event, rules: &Rules) -> EventJson {
        let by = event.by().map(Side::of);
        match event {
            Event::Attempt { said, answer, .. } => {
                let attempt = said.as_ref().map(ToString::to_string);
                let (word, announcement) = match answer {
                    Answer::Moved(announcement) => (Word::Moved, *announcement),
                    Answer::Nonsense if rules.nonsense == NonsenseWord::Nonsense => {
                        (Word::Nonsense, Announcement::default())
                    }
                    Answer::Illegal | Answer::Nonsense => (Word::Illegal, Announcement::default()),
                };
                EventJson { by, attempt, answer: Some(word), ..EventJson::announcing(&announcement) }
            }
            Event::Ask { answer, .. } => {
                let word = match answer {
                    AskAnswer::Yes => Word::Yes,
                    AskAnswer::No => Word::No,
                    AskAnswer::Nonsense => Word::Nonsense,
                };
                EventJson { by, ask: Some(AskJson::Any), answer: Some(word), ..EventJson::EMPTY }
            }
            Event::End { over, .. } => EventJson { by, over: Some(*over), ..EventJson::EMPTY },
        }
    }

    fn announcing(announcement: &Announcement) -> EventJson {
        EventJson {
            capture: announcement
                .capture
                .map(|capture| CaptureJson { square: capture.square, kind: capture.kind }),
            en_passant: announcement.capture.is_some_and(|capture| capture.en_passant),
            promotion: announcement.promotion,
            check: announcement.check.iter().collect(),
            tries: announcement.tries.map(TriesJson::from),
            over: announcement.over,
            ..EventJson::EMPTY
        }
    }

    pub(super) fn into_event(self) -> Result<Event, LineError> {
        let says_more = self.capture.is_some()
            || self.en_passant
            || self.promotion
            || !self.check.is_empty()
            || self.tries.is_some();
        let by = self.by.map(Side::color);
        let ended = self.over;
        match (by, self.ask, self.answer) {
            (by, None, None) if self.attempt.is_none() && !says_more => {
                let over = ended.ok_or(LineError::Form("an event without an answer"))?;
                Ok(Event::End { by, over })
            }
            (None, ..) => Err(LineError::Form("`by` is missing")),
            (_, _, None) => Err(LineError::Form("`answer` is missing")),
            (_, None, Some(Word::Yes | Word::No)) => {
                Err(LineError::Form("`yes` and `no` answer a question (`ask`), not an attempt"))
            }
            (_, _, Some(Word::Illegal | Word::Nonsense | Word::Yes | Word::No))
                if says_more || ended.is_some() =>
            {
                Err(LineError::Form("only an attempt that moved is announced"))
            }
            (Some(by), Some(AskJson::Any), Some(word)) => {
                if self.attempt.is_some() {
                    return Err(LineError::Form("`ask` and `attempt` exclude each other"));
                }
                let answer = match word {
                    Word::Yes => AskAnswer::Yes,
                    Word::No => AskAnswer::No,
                    Word::Nonsense => AskAnswer::Nonsense,
                    Word::Moved | Word::Illegal => {
                        return Err(LineError::Form("a question is answered `yes`, `no` or `nonsense`"));
                    }
                };
                Ok(Event::Ask { by, answer })
            }
            (Some(by), None, Some(word)) => {
                let said = self.attempt.as_deref().map(Input::parse);
                let answer = match word {
                    Word::Illegal => Answer::Illegal,
                    Word::Nonsense => Answer::Nonsense,
                    _ => Answer::Moved(self.into_announcement()?),
                };
                Ok(Event::Attempt { by, said, answer })
            }
        }
    }

    fn into_announcement(self) -> Result<Announcement, LineError> {
        if self.en_passant && self.capture.is_none() {
            return Err(LineError::Form("`en_passant` without `capture`"));
        }
        Ok(Announcement {
            capture: self.capture.map(|capture| Capture {
                square: capture.square,
                kind: capture.kind,
                en_passant: self.en_passant,
            }),
            promotion: self.promotion,
            check: self.check.into_iter().collect(),
            tries: self.tries.map(|tries| match tries {
                TriesJson::Count(count) => Tries::Count(count),
                TriesJson::Any(any) => Tries::Any(any),
                TriesJson::From(squares) => {
                    Tries::From(squares.iter().fold(Bitboard::EMPTY, |set, square| set.with(square.0)))
                }
            }),
            over: self.over,
        })
    }
}

impl From<Tries> for TriesJson {
    fn from(tries: Tries) -> TriesJson {
        match tries {
            Tries::Count(count) => TriesJson::Count(count),
            Tries::Any(any) => TriesJson::Any(any),
            Tries::From(squares) => TriesJson::From(in_text_order(squares).map(SquareJson).collect()),
        }
    }
}

/// Squares as text (`e4`).
mod square_text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use shakmaty::Square;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(super) fn serialize<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(square)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| de::Error::custom(format_args!("`{text}` is not a square")))
    }
}
