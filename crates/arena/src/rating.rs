//! What results mean: Elo differences with intervals, likelihood of superiority, the sequential
//! probability ratio test, and ratings of many players at once.
//!
//! The Elo scale turns an expected score s into 400·log10(s/(1−s)). Intervals come from the variance
//! of the points a game (trinomial: win, draw, loss).

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::score::Score;

/// An Elo difference with its 95% interval; infinite where a side made no points at all.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The best estimate.
    pub difference: f64,
    /// The 95% interval.
    pub interval: [f64; 2],
}

/// The expected score at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference of an expected score.
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The Elo difference that a score shows. `None` before the first game.
pub fn elo(score: &Score) -> Option<Elo> {
    let games = f64::from(score.games());
    if games == 0.0 {
        return None;
    }
    let mean = score.points() / games;
    let error = 1.96 * (variance(score) / games).sqrt();
    Some(Elo { difference: elo_of(mean), interval: [elo_of(mean - error), elo_of(mean + error)] })
}

/// The variance of the points a game.
fn variance(score: &Score) -> f64 {
    let games = f64::from(score.games());
    let mean = score.points() / games;
    let part = |count: u32, points: f64| f64::from(count) / games * (points - mean).powi(2);
    part(score.wins, 1.0) + part(score.draws, 0.5) + part(score.losses, 0.0)
}

/// The likelihood that the player is the stronger one; draws say nothing of it.
pub fn likelihood_of_superiority(score: &Score) -> f64 {
    let (wins, losses) = (f64::from(score.wins), f64::from(score.losses));
    if wins + losses == 0.0 {
        return 0.5;
    }
    let z = (wins - losses) / (wins + losses).sqrt();
    Normal::standard().cdf(z)
}

/// How many games it takes to tell a difference of so many Elo from none, in four of five matches with 5% risk, if games
/// scatter as in this score. `None` where they do not scatter, or there is nothing to tell.
pub fn games_to_decide(score: &Score, difference: f64) -> Option<u64> {
    // The quantiles of the normal distribution for 97.5% and 80%.
    let quantiles = 1.96 + 0.84;
    let edge = expected_score(difference) - 0.5;
    let scatter = if score.games() == 0 { 0.0 } else { variance(score) };
    (edge != 0.0 && scatter > 0.0).then(|| (quantiles * quantiles * scatter / (edge * edge)).ceil() as u64)
}

/// A sequential probability ratio test between two Elo differences, with 5% risk of either error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference that is to be rejected.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// The hoped-for difference holds.
    Accepted,
    /// It does not.
    Rejected,
    /// Nothing yet.
    Open,
}

impl Sprt {
    /// The bound that the log-likelihood ratio must pass: ln((1−0.05)/0.05).
    pub const BOUND: f64 = 2.944_438_979_166_44;

