//! Judges a match as its games come in: pairs are counted in the order of their numbers, and a sequential test is asked after
//! each of them.
//!
//! Games end in any order, on several threads or machines, and those that are lost quickly end first. A test that took
//! results as they come would see such games too early, and games that are still being played could turn what it has said. So a
//! pair counts only when all pairs before it have counted; the first pair after which the test decides is the last
//! one, and what comes later, from games that were under way, is kept but not counted. The verdict then depends on the games alone, not on
//! who finished first: a run that goes on, or is looked at again, says the same.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::statistics::{Sprt, SprtVerdict};

/// A match of two, as far as its pairs are counted.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    test: Option<Sprt>,
    /// Half points of games whose pair is not counted yet, by round.
    waiting: BTreeMap<u32, usize>,
    counted: [u32; 5],
    pairs: u32,
    verdict: Option<SprtVerdict>,
}

/// What a test says of the pairs that count.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// The pairs that were counted.
    pub pairs: u32,
    /// Their log-likelihood ratio.
    pub llr: f64,
    /// The bounds that it has to pass after so many pairs.
    pub bounds: [f64; 2],
    /// What the test says.
    pub verdict: SprtVerdict,
}

impl Judging {
    /// Before the first game. Without a test all games count, and nothing is decided.
    pub fn by(test: Option<Sprt>) -> Judging {
        Judging { test, ..Judging::default() }
    }

    /// Hears of a game: its round, and the half points that it brought the first player. Rounds 0 and 1 are the first pair, and
    /// so on.
    pub fn add(&mut self, round: u32, half_points: usize) {
        self.waiting.insert(round, half_points.min(2));
        let Some(test) = self.test else { return };
        while self.verdict.is_none() {
            let rounds = [2 * self.pairs, 2 * self.pairs + 1];
            let [Some(&one), Some(&other)] = rounds.map(|round| self.waiting.get(&round)) else { return };
            self.waiting.retain(|round, _| !rounds.contains(round));
            self.counted[one + other] += 1;
            self.pairs += 1;
            let verdict = test.verdict(test.log_likelihood_ratio(&self.counted), self.pairs);
            self.verdict = (verdict != SprtVerdict::Open).then_some(verdict);
        }
    }

    /// Whether the test has decided, so that no more games are needed.
    pub fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// Whether a game of this round counts: after a decision only those do that it rests on.
    pub fn counts(&self, round: u32) -> bool {
        !self.is_decided() || round / 2 < self.pairs
    }

    /// What the test says; `None` without one.
    pub fn judgement(&self) -> Option<Judgement> {
        let test = self.test?;
        Some(Judgement {
            pairs: self.pairs,
            llr: test.log_likelihood_ratio(&self.counted),
            bounds: test.bounds(self.pairs),
            verdict: self.verdict.unwrap_or(SprtVerdict::Open),
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, seq::SliceRandom};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn the_verdict_depends_on_the_games_and_not_on_who_finished_first() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut decided = 0;
        for _ in 0..50 {
            let games: Vec<usize> = (0..400).map(|_| usize::from(random.random_bool(0.55)) * 2).collect();
            let mut straight = Judging::by(Some(Sprt::between(0.0, 60.0)));
            games.iter().zip(0..).for_each(|(&points, round)| straight.add(round, points));
            let mut order: Vec<u32> = (0..400).collect();
            order.shuffle(&mut random);
            let mut mixed = Judging::by(Some(Sprt::between(0.0, 60.0)));
            let mut printed = None;
            for round in order {
                mixed.add(round, games[round as usize]);
                // What is said once is never turned.
                if mixed.is_decided() {
                    let now = mixed.judgement();
                    assert_eq!(*printed.get_or_insert(now), now);
                }
            }
            assert_eq!(mixed.judgement(), straight.judgement());
            decided += usize::from(mixed.is_decided());
        }
        assert!(decided > 30, "{decided}");
    }

    #[test]
    fn half_a_pair_and_what_comes_after_a_gap_do_not_count() {
        let mut judging = Judging::by(Some(Sprt::between(0.0, 400.0)));
        judging.add(0, 2);
        for round in 2..200 {
            judging.add(round, 2);
        }
        assert_eq!(judging.judgement().map(|judged| judged.pairs), Some(0), "round 1 is still being played");
        assert!(judging.counts(150));
        judging.add(1, 2);
        let judged = judging.judgement().unwrap();
        assert_eq!(judged.verdict, SprtVerdict::Accepted);
        assert!(
            judged.pairs < 20 && judging.counts(2 * judged.pairs - 1) && !judging.counts(2 * judged.pairs)
        );
        assert!(Judging::by(None).judgement().is_none());
    }
}
