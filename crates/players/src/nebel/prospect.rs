//! What is known of one attempt by lines that were played on to the own next turn.
//!
//! Positions that sound alike after the attempt and its reply are one branch, and share one plan. In a branch every attempt of the next
//! turn is valued at first; when there are enough positions in it, the hopeless ones are left out, and further positions cost a
//! third of that.

use std::{collections::BTreeMap, sync::Arc};

use nebel_belief::{Key, Moved, OwnAttempt};
use nebel_kriegspiel::{Attempt, Bitboard, OwnMen, Role, Square};
use nebel_position::{
    Sides,
    announced::{End, PackedAnnouncement},
};

use super::{
    numbers::NUMBERS,
    outcome::{Candidate, Judge, Outcome, Reply},
    plan::{Row, Table},
};

/// A position to play on, with its weight and the luck by which the reply is drawn.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) key: Key,
    pub(super) weight: f32,
    pub(super) luck: f32,
}

/// What is known of one attempt so far.
#[derive(Default)]
pub(super) struct Prospect {
    branches: BTreeMap<Sound, Branch>,
    turns: BTreeMap<Option<Square>, Arc<Turn>>,
    /// The weights of all positions drawn in which the attempt is legal, and what is lost or won in each by an end that the reply
    /// brings. Added up only when all are there: then it does not matter how many threads have drawn them.
    drawn: Vec<(f32, f32)>,
}

/// What was heard of the attempt, and of the reply.
type Sound = (u64, u64);

/// The own men as they stand after an attempt and a capture or none, and what can be tried then.
struct Turn {
    candidates: Vec<Candidate>,
}

/// All positions drawn that sound alike after an attempt and its reply.
#[derive(Default)]
struct Branch {
    /// What was captured decides whose turn it is.
    lost: Option<Square>,
    /// Those of the turn's attempts that are still compared; all of them as long as nothing stands here.
    kept: Option<Vec<usize>>,
    /// What all of them came to when some were left out: the best alone would make a turn look better than it is.
    typical: Option<f32>,
    /// What each of those comes to, position by position.
    outcomes: Vec<Vec<Option<Outcome>>>,
    weights: Vec<f32>,
    /// What the positions come to without a look at the turn.
    still: Vec<f32>,
}

/// What the plan of a branch gains.
struct Gain {
    /// The weight of the branch.
    weight: f32,
    /// What its plan comes to, less what it comes to without a look at the turn.
    pawns: f32,
    /// How many positions it has.
    positions: f32,
}

impl Prospect {
    /// Plays one position on, beside what is known already.
    pub(super) fn play(
        &mut self,
        known: &Prospect,
        judge: &mut Judge<'_>,
        own: &OwnMen,
        candidate: &Candidate,
        line: Line,
    ) {
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
        let sound = (reply.heard.bits(), heard.bits());
        let turn = known.turns.get(&lost).map(Arc::clone);
        let turn = turn.unwrap_or_else(|| {
            let new = || Arc::new(Turn::new(own, candidate.attempt.attempt(), lost));
            Arc::clone(self.turns.entry(lost).or_insert_with(new))
        });
        let branch = self.branches.entry(sound).or_insert_with(|| Branch {
            kept: known.branches.get(&sound).and_then(|branch| branch.kept.clone()),
            lost,
            ..Branch::default()
        });
        branch.value(&turn, judge, after);
        branch.weights.push(weight);
        branch.still.push(reply.value);
    }

    /// Adds what was found beside it.
    pub(super) fn add(&mut self, more: Prospect) {
        self.drawn.extend(more.drawn);
        self.turns.extend(more.turns);
        for (sound, more) in more.branches {
            let branch = self.branches.entry(sound).or_default();
            branch.lost = more.lost;
            branch.still.extend(more.still);
            branch.weights.extend(more.weights);
            branch.outcomes.resize_with(more.outcomes.len(), Vec::new);
            for (outcomes, more) in branch.outcomes.iter_mut().zip(more.outcomes) {
                outcomes.extend(more);
            }
        }
    }

