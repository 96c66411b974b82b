//! Reading games from Kriegspiel PGN.

use serde_json::Value;
use shakmaty::{Color, san::SanPlus};

use super::{
    PgnCause, PgnError, code, notation,
    token::{Token, tokens},
};
use crate::{
    attempt::Attempt,
    event::{Answer, Event, Input},
    men::OwnMen,
    over::{GameResult, Over, Reason},
    rules::Rules,
    start::{self, shortened},
    transcript::{Header, Record, Transcript, View},
};

/// All games of a text.
pub(super) fn games(text: &str, default_rules: &Rules) -> Result<Vec<Record>, PgnError> {
    let tokens = tokens(text)?;
    let mut games = Vec::new();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let tags = rest.iter().take_while(|(_, token)| matches!(token, Token::Tag { .. })).count();
        let moves = rest[tags..]
            .iter()
            .position(|(_, token)| matches!(token, Token::Tag { .. } | Token::Result(_)))
            .unwrap_or(rest.len() - tags);
        let ended = matches!(rest.get(tags + moves), Some((_, Token::Result(_))));
        let length = tags + moves + usize::from(ended);
        games.push(Game::read(&rest[..tags], &rest[tags..length], default_rules)?);
        rest = &rest[length..];
    }
    if games.is_empty() {
        return Err(PgnError { line: 1, cause: PgnCause::Empty });
    }
    Ok(games)
}

/// A game while it is read.
struct Game {
    record: Record,
    /// The end, if the tags tell of one.
    end: Option<(Option<Color>, Over)>,
}

impl Game {
    fn read(tags: &[(usize, Token)], moves: &[(usize, Token)], rules: &Rules) -> Result<Record, PgnError> {
        let first_line = tags.iter().chain(moves).next().map_or(1, |(line, _)| *line);
        let mut game = Game::from_tags(tags, rules)?;
        let mut rest = moves;
        while let [(line, token), tail @ ..] = rest {
            let at = |cause| PgnError { line: *line, cause };
            rest = tail;
            match token {
                Token::Move(_) | Token::Hidden => {
                    let comment = match rest {
                        [(_, Token::Comment(text)), tail @ ..] if Comment::parse(text).is_some() => {
                            rest = tail;
                            Comment::parse(text)
                        }
                        _ => None,
                    };
                    let is_last = !rest.iter().any(|(_, t)| matches!(t, Token::Move(_) | Token::Hidden));
                    game.turn(token, &comment.unwrap_or_default(), is_last).map_err(at)?;
                }
                Token::Comment(text) => {
                    let comment = Comment::parse(text).unwrap_or_default();
                    game.happened_before(comment.before).map_err(at)?;
                }
                Token::Result(_) | Token::Tag { .. } => {}
            }
        }
        if let Some((by, over)) = game.end
            && !over.reason.is_on_the_board()
        {
            let line = moves.last().map_or(first_line, |(line, _)| *line);
            game.add(Event::End { by, over }).map_err(|cause| PgnError { line, cause })?;
        }
        Ok(game.record)
    }

    fn from_tags(tags: &[(usize, Token)], rules: &Rules) -> Result<Game, PgnError> {
        let mut header = Header::new(rules.clone());
        let (mut side, mut result, mut termination) = (None, None, None);
        for (line, token) in tags {
            let Token::Tag { name, value } = token else {
                continue;
            };
            let at = |cause| PgnError { line: *line, cause };
            let unknown = |tag| at(PgnCause::TagValue { tag, value: shortened(value) });
            match &**name {
                "White" => header.white = Some(value.clone()).filter(|name| name != "?"),
                "Black" => header.black = Some(value.clone()).filter(|name| name != "?"),
                "Result" => result = read_result(value),
                "Variant" | "SetUp" => {}
                "Rules" => {
                    let rules =
                        if value.starts_with('{') { Rules::from_json(value) } else { Rules::by_name(value) };
                    header.rules = rules.map_err(|error| at(error.into()))?;
                }
                "View" => {
                    side = match &**value {
                        "white" => Some(Color::White),
                        "black" => Some(Color::Black),
                        _ => return Err(unknown("View")),
                    }
                }
                "FEN" => {
                    header.start = start::position(value).map_err(|error| at(error.into()))?;
                    header.start_fen.clone_from(value);
                }
                // Other programs write other words here, such as "normal".
                "Termination" => termination = read_termination(value),
                "Other" => {
                    let other = serde_json::from_str(value).map_err(|_| unknown("Other"))?;
                    header.other.extend::<std::collections::BTreeMap<String, Value>>(other);
                }
                "Event" if value == "Kriegspiel" => {}
                "Site" | "Round" if value == "?" => {}
                "Date" if value == "????.??.??" => {}
                _ => {
                    header.other.insert(name.clone(), Value::from(value.as_str()));
                }
            }
        }
        let end = result.zip(termination).map(|(result, (reason, by))| (by, Over { result, reason }));
        let record = match side {
            None => Record::Transcript(Box::new(Transcript::new(header))),
            Some(side) => Record::View(Box::new(View::new(header, side))),
        };
        Ok(Game { record, end })
    }

