//! Ratings of many players at once from their scores against each other.
//!
//! The model is that of Bradley and Terry with Davidson's draws (1970): of two players whose strengths differ by x, one wins, draws and
//! loses with odds e^(x/2) : ν : e^(−x/2). One ν serves all, since players of one game draw alike. Strengths and ν are the likeliest ones;
//! Elo are 400/ln 10 · 2/(2 + ν) for each unit of x, so that for players near each other a difference means the
//! expected score that it means in a match ([`super::elo`]; as in Coulom's program `BayesElo`).
//!
//! A player that has won all its games would be infinitely strong. So before anything is played each player has one *virtual game*, shared
//! among those it meets, that ends in each of the three ways by a third. It is worth half a point, as a draw would be, and
//! keeps ν away from nothing and from infinity. It decides only where results leave everything open, and there the interval is wide.
//!
//! An interval holds the ratings that the results do not contradict at 95%: those at which the likelihood, all other numbers at their best,
//! is not smaller than e^(−t²/2) of the greatest, with Student's t (1.96 where there are many games). It is asymmetric where it should be: wide above for one who won
//! everything. Games of a pair go together, so t²/2 is multiplied by how much more (or less) pairs scatter than independent games
//! would, over all pairs of the tournament, with ten ordinary pairs beforehand.
//!
//! Only players that games connect can be compared. The others, seen from the anchor or else from the largest group,
//! have no rating.

use std::fmt;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::likelihood::{Likelihood, Meeting};
use crate::score::Score;

/// The rating of a player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The best estimate.
    pub elo: f64,
    /// The 95% interval; of the anchor, its rating alone.
    pub interval: [f64; 2],
}

impl fmt::Display for Rating {
    /// `+35 (−10 to +81)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [elo, low, high] = [self.elo, self.interval[0], self.interval[1]].map(super::elo::signed);
        write!(f, "{elo} ({low} to {high})")
    }
}

/// A player whose rating is given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// Which player of the table.
    pub player: usize,
    /// Its rating.
    pub elo: f64,
}

/// What a table of scores says of everybody.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// In the order of the table; `None` for those whom games do not connect with the rest.
    pub players: Vec<Option<Rating>>,
    /// The share of draws between two players of equal strength.
    pub draws: f64,
}

/// Pairs that scatter as independent games do, beforehand.
const ORDINARY: f64 = 10.0;

impl Ratings {
    /// Rates a table: `table[a][b]` is a's score against b. Without an anchor the mean is 0.
    pub fn of(table: &[Vec<Score>], anchor: Option<Anchor>) -> Ratings {
        let group = group(table, anchor);
        let mut players = vec![None; table.len()];
        if group.len() < 2 {
            if let (Some(anchor), [player]) = (anchor, &group[..]) {
                players[*player] = Some(Rating { elo: anchor.elo, interval: [anchor.elo; 2] });
            }
            return Ratings { players, draws: 0.0 };
        }
        // Whom the scale hangs on, by place in the group.
        let fixed = anchor.and_then(|anchor| group.iter().position(|&player| player == anchor.player));
        let likelihood = Likelihood::new(group.len(), meetings(table, &group), fixed);
        let best = likelihood.best();
        let drop = drop_at_the_ends(table, &group) * dispersion(table, &group, &likelihood, &best);
        let draw = best.draw();
        let unit = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + draw);
        let zero = anchor.map_or(0.0, |anchor| anchor.elo);
        for (place, &player) in group.iter().enumerate() {
            let elo = |strength: f64| zero + unit * strength;
            let interval =
                if fixed == Some(place) { [0.0; 2] } else { likelihood.interval(&best, place, drop) };
            players[player] = Some(Rating { elo: elo(best.strengths[place]), interval: interval.map(elo) });
        }
        Ratings { players, draws: draw / (2.0 + draw) }
    }
}

