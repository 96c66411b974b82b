//! What goes through the WebSocket of a side: its requests, and what it is told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::clock::ClockFace;

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
        events: Vec<Value>,
        /// Each event in words.
        texts: Vec<String>,
        /// Where the game stands.
        now: Now,
    },
    /// Something happened that this side hears.
    Event {
        /// How many events it has heard now.
        seen: usize,
        /// The event.
        event: Value,
        /// The event in words.
        text: String,
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
        offered_by: &'static str,
        /// The new game, when it was agreed on.
        game: Option<NewSeat>,
    },
    /// What could be where, in practice games.
    Belief {
        /// After how many events.
        seen: usize,
        /// The belief.
        belief: Value,
    },
}

/// What both sides know of a game from the first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameFacts {
    /// Its name.
    pub id: String,
    /// The side that is told.
    pub side: &'static str,
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
}

/// A seat in another game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NewSeat {
    /// The game's name.
    pub id: String,
    /// The secret of the side.
    pub token: String,
    /// The side.
    pub side: &'static str,
}

/// Where a game stands for one side.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Now {
    /// Whose turn it is.
    pub turn: &'static str,
    /// The own men: upper case for White, lower case for Black.
    pub men: BTreeMap<String, String>,
    /// The attempts that make sense and were not refused in this turn; none in the other's turn.
    pub attempts: Vec<String>,
    /// What was refused in this turn.
    pub refused: Vec<String>,
    /// The answer to "any?" in this turn, whoever asked.
    pub asked: Option<&'static str>,
    /// Whether this side may ask "any?" now.
    pub can_ask: bool,
    /// The pawn tries of the side to move, as far as they were announced.
    pub tries: Option<Value>,
    /// Where the side to move is checked from.
    pub check: Vec<&'static str>,
    /// Every capture so far.
    pub taken: Vec<Taken>,
    /// The clocks, if there are any.
    pub clock: Option<ClockFace>,
    /// How the game ended.
    pub over: Option<OverFacts>,
    /// Milliseconds that the machine had for its last turn, when the server had too much to do for all of its time.
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
    pub kind: Option<&'static str>,
    /// Who took.
    pub by: &'static str,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OverFacts {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Why.
    pub reason: &'static str,
}

impl From<nebel_kriegspiel::Over> for OverFacts {
    fn from(over: nebel_kriegspiel::Over) -> OverFacts {
        OverFacts { result: over.result.as_str(), reason: over.reason.as_str() }
    }
}

impl Told {
    /// The message as it is sent.
    pub(crate) fn to_text(&self) -> String {
        // Maps with string keys and plain values: serialising them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
