//! Do intervals and tests keep their promises? Simulated matches whose true difference is known.
//!
//! The quick tests run with the others. The tables of `docs/arena.md` come from the whole ones, 10,000 matches a cell:
//!
//! ```sh
//! cargo test --release -p nebel-arena --test simulation -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_arena::{
    judging::Judging,
    score::Score,
    statistics::{Anchor, EloModel, Ratings, Sprt, SprtVerdict, elo, expected_score},
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How the two games of a pair go together.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Together {
    /// Not at all.
    Independent,
    /// In three of ten pairs the second game ends as the first.
    Alike,
    /// Every start is worth 200 Elo to one colour.
    Biased,
}

const TOGETHER: [Together; 3] = [Together::Independent, Together::Alike, Together::Biased];

/// How likely each two results of a pair are, by the half points of the first and of the second game.
type PairOdds = [[f64; 3]; 3];

/// How likely a loss, a draw and a win are at this expected score, with draws as far as it allows them.
fn game(score: f64, draws: f64) -> [f64; 3] {
    let draws = draws.min(1.8 * score.min(1.0 - score));
    [1.0 - score - draws / 2.0, draws, score - draws / 2.0]
}

fn pairs(elo: f64, draws: f64, together: Together) -> PairOdds {
    let bias = if together == Together::Biased { 200.0 } else { 0.0 };
    let one = game(expected_score(elo + bias), draws);
    let other = game(expected_score(elo - bias), draws);
    joined(one, other, if together == Together::Alike { 0.3 } else { 0.0 })
}

/// Two games of which the second ends as the first in this share of pairs.
fn joined(one: [f64; 3], other: [f64; 3], alike: f64) -> PairOdds {
    let mut odds = one.map(|first| other.map(|second| (1.0 - alike) * first * second));
    (0..3).for_each(|both| odds[both][both] += alike * one[both]);
    odds
}

/// The mean of a pair's points a game, and their deviation.
fn moments(odds: &PairOdds) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| {
        let mut sum = 0.0;
        for (one, row) in odds.iter().enumerate() {
            for (other, share) in row.iter().enumerate() {
                sum += share * of((one + other) as f64 / 4.0);
            }
        }
        sum
    };
    let mean = sum(&|points| points);
    (mean, sum(&|points| (points - mean).powi(2)).sqrt())
}

/// Half points of the two games of a pair.
fn draw(odds: &PairOdds, random: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let mut left: f64 = random.random();
    for (one, row) in odds.iter().enumerate() {
        for (other, share) in row.iter().enumerate() {
            if left < *share {
                return [one, other];
            }
            left -= share;
        }
    }
    [1, 1]
}

fn add(score: &mut Score, [one, other]: [usize; 2]) {
    score.pairs[one + other] += 1;
    for halves in [one, other] {
        match halves {
            0 => score.losses += 1,
            1 => score.draws += 1,
            _ => score.wins += 1,
        }
    }
}

/// The share of simulated matches whose interval holds the true difference.
fn coverage(games: u32, odds: &PairOdds, matches: u32, seed: u64) -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let truth = moments(odds).0;
    let held = (0..matches).filter(|_| {
        let mut score = Score::default();
        (0..games / 2).for_each(|_| add(&mut score, draw(odds, &mut random)));
        let [low, high] = elo(&score).unwrap().interval.map(expected_score);
        low <= truth && truth <= high
    });
    held.count() as f64 / f64::from(matches)
}

const DIFFERENCES: [f64; 5] = [0.0, 30.0, 100.0, 200.0, 400.0];
const DRAWS: [f64; 3] = [0.0, 0.3, 0.6];

/// Every difference, share of draws and way to go together.
fn cells() -> Vec<(f64, f64, Together)> {
    let mut cells = Vec::new();
    for elo in DIFFERENCES {
        for draws in DRAWS {
            cells.extend(TOGETHER.map(|together| (elo, draws, together)));
        }
    }
    cells
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let lengths = [(16, 400, [0.90, 1.0]), (100, 1_000, [0.925, 0.975]), (400, 500, [0.92, 0.98])];
    for (games, matches, [least, most]) in lengths {
        for (seed, (elo, draws, together)) in (0..).zip(cells()) {
            let share = coverage(games, &pairs(elo, draws, together), matches, seed);
            let cell = format!("{games} games, {elo} Elo, {draws} draws, {together:?}: {share}");
            assert!((least..=most).contains(&share), "{cell}");
        }
    }
}

