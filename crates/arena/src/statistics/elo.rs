//! Elo differences with intervals, and the likelihood of superiority.
//!
//! The Elo scale turns an expected score s into 400·log10(s/(1−s)). The interval is Wilson's score interval (1927) for the
//! mean of *clusters*: a pair of games is one cluster, a single game is one of half its weight. All shares p are
//! in it for which
//!
//! ```text
//! (p̂ − p)² ≤ t²·D·p(1−p)/n
//! ```
//!
//! where p̂ is the score, n the number of pairs, and D the *design effect*: the variance of a pair's score over the p(1−p) that it
//! would have if both games always ended alike without a draw. Draws and starts that favour one colour make D
//! smaller, games that go together make it larger; without draws independent games have D = ½. Wilson's form does not collapse:
//! its width depends on p, not on what was seen, so four wins of four leave room below. D itself is estimated from what pairs brought, with a
//! tenth of a pair of the worst kind (D = 1) beforehand, which decides only where nothing scatters. Because D is an estimate, t is Student's
//! quantile, with a degree of freedom for each game (a score between 0 and 1 tells more of its
//! variance than a normal one would); and because D is at most 1, the interval is never wider than that of n games that are won or lost.
//!
//! Of several such rules this one kept its promise best in simulated matches (`tests/simulation.rs`): within one percent of 95% from
//! a hundred games on, whatever the difference, the draws and how the games of a pair go together; in shorter matches it
//! is wider than it need be on the average, and in lopsided ones of less than ten games it may fall to 91%.
//!
//! A player that won every game has no largest possible rating: the difference and the upper end are infinite,
//! which JSON writes as null, and the lower end is finite.

use std::fmt;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::score::Score;

/// An Elo difference with its 95% interval. Where a side made no points at all, the difference and one end are infinite.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The best estimate.
    pub difference: f64,
    /// The 95% interval.
    pub interval: [f64; 2],
}

impl fmt::Display for Elo {
    /// `+35 (−10 to +81)`; of a player that made all points or none, the end that there is: `above −113`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elo { difference, interval: [low, high] } = *self;
        match (low.is_finite(), high.is_finite()) {
            (true, true) if difference.is_finite() => {
                write!(f, "{} ({} to {})", signed(difference), signed(low), signed(high))
            }
            (true, _) => write!(f, "above {}", signed(low)),
            (_, true) => write!(f, "below {}", signed(high)),
            _ => write!(f, "–"),
        }
    }
}

/// A difference as people read it: `+35`, `−10`.
pub fn signed(elo: f64) -> String {
    // An even match has no sign to be wrong about.
    format!("{:+.0}", elo.round() + 0.0).replace('-', "−")
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
    let spread = Spread::of(score)?;
    let [low, high] = spread.interval();
    Some(Elo { difference: elo_of(spread.mean), interval: [elo_of(low), elo_of(high)] })
}

/// The likelihood that the player is the stronger one: 97.5% where the interval begins to exclude an even match.
pub fn likelihood_of_superiority(score: &Score) -> f64 {
    Spread::of(score).map_or(0.5, |spread| spread.likelihood_above(0.5))
}

/// How many games it takes to tell a difference of so many Elo from none, in four of five matches with 5% risk, if pairs
/// scatter as in this score. `None` where they do not scatter, or there is nothing to tell.
pub fn games_to_decide(score: &Score, difference: f64) -> Option<u64> {
    // The quantiles of the normal distribution for 97.5% and 80%.
    let quantiles = 1.96 + 0.84;
    let edge = expected_score(difference) - 0.5;
    let spread = Spread::of(score)?;
    let scatter = 2.0 * spread.design * spread.mean * (1.0 - spread.mean);
    (edge != 0.0 && spread.scatters).then(|| (quantiles * quantiles * scatter / (edge * edge)).ceil() as u64)
}

/// Pairs of the worst kind that are taken for granted beforehand.
const BEFOREHAND: f64 = 0.1;
/// The variance of a pair that is won or lost with equal odds.
const WORST: f64 = 0.25;
/// What the interval is to hold, on either side.
const QUANTILE: f64 = 0.975;

/// How the results of pairs and of single games lie around their mean.
struct Spread {
    /// Points a game.
    mean: f64,
    /// Games, counted in pairs.
    pairs: f64,
    /// The design effect.
    design: f64,
    /// The largest that it can be.
    most: f64,
    /// The degrees of freedom of its estimate.
    freedom: f64,
    /// Whether results differ at all.
    scatters: bool,
}

