//! Whole games: as the umpire knows them ([`Transcript`]) and as one side heard them ([`View`]).
//!
//! A transcript that is read is replayed, and every answer in it must be the one that the umpire
//! gives; a view that is read must fit together. So whoever holds one can rely on it.

use std::{collections::BTreeMap, time::SystemTime};

use serde_json::Value;
use shakmaty::{Chess, Color};
use thiserror::Error;

use crate::{
    event::{Event, Input},
    rules::Rules,
    side::{Contradiction, OwnSide, name},
    start,
    umpire::{GameOver, Umpire},
};

/// What is known of a game before its first event.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// The rules of the game.
    pub rules: Rules,
    /// The starting position, known to both sides.
    pub start: Chess,
    /// The starting position as it was written.
    pub start_fen: String,
    /// Who plays White.
    pub white: Option<String>,
    /// Who plays Black.
    pub black: Option<String>,
    /// Anything else that was written into the header; kept, not understood.
    pub other: BTreeMap<String, Value>,
}

impl Header {
    /// A game under these rules from the ordinary starting position.
    pub fn new(rules: Rules) -> Header {
        Header::at(rules, Chess::new())
    }

    /// A game under these rules from any position.
    pub fn at(rules: Rules, start: Chess) -> Header {
        Header {
            rules,
            start_fen: start::fen(&start),
            start,
            white: None,
            black: None,
            other: BTreeMap::new(),
        }
    }

    /// The same with the day of this moment, in UTC, as PGN writes it.
    #[must_use]
    pub fn dated(mut self, moment: SystemTime) -> Header {
        let text = humantime::format_rfc3339_seconds(moment).to_string();
        let day = text.split('T').next().unwrap_or_default().replace('-', ".");
        self.other.insert("Date".to_owned(), Value::from(day));
        self
    }
}

/// A whole game as the umpire knows it.
///
/// ```
/// use nebel_kriegspiel::{Color, Header, Rules, Transcript};
///
/// let mut game = Transcript::new(Header::new(Rules::icc()));
/// game.hear("e2e4").unwrap();
/// game.hear("d7e6").unwrap(); // refused, which White does not hear under these rules
/// assert_eq!(game.events().len(), 2);
/// assert_eq!(game.view(Color::White).events().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Transcript {
    header: Header,
    umpire: Umpire,
    events: Vec<Event>,
}

/// A game as one side heard it.
#[derive(Clone, Debug)]
pub struct View {
    header: Header,
    own: OwnSide,
    events: Vec<Event>,
}

/// What a file of events may hold.
#[derive(Clone, Debug)]
pub enum Record {
    /// The umpire's transcript.
    Transcript(Box<Transcript>),
    /// One side's view.
    View(Box<View>),
}

