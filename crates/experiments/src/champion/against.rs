//! One game of the champion, or of a player that stands in for it, against another.

use nebel_arena::{
    game::{Contestant, MatchTerms, Played, play},
    schedule::Fixture,
    time::TimeControl,
};
use nebel_kriegspiel::{Color, Rules};
use nebel_players::{Player, by_spec};

use super::informed::Truth;
use crate::error::ExperimentError;

/// Starts after so many random plies.
pub(super) const RANDOM_PLIES: usize = 8;

/// Against whom, and how long.
pub(super) struct Against<'a> {
    /// The other player's spec.
    pub(super) opponent: &'a str,
    /// Nodes for each of its choices. The champion's work is bounded by its options.
    pub(super) nodes: u64,
    /// A game is drawn after so many moves of each side.
    pub(super) max_moves: u32,
}

impl Against<'_> {
    /// Plays a game under `icc`, in which the champion has the colour of the fixture's first player and the truth is kept up to date.
    pub(super) fn play(
        &self,
        champion: &mut dyn Player,
        truth: &Truth,
        fixture: &Fixture,
    ) -> Result<Played, ExperimentError> {
        let mut opponent = by_spec(self.opponent)?;
        let terms =
            MatchTerms { rules: Rules::icc(), start: fixture.start.clone(), max_moves: Some(self.max_moves) };
        let seat = |player, color: Color, time| Contestant {
            player,
            seed: fixture.seeds[usize::from(color == Color::Black)],
            time,
        };
        let champion = seat(champion, fixture.first, TimeControl::Unlimited);
        let opponent = seat(&mut *opponent, !fixture.first, TimeControl::Nodes(self.nodes));
        let (white, black) = match fixture.first {
            Color::White => (champion, opponent),
            Color::Black => (opponent, champion),
        };
        Ok(play(&terms, white, black, |event| truth.follow(event)))
    }
}
