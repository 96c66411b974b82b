//! Whom one can play through the web: the levels, and every kind of player as it comes.
//!
//! This is the one place where that is decided. Options are for those who own the machine: with some of them a
//! player takes as much memory and as many threads as one likes.

use std::sync::LazyLock;

use nebel_players::{Kind, check_untrusted, kinds};
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use crate::ladder::Ladder;

/// A strength for people.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Level {
    /// Its name.
    pub name: &'static str,
    /// The player.
    pub spec: &'static str,
    /// Milliseconds that it has for a turn.
    pub move_ms: u64,
    /// How it plays, in a line.
    pub about: &'static str,
    /// Whether it is offered to who has not chosen yet.
    pub is_default: bool,
    /// Measured in games between the levels, `random` being 0.
    #[schema(required)]
    pub rating: Option<i32>,
}

const fn level(name: &'static str, spec: &'static str, move_ms: u64, about: &'static str) -> Level {
    Level { name, spec, move_ms, about, is_default: false, rating: None }
}

/// Strengths from the weakest to the strongest. All but the first two are one player that knows less and looks less far: it loses as weaker
/// people do, and mates a bare king when it can. Ratings are those of the [ladder](Ladder).
const STRENGTHS: [Level; 8] = [
    level("Drifter", "random", 300, "moves at random"),
    level("Grabber", "greedy", 300, "takes back and uses its pawn tries; cannot mate a bare king"),
    level("Novice", "nebel:level=1", 300, "guesses at one board, and forgets most of what it heard"),
    level(
        "Casual",
        "nebel:level=2,positions=5,particles=15",
        300,
        "compares five guesses, and sees mates in one",
    ),
    level("Club", "nebel:level=3", 300, "compares a few more, and weighs how people play"),
    level("Strong", "nebel:level=4,positions=16,particles=100", 500, "keeps a hundred boards in mind"),
    level("Expert", "nebel:level=6", 500, "keeps hundreds of boards in mind"),
    level(
        "Champion",
        "nebel",
        1000,
        "keeps thousands of boards in mind, and looks ahead to its own next turn",
    ),
];

/// What who has not chosen yet is offered: a beginner can beat it, and it mates when it can.
const DEFAULT: &str = "Novice";

/// The levels with their ratings, from the weakest to the strongest.
pub fn levels() -> &'static [Level] {
    &RATED
}

static RATED: LazyLock<Vec<Level>> = LazyLock::new(|| {
    let rated = |level: Level| Level {
        is_default: level.name == DEFAULT,
        rating: Ladder::shipped().rating(level.spec),
        ..level
    };
    STRENGTHS.into_iter().map(rated).collect()
});

/// The kinds of player that start no program outside.
static KINDS: LazyLock<Vec<&'static Kind>> =
    LazyLock::new(|| kinds().iter().filter(|kind| check_untrusted(kind.name).is_ok()).collect());

/// The kinds of player that can be chosen.
pub(crate) fn offered_kinds() -> &'static [&'static Kind] {
    &KINDS
}

/// No player that can be chosen here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the player must be that of a level, or one of {}, without options", names())]
pub(crate) struct NotOffered;

fn names() -> String {
    offered_kinds().iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// Whether this player can be chosen.
pub(crate) fn offered(spec: &str) -> Result<(), NotOffered> {
    let is_level = levels().iter().any(|level| level.spec == spec);
    let is_kind = offered_kinds().iter().any(|kind| kind.name == spec);
    if is_level || is_kind { Ok(()) } else { Err(NotOffered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_rated_above_the_one_below() {
        let ratings: Vec<i32> = levels().iter().map(|level| level.rating.unwrap()).collect();
        assert_eq!(ratings[0], 0, "random is the anchor");
        // Seventy points are an expected score of 60%.
        assert!(ratings.windows(2).all(|two| two[1] - two[0] >= 70), "{ratings:?}");
        assert_eq!(levels().iter().filter(|level| level.is_default).count(), 1);
    }

    #[test]
    fn every_level_can_be_played_and_no_option_can_be_given() {
        for level in levels() {
            assert!(
                offered(level.spec).is_ok() && nebel_players::by_spec(level.spec).is_ok(),
                "{}",
                level.name
            );
        }
        for spec in ["", "exec", "exec:true", "hs:threads=100000", "hs:k=200", "los:k=51", "hs:", "HS"] {
            assert_eq!(offered(spec), Err(NotOffered), "{spec}");
        }
    }
}
