//! Reactions: what to try first when something was just announced.
//!
//! After a capture of an own man the capturer stands on a known square, after a pawn try something stands before a pawn,
//! and a check comes along a known line. Attempts that take there cost nothing if they are refused, so they come before
//! any search, cheap men first (Darkboard's order: king, pawn, knight, bishop, rook, queen).

use nebel_kriegspiel::{Attempt, Directions, Event, Role, Square, Tries};

use super::{numbers::NUMBERS, search::Valued};
use nebel_belief::metaposition::Metaposition;

/// What was just announced that calls for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reaction {
    /// Where an own man was captured.
    lost_on: Option<Square>,
    /// Whether own pawns have something to capture.
    has_tries: bool,
    /// From where a check came, if checks are answered at once.
    check: Directions,
}

impl Reaction {
    /// What an event of the opponent, or an answer to "any?", calls for.
    pub(crate) fn to(event: &Event, meta: &Metaposition, checks: bool) -> Reaction {
        let own = meta.own().color();
        let lost_on = match event.announcement() {
            Some(announcement) if event.by() != Some(own) => {
                announcement.capture.map(|capture| capture.captured_square(own))
            }
            _ => None,
        };
        let has_tries = meta.tries().is_some_and(Tries::are_there);
        let check = if checks { meta.check() } else { Directions::NONE };
        Reaction { lost_on, has_tries, check }
    }

    /// How eager one is to try this in answer: nothing if it is no answer.
    pub(crate) fn eagerness(self, meta: &Metaposition, attempt: Attempt) -> Option<f32> {
        let role = meta.own().role_at(attempt.from)?;
        let takes_back = self.lost_on == Some(attempt.to) && meta.may_hold_any().contains(attempt.to);
        let takes = self.has_tries && meta.own().is_pawn_capture(attempt);
        let king = meta.own().king();
        let on_line = self.check.iter().any(|direction| direction.line(king).contains(attempt.to));
        let takes_checker = on_line && meta.may_hold_other_than_king().contains(attempt.to);
        let castles = role == Role::King && attempt.from.distance(attempt.to) > 1;
        (!castles && (takes_back || takes || takes_checker)).then(|| {
            let numbers = NUMBERS.reaction;
            numbers.eagerness.of(role) + if takes_back { numbers.takes_back } else { 0.0 }
        })
    }

    /// The attempt with which to answer, unless the search sees something much better.
    pub(crate) fn choose(self, meta: &Metaposition, valued: &[Valued]) -> Option<Attempt> {
        let best = valued.first()?.value;
        let eager = valued.iter().filter_map(|valued| Some((valued, self.eagerness(meta, valued.attempt)?)));
        let (chosen, _) = eager
            .filter(|(valued, _)| valued.value > best - NUMBERS.reaction.declines)
            .max_by(|a, b| (a.0.value + a.1).total_cmp(&(b.0.value + b.1)))?;
        Some(chosen.attempt)
    }
}
