//! Writing a game as Kriegspiel PGN.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::Value;
use shakmaty::{Chess, Color, Position, san::SanPlus};

use super::{code, notation};
use crate::{
    attempt::Attempt,
    event::{Answer, Event, Input},
    men::OwnMen,
    over::Over,
    side::{OwnSide, name},
    start,
    transcript::{Header, Record},
};

/// The widest line of movetext that is begun.
const WIDTH: usize = 78;

/// One game.
pub(super) fn game(record: &Record) -> String {
    let ending = record.events().iter().find_map(|event| Some((event.by(), event.over()?, event)));
    let result = ending.map_or("*", |(_, over, _)| over.result.as_str());
    let mut text = tags(record.header(), record.side(), result, ending.map(termination));
    text.push('\n');
    let mut width = 0;
    for word in movetext(record).into_iter().chain([result.to_owned()]) {
        if width > 0 && width + word.len() >= WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
        }
        width += word.len() + 1;
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}

fn termination((by, over, event): (Option<Color>, Over, &Event)) -> String {
    match (event, by) {
        (Event::End { .. }, Some(by)) => format!("{} by {}", over.reason.as_str(), name(by)),
        _ => over.reason.as_str().to_owned(),
    }
}

fn tags(header: &Header, side: Option<Color>, result: &str, termination: Option<String>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing into a String cannot fail.
        let _ = writeln!(text, "[{name} \"{escaped}\"]");
    };
    let mut other: BTreeMap<&str, &Value> =
        header.other.iter().map(|(name, value)| (&**name, value)).collect();
    let mut own = |name: &str, absent: &str| match other.get(name) {
        Some(Value::String(value)) if is_tag(name, value) => {
            let value = value.clone();
            other.remove(name);
            value
        }
        _ => absent.to_owned(),
    };
    tag("Event", &own("Event", "Kriegspiel"));
    tag("Site", &own("Site", "?"));
    tag("Date", &own("Date", "????.??.??"));
    tag("Round", &own("Round", "?"));
    tag("White", header.white.as_deref().unwrap_or("?"));
    tag("Black", header.black.as_deref().unwrap_or("?"));
    tag("Result", result);
    tag("Variant", "Kriegspiel");
    let rules = if header.rules.is_known() {
        header.rules.name.to_string()
    } else {
        serde_json::to_string(&header.rules).unwrap_or_default()
    };
    tag("Rules", &rules);
    if let Some(side) = side {
        tag("View", name(side));
    }
    if header.start_fen != start::STANDARD {
        tag("SetUp", "1");
        tag("FEN", &header.start_fen);
    }
    if let Some(termination) = termination {
        tag("Termination", &termination);
    }
    let (plain, rest): (Vec<_>, Vec<_>) =
        other.into_iter().partition(|(name, value)| value.as_str().is_some_and(|value| is_tag(name, value)));
    for (name, value) in plain {
        tag(name, value.as_str().unwrap_or_default());
    }
    if !rest.is_empty() {
        let rest: BTreeMap<_, _> = rest.into_iter().collect();
        tag("Other", &serde_json::to_string(&rest).unwrap_or_default());
    }
    text
}

/// Whether a header field can be a tag of its own that is read back as that field.
fn is_tag(name: &str, value: &str) -> bool {
    const TAKEN: [&str; 10] =
        ["White", "Black", "Result", "Variant", "Rules", "View", "SetUp", "FEN", "Termination", "Other"];
    let absent =
        matches!((name, value), ("Event", "Kriegspiel") | ("Site" | "Round", "?") | ("Date", "????.??.??"));
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && !TAKEN.contains(&name) && !absent && !value.contains(['\n', '\r'])
}

fn movetext(record: &Record) -> Vec<String> {
    let header = record.header();
    let mut board = Board::new(header, record.side());
    let mut words = Vec::new();
    let mut before = Vec::new();
    for event in record.events() {
        let Event::Attempt { by, ref said, answer: Answer::Moved(ref announcement) } = *event else {
            before.extend(code::before(event, &board.men(event.by().unwrap_or(Color::White))));
            board.hear(event);
            continue;
        };
        let number = board.move_number;
        match by {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(match said {
            Some(Input::Attempt(attempt)) => board.san(*attempt),
            _ => "??".to_owned(),
        });
        words.push(format!("{{({}:{})}}", code::announced(announcement), before.join(",")));
        before.clear();
        board.hear(event);
    }
    if !before.is_empty() {
        words.push(format!("{{(:{})}}", before.join(",")));
    }
    words
}

/// What the writer knows: the whole position, or one side's men.
struct Board {
    move_number: u32,
    seen: Seen,
}

enum Seen {
    All(Box<Chess>),
    Own(Box<OwnSide>),
}

impl Board {
    fn new(header: &Header, side: Option<Color>) -> Board {
        let seen = match side {
            None => Seen::All(Box::new(header.start.clone())),
            Some(side) => Seen::Own(Box::new(OwnSide::new(header.rules.clone(), &header.start, side))),
        };
        Board { move_number: header.start.fullmoves().get(), seen }
    }

    fn men(&self, side: Color) -> OwnMen {
        match &self.seen {
            Seen::All(position) => OwnMen::of(position, side),
            Seen::Own(own) => own.men().clone(),
        }
    }

    fn san(&self, attempt: Attempt) -> String {
        match &self.seen {
            Seen::Own(own) => notation::write(attempt, own.men()),
            Seen::All(position) => legal(position, attempt)
                .map_or(attempt.to_string(), |m| SanPlus::from_move((**position).clone(), m).to_string()),
        }
    }

    fn hear(&mut self, event: &Event) {
        let Event::Attempt { by, said, answer } = event else {
            if let Seen::Own(own) = &mut self.seen {
                // The record was checked when it was made.
                let _ = own.hear(event);
            }
            return;
        };
        match &mut self.seen {
            Seen::Own(own) => {
                let _ = own.hear(event);
            }
            Seen::All(position) => {
                let attempt = said.as_ref().and_then(Input::attempt);
                if let (Answer::Moved(_), Some(m)) = (answer, attempt.and_then(|a| legal(position, a))) {
                    position.play_unchecked(m);
                }
            }
        }
        if matches!((by, answer), (Color::Black, Answer::Moved(_))) {
            self.move_number += 1;
        }
    }
}

fn legal(position: &Chess, attempt: Attempt) -> Option<shakmaty::Move> {
    position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == attempt)
}
