//! The machine's opinion of a game: at every turn of one side what the strongest player would have tried there and why,
//! how likely it was to win, and how likely it held the truth; and where the game turned.
//!
//! The player hears what the side heard and nothing else. What was hidden is compared with its belief afterwards, so an
//! opinion is only had of a game that is over, or of a text that somebody has.

mod mate;
mod points;
mod turns;

use nebel_kriegspiel::json::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) use self::turns::{Told, Turns};
use crate::{background::Weigh, knowledge::Squares};

/// Opinions with another number are worked out anew: it grows with what an opinion says and how.
pub(crate) const VERSION: i64 = 1;

/// What the machine thinks of a side's game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Opinion {
    /// Which player thinks so.
    pub player: String,
    /// Whose game.
    pub side: Side,
    /// The turns of the side.
    pub turns: Vec<TurnOpinion>,
    /// Where the game turned, in their order.
    pub points: Vec<TurningPoint>,
}

/// What the machine thinks of one turn, before anything is tried in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnOpinion {
    /// After so many steps of the game.
    pub step: usize,
    /// How likely it is to win, by its own curve.
    pub chance: f64,
    /// What it would have tried: an attempt, or `any?`.
    pub choice: String,
    /// The attempts that it looked at closest, the best first.
    pub weighed: Vec<WeighedAttempt>,
    /// What it says of its choice, a sentence each.
    pub notes: Vec<String>,
    /// How many positions it held possible.
    pub positions: usize,
    /// Its board of probabilities.
    pub board: Squares,
    /// How likely it held the true position; null where nobody knows it.
    #[schema(required)]
    pub truth: Option<f64>,
    /// How likely it held the true men on their squares, on the mean.
    #[schema(required)]
    pub men: Option<f64>,
}

/// An attempt that the machine weighed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct WeighedAttempt {
    /// The attempt.
    pub attempt: String,
    /// How likely it is to win by trying it first; null where the player weighs by another measure.
    #[schema(required)]
    pub chance: Option<f64>,
    /// How likely it is legal.
    pub legal: f64,
}

/// A turn at which much was decided.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurningPoint {
    /// After so many steps of the game the turn began.
    pub step: usize,
    /// What happened.
    pub kind: PointKind,
    /// By so much the chance to win changed until the next turn.
    pub change: f64,
    /// One sentence.
    pub text: String,
}

/// What kind of turning point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PointKind {
    /// A mate was certain and was not tried.
    Mate,
    /// A man was lost.
    Loss,
    /// A man was won.
    Gain,
    /// A pawn could capture and did not try.
    Try,
    /// The chance changed much for other reasons.
    Swing,
}

impl Opinion {
    /// The opinion that these turns amount to.
    pub(crate) fn of(side: Side, told: &[Told]) -> Opinion {
        Opinion {
            player: turns::PLAYER.to_owned(),
            side,
            turns: told.iter().map(|told| told.opinion.clone()).collect(),
            points: points::of(told),
        }
    }
}

impl Weigh for Told {
    fn bytes(&self) -> usize {
        // The board is most of it.
        6 * 64 * size_of::<f64>() + 1024
    }
}