#[test]
#[ignore = "10,000 matches a cell: minutes"]
fn coverage_in_full() {
    println!(
        "| games | least | mean | most | cells within 94 to 96% | least at |\n|---|---|---|---|---|---|"
    );
    for games in [4_u32, 8, 16, 32, 64, 100, 200, 400] {
        let seeds = u64::from(games) << 32..;
        let shares: Vec<(f64, String)> = seeds
            .zip(cells())
            .map(|(seed, (elo, draws, together))| {
                let share = coverage(games, &pairs(elo, draws, together), 10_000, seed);
                (100.0 * share, format!("{elo} Elo, {:.0}% draws, {together:?}", 100.0 * draws))
            })
            .collect();
        let least = shares.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let most = shares.iter().map(|(share, _)| *share).fold(0.0, f64::max);
        let mean = shares.iter().map(|(share, _)| share).sum::<f64>() / shares.len() as f64;
        let within = shares.iter().filter(|(share, _)| (94.0..=96.0).contains(share)).count();
        let (of, at) = (shares.len(), &least.1);
        println!("| {games} | {:.1}% | {mean:.1}% | {most:.1}% | {within} of {of} | {at} |", least.0);
        if games >= 100 {
            // Two deviations of a share of 10,000 beyond the percent.
            assert!(least.0 >= 93.56 && most <= 96.44, "{games}");
        }
    }
}

/// The share of simulated matches in which a test accepts, and the pairs that it takes.
fn accepted(test: Sprt, odds: &PairOdds, matches: u32, seed: u64) -> (f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut accepted, mut pairs) = (0, 0_u64);
    for _ in 0..matches {
        let mut judging = Judging::by(Some(test));
        let mut round = 0;
        while !judging.is_decided() {
            for halves in draw(odds, &mut random) {
                judging.add(round, halves);
                round += 1;
            }
        }
        let judgement = judging.judgement().unwrap();
        accepted += u32::from(judgement.verdict == SprtVerdict::Accepted);
        pairs += u64::from(judgement.pairs);
    }
    (f64::from(accepted) / f64::from(matches), pairs as f64 / f64::from(matches))
}