impl Spread {
    fn of(score: &Score) -> Option<Spread> {
        // Each cluster with its weight in pairs and its points a game.
        let pairs =
            score.pairs.iter().enumerate().map(|(quarters, &count)| (1.0, quarters as f64 / 4.0, count));
        let singles =
            score.singles.iter().enumerate().map(|(halves, &count)| (0.5, halves as f64 / 2.0, count));
        let clusters: Vec<(f64, f64, f64)> =
            pairs.chain(singles).map(|(weight, points, count)| (weight, points, f64::from(count))).collect();
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            clusters.iter().map(|&(weight, points, count)| count * of(weight, points)).sum()
        };
        let (count, pairs) = (sum(&|_, _| 1.0), sum(&|weight, _| weight));
        if count == 0.0 {
            return None;
        }
        let mean = sum(&|weight, points| weight * points) / pairs;
        let squares = sum(&|weight, points| (weight * (points - mean)).powi(2));
        let most = sum(&|weight, _| weight * weight) / pairs;
        // What is left of the clusters when their mean is taken from themselves.
        let left = (count - 1.0) / count;
        let design =
            (squares + BEFOREHAND * most * WORST) / (pairs * left * mean * (1.0 - mean) + BEFOREHAND * WORST);
        let freedom = 2.0 * (pairs * left + BEFOREHAND);
        Some(Spread { mean, pairs, design, most, freedom, scatters: squares > 0.0 })
    }

    fn interval(&self) -> [f64; 2] {
        let student = students(self.freedom).map_or(f64::INFINITY, |student| student.inverse_cdf(QUANTILE));
        let normal = Normal::standard().inverse_cdf(QUANTILE);
        let factor = (student * student * self.design).min(normal * normal * self.most) / self.pairs;
        let middle = (self.mean + factor / 2.0) / (1.0 + factor);
        let width =
            (factor * self.mean * (1.0 - self.mean) + factor * factor / 4.0).max(0.0).sqrt() / (1.0 + factor);
        // At an end of the scale rounding must not make a bound of what has none.
        let low = if self.mean <= 0.0 { 0.0 } else { middle - width };
        let high = if self.mean >= 1.0 { 1.0 } else { middle + width };
        [low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)]
    }

    /// How likely the true mean is above this one.
    fn likelihood_above(&self, other: f64) -> f64 {
        let at = |design: f64| (self.mean - other) / (design * other * (1.0 - other) / self.pairs).sqrt();
        let student = students(self.freedom).map_or(0.5, |student| student.cdf(at(self.design)));
        let normal = Normal::standard().cdf(at(self.most));
        // The more decided of the two, as in the interval.
        if self.mean >= other { student.max(normal) } else { student.min(normal) }
    }
}

