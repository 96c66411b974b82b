//! Choosing an attempt from a sample of positions (Parker, Nau and Subrahmanian 2005, Figure 1).
//!
//! Every sampled position gives every attempt a value, or says that it is illegal there. Two rules
//! turn these into a choice; they share the table of values.

use nebel_kriegspiel::{Attempt, Chess, Position};

use crate::{
    Budget,
    evaluate::{Evaluate, glance},
};

/// How the values of a sample become a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The paper's: the average over the positions in which the attempt is legal; the others are left
    /// out.
    Legal,
    /// The expectation over the umpire's answers: a refusal is worth what the best other attempt is
    /// worth in the positions that the refusal leaves.
    Answers,
}

/// The values of all attempts in the sampled positions.
#[derive(Clone, Debug)]
pub struct Values {
    attempts: Vec<Attempt>,
    /// One row a position; `NAN` where the attempt is illegal.
    rows: Vec<Vec<f32>>,
}

impl Values {
    /// No positions yet.
    pub fn new(attempts: Vec<Attempt>) -> Values {
        Values { attempts, rows: Vec::new() }
    }

    /// How many positions have been valued.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no position has been valued.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The attempts that are valued.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Adds a position that [`row`] has valued.
    pub fn add(&mut self, row: Vec<f32>) {
        self.rows.push(row);
    }

    /// The best attempt by this rule, with its value; `None` when none is legal anywhere.
    pub fn best(&self, rule: Rule) -> Option<(Attempt, f32)> {
        let best = self.all(rule).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(attempt, value, _)| (attempt, value))
    }

    /// Every attempt that is legal somewhere: its value by this rule, and the positions in which it is legal.
    pub fn all(&self, rule: Rule) -> Vec<(Attempt, f32, usize)> {
        let everywhere: Vec<usize> = (0..self.rows.len()).collect();
        let legal = |attempt: usize| self.rows.iter().filter(|row| !row[attempt].is_nan()).count();
        let attempts = (0..self.attempts.len()).filter_map(|attempt| {
            Some((self.attempts[attempt], self.value(attempt, &everywhere, rule)?, legal(attempt)))
        });
        attempts.collect()
    }

    fn value(&self, attempt: usize, positions: &[usize], rule: Rule) -> Option<f32> {
        match rule {
            Rule::Legal => self.average(attempt, positions),
            Rule::Answers => self.expectation(attempt, positions),
        }
    }

    /// The average over those of these positions in which the attempt is legal.
    fn average(&self, attempt: usize, positions: &[usize]) -> Option<f32> {
        let values =
            positions.iter().map(|&position| self.rows[position][attempt]).filter(|value| !value.is_nan());
        let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
        (count > 0).then(|| sum / count as f32)
    }

    fn expectation(&self, attempt: usize, positions: &[usize]) -> Option<f32> {
        let legal = self.average(attempt, positions)?;
        let refused: Vec<usize> =
            positions.iter().copied().filter(|&position| self.rows[position][attempt].is_nan()).collect();
        let others = (0..self.attempts.len()).filter(|&other| other != attempt);
        let after_refusal = others.filter_map(|other| self.average(other, &refused)).max_by(f32::total_cmp);
        let share = refused.len() as f32 / positions.len() as f32;
        Some((1.0 - share) * legal + share * after_refusal.unwrap_or(legal))
    }
}

/// Values every attempt in a position; `NAN` where it is illegal. When the budget is over on the way, there is no row, unless it
/// `must` be had: then all attempts are valued at a glance, since a few deep values among none say nothing.
pub fn row(
    attempts: &[Attempt],
    position: &Chess,
    evaluate: &mut dyn Evaluate,
    until: &Budget,
    must: bool,
) -> Option<Vec<f32>> {
    let row = row_by(attempts, position, |after| evaluate.value(after, until));
    if row.is_none() && must { row_by(attempts, position, |after| Some(glance(after))) } else { row }
}

fn row_by(
    attempts: &[Attempt],
    position: &Chess,
    mut value: impl FnMut(&Chess) -> Option<f32>,
) -> Option<Vec<f32>> {
    let mut row = vec![f32::NAN; attempts.len()];
    for m in position.legal_moves() {
        let attempt = Attempt::of_move(m);
        // Attempts that make no sense any more (a pawn's step after "yes") are not among them.
        if let Some(index) = attempts.iter().position(|known| *known == attempt) {
            let mut after = position.clone();
            after.play_unchecked(m);
            row[index] = -value(&after)?;
        }
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two attempts: the first is good where it is legal, the second safe everywhere.
    fn values(rows: &[[f32; 2]]) -> Values {
        let attempts = ["e2e4", "d2d4"].map(|text| text.parse().unwrap()).into();
        Values { attempts, rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    #[test]
    fn the_papers_rule_leaves_illegal_positions_out() {
        let values = values(&[[5.0, 1.0], [f32::NAN, 1.0], [f32::NAN, 1.0]]);
        assert_eq!(values.best(Rule::Legal).unwrap(), ("e2e4".parse().unwrap(), 5.0));
    }

    #[test]
    fn the_rule_of_answers_values_a_refusal_by_what_can_be_done_then() {
        let values = values(&[[5.0, 1.0], [f32::NAN, 1.0], [f32::NAN, 1.0]]);
        let (attempt, value) = values.best(Rule::Answers).unwrap();
        assert_eq!(attempt, "e2e4".parse().unwrap());
        assert!((value - (5.0 + 1.0 + 1.0) / 3.0).abs() < 1e-6);
    }

    #[test]
    fn an_attempt_that_is_legal_nowhere_is_not_chosen() {
        assert!(values(&[[f32::NAN, f32::NAN]]).best(Rule::Legal).is_none());
        let values = values(&[[f32::NAN, -3.0]]);
        assert_eq!(values.best(Rule::Answers).unwrap().0, "d2d4".parse().unwrap());
    }
}
