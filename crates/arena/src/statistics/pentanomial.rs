//! Outcomes of pairs as a distribution over five points, and the likeliest distribution under a constraint.
//!
//! Whether pairs come from a player of this strength or of that one is told by how much likelier they are under the best
//! distribution of the one kind than of the other: a *generalised* likelihood ratio, which needs no model of draws or of starts, only
//! the constraint that makes a strength of a distribution. For observed shares q, the distribution p that maximises Σ q·ln p
//! among those with Σ p·g = 0 is
//!
//! ```text
//! p = q/(1 + θ·g)   with θ such that Σ q·g/(1 + θ·g) = 0
//! ```
//!
//! (Lagrange's multipliers; Owen 1988 for the empirical likelihood). A mean of s is g = a − s for outcomes a. A ratio of
//! mean to deviation, (μ − ½)/σ = t, is not linear in p; its derivative at p makes it so:
//!
//! ```text
//! g = a − ½ − t·((a − μ)² + σ²)/(2σ)
//! ```
//!
//! with μ and σ of p itself, which is found by going round until it stays (Van den Bergh, *Normalized Elo*, 2020).

/// Points a game of the five outcomes of a pair.
pub const OUTCOMES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What an outcome that never came counts as, so that no likelihood is zero; fishtest and fastchess take the same.
const NEVER: f64 = 1e-3;

/// The ways to 0 that end in a doubt about the last digits only.
const ROUNDS: usize = 100;

/// What pairs brought, in shares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pentanomial {
    /// How many pairs.
    pub pairs: f64,
    /// The share of each outcome.
    pub shares: [f64; 5],
}

impl Pentanomial {
    /// The shares of these counts; an outcome that never came has a thousandth of a pair.
    pub fn of(counts: &[u32; 5]) -> Pentanomial {
        let counts = counts.map(|count| if count == 0 { NEVER } else { f64::from(count) });
        let pairs: f64 = counts.iter().sum();
        Pentanomial { pairs, shares: counts.map(|count| count / pairs) }
    }

    /// The mean, in points a game.
    pub fn mean(&self) -> f64 {
        mean_and_deviation(&self.shares).0
    }

    /// The standard deviation of a pair's points a game.
    pub fn deviation(&self) -> f64 {
        mean_and_deviation(&self.shares).1
    }

    /// The likeliest shares with this mean. `None` if none has it.
    pub fn with_mean(&self, mean: f64) -> Option<[f64; 5]> {
        self.constrained(&OUTCOMES.map(|outcome| outcome - mean))
    }

    /// The likeliest shares whose mean is so many deviations above a half. `None` if none are found.
    pub fn with_ratio(&self, ratio: f64) -> Option<[f64; 5]> {
        let mut shares = self.shares;
        for _ in 0..ROUNDS {
            let (mean, deviation) = mean_and_deviation(&shares);
            let linear = |outcome: f64| {
                outcome - 0.5 - ratio * ((outcome - mean).powi(2) + deviation * deviation) / (2.0 * deviation)
            };
            let next = self.constrained(&OUTCOMES.map(linear))?;
            let change = next.iter().zip(&shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-12 {
                break;
            }
        }
        Some(shares)
    }

    /// How much likelier what was seen is under the second shares than under the first: the logarithm of the ratio.
    pub fn log_ratio(&self, first: &[f64; 5], second: &[f64; 5]) -> f64 {
        let each = self.shares.iter().zip(first.iter().zip(second));
        self.pairs * each.map(|(share, (first, second))| share * (second / first).ln()).sum::<f64>()
    }

    /// The likeliest shares for which these values have the mean 0.
    fn constrained(&self, values: &[f64; 5]) -> Option<[f64; 5]> {
        let (least, most) = values
            .iter()
            .fold((f64::MAX, f64::MIN), |(least, most), &value| (least.min(value), most.max(value)));
        // Also when they are no numbers at all.
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        // All shares are positive between these two, and the mean falls from +∞ to −∞.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut multiplier = 0.0;
        for _ in 0..ROUNDS {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (share, value) in self.shares.iter().zip(values) {
                let part = value / (1.0 + multiplier * value);
                sum += share * part;
                slope += share * part * part;
            }
            if sum > 0.0 {
                low = multiplier;
            } else {
                high = multiplier;
            }
            // Newton's step, or half of what is left where it leads out of it.
            let step = multiplier + sum / slope;
            let next = if step > low && step < high { step } else { f64::midpoint(low, high) };
            let has_settled = (next - multiplier).abs() <= 1e-14 * (1.0 + multiplier.abs());
            multiplier = next;
            if has_settled {
                break;
            }
        }
        let mut shares = self.shares;
        for (share, value) in shares.iter_mut().zip(values) {
            *share /= 1.0 + multiplier * value;
        }
        Some(shares)
    }
}

fn mean_and_deviation(shares: &[f64; 5]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        shares.iter().zip(OUTCOMES).map(|(share, at)| share * of(at)).sum()
    };
    let mean = sum(&|outcome| outcome);
    (mean, sum(&|outcome| (outcome - mean).powi(2)).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_shares_keep_their_constraint_and_nothing_near_them_is_likelier() {
        let seen = Pentanomial::of(&[10, 30, 80, 50, 30]);
        let likelihood = |shares: &[f64; 5]| -> f64 {
            seen.shares.iter().zip(shares).map(|(share, p)| share * p.ln()).sum()
        };
        for mean in [0.3, 0.5, 0.58, 0.8] {
            let found = seen.with_mean(mean).unwrap();
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean_and_deviation(&found).0 - mean).abs() < 1e-9);
            // Three directions that keep the sum and the mean.
            for direction in
                [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]]
            {
                for step in [1e-4, -1e-4] {
                    let mut near = found;
                    near.iter_mut().zip(direction).for_each(|(share, by)| *share += step * by);
                    assert!(likelihood(&near) < likelihood(&found), "{mean}");
                }
            }
        }
        for ratio in [-0.5, 0.0, 0.1, 1.0] {
            let found = seen.with_ratio(ratio).unwrap();
            let (mean, deviation) = mean_and_deviation(&found);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(((mean - 0.5) / deviation - ratio).abs() < 1e-9, "{ratio}");
        }
    }

    #[test]
    fn two_outcomes_are_worked_out_by_hand() {
        // Without the middle: the mean alone decides, p(1) = s.
        let seen = Pentanomial { pairs: 4.0, shares: [0.25, 0.0, 0.0, 0.0, 0.75] };
        let [lost, .., won] = seen.with_mean(0.6).unwrap();
        assert!((lost - 0.4).abs() < 1e-9 && (won - 0.6).abs() < 1e-9);
        // (p − ½)/√(p(1−p)) = t gives p = ½ + t/(2√(1+t²)); t = ¾ gives p = 0.8.
        let [.., won] = seen.with_ratio(0.75).unwrap();
        assert!((won - 0.8).abs() < 1e-9);
        // The ratio of s = 0.6 to s = 0.5 for three wins and a loss: 3·ln 1.2 + ln 0.8 = 0.32382.
        let ratio = seen.log_ratio(&[0.5, 1.0, 1.0, 1.0, 0.5], &[0.4, 1.0, 1.0, 1.0, 0.6]);
        assert!((ratio - 0.323_82).abs() < 1e-5);
        assert!(seen.with_mean(1.5).is_none() && seen.with_mean(f64::NAN).is_none());
    }
}