fn students(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pairs(pairs: [u32; 5]) -> Score {
        let mut score = Score { pairs, ..Score::default() };
        // Which of the middle ones were two draws does not matter here.
        score.wins = pairs[2] + pairs[3] + 2 * pairs[4];
        score.draws = pairs[1] + pairs[3];
        score.losses = 2 * pairs[0] + pairs[1] + pairs[2];
        score
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
        let few = elo(&of_pairs([0, 1, 2, 1, 1])).unwrap();
        let many = elo(&of_pairs([0, 100, 200, 100, 100])).unwrap();
        assert!((few.difference - many.difference).abs() < 1e-9);
        assert!(few.interval[0] < many.interval[0] && many.interval[1] < few.interval[1]);
        assert!(many.interval[0] < many.difference && many.difference < many.interval[1]);
        assert!(elo(&Score::default()).is_none());
    }

    #[test]
    fn four_wins_of_four_leave_room_below_and_none_above() {
        let Elo { difference, interval: [low, high] } = elo(&of_pairs([0, 0, 0, 0, 2])).unwrap();
        assert!(difference.is_infinite() && high.is_infinite());
        // Two pairs, as two games that are won or lost: Wilson's n/(n + z²) = 2/5.8415 = 0.34238, −113.4 Elo.
        assert!((low + 113.4).abs() < 0.1, "{low}");
        let Elo { difference, interval: [low, high] } = elo(&of_pairs([2, 0, 0, 0, 0])).unwrap();
        assert!(difference == f64::NEG_INFINITY && low == f64::NEG_INFINITY && (high - 113.4).abs() < 0.1);
        // A single win is half a pair that can scatter no more than a game: 1/(1 + z²) = 0.20655.
        let one = elo(&Score::of_games(1, 0, 0)).unwrap();
        assert!((expected_score(one.interval[0]) - 0.206_55).abs() < 1e-4);
        let drawn = elo(&of_pairs([0, 0, 2, 0, 0])).unwrap();
        assert!(drawn.interval[0] < -50.0 && drawn.interval[1] > 50.0, "{drawn:?}");
        assert_eq!(elo(&of_pairs([0, 0, 0, 0, 2])).unwrap().to_string(), "above −113");
        assert_eq!(elo(&of_pairs([4, 8, 8, 8, 12])).unwrap().to_string(), "+70 (−7 to +148)");
        let json = serde_json::to_value(elo(&of_pairs([0, 0, 0, 0, 2]))).unwrap();
        assert!(
            json["difference"].is_null() && json["interval"][0].is_f64() && json["interval"][1].is_null()
        );
    }

    #[test]
    fn an_interval_is_that_of_wilson_with_the_variance_of_pairs() {
        // 40 pairs: mean 0.6, squares 40·(0.1·0.36 + 0.2·0.1225 + 0.2·0.01 + 0.2·0.0225 + 0.3·0.16) = 4.6.
        let spread = Spread::of(&of_pairs([4, 8, 8, 8, 12])).unwrap();
        assert!((spread.mean - 0.6).abs() < 1e-12);
        // D = (4.6 + 0.1·0.25)/(39·0.24 + 0.025) = 4.625/9.385 = 0.49281; 2·39.1 = 78.2 degrees.
        assert!((spread.design - 0.492_81).abs() < 1e-5 && (spread.freedom - 78.2).abs() < 1e-9);
        // t = 1.99073; t²·D/n = 0.048825; middle 0.595344, width √(0.048825·0.24 + 0.000596)/1.048825 = 0.105803.
        let [low, high] = spread.interval();
        assert!((low - 0.489_54).abs() < 2e-5 && (high - 0.701_15).abs() < 2e-5, "{low} {high}");
    }

    #[test]
    fn games_that_go_together_widen_and_starts_for_one_colour_narrow_the_interval() {
        let width = |pairs| {
            let [low, high] = elo(&of_pairs(pairs)).unwrap().interval;
            high - low
        };
        let independent = width([25, 0, 50, 0, 25]);
        assert!(width([50, 0, 0, 0, 50]) > 1.3 * independent);
        assert!(width([5, 0, 90, 0, 5]) < 0.6 * independent);
        // Games of which nobody knows how they belong together are taken as independent.
        let [low, high] = elo(&Score::of_games(100, 0, 100)).unwrap().interval;
        assert!((high - low - independent).abs() < 2.0);
    }

    #[test]
    fn superiority_agrees_with_the_interval() {
        for pairs in [[3, 5, 9, 9, 8], [0, 0, 3, 1, 0], [2, 2, 2, 2, 2], [0, 0, 0, 0, 3], [0, 0, 0, 0, 4]] {
            let (score, mirrored) =
                (of_pairs(pairs), of_pairs([pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]]));
            let likelihood = likelihood_of_superiority(&score);
            assert!((likelihood + likelihood_of_superiority(&mirrored) - 1.0).abs() < 1e-9);
            assert_eq!(
                likelihood > QUANTILE,
                elo(&score).unwrap().interval[0] > 0.0,
                "{pairs:?} {likelihood}"
            );
        }
        assert!((likelihood_of_superiority(&Score::default()) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn small_differences_take_many_games_and_draws_make_it_fewer() {
        // 13.3% won and 10.7% lost, as in Parker et al.: nine Elo.
        let many_draws = games_to_decide(&Score::of_games(133, 760, 107), 9.0).unwrap();
        assert!((2_500..3_000).contains(&many_draws), "{many_draws}");
        assert!(games_to_decide(&Score::of_games(400, 200, 400), 9.0).unwrap() > 3 * many_draws);
        assert_eq!(games_to_decide(&Score::of_games(0, 10, 0), 9.0), None);
        assert_eq!(games_to_decide(&Score::default(), 9.0), None);
        assert_eq!(games_to_decide(&Score::of_games(1, 1, 1), 0.0), None);
    }
}