/// The odds of pairs whose difference in the model of a test is this one.
fn with_difference(test: &Sprt, wanted: f64, draws: f64, together: Together) -> PairOdds {
    let difference = |odds: &PairOdds| {
        let (mean, deviation) = moments(odds);
        match test.model {
            EloModel::Logistic => nebel_arena::statistics::elo::elo_of(mean),
            EloModel::Normalized => 800.0 / 10_f64.ln() * (mean - 0.5) / (2_f64.sqrt() * deviation),
        }
    };
    let (mut low, mut high) = (-800.0, 800.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if difference(&pairs(middle, draws, together)) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    pairs(low, draws, together)
}

const KINDS: [(f64, Together); 4] = [
    (0.0, Together::Independent),
    (0.6, Together::Independent),
    (0.3, Together::Alike),
    (0.3, Together::Biased),
];

#[test]
fn tests_are_wrong_no_more_often_than_they_say() {
    let tests = [
        Sprt::between(0.0, 60.0),
        Sprt { alpha: 0.1, beta: 0.02, ..Sprt::between(-20.0, 60.0) },
        Sprt { model: EloModel::Normalized, ..Sprt::between(0.0, 60.0) },
    ];
    let matches = 300;
    for test in tests {
        for (seed, (draws, together)) in (0..).zip(KINDS) {
            let share = |elo| accepted(test, &with_difference(&test, elo, draws, together), matches, seed).0;
            // Three deviations of a share of so many matches.
            let doubt = |risk: f64| risk + 3.0 * (risk * (1.0 - risk) / f64::from(matches)).sqrt();
            let (wrong, right) = (share(test.elo0), share(test.elo1));
            assert!(wrong <= doubt(test.alpha), "{test:?} {draws} {together:?}: {wrong}");
            assert!(1.0 - right <= doubt(test.beta), "{test:?} {draws} {together:?}: {right}");
        }
    }
}

#[test]
#[ignore = "10,000 matches a cell: minutes"]
fn error_rates_in_full() {
    println!(
        "| test | draws, pairs | accepted at E0 | rejected at E1 | pairs at E0, at E1 |\n|---|---|---|---|---|"
    );
    let tests = [
        Sprt::between(0.0, 10.0),
        Sprt::between(0.0, 50.0),
        Sprt { alpha: 0.05, beta: 0.1, ..Sprt::between(-10.0, 100.0) },
        Sprt { model: EloModel::Normalized, ..Sprt::between(0.0, 20.0) },
    ];
    for test in tests {
        let Sprt { elo0, elo1, alpha, beta, model } = test;
        for (draws, together) in KINDS {
            let run = |elo| accepted(test, &with_difference(&test, elo, draws, together), 10_000, 7);
            let ((wrong, short), (right, long)) = (run(elo0), run(elo1));
            let [draws, wrong, missed] = [draws, wrong, 1.0 - right].map(|share| 100.0 * share);
            println!(
                "| {elo0},{elo1} {model:?}, α {alpha}, β {beta} | {draws:.0}%, {together:?} | {wrong:.1}% | \
                 {missed:.1}% | {short:.0}, {long:.0} |"
            );
            assert!(wrong <= 100.0 * alpha && missed <= 100.0 * beta, "{test:?}");
        }
    }
}

/// A tournament that is simulated.
#[derive(Clone, Copy, Debug)]
struct Tournament {
    /// Of each two players.
    pairs: u32,
    /// Davidson's ν.
    draw: f64,
    together: Together,
}

/// The true ratings; the first player is the anchor.
const STRENGTHS: [f64; 5] = [0.0, 60.0, 150.0, 300.0, 600.0];

impl Tournament {
    fn odds(self, difference: f64) -> PairOdds {
        let unit = 400.0 / 10_f64.ln() * 2.0 / (2.0 + self.draw);
        let half = difference / unit / 2.0;
        let parts = [(-half).exp(), self.draw, half.exp()];
        let one = parts.map(|part| part / parts.iter().sum::<f64>());
        joined(one, one, if self.together == Together::Alike { 0.3 } else { 0.0 })
    }

    fn play(self, random: &mut Xoshiro256PlusPlus) -> Vec<Vec<Score>> {
        let players = STRENGTHS.len();
        let mut table = vec![vec![Score::default(); players]; players];
        for a in 0..players {
            for b in a + 1..players {
                let odds = self.odds(STRENGTHS[a] - STRENGTHS[b]);
                for _ in 0..self.pairs {
                    let halves = draw(&odds, random);
                    add(&mut table[a][b], halves);
                    add(&mut table[b][a], halves.map(|halves| 2 - halves));
                }
            }
        }
        table
    }

    /// The share of intervals that hold the true rating, of players other than the anchor.
    fn coverage(self, tournaments: u32, seed: u64) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut held = 0;
        for _ in 0..tournaments {
            let anchor = Anchor { player: 0, elo: STRENGTHS[0] };
            let ratings = Ratings::of(&self.play(&mut random), Some(anchor));
            for (rating, strength) in ratings.players.iter().zip(STRENGTHS).skip(1) {
                let [low, high] = rating.unwrap().interval;
                held += u32::from(low <= strength && strength <= high);
            }
        }
        f64::from(held) / f64::from(tournaments * (STRENGTHS.len() as u32 - 1))
    }
}

#[test]
fn intervals_of_ratings_hold_the_truth() {
    for (pairs, draw, together) in [(4, 0.5, Together::Independent), (10, 2.0, Together::Alike)] {
        let tournament = Tournament { pairs, draw, together };
        let share = tournament.coverage(100, 3);
        assert!((0.91..=1.0).contains(&share), "{tournament:?}: {share}");
    }
}

#[test]
#[ignore = "2,000 tournaments a cell: minutes"]
fn ratings_in_full() {
    println!("| games of each two | draws between equals | pairs | coverage |\n|---|---|---|---|");
    for pairs in [2, 5, 20] {
        for draw in [0.1, 2.0] {
            for together in [Together::Independent, Together::Alike] {
                let held = 100.0 * Tournament { pairs, draw, together }.coverage(2_000, pairs.into());
                let (games, draws) = (2 * pairs, 100.0 * draw / (2.0 + draw));
                println!("| {games} | {draws:.0}% | {together:?} | {held:.1}% |");
            }
        }
    }
}