/// Why an event cannot be added to a transcript.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Mismatch {
    /// The game is over.
    #[error(transparent)]
    Over(#[from] GameOver),
    /// It is the other side's turn.
    #[error("it is not {}'s turn", name(*.0))]
    OutOfTurn(Color),
    /// A full transcript names every attempt.
    #[error("the attempt is missing, in a transcript that is no view")]
    AttemptMissing,
    /// The umpire answers otherwise.
    #[error("the umpire's answer would be {0}")]
    Answer(String),
    /// Only resignation, time, forfeit and length end a game without a move.
    #[error("a game does not end by {0} without a move")]
    End(&'static str),
}

impl Transcript {
    /// A game that has not begun.
    pub fn new(header: Header) -> Transcript {
        let umpire = Umpire::at(header.rules.clone(), header.start.clone());
        Transcript { header, umpire, events: Vec::new() }
    }

    /// What is known before the first event.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The header, to name the players.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// The umpire after the last event.
    pub fn umpire(&self) -> &Umpire {
        &self.umpire
    }

    /// All that happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Puts a line to the umpire: `any?`, or else an attempt.
    pub fn hear(&mut self, text: &str) -> Result<&Event, GameOver> {
        let event = self.umpire.hear(text)?;
        Ok(self.record(event))
    }

    /// Puts an attempt to the umpire, or what may not even be one.
    pub fn put(&mut self, said: Input) -> Result<&Event, GameOver> {
        let event = self.umpire.try_said(said)?;
        Ok(self.record(event))
    }

    /// Ends the game for a reason off the board.
    pub fn end(&mut self, by: Option<Color>, over: crate::Over) -> Result<&Event, GameOver> {
        let event = self.umpire.end(by, over)?;
        Ok(self.record(event))
    }

    /// Adds an event that somebody else recorded, if the umpire agrees with it.
    pub fn add(&mut self, event: &Event) -> Result<(), Mismatch> {
        // On disagreement the umpire must stay where it was, so a copy answers first.
        let mut umpire = self.umpire.clone();
        let answered = match *event {
            Event::Attempt { by, .. } | Event::Ask { by, .. } if by != umpire.to_move() => {
                umpire.over().map_or(Ok(()), |over| Err(GameOver(over)))?;
                return Err(Mismatch::OutOfTurn(by));
            }
            Event::Attempt { said: None, .. } => return Err(Mismatch::AttemptMissing),
            Event::Attempt { said: Some(ref said), .. } => umpire.try_said(said.clone())?,
            Event::Ask { .. } => umpire.ask()?,
            Event::End { over, .. } if over.reason.is_on_the_board() => {
                return Err(Mismatch::End(over.reason.as_str()));
            }
            Event::End { by, over } => umpire.end(by, over)?,
        };
        let rules = &self.header.rules;
        if answered.to_json(rules) != event.to_json(rules) {
            return Err(Mismatch::Answer(answered.to_json(rules)));
        }
        self.umpire = umpire;
        self.events.push(answered);
        Ok(())
    }

    /// The game as one side heard it.
    pub fn view(&self, side: Color) -> View {
        let mut view = View::new(self.header.clone(), side);
        for event in &self.events {
            if let Some(heard) = event.heard_by(side, &self.header.rules) {
                let fits = view.add(heard.into_event());
                debug_assert_eq!(fits, Ok(()), "an umpire's events always fit together");
            }
        }
        view
    }

    fn record(&mut self, event: Event) -> &Event {
        let index = self.events.len();
        self.events.push(event);
        &self.events[index]
    }
}

impl View {
    /// A view before the first event.
    pub fn new(header: Header, side: Color) -> View {
        let own = OwnSide::new(header.rules.clone(), &header.start, side);
        View { header, own, events: Vec::new() }
    }

    /// What is known before the first event.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whose view this is.
    pub fn side(&self) -> Color {
        self.own.men().color()
    }

    /// What this side knows of its own men after the last event.
    pub fn own(&self) -> &OwnSide {
        &self.own
    }

    /// All that this side heard.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Adds an event that this side heard, if it fits. Where the rules refuse nonsense as "illegal",
    /// nonsense is told apart here.
    pub fn add(&mut self, event: Event) -> Result<(), Contradiction> {
        let heard = self.own.take(event)?;
        self.events.push(heard.into_event());
        Ok(())
    }
}

impl Record {
    /// The header.
    pub fn header(&self) -> &Header {
        match self {
            Record::Transcript(transcript) => transcript.header(),
            Record::View(view) => view.header(),
        }
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        match self {
            Record::Transcript(transcript) => transcript.events(),
            Record::View(view) => view.events(),
        }
    }

    /// Whose view this is, if it is one.
    pub fn side(&self) -> Option<Color> {
        match self {
            Record::Transcript(_) => None,
            Record::View(view) => Some(view.side()),
        }
    }

    /// The view of one side: the view itself, or a transcript filtered. `None` when this is the
    /// other side's view.
    pub fn into_view(self, side: Color) -> Option<View> {
        match self {
            Record::Transcript(transcript) => Some(transcript.view(side)),
            Record::View(view) => (view.side() == side).then_some(*view),
        }
    }
}

/// Whether an attempt event shows what was tried.
pub(crate) fn hides_attempt(event: &Event) -> Option<Color> {
    match *event {
        Event::Attempt { by, said: None, .. } => Some(by),
        _ => None,
    }
}
