//! What comes after the reply: the own next turn, planned once for all positions that sound alike.
//!
//! The value of an attempt by one reply ([`super::outcome`]) does not see what the attempt prepares, nor what it leaves hanging for the
//! turn after. So for the few best attempts the game is played on in drawn positions: the attempt, a reply drawn by its chance, and then the
//! own turn, in which every attempt is valued as in the first. What may be done there depends on what was heard and on nothing else:
//! positions with the same two announcements share one plan, so that no plan knows what the player will not.

use std::collections::BTreeMap;

use nebel_belief::{Key, Moved, OwnAttempt};
use nebel_kriegspiel::{Attempt, Bitboard, OwnMen, Role, Square};
use nebel_position::{
    Sides,
    announced::{End, PackedAnnouncement},
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    choice::in_parts,
    numbers::NUMBERS,
    outcome::{Candidate, Judge, Outcome, Reply},
    plan::{Row, Table},
};
use crate::Budget;

/// So many lines are played between two looks at the clock.
const PORTION: usize = 4;

/// What the own next turn is to change about the values of some attempts.
pub(super) struct Ahead<'a, 'j> {
    /// A judge for each thread.
    pub(super) judge: &'a (dyn Fn() -> Judge<'j> + Sync),
    pub(super) own: &'a OwnMen,
    /// The share of positions that each attempt may be legal in against the sample, as in the first turn.
    pub(super) missed: f32,
    pub(super) threads: usize,
    /// How many lines were played so far.
    pub(super) lines: usize,
}

/// A position to play on, with its weight and the luck by which the reply is drawn.
#[derive(Clone, Copy)]
struct Line {
    key: Key,
    weight: f32,
    luck: f32,
}

/// The own men as they stand after an attempt and a capture or none, and what can be tried then.
struct Turn {
    candidates: Vec<Candidate>,
}

/// All positions drawn that sound alike after an attempt and its reply.
#[derive(Default)]
struct Branch {
    /// What was captured decides whose turn it is.
    lost: Option<Square>,
    outcomes: Vec<Vec<Option<Outcome>>>,
    weights: Vec<f32>,
    /// What the positions come to without a look at the turn.
    still: Vec<f32>,
}

/// What is known of one attempt so far.
#[derive(Default)]
struct Prospect {
    branches: BTreeMap<(u64, u64), Branch>,
    turns: BTreeMap<Option<Square>, Turn>,
    /// The weights of all positions drawn in which the attempt is legal, and what is lost or won in each by an end that the reply
    /// brings. Added up only when all are there: then it does not matter how many threads have drawn them.
    drawn: Vec<(f32, f32)>,
}

impl Ahead<'_, '_> {
    /// What to add to the values of these attempts, which they have so far: by so many lines in all, each a reply drawn in the next
    /// of the positions; with a clock, by as many as there is time for. The better half goes on with as many lines as all had
    /// before, and so on to the last two.
    pub(super) fn corrections(
        &mut self,
        attempts: &[(&Candidate, f32)],
        sample: &[(Key, f64)],
        lines: usize,
        until: &Budget,
        random: &mut Xoshiro256PlusPlus,
    ) -> Vec<f32> {
        let mut prospects: Vec<Prospect> = attempts.iter().map(|_| Prospect::default()).collect();
        let mut corrections = vec![0.0; attempts.len()];
        let mut alive: Vec<usize> = (0..attempts.len()).collect();
        let rounds = attempts.len().next_power_of_two().ilog2().max(1) as usize;
        let mut positions = sample.iter().cycle();
        for round in 0..rounds {
            let until = until.share(1.0 / (rounds - round) as f64);
            let has_clock = until.aim.is_some();
            let mut left = lines.div_ceil(rounds * alive.len());
            while left > 0 && !until.is_over() {
                // With a clock, in portions between which it is looked at.
                let portion = if has_clock { PORTION * self.threads } else { left };
                let drawn = positions.by_ref().take(portion);
                // The same luck for all attempts.
                let drawn = drawn.map(|&(key, weight)| Line {
                    key,
                    weight: weight as f32,
                    luck: random.random_range(0.0..1.0),
                });
                let drawn: Vec<Line> = drawn.collect();
                self.play(attempts, &alive, &drawn, &mut prospects, &until);
                left = if has_clock { left } else { 0 };
            }
            for &at in &alive {
                corrections[at] = self.correction(&prospects[at]);
            }
            let value = |at: usize| attempts[at].1 + corrections[at];
            alive.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
            alive.truncate(alive.len().div_ceil(2).max(2));
        }
        corrections
    }

    /// Plays lines on for all attempts that are alive.
    fn play(
        &mut self,
        attempts: &[(&Candidate, f32)],
        alive: &[usize],
        lines: &[Line],
        prospects: &mut [Prospect],
        until: &Budget,
    ) {
        let (judge, own) = (self.judge, self.own);
        let parts = in_parts(self.threads, lines, |lines| {
            let mut judge = judge();
            let mut prospects: Vec<Prospect> = alive.iter().map(|_| Prospect::default()).collect();
            for line in lines {
                for (&at, prospect) in alive.iter().zip(&mut prospects) {
                    prospect.play(&mut judge, own, attempts[at].0, *line);
                }
                if until.stop.is_cancelled() {
                    break;
                }
            }
            prospects
        });
        self.lines += lines.len() * alive.len();
        for part in parts {
            for (&at, more) in alive.iter().zip(part) {
                prospects[at].add(more);
            }
        }
    }

