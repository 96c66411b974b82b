//! Wins, draws and losses of one player against another, in games and in pairs of games, and why games ended.
//!
//! Two games from one start with colours swapped are a pair. Their results go together (a start that is better for White gives
//! one point each), so what a match shows is judged by what pairs brought: nothing, a half, one, one and a half, or two
//! points, the five outcomes of the *pentanomial*.

use std::{collections::BTreeMap, fmt};

use nebel_kriegspiel::{Chess, Color, GameResult, Over, Position, over};
use serde::Serialize;

/// A score, seen from one player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Whole pairs of games that brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
    /// Games that are part of no whole pair and brought 0, ½ and 1 point.
    pub singles: [u32; 3],
    /// How often each reason ended a game.
    pub reasons: BTreeMap<&'static str, u32>,
    /// Draws in which one side had only its king left and the other could still have mated: points
    /// that were there to be won.
    pub bare_king_draws: u32,
}

impl Score {
    /// So many games of which nobody knows how they belong together.
    pub fn of_games(wins: u32, draws: u32, losses: u32) -> Score {
        Score { wins, draws, losses, singles: [losses, draws, wins], ..Score::default() }
    }

    /// Adds a game in which the player had this colour, as a single one.
    pub fn add(&mut self, color: Color, over: Over, last: Ending) {
        let half_points = half_points(color, over);
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.singles[half_points] += 1;
        *self.reasons.entry(over.reason.as_str()).or_default() += 1;
        let is_lost_point = over.result == GameResult::Draw && last == Ending::BareKing;
        self.bare_king_draws += u32::from(is_lost_point);
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Makes a pair of two single games that brought these halves of a point.
    fn join(&mut self, one: usize, other: usize) {
        self.singles[one] -= 1;
        self.singles[other] -= 1;
        self.pairs[one + other] += 1;
    }
}

impl fmt::Display for Score {
    /// `+1 =0 −2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("+{} ={} −{}", self.wins, self.draws, self.losses))
    }
}

/// Adds up games that come in any order, and puts together those that make a pair.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    score: Score,
    /// Half points of the games whose other half is not there yet.
    halves: BTreeMap<PairKey, usize>,
}

/// What the two games of a pair have in common, and no others: the match, or who meets whom in it, and their number there.
pub type PairKey = (i64, u32);

impl Tally {
    /// Adds a game of this pair in which the player had this colour.
    pub fn add(&mut self, pair: PairKey, color: Color, over: Over, last: Ending) {
        self.score.add(color, over, last);
        let half_points = half_points(color, over);
        match self.halves.remove(&pair) {
            Some(other) => self.score.join(half_points, other),
            None => drop(self.halves.insert(pair, half_points)),
        }
    }

    /// The score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// The score.
    pub fn into_score(self) -> Score {
        self.score
    }
}

/// What a game brought the player who had this colour: 0, 1 or 2 halves of a point.
pub fn half_points(color: Color, over: Over) -> usize {
    match over.result.winner() {
        None => 1,
        Some(winner) if winner == color => 2,
        Some(_) => 0,
    }
}

/// What the last position of a game looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One side has only its king, the other enough to mate.
    BareKing,
    /// Anything else.
    Other,
}

impl Ending {
    /// Looks at the last position of a game.
    pub fn of(position: &Chess) -> Ending {
        let board = position.board();
        let is_bare = |color| (board.by_color(color) & !board.kings()).is_empty();
        let someone_is_bare = Color::ALL.into_iter().any(is_bare);
        if someone_is_bare && !over::is_dead(board) { Ending::BareKing } else { Ending::Other }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::Reason;

    use super::*;

    #[test]
    fn two_games_of_a_pair_make_one_of_five_outcomes_in_any_order() {
        let won = |color: Color| Over::lost_by(!color, Reason::Checkmate);
        let drawn = Over::draw(Reason::Fifty);
        let mut tally = Tally::default();
        let mut add = |pair, color, over| tally.add((1, pair), color, over, Ending::Other);
        add(0, Color::White, won(Color::White));
        add(1, Color::White, drawn);
        add(2, Color::White, won(Color::Black));
        add(1, Color::Black, drawn);
        add(0, Color::Black, won(Color::White));
        add(2, Color::Black, drawn);
        add(3, Color::White, won(Color::White));
        let score = tally.into_score();
        assert_eq!((score.pairs, score.singles, score.games()), ([0, 1, 2, 0, 0], [0, 0, 1], 7));
        assert_eq!(score.to_string(), "+2 =3 −2");
        assert_eq!(format!("{score:>10}"), "  +2 =3 −2");
    }
}