/// Those who are compared: whom games connect with the anchor, or the most that games connect.
fn group(table: &[Vec<Score>], anchor: Option<Anchor>) -> Vec<usize> {
    let from = |player: usize| {
        let mut found = vec![player];
        let mut next = 0;
        while let Some(&a) = found.get(next) {
            let met = (0..table.len()).filter(|&b| b != a && table[a][b].games() > 0);
            let new: Vec<usize> = met.filter(|b| !found.contains(b)).collect();
            found.extend(new);
            next += 1;
        }
        found.sort_unstable();
        found
    };
    match anchor {
        Some(anchor) if anchor.player < table.len() => from(anchor.player),
        Some(_) => Vec::new(),
        // Of groups that are equally large the first.
        None => (0..table.len()).map(from).rev().max_by_key(Vec::len).unwrap_or_default(),
    }
}

/// The games of a group, each player's virtual one with them.
fn meetings(table: &[Vec<Score>], group: &[usize]) -> Vec<Meeting> {
    let score = |a: usize, b: usize| &table[group[a]][group[b]];
    let met =
        |a: usize| (0..group.len()).filter(|&b| b != a && score(a, b).games() > 0).count().max(1) as f64;
    let mut meetings = Vec::new();
    for a in 0..group.len() {
        for b in a + 1..group.len() {
            let Score { wins, draws, losses, .. } = score(a, b);
            if wins + draws + losses > 0 {
                let part = f64::midpoint(1.0 / met(a), 1.0 / met(b)) / 3.0;
                let [wins, draws, losses] = [wins, draws, losses].map(|&count| f64::from(count) + part);
                meetings.push(Meeting { a, b, wins, draws, losses });
            }
        }
    }
    meetings
}

/// How far the logarithm of the likelihood may drop: a half of the squared quantile of Student's distribution, because how much
/// pairs scatter is an estimate. What is there beforehand counts, and every rating costs a degree of freedom.
fn drop_at_the_ends(table: &[Vec<Score>], group: &[usize]) -> f64 {
    let mut clusters = 0;
    for (place, &a) in group.iter().enumerate() {
        for &b in &group[place + 1..] {
            clusters += table[a][b].pairs.iter().chain(&table[a][b].singles).sum::<u32>();
        }
    }
    let freedom = ORDINARY + f64::from(clusters) - group.len() as f64;
    let quantile =
        StudentsT::new(0.0, 1.0, freedom.max(ORDINARY)).map_or(1.96, |student| student.inverse_cdf(0.975));
    quantile * quantile / 2.0
}

