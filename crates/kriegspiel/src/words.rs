//! The umpire's messages in words: for the referee's protocol, and for people, who hear of an event as White, as Black or
//! as somebody who sees both sides.
//!
//! These are the only sentences there are: the terminal prints them, the server sends them with each event.

use serde::Serialize;

use crate::{
    Announcement, Answer, AskAnswer, Bitboard, Capture, Color, Direction, Event, Input, Kind, Over, Rules,
    Tries, announcement::in_text_order, over::Reason, rules::NonsenseWord,
};

/// `White` or `Black`.
pub const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// What the referee's protocol says of an event.
pub fn for_referee(event: &Event, rules: &Rules) -> String {
    match event {
        Event::Attempt { by, said, answer } => {
            let said = said.as_ref().map(ToString::to_string).unwrap_or_default();
            let said: String = said.chars().flat_map(char::escape_debug).collect();
            let answer = match answer {
                Answer::Moved(announcement) => announcement.text(!*by),
                Answer::Illegal => "Illegal.".to_owned(),
                Answer::Nonsense => format!("{}.", nonsense(rules)),
            };
            format!("{} tries {said}: {answer}", side(*by))
        }
        Event::Ask { by, answer } => {
            let answer = match answer {
                AskAnswer::Yes => "Yes.",
                AskAnswer::No => "No.",
                AskAnswer::Nonsense => "Nonsense.",
            };
            format!("{} asks any?: {answer}", side(*by))
        }
        Event::End { over, .. } => end(*over, Listener::Umpire),
    }
}

/// Who is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listener {
    /// The player of this side, who is told of the events of its view.
    Side(Color),
    /// Somebody who sees both sides.
    Umpire,
}

/// What a listener is told of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Words {
    /// What happened, as far as the listener hears it.
    pub said: String,
    /// The pawn tries of the side to move, if it is told of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub tries: Option<String>,
    /// How the game ended, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub end: Option<String>,
}

impl Words {
    /// An event in words. To a side nothing is said of the other's attempts but what the umpire announces.
    pub fn of(event: &Event, listener: Listener, rules: &Rules) -> Words {
        let mut tries = None;
        let said = match event {
            Event::Attempt { by, answer: Answer::Moved(announcement), .. } => {
                tries = announcement.tries.and_then(|tries| tries_of(tries, !*by, listener));
                moved(announcement, *by, listener)
            }
            Event::Attempt { by, .. } if listener == Listener::Side(!*by) => {
                format!("{} tried something illegal.", side(*by))
            }
            Event::Attempt { said, answer, .. } => {
                let word = if *answer == Answer::Nonsense { nonsense(rules) } else { "Illegal" };
                said.as_ref().map_or(format!("{word}."), |said| format!("{word}: {}.", printable(said)))
            }
            Event::Ask { by, answer } => {
                let who = if listener == Listener::Side(*by) { "You" } else { side(*by) };
                let answer = match answer {
                    AskAnswer::Yes => "yes, a pawn can capture",
                    AskAnswer::No => "no pawn can capture",
                    AskAnswer::Nonsense => "not now",
                };
                format!("{who} asked “Any?”: {answer}.")
            }
            Event::End { .. } => String::new(),
        };
        Words { said, tries, end: event.over().map(|over| end(over, listener)) }
    }