    /// What the plans of all branches come to, less what they come to without.
    fn correction(&self, prospect: &Prospect) -> f32 {
        let (weight, ends) = prospect
            .drawn
            .iter()
            .fold((0.0, 0.0), |(weight, ends), (one, end)| (weight + one, ends + one * end));
        if weight <= 0.0 {
            return 0.0;
        }
        let gain = |branch: &Branch| {
            let total: f32 = branch.weights.iter().sum();
            if total <= 0.0 {
                return (0.0, 0.0, 0.0);
            }
            let turn = &prospect.turns[&branch.lost];
            let rows = turn.candidates.iter().zip(&branch.outcomes).map(|(candidate, outcomes)| Row {
                attempt: candidate.attempt.attempt(),
                outcomes: outcomes.clone(),
                bonus: 0.0,
            });
            let weights = branch.weights.iter().map(|weight| weight / total).collect();
            let table = Table { rows: rows.collect(), weights };
            let value = table.plan(self.missed).first().map_or(0.0, |best| best.value);
            let still: f32 =
                branch.weights.iter().zip(&branch.still).map(|(weight, still)| weight * still).sum();
            (total, value - still / total, branch.weights.len() as f32)
        };
        let gains: Vec<(f32, f32, f32)> = prospect.branches.values().map(gain).collect();
        // Few positions overrate the best of many attempts: small branches count as the large ones do.
        let (sum, counted) = gains.iter().fold((0.0, 0.0), |(sum, counted), (total, gain, count)| {
            (sum + total * gain * count, counted + total * count)
        });
        let usual = if counted > 0.0 { sum / counted } else { 0.0 };
        let planned: f32 = gains
            .iter()
            .map(|(total, gain, count)| total * (count * gain + NUMBERS.few * usual) / (count + NUMBERS.few))
            .sum();
        (NUMBERS.later * planned + ends) / weight
    }
}

impl Prospect {
    /// Plays one position on.
    fn play(&mut self, judge: &mut Judge<'_>, own: &OwnMen, candidate: &Candidate, line: Line) {
        let Line { key, weight, luck } = line;
        let Some(reply) = judge.reply(candidate, key, luck) else { return };
        let Reply::Drawn(reply) = reply else { return self.drawn.push((weight, 0.0)) };
        let (m, lost) = (reply.m, reply.captured.map(|captured| captured.square));
        let mut men = *candidate.attempt.after();
        men.passed = Bitboard::EMPTY;
        if let Some(square) = lost {
            men.lift(square);
        }
        let after = Moved::new(m.from, m.to, m.promotion.unwrap_or(m.role)).apply(reply.key);
        let hidden = after.unpack();
        let legal = Sides { color: candidate.attempt.color(), mover: &men, other: &hidden }.legal();
        let end = End::of(&legal);
        if end != End::GoesOn {
            let value = if end == End::Checkmate { -NUMBERS.mate } else { 0.0 };
            return self.drawn.push((weight, judge.utility.of(value) - reply.value));
        }
        self.drawn.push((weight, 0.0));
        let promotes = m.promotion.is_some();
        let heard = PackedAnnouncement::of_move(judge.rules, reply.captured, promotes, &legal, end);
        let turn =
            self.turns.entry(lost).or_insert_with(|| Turn::new(own, candidate.attempt.attempt(), lost));
        let branch = self.branches.entry((reply.heard.bits(), heard.bits())).or_default();
        branch.lost = lost;
        branch.outcomes.resize_with(turn.candidates.len(), Vec::new);
        for (candidate, outcomes) in turn.candidates.iter().zip(&mut branch.outcomes) {
            outcomes.push(judge.outcome(candidate, after));
        }
        branch.weights.push(weight);
        branch.still.push(reply.value);
    }

    /// Adds what another thread has found.
    fn add(&mut self, more: Prospect) {
        self.drawn.extend(more.drawn);
        for (lost, turn) in more.turns {
            self.turns.entry(lost).or_insert(turn);
        }
        for (heard, more) in more.branches {
            let branch = self.branches.entry(heard).or_default();
            branch.lost = more.lost;
            branch.still.extend(more.still);
            branch.weights.extend(more.weights);
            branch.outcomes.resize_with(more.outcomes.len(), Vec::new);
            for (outcomes, more) in branch.outcomes.iter_mut().zip(more.outcomes) {
                outcomes.extend(more);
            }
        }
    }
}

impl Turn {
    fn new(own: &OwnMen, attempt: Attempt, lost: Option<Square>) -> Turn {
        let mut men = own.clone();
        men.make(attempt);
        if let Some(square) = lost {
            men.lose(square);
        }
        let mut candidates = Vec::new();
        men.for_each_attempt(|attempt| {
            if matches!(attempt.promotion, None | Some(Role::Queen)) {
                candidates.extend(OwnAttempt::new(&men, attempt).map(Candidate::new));
            }
        });
        Turn { candidates }
    }
}