    fn turn(&mut self, token: &Token, comment: &Comment, is_last: bool) -> Result<(), PgnCause> {
        self.happened_before(comment.before)?;
        let by = self.to_move();
        let said = match token {
            Token::Move(san) => Some(Input::Attempt(self.read_move(san)?)),
            _ => None,
        };
        let event = match &mut self.record {
            // The umpire knows better than any comment what is to be announced.
            Record::Transcript(transcript) => {
                let Some(said) = said else {
                    return Err(PgnCause::Move("??".to_owned()));
                };
                let text = said.to_string();
                let event = transcript.hear(&text).map_err(|error| PgnCause::Mismatch(error.into()))?;
                let moved = event.announcement().is_some();
                return if moved { Ok(()) } else { Err(PgnCause::Move(text)) };
            }
            Record::View(view) => {
                let on_board = self.end.map(|(_, over)| over).filter(|over| over.reason.is_on_the_board());
                let over = on_board.filter(|_| is_last);
                let announcement = code::read_announced(comment.announced, &view.header().rules, over)?;
                Event::Attempt { by, said, answer: Answer::Moved(announcement) }
            }
        };
        self.add(event)
    }

    fn happened_before(&mut self, codes: &str) -> Result<(), PgnCause> {
        for code in codes.split(',').map(str::trim).filter(|code| !code.is_empty()) {
            let event = code::read_before(code, self.to_move(), self.men())?;
            self.add(event)?;
        }
        Ok(())
    }

    fn add(&mut self, event: Event) -> Result<(), PgnCause> {
        match &mut self.record {
            Record::Transcript(transcript) => Ok(transcript.add(&event)?),
            Record::View(view) => Ok(view.add(event)?),
        }
    }

    fn to_move(&self) -> Color {
        match &self.record {
            Record::Transcript(transcript) => transcript.umpire().to_move(),
            Record::View(view) => view.own().to_move(),
        }
    }

    fn men(&self) -> &OwnMen {
        match &self.record {
            Record::Transcript(transcript) => transcript.umpire().men(),
            Record::View(view) => view.own().men(),
        }
    }

    fn read_move(&self, text: &str) -> Result<Attempt, PgnCause> {
        match &self.record {
            Record::View(view) => notation::read(text, view.own().men()),
            Record::Transcript(transcript) => {
                let wrong = || PgnCause::Move(shortened(text));
                let san: SanPlus = text.parse().map_err(|_| wrong())?;
                let m = san.san.to_move(transcript.umpire().position()).map_err(|_| wrong())?;
                Ok(Attempt::of_move(m))
            }
        }
    }
}

/// A comment `(announced:before)`, or `(K:before:announced)` in the older form.
#[derive(Clone, Copy, Default)]
struct Comment<'a> {
    announced: &'a str,
    before: &'a str,
}

impl<'a> Comment<'a> {
    fn parse(text: &'a str) -> Option<Comment<'a>> {
        let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
        let (first, second) = inner.split_once(':')?;
        match (first, second.split_once(':')) {
            ("K", Some((before, announced))) => Some(Comment { announced, before }),
            _ => Some(Comment { announced: first, before: second }),
        }
    }
}

fn read_result(text: &str) -> Option<GameResult> {
    [GameResult::White, GameResult::Black, GameResult::Draw]
        .into_iter()
        .find(|result| result.as_str() == text)
}

fn read_termination(text: &str) -> Option<(Reason, Option<Color>)> {
    let (reason, by) = text.split_once(" by ").map_or((text, None), |(reason, by)| (reason, Some(by)));
    let by = match by {
        None => None,
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        Some(_) => return None,
    };
    let reason = serde_json::from_value(Value::from(reason)).ok()?;
    Some((reason, by))
}
