//! What is kept of many positions: by weight, and something of every kind.
//!
//! A pool that is cut at random, or by weight, seems to die of what it has lost long before: no particle has the pawn on the g-file that was
//! captured there at last, none a knight when a knight gives check (such events were seen to kill pools; their positions were not looked into). The king and the pieces wander back to wherever they are
//! needed; which men there are and on which files the pawns stand does not come back. So half of what is kept is shared out
//! alike among the kinds.

use nebel_kriegspiel::{Bitboard, File};
use nebel_position::Key;
use rand::{RngExt, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How it is chosen what is kept of many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// Any subset is as likely as any other.
    Alike,
    /// By a power of the weights, and neighbours are not kept together.
    Spread(Power),
    /// The same, and something of every kind.
    EveryKind(Power),
}

impl How {
    /// The same without regard to kinds.
    pub(super) const fn of_any_kind(self) -> How {
        match self {
            How::EveryKind(power) => How::Spread(power),
            other => other,
        }
    }
}

/// By which power of their weights positions are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Power {
    /// The first: Fearnhead and Clifford's optimal resampling. For weights that say only how likely a position was kept so far.
    First,
    /// Less than the first. For likelihoods, by which all that is unlikely is lost, and some day it is the truth.
    Tempered,
}

impl Power {
    /// For weights that are likelihoods, or not.
    pub(super) const fn of(are_likelihoods: bool) -> Power {
        if are_likelihoods { Power::Tempered } else { Power::First }
    }

    const fn exponent(self) -> f32 {
        match self {
            Power::First => 1.0,
            Power::Tempered => 0.5,
        }
    }
}

/// This share of what is kept is shared out alike among the kinds.
const SHARED: f32 = 0.5;
/// Kinds are told apart by so many bits of a hash: some thousands of them at most, and two that are taken for one do no harm.
const KINDS: u32 = 12;
/// So many shares tell how large all must be for enough to be kept.
const ASKED: usize = 4_096;

/// Which to keep of many, ascending. What is kept weighs the more the less likely it was kept, so that sums keep their expectation.
pub(super) fn kept(
    weights: &mut [f32],
    key: impl Fn(usize) -> Key,
    keep: usize,
    how: How,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<u32> {
    let mut order: Vec<u32> = (0..weights.len() as u32).collect();
    let shares = match how {
        How::Alike => {
            let (kept, _) = order.partial_shuffle(random, keep);
            let mut kept = kept.to_vec();
            kept.sort_unstable();
            return kept;
        }
        How::Spread(power) => raised(weights, power),
        How::EveryKind(power) => of_every_kind(raised(weights, power), key),
    };
    let asked = shares.iter().step_by(1 + shares.len() / ASKED);
    let part = keep as f32 * asked.len() as f32 / shares.len() as f32;
    let expected = |scale: f32| asked.clone().map(|share| (share * scale).min(1.0)).sum::<f32>();
    let total: f32 = asked.clone().sum();
    let (mut low, mut high) = (part / total, 1e12 * part / total);
    // Twenty-four halvings of the exponent are finer than single weights.
    for _ in 0..24 {
        let middle = f32::sqrt(low * high);
        if expected(middle) > part { high = middle } else { low = middle }
    }
    let mut sum = random.random_range(0.0..1.0);
    order.retain(|&index| {
        let chance = (shares[index as usize] * low).min(1.0);
        sum += chance;
        let is_kept = sum >= 1.0;
        if is_kept {
            sum -= 1.0;
            weights[index as usize] -= chance.ln();
        }
        is_kept
    });
    order
}

/// A power of each weight, the largest of them one.
fn raised(weights: &[f32], power: Power) -> Vec<f32> {
    let most = weights.iter().copied().fold(f32::MIN, f32::max);
    weights.iter().map(|&log| (power.exponent() * (log - most)).exp()).collect()
}

/// Shares of which a part is shared out alike among the kinds.
fn of_every_kind(mut shares: Vec<f32>, key: impl Fn(usize) -> Key) -> Vec<f32> {
    let kinds: Vec<u16> = (0..shares.len()).map(|index| kind(key(index))).collect();
    let mut sums = vec![0.0_f64; 1 << KINDS];
    for (&kind, &share) in kinds.iter().zip(&shares) {
        sums[usize::from(kind)] += f64::from(share);
    }
    let total: f64 = sums.iter().sum();
    let count = sums.iter().filter(|&&sum| sum > 0.0).count() as f64;
    let alike = |&sum: &f64| (1.0 - SHARED) + SHARED * (total / (count * sum)) as f32;
    let factors: Vec<f32> = sums.iter().map(alike).collect();
    for (&kind, share) in kinds.iter().zip(&mut shares) {
        *share *= factors[usize::from(kind)];
    }
    shares
}

/// Which men there are, bishops by the colour of their squares, and on which files the pawns stand; hashed.
fn kind(key: Key) -> u16 {
    let men = key.unpack();
    let count = |squares: Bitboard| squares.count() as u64;
    let mut all = 0;
    for file in File::ALL {
        all = all * 7 + count(men.pawns & Bitboard::from(file));
    }
    for squares in [
        men.knights,
        men.bishops & Bitboard::LIGHT_SQUARES,
        men.bishops & Bitboard::DARK_SQUARES,
        men.rooks,
        men.queens,
    ] {
        all = all * 11 + count(squares);
    }
    // Fibonacci hashing.
    (all.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KINDS)) as u16
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Role, Square};
    use nebel_position::Men;
    use rand::SeedableRng;

    use super::*;

    fn board(role: Role, square: Square) -> Key {
        let mut men = Men::EMPTY;
        men.put(Role::King, Square::E8);
        men.put(role, square);
        Key::pack(&men)
    }

    #[test]
    fn thinning_keeps_sums() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let logs: Vec<f32> = (0..1000).map(|index| -(index as f32) / 100.0).collect();
        let total: f64 = logs.iter().map(|&log| f64::from(log).exp()).sum();
        let how = How::EveryKind(Power::Tempered);
        let mut sums = 0.0;
        for _ in 0..1000 {
            let mut weights = logs.clone();
            let kept = kept(&mut weights, |_| board(Role::Rook, Square::A1), 100, how, &mut random);
            assert!((99..=101).contains(&kept.len()), "{}", kept.len());
            sums += kept.iter().map(|&index| f64::from(weights[index as usize]).exp()).sum::<f64>();
        }
        assert!((sums / 1000.0 / total - 1.0).abs() < 0.01, "{} {total}", sums / 1000.0);
    }

    #[test]
    fn what_is_rare_is_kept_and_counts_as_little_as_before() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let key = |index: usize| {
            if index < 3 { board(Role::Knight, Square::A1) } else { board(Role::Rook, Square::A1) }
        };
        for power in [Power::First, Power::Tempered] {
            let how = How::EveryKind(power);
            let mut weights = vec![0.0; 10_000];
            let kept = kept(&mut weights, key, 100, how, &mut random);
            assert_eq!(kept[..3], [0, 1, 2], "all of the knights");
            assert!((96..=100).contains(&kept.len()));
            let rook = f64::from(weights[kept[3] as usize]).exp();
            assert_eq!(weights[..3], [0.0; 3]);
            assert!((90.0..110.0).contains(&rook), "each rook stands for a hundred: {rook}");
        }
    }
}
