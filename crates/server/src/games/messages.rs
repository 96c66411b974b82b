//! What goes through the WebSocket of a side: its requests, and what it is told.

use std::collections::BTreeMap;

use nebel_kriegspiel::{
    Direction, Event, GameResult, Kind, Over, Reason, Rules,
    json::{EventJson, Side, TriesJson},
    words::{self, Listener, Words},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clock::ClockFace;
use crate::knowledge::Belief;

/// What a side asks for. The first message is `hello`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Request {
    /// Who is there.
    Hello {
        /// The secret of the side.
        token: String,
    },
    /// An attempt.
    Try {
        /// As in `e2e4` or `e7e8q`; anything else is nonsense.
        attempt: String,
        /// How many events the client has heard; if there are more, nothing happens.
        seen: usize,
    },
    /// The question "any?".
    Ask {
        /// As for an attempt.
        seen: usize,
    },
    /// Gives up.
    Resign,
    /// Offers another game, or agrees to one.
    Rematch,
    /// Offers a draw, or agrees to one.
    Draw,
    /// Takes the own last move back, in practice games.
    Takeback {
        /// As for an attempt.
        seen: usize,
    },
    /// Asks for a `pong`.
    Ping,
}

/// What a side is told.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Told {
    /// All that it has heard, after `hello`.
    State {
        /// The game.
        game: GameFacts,
        /// The events of its view, from the first.
        events: Vec<ToldEvent>,
        /// Where the game stands.
        now: Now,
    },
    /// Something happened that this side hears.
    Event {
        /// How many events it has heard now.
        seen: usize,
        /// The event.
        event: ToldEvent,
        /// Where the game stands.
        now: Now,
    },
    /// A request was not carried out; nothing happened.
    Refused {
        /// One sentence.
        why: String,
    },
    /// The answer to `ping`.
    Pong,
    /// Whether the other person is there.
    Opponent {
        /// Has a window open.
        connected: bool,
    },
    /// Another game was offered, or agreed on.
    Rematch {
        /// Who offered it first.
        offered_by: Side,
        /// The new game, when it was agreed on.
        #[schema(required)]
        game: Option<NewSeat>,
    },
    /// A draw was offered; an offer stands until the other side moves.
    Draw {
        /// Who offered it.
        offered_by: Side,
        /// Whether it was declined at once, as the machine does.
        declined: bool,
    },
    /// What could be where, in practice games.
    Belief {
        /// After how many events.
        seen: usize,
        /// The belief.
        belief: Box<Belief>,
    },
}

/// An event, and what is said of it to whoever is told.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ToldEvent {
    #[serde(flatten)]
    event: EventJson,
    /// The umpire's sentences.
    words: Words,
}

impl ToldEvent {
    /// An event as this listener hears it. To a side only events of its view are told.
    pub(crate) fn new(event: &Event, listener: Listener, rules: &Rules) -> ToldEvent {
        ToldEvent { event: EventJson::new(event, rules), words: Words::of(event, listener, rules) }
    }
}

/// What both sides know of a game from the first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameFacts {
    /// Its name.
    pub id: String,
    /// The side that is told.
    pub side: Side,
    /// The name of the rules.
    pub rules: String,
    /// The starting position.
    pub start: String,
    /// Who plays White: `human`, or a player's spec.
    pub white: String,
    /// Who plays Black.
    pub black: String,
    /// Whether the belief is shown while playing.
    pub practice: bool,
    /// Whether two people play.
    pub link: bool,
    /// The secret of a link by which others may watch this side: they see what it sees.
    #[schema(required)]
    pub watch: Option<String>,
    /// Whether whoever is told only watches.
    pub watching: bool,
}

/// A seat in another game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NewSeat {
    /// The game's name.
    pub id: String,
    /// The secret of the side.
    pub token: String,
    /// The side.
    pub side: Side,
}

/// Where a game stands for one side.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Now {
    /// Whose turn it is.
    pub turn: Side,
    /// The own men: upper case for White, lower case for Black.
    pub men: BTreeMap<String, String>,
    /// The attempts that make sense and were not refused in this turn; none in the other's turn.
    pub attempts: Vec<String>,
    /// What was refused in this turn.
    pub refused: Vec<String>,
    /// The answer to "any?" in this turn, whoever asked.
    #[schema(required)]
    pub asked: Option<YesOrNo>,
    /// Whether this side may ask "any?" now.
    pub can_ask: bool,
    /// The pawn tries of the side to move, as far as they were announced.
    #[schema(required)]
    pub tries: Option<TriesJson>,
    /// The same in words.
    #[schema(required)]
    pub tries_text: Option<String>,
    /// Where the side to move is checked from.
    pub check: Vec<Direction>,
    /// Every capture so far.
    pub taken: Vec<Taken>,
    /// The clocks, if there are any.
    #[schema(required)]
    pub clock: Option<ClockFace>,
    /// How the game ended.
    #[schema(required)]
    pub over: Option<OverFacts>,
    /// Milliseconds that the machine had for its last turn, when the server had too much to do for all of its time.
    #[schema(required)]
    pub machine_ms: Option<u64>,
    /// Whether the machine is to move.
    pub thinking: bool,
}

/// A capture as it was announced.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Taken {
    /// Where.
    pub square: String,
    /// `pawn` or `piece`, where the rules say it.
    #[schema(required)]
    pub kind: Option<Kind>,
    /// Who took.
    pub by: Side,
}

/// An answer to "any?".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum YesOrNo {
    /// There is a pawn capture.
    Yes,
    /// There is none.
    No,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OverFacts {
    /// The points.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// The end in words, said to whoever is told.
    pub text: String,
}

impl OverFacts {
    /// The end as this listener is told it.
    pub(crate) fn new(over: Over, listener: Listener) -> OverFacts {
        OverFacts { result: over.result, reason: over.reason, text: words::end(over, listener) }
    }
}

impl Told {
    /// The message as it is sent.
    pub(crate) fn to_text(&self) -> String {
        // Maps with string keys and plain values: serialising them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