/// How much more pairs scatter around what is expected of them than two independent games would.
fn dispersion(
    table: &[Vec<Score>],
    group: &[usize],
    likelihood: &Likelihood,
    best: &super::likelihood::Point,
) -> f64 {
    let (mut seen, mut expected, mut pairs) = (0.0, 0.0, 0.0);
    for meeting in likelihood.meetings() {
        let [win, draw, _] = best.odds(meeting.a, meeting.b);
        let mean = win + draw / 2.0;
        let counts = table[group[meeting.a]][group[meeting.b]].pairs;
        for (outcome, count) in super::pentanomial::OUTCOMES.into_iter().zip(counts.map(f64::from)) {
            seen += count * (outcome - mean).powi(2);
            expected += count * (win + draw / 4.0 - mean * mean) / 2.0;
            pairs += count;
        }
    }
    if pairs == 0.0 || expected <= 0.0 {
        return 1.0;
    }
    let ordinary = ORDINARY * expected / pairs;
    (seen + ordinary) / (expected + ordinary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo::elo_of;

    fn table(scores: &[(usize, usize, [u32; 3])], players: usize) -> Vec<Vec<Score>> {
        let mut table = vec![vec![Score::default(); players]; players];
        for &(a, b, [wins, draws, losses]) in scores {
            table[a][b] = Score::of_games(wins, draws, losses);
            table[b][a] = Score::of_games(losses, draws, wins);
        }
        table
    }

    fn rated(table: &[Vec<Score>], anchor: Option<Anchor>) -> Vec<Rating> {
        Ratings::of(table, anchor).players.into_iter().map(Option::unwrap).collect()
    }

    #[test]
    fn ratings_of_two_agree_with_their_difference() {
        let ratings = rated(&table(&[(0, 1, [7500, 0, 2500])], 2), None);
        assert!((ratings[0].elo - ratings[1].elo - elo_of(0.75)).abs() < 0.1);
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        // With draws the odds are 60 : 20 : 20: x = ln 3, ν = 20/√1200 = 0.5774, so 173.72·1.0986·2/2.5774 = 148.1.
        let ratings = rated(&table(&[(0, 1, [6000, 2000, 2000])], 2), None);
        assert!((ratings[0].elo - ratings[1].elo - 148.1).abs() < 0.1);
        assert!((148.1 - elo_of(0.7)).abs() < 1.0, "near the difference of a match");
        let draws = Ratings::of(&table(&[(0, 1, [100, 800, 100])], 2), None).draws;
        assert!((draws - 0.8).abs() < 0.01);
    }

    #[test]
    fn the_interval_of_two_is_that_of_their_match() {
        let games = table(&[(0, 1, [60, 10, 30])], 2);
        let [low, high] = rated(&games, Some(Anchor { player: 1, elo: 0.0 }))[0].interval;
        let of_match = crate::statistics::elo(&games[0][1]).unwrap().interval;
        assert!(
            (low - of_match[0]).abs() < 8.0 && (high - of_match[1]).abs() < 8.0,
            "{low} {high} {of_match:?}"
        );
    }

    #[test]
    fn one_who_wins_everything_stays_finite_with_a_wide_interval() {
        let games = table(&[(0, 1, [8, 0, 0]), (0, 2, [8, 0, 0]), (1, 2, [5, 1, 2])], 3);
        let ratings = rated(&games, None);
        let Rating { elo, interval: [low, high] } = ratings[0];
        assert!(elo.is_finite() && elo > ratings[1].elo + 200.0 && ratings[1].elo > ratings[2].elo);
        assert!(high - elo > 300.0 && elo - low > 100.0 && high - elo > elo - low, "{low} {elo} {high}");
        let none = rated(&table(&[(0, 1, [0, 0, 4])], 2), None);
        assert!(none[0].elo < -100.0 && none[0].interval[0] < -300.0);
    }

    #[test]
    fn an_anchor_moves_the_scale_and_has_no_interval() {
        let games = table(&[(0, 1, [30, 20, 10]), (1, 2, [25, 20, 15]), (0, 2, [40, 10, 10])], 3);
        let (free, anchored) = (rated(&games, None), rated(&games, Some(Anchor { player: 2, elo: 100.0 })));
        assert!(free.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        let Rating { elo, interval: [low, high] } = anchored[2];
        assert!([elo, low, high].iter().all(|elo| (elo - 100.0).abs() < 1e-9));
        for player in 0..3 {
            assert!((anchored[player].elo - 100.0 - (free[player].elo - free[2].elo)).abs() < 1e-4);
            let [low, high] = anchored[player].interval;
            assert!(low <= anchored[player].elo && anchored[player].elo <= high);
        }
    }

    #[test]
    fn those_whom_no_games_connect_have_no_rating() {
        let games = table(&[(0, 1, [3, 0, 1]), (2, 3, [1, 1, 1]), (3, 4, [2, 0, 0])], 6);
        let has =
            |anchor| Ratings::of(&games, anchor).players.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(has(None), [false, false, true, true, true, false]);
        assert_eq!(has(Some(Anchor { player: 0, elo: 0.0 })), [true, true, false, false, false, false]);
        assert_eq!(has(Some(Anchor { player: 5, elo: 7.0 })), [false, false, false, false, false, true]);
        assert!(Ratings::of(&[], None).players.is_empty());
        assert_eq!(Ratings::of(&table(&[], 2), None).players, [None, None]);
        assert_eq!(has(Some(Anchor { player: 9, elo: 0.0 })), [false; 6]);
    }

    #[test]
    fn pairs_that_end_alike_widen_intervals() {
        let width = |pairs: [u32; 5]| {
            let mut games = table(&[(0, 1, [50, 0, 50])], 2);
            for score in [(0, 1), (1, 0)] {
                games[score.0][score.1] = Score { pairs, singles: [0; 3], ..games[score.0][score.1].clone() };
            }
            let [low, high] = rated(&games, Some(Anchor { player: 1, elo: 0.0 }))[0].interval;
            high - low
        };
        let (together, independent, apart) =
            (width([25, 0, 0, 0, 25]), width([12, 0, 26, 0, 12]), width([2, 0, 46, 0, 2]));
        assert!(
            together > 1.2 * independent && independent > 1.3 * apart,
            "{together} {independent} {apart}"
        );
    }
}