    /// Leaves the hopeless attempts out in all branches that have enough positions to tell.
    pub(super) fn thin(&mut self, missed: f32) {
        for branch in self.branches.values_mut() {
            let turn = &self.turns[&branch.lost];
            if branch.kept.is_none() && branch.weights.len() >= NUMBERS.thinning.after {
                branch.thin(turn, missed);
            }
        }
    }

    /// What the plans of all branches come to, less what they come to without.
    pub(super) fn correction(&self, missed: f32) -> f32 {
        let (weight, ends) =
            self.drawn.iter().fold((0.0, 0.0), |(weight, ends), (one, end)| (weight + one, ends + one * end));
        if weight <= 0.0 {
            return 0.0;
        }
        let gains: Vec<Gain> = self
            .branches
            .values()
            .filter_map(|branch| branch.gain(&self.turns[&branch.lost], missed))
            .collect();
        // Few positions overrate the best of many attempts: small branches count as the large ones do.
        let (sum, counted) = gains.iter().fold((0.0, 0.0), |(sum, counted), one| {
            (sum + one.weight * one.pawns * one.positions, counted + one.weight * one.positions)
        });
        let usual = if counted > 0.0 { sum / counted } else { 0.0 };
        let planned: f32 = gains
            .iter()
            .map(|Gain { weight, pawns, positions }| {
                weight * (positions * pawns + NUMBERS.few * usual) / (positions + NUMBERS.few)
            })
            .sum();
        (NUMBERS.later * planned + ends) / weight
    }
}

impl Branch {
    /// Values the attempts that are compared in one more position.
    fn value(&mut self, turn: &Turn, judge: &mut Judge<'_>, position: Key) {
        let compared = self.kept.as_ref().map_or(turn.candidates.len(), Vec::len);
        self.outcomes.resize_with(compared, Vec::new);
        for (at, outcomes) in self.outcomes.iter_mut().enumerate() {
            let candidate = &turn.candidates[self.kept.as_ref().map_or(at, |kept| kept[at])];
            outcomes.push(judge.outcome(candidate, position));
        }
    }

    /// Keeps the best attempts alone.
    fn thin(&mut self, turn: &Turn, missed: f32) {
        let Some(table) = self.table(turn) else { return };
        let mut kept: Vec<usize> =
            table.plan(missed).iter().take(NUMBERS.thinning.keep).map(|best| best.row).collect();
        kept.sort_unstable();
        self.outcomes = kept.iter().map(|&row| std::mem::take(&mut self.outcomes[row])).collect();
        self.kept = Some(kept);
        self.typical = Some(table.typical());
    }

    fn gain(&self, turn: &Turn, missed: f32) -> Option<Gain> {
        let table = self.table(turn)?;
        let value = table.plan(missed).first().map_or(0.0, |best| best.value);
        let still: f32 = table.weights.iter().zip(&self.still).map(|(weight, still)| weight * still).sum();
        let (weight, positions) = (self.weights.iter().sum(), self.weights.len() as f32);
        Some(Gain { weight, pawns: value - still, positions })
    }

    /// What every attempt that is compared comes to; nothing if the positions have no weight.
    fn table(&self, turn: &Turn) -> Option<Table> {
        let total: f32 = self.weights.iter().sum();
        let attempt =
            |at: usize| turn.candidates[self.kept.as_ref().map_or(at, |kept| kept[at])].attempt.attempt();
        let rows = self.outcomes.iter().enumerate().map(|(at, outcomes)| Row {
            attempt: attempt(at),
            outcomes: outcomes.clone(),
            bonus: 0.0,
        });
        let weights = self.weights.iter().map(|weight| weight / total).collect();
        (total > 0.0).then(|| Table { rows: rows.collect(), weights, typical: self.typical })
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
