//! The sequential probability ratio test: is the difference this one, or that one?
//!
//! Wald's test (1945) goes on until the likelihood of what was seen is so many times greater under one of two hypotheses
//! that the other may be given up. Where the ratio is 1/α, the hypothesis that it speaks against produces such a ratio with a chance of α at
//! most, and where it is β likewise: ln β and ln(1/α) are the bounds here. The usual ln(β/(1−α)) and ln((1−β)/α), of which
//! these are the safe side (±3.00 in place of ±2.94 for 5%), keep to α and β together but not to each: 5.1% was measured for 5%. While pairs are few their
//! deviation is hardly known, and the ratio is surer of itself than it should be; so the bounds begin farther away and come to these.
//! Here the likelihoods are generalised ones over the five outcomes of a pair ([`super::pentanomial`]), so that neither draws nor starts need a model. A
//! hypothesis is an Elo difference of one of two kinds:
//!
//! | model | a difference of e is |
//! |---|---|
//! | logistic | the mean 1/(1 + 10^(−e/400)) of a game |
//! | normalised | (mean − ½)/deviation of a game = e·ln 10/800: how well a match can see it |
//!
//! A game's deviation is √2 times that of a pair's points a game. These are the formulas of fishtest and fastchess; tests compare the numbers.
//!
//! A test is asked after whole pairs only, in the order of their numbers: see [`crate::judging`].

use serde::Serialize;

use super::{elo::expected_score, pentanomial::Pentanomial};

/// What a difference in Elo means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The expected score.
    #[default]
    Logistic,
    /// The expected score in units of its deviation.
    Normalized,
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The difference that is to be rejected.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
    /// The risk to accept `elo1` though `elo0` holds.
    pub alpha: f64,
    /// The risk to reject `elo1` though it holds.
    pub beta: f64,
    /// What the differences mean.
    pub model: EloModel,
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

impl SprtVerdict {
    /// The verdict in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            SprtVerdict::Accepted => "accepted",
            SprtVerdict::Rejected => "rejected",
            SprtVerdict::Open => "open",
        }
    }
}

/// Pairs that are too few to know the deviation by: after as many the bounds are twice as far away, after a hundred times as many by a
/// hundredth.
const FEW: f64 = 3.0;

/// Normalised Elo for each unit of (mean − ½)/deviation of a game.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

impl Sprt {
    /// A test with 5% risk of either error, in logistic Elo.
    pub const fn between(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }

    /// The bounds of the log-likelihood ratio after so many pairs: below the first it is rejected, above the second accepted.
    pub fn bounds(&self, pairs: u32) -> [f64; 2] {
        let room = 1.0 + FEW / f64::from(pairs.max(1));
        [self.beta.ln(), -self.alpha.ln()].map(|bound| room * bound)
    }

    /// The log-likelihood ratio of what pairs brought.
    pub fn log_likelihood_ratio(&self, pairs: &[u32; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let seen = Pentanomial::of(pairs);
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => seen.with_mean(expected_score(elo)),
            EloModel::Normalized => seen.with_ratio(std::f64::consts::SQRT_2 * elo / NORMALIZED),
        };
        match (likeliest(self.elo0), likeliest(self.elo1)) {
            (Some(first), Some(second)) => seen.log_ratio(&first, &second),
            // A difference that no distribution near these results has: nothing is said of it.
            _ => 0.0,
        }
    }

    /// What the test says of a log-likelihood ratio after so many pairs.
    pub fn verdict(&self, ratio: f64, pairs: u32) -> SprtVerdict {
        let [low, high] = self.bounds(pairs);
        if ratio >= high {
            SprtVerdict::Accepted
        } else if ratio <= low {
            SprtVerdict::Rejected
        } else {
            SprtVerdict::Open
        }
    }
}

