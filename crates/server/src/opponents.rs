//! Whom one can play through the web: the levels, and every kind of player as it comes.
//!
//! This is the one place where that is decided. Options are for those who own the machine: with some of them a
//! player takes as much memory and as many threads as one likes.

use std::sync::LazyLock;

use nebel_players::{Kind, check_untrusted, kinds};
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

/// A strength for people.
#[derive(Serialize, ToSchema)]
pub(crate) struct Level {
    name: &'static str,
    spec: &'static str,
    move_ms: u64,
    about: &'static str,
}

/// Strengths from the weakest to the strongest.
pub(crate) const LEVELS: [Level; 5] = [
    Level { name: "Beginner", spec: "random", move_ms: 300, about: "moves at random" },
    Level { name: "Easy", spec: "greedy", move_ms: 300, about: "takes back, and uses its pawn tries" },
    Level { name: "Medium", spec: "los:k=50", move_ms: 500, about: "judges by the last announcement" },
    Level { name: "Hard", spec: "hs", move_ms: 1000, about: "remembers all it has heard" },
    Level {
        name: "Expert",
        spec: "c",
        move_ms: 1000,
        about: "weighs what the umpire may say, and mates from tables",
    },
];

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
    let is_level = LEVELS.iter().any(|level| level.spec == spec);
    let is_kind = offered_kinds().iter().any(|kind| kind.name == spec);
    if is_level || is_kind { Ok(()) } else { Err(NotOffered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_can_be_played_and_no_option_can_be_given() {
        for level in &LEVELS {
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