    /// The log-likelihood ratio, by the normal approximation of the points a game.
    pub fn log_likelihood_ratio(self, score: &Score) -> f64 {
        let games = f64::from(score.games());
        if games == 0.0 {
            return 0.0;
        }
        // Half a game of each outcome beforehand, so that a run of wins has a variance too.
        let regular = |count: u32| f64::from(count) + 0.5;
        let (wins, draws, losses) = (regular(score.wins), regular(score.draws), regular(score.losses));
        let total = wins + draws + losses;
        let mean = (wins + draws / 2.0) / total;
        let variance =
            (wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean.powi(2)) / total;
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        games * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// What the test says of a score.
    pub fn verdict(self, score: &Score) -> SprtVerdict {
        let ratio = self.log_likelihood_ratio(score);
        if ratio >= Sprt::BOUND {
            SprtVerdict::Accepted
        } else if ratio <= -Sprt::BOUND {
            SprtVerdict::Rejected
        } else {
            SprtVerdict::Open
        }
    }
}

/// Ratings of many players from their scores against each other: `table[a][b]` is a's score against b.
///
/// The Bradley–Terry model with draws as half a win each, by the usual fixed point (Hunter 2004), one
/// virtual draw between each pair that met so that nobody is infinitely far away. The mean is 0.
pub fn ratings(table: &[Vec<Score>]) -> Vec<f64> {
    let count = table.len();
    let games = |a: usize, b: usize| {
        let games = f64::from(table[a][b].games());
        if games > 0.0 { games + 1.0 } else { 0.0 }
    };
    let points = |a: usize| -> f64 {
        (0..count).filter(|&b| games(a, b) > 0.0).map(|b| table[a][b].points() + 0.5).sum()
    };
    let mut strength = vec![1.0_f64; count];
    for _ in 0..10_000 {
        let next: Vec<f64> = (0..count)
            .map(|a| {
                let expected: f64 = (0..count).map(|b| games(a, b) / (strength[a] + strength[b])).sum();
                if expected > 0.0 { points(a) / expected } else { strength[a] }
            })
            .collect();
        let mean = next.iter().map(|s| s.ln()).sum::<f64>() / count.max(1) as f64;
        let next: Vec<f64> = next.iter().map(|s| (s.ln() - mean).exp()).collect();
        let change = next.iter().zip(&strength).map(|(a, b)| (a / b).ln().abs()).fold(0.0, f64::max);
        strength = next;
        if change < 1e-12 {
            break;
        }
    }
    strength.iter().map(|strength| 400.0 * strength.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, draws: u32, losses: u32) -> Score {
        Score { wins, draws, losses, ..Score::default() }
    }

    #[test]
    fn elo_and_expected_score_are_inverse() {
        for elo in [-700.0, -9.0, 0.0, 100.0, 400.0] {
            assert!((elo_of(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_shrink_with_games_and_hold_the_estimate() {
        let few = elo(&score(6, 2, 2)).unwrap();
        let many = elo(&score(600, 200, 200)).unwrap();
        assert!((few.difference - many.difference).abs() < 1e-9);
        assert!(few.interval[0] < many.interval[0] && many.interval[1] < few.interval[1]);
        assert!(many.interval[0] < many.difference && many.difference < many.interval[1]);
        assert!(elo(&score(3, 0, 0)).unwrap().difference.is_infinite());
        assert!(elo(&Score::default()).is_none());
    }

    #[test]
    fn small_differences_take_many_games_and_draws_make_it_fewer() {
        // 13.3% won and 10.7% lost, as in Parker et al.: nine Elo.
        let many_draws = games_to_decide(&score(133, 760, 107), 9.0).unwrap();
        assert!((2_500..3_000).contains(&many_draws), "{many_draws}");
        assert!(games_to_decide(&score(400, 200, 400), 9.0).unwrap() > 3 * many_draws);
        assert_eq!(games_to_decide(&score(0, 10, 0), 9.0), None);
        assert_eq!(games_to_decide(&Score::default(), 9.0), None);
        assert_eq!(games_to_decide(&score(1, 1, 1), 0.0), None);
    }

    #[test]
    fn superiority_is_symmetric_and_ignores_draws() {
        let better = likelihood_of_superiority(&score(60, 10, 40));
        assert!((better - likelihood_of_superiority(&score(60, 1000, 40))).abs() < 1e-12);
        assert!((better + likelihood_of_superiority(&score(40, 10, 60)) - 1.0).abs() < 1e-12);
        assert!((better - 0.977).abs() < 0.001);
    }

    #[test]
    fn the_sequential_test_decides_clear_cases_and_waits_in_doubtful_ones() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        assert_eq!(test.verdict(&score(300, 100, 100)), SprtVerdict::Accepted);
        assert_eq!(test.verdict(&score(100, 100, 300)), SprtVerdict::Rejected);
        assert_eq!(test.verdict(&score(3, 1, 1)), SprtVerdict::Open);
        assert_eq!(test.verdict(&Score::default()), SprtVerdict::Open);
    }

    #[test]
    fn ratings_of_two_agree_with_their_difference() {
        let table =
            vec![vec![Score::default(), score(7500, 0, 2500)], vec![score(2500, 0, 7500), Score::default()]];
        let ratings = ratings(&table);
        assert!((ratings[0] - ratings[1] - elo_of(0.75)).abs() < 0.1);
        assert!((ratings[0] + ratings[1]).abs() < 1e-6);
    }
}
