//! A game step by step, as it is sent: in pieces, each worked out when the one before has gone. A long game is never
//! written down whole, so that those who do not take what they asked for cost little.

use std::io;

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use nebel_kriegspiel::{
    Color, Event, OwnSide, Rules, Transcript, json::Side, start, transcript::Record, words::Listener,
};
use serde::Serialize;
use tokio::task::yield_now;
use utoipa::ToSchema;

use crate::games::{
    messages::{OverFacts, ToldEvent},
    seat::men_of,
};

/// A game step by step.
#[derive(Serialize, ToSchema)]
pub(crate) struct Review {
    rules: String,
    start: String,
    #[schema(required)]
    white: Option<String>,
    #[schema(required)]
    black: Option<String>,
    /// Whose view it is; null for the whole game.
    #[schema(required)]
    view: Option<Side>,
    #[schema(required)]
    over: Option<OverFacts>,
    steps: Vec<ReviewStep>,
    /// The same as a transcript.
    jsonl: String,
}

/// One event.
#[derive(Serialize, ToSchema)]
struct ReviewStep {
    /// The whole event, or what the side of a view heard of it.
    event: ToldEvent,
    /// What White heard of it.
    #[schema(required)]
    white: Option<ToldEvent>,
    /// What Black heard of it.
    #[schema(required)]
    black: Option<ToldEvent>,
    /// The position after it; null in views.
    #[schema(required)]
    board: Option<String>,
    /// The men of the side of a view after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    men: Option<std::collections::BTreeMap<String, String>>,
}

/// Events in a piece: few enough that working it out holds up nobody.
const PIECE: usize = 16;

/// A review on its way.
pub(crate) struct Course {
    record: Record,
    /// As far as it is told.
    replayed: Replayed,
    stage: Stage,
}

enum Replayed {
    /// For the position after each event.
    Whole(Box<Transcript>),
    /// For the men of the side of a view.
    Heard(Box<OwnSide>, Color),
}

/// What comes next; steps and lines from this one on.
#[derive(Clone, Copy)]
enum Stage {
    Frame,
    Steps(usize),
    Lines(usize),
    End,
}

impl Course {
    pub(crate) fn new(record: Record) -> Course {
        let header = record.header();
        let replayed = match record.side() {
            None => Replayed::Whole(Box::new(Transcript::new(header.clone()))),
            Some(side) => {
                Replayed::Heard(Box::new(OwnSide::new(header.rules.clone(), &header.start, side)), side)
            }
        };
        Course { record, replayed, stage: Stage::Frame }
    }

    /// The answer that sends it.
    pub(crate) fn into_answer(self) -> Response {
        let pieces = stream::unfold(self, async |mut course| {
            // Others have their turn between two pieces.
            yield_now().await;
            let piece = course.next_piece().transpose()?;
            Some((piece.map(Bytes::from), course))
        });
        ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(pieces)).into_response()
    }

    /// The next piece of the text.
    fn next_piece(&mut self) -> io::Result<Option<String>> {
        let count = self.record.events().len();
        let (piece, next) = match self.stage {
            Stage::Frame => (self.beginning()?, Stage::Steps(0)),
            Stage::Steps(from) if from == count => {
                let line = in_a_string(&self.record.header().to_json(self.record.side()))?;
                (format!("],\"jsonl\":\"{line}"), Stage::Lines(0))
            }
            Stage::Steps(from) => {
                let until = count.min(from + PIECE);
                let steps = (from..until).map(|index| self.step(index));
                (steps.collect::<io::Result<_>>()?, Stage::Steps(until))
            }
            Stage::Lines(from) if from == count => ("\"}".to_owned(), Stage::End),
            Stage::Lines(from) => {
                let until = count.min(from + PIECE);
                let rules = &self.record.header().rules;
                let lines = self.record.events()[from..until].iter();
                let lines = lines.map(|event| in_a_string(&event.to_json(rules)));
                (lines.collect::<io::Result<_>>()?, Stage::Lines(until))
            }
            Stage::End => return Ok(None),
        };
        self.stage = next;
        Ok(Some(piece))
    }

    /// All up to the first step.
    fn beginning(&self) -> io::Result<String> {
        let header = self.record.header();
        let frame = Review {
            rules: header.rules.name.to_string(),
            start: header.start_fen.clone(),
            white: header.white.clone(),
            black: header.black.clone(),
            view: self.record.side().map(Side::of),
            over: self
                .record
                .events()
                .last()
                .and_then(Event::over)
                .map(|over| OverFacts::new(over, Listener::Umpire)),
            steps: Vec::new(),
            jsonl: String::new(),
        };
        let mut text = serde_json::to_string(&frame)?;
        let beginning = text.strip_suffix("],\"jsonl\":\"\"}").map_or(text.len(), str::len);
        text.truncate(beginning);
        Ok(text)
    }

    /// One step, with a comma before it unless it is the first.
    fn step(&mut self, index: usize) -> io::Result<String> {
        let Some(event) = self.record.events().get(index) else { return Ok(String::new()) };
        let rules = &self.record.header().rules;
        let step = match &mut self.replayed {
            Replayed::Whole(replayed) => {
                replayed.add(event).map_err(io::Error::other)?;
                ReviewStep {
                    board: Some(start::fen(replayed.umpire().position())),
                    ..step_of_game(event, rules)
                }
            }
            Replayed::Heard(own, side) => {
                own.hear(event).map_err(io::Error::other)?;
                ReviewStep { men: Some(men_of(own.men())), ..step_of_view(event, *side, rules) }
            }
        };
        let text = serde_json::to_string(&step)?;
        Ok(if index == 0 { text } else { format!(",{text}") })
    }
}

/// A line as it stands inside a JSON string.
fn in_a_string(line: &str) -> io::Result<String> {
    let quoted = serde_json::to_string(line)?;
    Ok(format!("{}\\n", quoted.trim_start_matches('"').strip_suffix('"').unwrap_or(&quoted)))
}

fn step_of_game(event: &Event, rules: &Rules) -> ReviewStep {
    let [white, black] = [Color::White, Color::Black].map(|side| {
        let heard = event.heard_by(side, rules)?;
        Some(ToldEvent::new(&heard, Listener::Side(side), rules))
    });
    let event = ToldEvent::new(event, Listener::Umpire, rules);
    ReviewStep { event, white, black, board: None, men: None }
}

/// What a view holds is all there is: the other side's share is not known.
fn step_of_view(event: &Event, side: Color, rules: &Rules) -> ReviewStep {
    let event = ToldEvent::new(event, Listener::Side(side), rules);
    let [white, black] = [Color::White, Color::Black].map(|of| (of == side).then(|| event.clone()));
    ReviewStep { event, white, black, board: None, men: None }
}
