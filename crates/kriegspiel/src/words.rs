//! The umpire's messages in words, for the referee and for a player.

use crate::{
    Announcement, Answer, AskAnswer, Bitboard, Capture, Color, Event, Kind, Over, Rules, Tries,
    announcement::in_text_order,
    over::{GameResult, Reason},
    rules::NonsenseWord,
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
                Answer::Nonsense => nonsense(rules).to_owned(),
            };
            format!("{} tries {said}: {answer}", side(*by))
        }
        Event::Ask { by, answer } => format!("{} asks any?: {}", side(*by), yes_or_no(*answer)),
        Event::End { over, .. } => end(*over),
    }
}

/// What the player of `own` is told of an event of its view.
pub fn for_player(event: &Event, own: Color, rules: &Rules) -> String {
    match event {
        Event::Attempt { by, answer: Answer::Moved(announcement), .. } => {
            moved(announcement, *by == own, own)
        }
        Event::Attempt { by, said, answer } if *by == own => {
            let said = said.as_ref().map(ToString::to_string).unwrap_or_default();
            match answer {
                Answer::Nonsense => {
                    format!("{said}: {} It could not be legal whatever your opponent has.", nonsense(rules))
                }
                _ => format!("{said}: Illegal. Try something else; it is still your turn."),
            }
        }
        Event::Attempt { .. } => "Your opponent tried something illegal.".to_owned(),
        Event::Ask { by, answer } if *by == own => format!("Any? {}", yes_or_no(*answer)),
        Event::Ask { answer, .. } => format!("Your opponent asks \"any?\": {}", yes_or_no(*answer)),
        Event::End { over, .. } => end(*over),
    }
}

fn moved(announcement: &Announcement, by_own: bool, own: Color) -> String {
    let mut sentences = vec![if by_own { "You have moved." } else { "Your opponent has moved." }.to_owned()];
    if let Some(Capture { square, kind, en_passant }) = announcement.capture {
        let man = match kind {
            None => "man",
            Some(Kind::Pawn) => "pawn",
            Some(Kind::Piece) => "piece",
        };
        let how = if en_passant { " en passant" } else { "" };
        let whose = if by_own { "You captured a" } else { "You lost your" };
        sentences.push(format!("{whose} {man} on {square}{how}."));
    }
    if announcement.promotion {
        sentences.push(if by_own { "You promoted." } else { "Your opponent promoted a pawn." }.to_owned());
    }
    if !announcement.check.is_empty() {
        let whom = if by_own { "You give check" } else { "You are in check" };
        sentences.push(format!("{whom} by {}.", announcement.check));
    }
    let whose = if by_own { "Your opponent has" } else { "You have" };
    sentences.extend(match announcement.tries {
        None | Some(Tries::Count(0) | Tries::Any(false) | Tries::From(Bitboard::EMPTY)) => None,
        Some(Tries::Count(1)) => Some(format!("{whose} 1 pawn try.")),
        Some(Tries::Count(count)) => Some(format!("{whose} {count} pawn tries.")),
        Some(Tries::Any(true)) => Some(format!("{whose} a pawn try.")),
        Some(Tries::From(squares)) => {
            let squares: Vec<String> = in_text_order(squares).map(|square| square.to_string()).collect();
            Some(format!("{whose} pawn tries from {}.", squares.join(" and ")))
        }
    });
    if let Some(over) = announcement.over {
        sentences.push(format!("{} {}", end(over), verdict(over, own)));
    }
    sentences.join(" ")
}

/// What the end means to a player.
pub fn verdict(over: Over, own: Color) -> &'static str {
    match over.result.winner() {
        None => "It is a draw.",
        Some(winner) if winner == own => "You win.",
        Some(_) => "You lose.",
    }
}

/// The end in a sentence.
pub fn end(over: Over) -> String {
    let how = match over.reason {
        Reason::Checkmate => "Checkmate",
        Reason::Stalemate => "Stalemate",
        Reason::Material => "Neither side can mate any more",
        Reason::Fifty => "Fifty moves without a capture or a pawn's move",
        Reason::Repetition => "The same position for the third time",
        Reason::Resignation => match over.result {
            GameResult::White => "Black resigns",
            GameResult::Black => "White resigns",
            GameResult::Draw => "Resignation",
        },
        Reason::Time => "Out of time",
        Reason::Forfeit => "Forfeit",
        Reason::Length => "The limit on length is reached",
    };
    format!("{how}: {}.", over.result.as_str())
}

fn yes_or_no(answer: AskAnswer) -> &'static str {
    match answer {
        AskAnswer::Yes => "Yes.",
        AskAnswer::No => "No.",
        AskAnswer::Nonsense => "Nonsense.",
    }
}

fn nonsense(rules: &Rules) -> &'static str {
    match rules.nonsense {
        NonsenseWord::Nonsense => "Nonsense.",
        NonsenseWord::Illegal => "Illegal.",
    }
}