    /// All of it, one sentence after another.
    pub fn text(&self) -> String {
        let parts = [Some(&self.said), self.tries.as_ref(), self.end.as_ref()].into_iter().flatten();
        parts.filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

fn moved(announcement: &Announcement, by: Color, listener: Listener) -> String {
    let mut sentences = Vec::new();
    if let Some(Capture { square, kind, en_passant }) = announcement.capture {
        let man = kind.map_or("man", Kind::as_str);
        let how = if en_passant { ", en passant" } else { "" };
        sentences.push(match listener {
            Listener::Side(own) if own == by => format!("You took a {man} on {square}{how}."),
            Listener::Side(_) => format!("Your {man} on {square} was taken{how}."),
            Listener::Umpire => format!("{} took a {man} on {square}{how}.", side(by)),
        });
    }
    sentences.extend(announcement.promotion.then(|| "A pawn was promoted.".to_owned()));
    if !announcement.check.is_empty() {
        let who = if listener == Listener::Side(!by) { "You are" } else { &format!("{} is", side(!by)) };
        let from = announcement.check.iter().map(|direction| checked_from(direction).to_owned());
        sentences.push(format!("{who} in check {}.", listed(from)));
    }
    if sentences.is_empty() {
        let is_own = listener == Listener::Side(by);
        sentences.push(if is_own { "Done.".to_owned() } else { format!("{} has moved.", side(by)) });
    }
    sentences.join(" ")
}

/// The pawn tries of the side to move; nothing for none.
pub fn tries_of(tries: Tries, to_move: Color, listener: Listener) -> Option<String> {
    let who =
        if listener == Listener::Side(to_move) { "You have" } else { &format!("{} has", side(to_move)) };
    match tries {
        Tries::Count(0) | Tries::Any(false) | Tries::From(Bitboard::EMPTY) => None,
        Tries::Count(1) => Some(format!("{who} 1 pawn try.")),
        Tries::Count(count) => Some(format!("{who} {count} pawn tries.")),
        Tries::Any(true) => Some(format!("{who} a pawn try.")),
        Tries::From(squares) => Some(format!(
            "{who} pawn tries from {}.",
            listed(in_text_order(squares).map(|square| square.to_string()))
        )),
    }
}

/// The end, and what it means to the listener.
pub fn end(over: Over, listener: Listener) -> String {
    let how = match over.reason {
        Reason::Checkmate => "Checkmate",
        Reason::Stalemate => "Stalemate",
        Reason::Material => "Neither side can mate",
        Reason::Fifty => "Fifty moves without capture or pawn move",
        Reason::Repetition => "The position stood three times",
        Reason::Resignation => "Resignation",
        Reason::Time => "Out of time",
        Reason::Forfeit => "Forfeit",
        Reason::Length => "The game grew too long",
        Reason::Agreement => "Both sides agreed",
    };
    match (over.result.winner(), listener) {
        (None, _) => format!("{how}. The game is drawn."),
        (Some(winner), Listener::Umpire) => format!("{how}. {} wins.", side(winner)),
        (Some(winner), Listener::Side(own)) if winner == own => format!("{how}. You win."),
        (Some(_), Listener::Side(_)) => format!("{how}. You lose."),
    }
}

const fn checked_from(direction: Direction) -> &'static str {
    match direction {
        Direction::Knight => "by a knight",
        Direction::Rank => "on the rank",
        Direction::File => "on the file",
        Direction::Long => "on the long diagonal",
        Direction::Short => "on the short diagonal",
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What was said, without anything that a terminal would obey.
fn printable(said: &Input) -> String {
    said.to_string().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn nonsense(rules: &Rules) -> &'static str {
    match rules.nonsense {
        NonsenseWord::Nonsense => "Nonsense",
        NonsenseWord::Illegal => "Illegal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    fn told(event: &Event) -> [String; 3] {
        let listeners = [Listener::Side(Color::White), Listener::Side(Color::Black), Listener::Umpire];
        listeners.map(|listener| Words::of(event, listener, &Rules::icc()).text())
    }

    fn white_moves(announcement: Announcement) -> Event {
        Event::Attempt { by: Color::White, said: None, answer: Answer::Moved(announcement) }
    }

    #[test]
    fn each_side_hears_of_the_same_capture_in_its_own_words() {
        let capture = Some(Capture { square: Square::D5, kind: Some(Kind::Pawn), en_passant: false });
        let check = [Direction::File].into_iter().collect();
        let event = white_moves(Announcement {
            capture,
            check,
            tries: Some(Tries::Count(1)),
            ..Announcement::default()
        });
        assert_eq!(
            told(&event),
            [
                "You took a pawn on d5. Black is in check on the file. Black has 1 pawn try.",
                "Your pawn on d5 was taken. You are in check on the file. You have 1 pawn try.",
                "White took a pawn on d5. Black is in check on the file. Black has 1 pawn try.",
            ]
        );
        let quiet = white_moves(Announcement { tries: Some(Tries::Count(0)), ..Announcement::default() });
        assert_eq!(told(&quiet), ["Done.", "White has moved.", "White has moved."]);
    }

    #[test]
    fn a_refused_attempt_is_named_to_the_side_that_made_it_alone() {
        let said = Some(Input::parse("e4d5\u{1b}[2J"));
        let event = Event::Attempt { by: Color::White, said, answer: Answer::Illegal };
        let named = "Illegal: e4d5\u{fffd}[2J.";
        assert_eq!(told(&event), [named, "White tried something illegal.", named]);
        let asked = Event::Ask { by: Color::Black, answer: AskAnswer::No };
        assert_eq!(told(&asked)[1], "You asked “Any?”: no pawn can capture.");
    }

    #[test]
    fn tries_and_ends_are_told_in_full() {
        let white = Listener::Side(Color::White);
        assert_eq!(tries_of(Tries::Any(true), Color::Black, white).unwrap(), "Black has a pawn try.");
        let from = Tries::From(Bitboard::from(Square::E4).with(Square::G5));
        assert_eq!(tries_of(from, Color::White, white).unwrap(), "You have pawn tries from e4 and g5.");
        let mate = Over { result: crate::GameResult::Black, reason: Reason::Checkmate };
        assert_eq!(end(mate, white), "Checkmate. You lose.");
        assert_eq!(end(mate, Listener::Umpire), "Checkmate. Black wins.");
        assert_eq!(end(Over::draw(Reason::Stalemate), white), "Stalemate. The game is drawn.");
    }
}