/// The difference in normalised Elo that pairs show. `None` before the first pair.
pub fn normalized_elo(pairs: &[u32; 5]) -> Option<f64> {
    pairs.iter().any(|&count| count > 0).then(|| {
        let seen = Pentanomial::of(pairs);
        NORMALIZED * (seen.mean() - 0.5) / (std::f64::consts::SQRT_2 * seen.deviation())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(elo0: f64, elo1: f64) -> Sprt {
        Sprt { model: EloModel::Normalized, ..Sprt::between(elo0, elo1) }
    }

    #[test]
    fn ratios_are_those_that_fastchess_publishes() {
        // The counts and results of its own tests, to the percent that they are checked to there. (What counts for an outcome that
        // never came has changed there from version to version, so these have all five.)
        for (pairs, test, published) in [
            ([365, 16_618, 36_229, 16_974, 390], normalized(0.0, 2.0), 2.25),
            ([127, 4_883, 10_712, 5_150, 104], normalized(-1.75, 0.25), 3.01),
            ([223, 9_863, 21_279, 10_037, 246], Sprt::between(0.5, 2.5), -3.07),
            ([871, 26_175, 55_983, 26_678, 821], Sprt::between(0.0, 2.0), -4.98),
        ] {
            let ratio = test.log_likelihood_ratio(&pairs);
            assert!((ratio - published).abs() < 0.01 * (1.0_f64 + ratio.abs()), "{ratio} {published}");
        }
        for (pairs, published) in [
            ([34, 54, 63, 64, 75], 57.94),
            ([332, 433, 498, 333, 334], -9.17),
            ([7895, 8757, 5685, 568, 9999], -19.01),
        ] {
            let difference = normalized_elo(&pairs).unwrap();
            assert!((difference / published - 1.0).abs() < 0.01, "{difference} {published}");
        }
        assert_eq!(normalized_elo(&[0; 5]), None);
    }

    #[test]
    fn a_small_ratio_is_worked_out_by_hand() {
        // Pairs lost and won alone, 30 and 70: under a mean s they are 1 − s and s. Between s = ½ and s = 10/11 (400 Elo):
        // 70·ln(20/11) + 30·ln(2/11) = 41.848 − 51.142 = −9.294; thousandths of pairs that never came shift the rest.
        let ratio = Sprt::between(0.0, 400.0).log_likelihood_ratio(&[30, 0, 0, 0, 70]);
        assert!((ratio + 9.294).abs() < 0.01, "{ratio}");
        // For small differences it is N·(s1 − s0)·(2μ − s0 − s1)/(2σ²): 1,000 pairs with μ = 0.52, σ² = 0.0746 between 0 and
        // 10 Elo (s1 = 0.51439): 1000·0.01439·(1.04 − 1.01439)/0.1492 = 2.470.
        let ratio = Sprt::between(0.0, 10.0).log_likelihood_ratio(&[100, 160, 400, 240, 100]);
        assert!((ratio - 2.470).abs() < 0.03, "{ratio}");
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let test = Sprt { alpha: 0.05, beta: 0.1, ..Sprt::between(0.0, 10.0) };
        // ln 0.1 and ln 20, with room for 3 in 30,000,000 and for 3 in 30.
        let many = 30_000_000;
        let [low, high] = test.bounds(many);
        assert!((low + std::f64::consts::LN_10).abs() < 1e-5 && (high - 2.995_73).abs() < 1e-5);
        assert_eq!(test.verdict(-2.31, many), SprtVerdict::Rejected);
        assert_eq!(test.verdict(2.99, many), SprtVerdict::Open);
        assert_eq!(test.verdict(3.0, many), SprtVerdict::Accepted);
        assert!((test.bounds(30)[1] - 3.295_31).abs() < 1e-5);
        assert_eq!(test.verdict(3.0, 30), SprtVerdict::Open);
    }

    #[test]
    fn the_test_waits_in_doubtful_cases() {
        let test = Sprt::between(0.0, 50.0);
        assert_eq!(test.verdict(test.log_likelihood_ratio(&[0; 5]), 0), SprtVerdict::Open);
        assert_eq!(test.verdict(test.log_likelihood_ratio(&[1, 1, 3, 2, 2]), 9), SprtVerdict::Open);
        for odd in [normalized(0.0, 5_000.0), normalized(-5_000.0, 0.0), Sprt::between(-5_000.0, 5_000.0)] {
            for pairs in [[0, 0, 3, 0, 0], [5, 0, 0, 0, 0], [1, 1, 1, 1, 1]] {
                assert!(!odd.log_likelihood_ratio(&pairs).is_nan());
            }
        }
    }
}
