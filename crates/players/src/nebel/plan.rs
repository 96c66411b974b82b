//! A turn as a plan: what to try first, and what next where it is refused.
//!
//! A refusal costs nothing and tells something, so an attempt is worth what it comes to where it is legal, and elsewhere what
//! the best of the others comes to in just those positions. One plan is made for all positions that sound alike: what is tried
//! next depends on the refusal, not on the hidden men.

use nebel_kriegspiel::Attempt;

use super::{numbers::NUMBERS, outcome::Outcome};

/// What every attempt comes to in every position of a sample: nothing where it is refused.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// The weights of the positions, which add up to one.
    pub(super) weights: Vec<f32>,
    /// What attempts come to in general, where more were known than are compared here.
    pub(super) typical: Option<f32>,
}

/// One attempt.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) attempt: Attempt,
    pub(super) outcomes: Vec<Option<Outcome>>,
    /// What is added for reasons that are no matter of the position.
    pub(super) bonus: f32,
}

/// What an attempt is worth as the first of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    /// Which of the rows it is.
    pub(super) row: usize,
    pub(super) attempt: Attempt,
    pub(super) value: f32,
    /// The share of positions in which it is legal.
    pub(super) legal: f32,
    /// What the reply is expected to take where it is, in pawns.
    pub(super) lost: f32,
}

/// What the umpire may announce of an attempt, as shares of all positions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Announced {
    pub(super) captures: f32,
    pub(super) checks: f32,
}

impl Table {
    /// All attempts as the first of a plan, the best first. In the share `missed` of positions each counts as legal, whatever the
    /// sample says.
    pub(super) fn plan(&self, missed: f32) -> Vec<Planned> {
        let all: Vec<usize> = (0..self.weights.len()).collect();
        let typical = self.typical();
        let best = self.shortlist(typical);
        let mut planned: Vec<Planned> = (0..self.rows.len())
            .map(|row| {
                let others: Vec<usize> = best.iter().copied().filter(|&other| other != row).collect();
                let plan = self.first(row, &all, &others, typical);
                let (lost, legal) = self.sum(row, |outcome| outcome.lost);
                let value = plan + missed * (self.alone(row, typical) - plan);
                let lost = if legal > 0.0 { lost / legal } else { 0.0 };
                Planned { row, attempt: self.rows[row].attempt, value, legal, lost }
            })
            .collect();
        planned.sort_by(|a, b| b.value.total_cmp(&a.value));
        planned
    }

    /// What a plan is made of: an attempt that is refused falls back on the best of these, by a rough idea of what they come to.
    fn shortlist(&self, typical: f32) -> Vec<usize> {
        let mut rough: Vec<(usize, f32)> =
            (0..self.rows.len()).map(|row| (row, self.alone(row, typical))).collect();
        rough.sort_by(|a, b| b.1.total_cmp(&a.1));
        rough.iter().take(NUMBERS.planned).map(|(row, _)| *row).collect()
    }

    /// A first attempt, what to try where it is refused, and so on: the plan behind its value.
    pub(super) fn course(&self, first: usize) -> Vec<Attempt> {
        let typical = self.typical();
        let mut others = self.shortlist(typical);
        let mut left: Vec<usize> = (0..self.weights.len()).collect();
        let (mut course, mut next) = (Vec::new(), Some(first));
        while let Some(row) = next {
            course.push(self.rows[row].attempt);
            others.retain(|&other| other != row);
            left = self.refused(row, &left);
            let best = self.best(&left, &others, typical).filter(|_| !left.is_empty());
            next = best.map(|(row, _)| row);
        }
        course
    }

    /// The shares of positions in which an attempt captures, and in which it checks.
    pub(super) fn announced(&self, row: usize) -> Announced {
        let share = |is: fn(Outcome) -> bool| self.sum(row, |outcome| f32::from(u8::from(is(outcome)))).0;
        Announced { captures: share(|outcome| outcome.captures), checks: share(|outcome| outcome.checks) }
    }

    /// How far the values of an attempt in single positions are from their mean, where it is legal.
    pub(super) fn spread(&self, row: usize) -> f32 {
        let (sum, legal) = self.sum(row, |outcome| outcome.value);
        let mean = sum / legal.max(f32::MIN_POSITIVE);
        let (squares, _) = self.sum(row, |outcome| (outcome.value - mean).powi(2));
        (squares / legal.max(f32::MIN_POSITIVE)).sqrt()
    }

    /// Those of some positions in which an attempt is refused.
    fn refused(&self, row: usize, positions: &[usize]) -> Vec<usize> {
        positions.iter().copied().filter(|&at| self.rows[row].outcomes[at].is_none()).collect()
    }

    /// The best of some attempts to try in these positions, and what it comes to.
    fn best(&self, positions: &[usize], attempts: &[usize], typical: f32) -> Option<(usize, f32)> {
        let values = attempts.iter().map(|&attempt| {
            let left: Vec<usize> = attempts.iter().copied().filter(|&left| left != attempt).collect();
            (attempt, self.first(attempt, positions, &left, typical))
        });
        values.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The mean where it is legal, pulled to the mean of all attempts where that is seldom: few positions overrate.
    fn alone(&self, row: usize, typical: f32) -> f32 {
        let (sum, weight) = self.sum(row, |outcome| outcome.value);
        (sum + PULL * typical) / (weight + PULL) + self.rows[row].bonus
    }

    /// The mean of all attempts where they are legal.
    pub(super) fn typical(&self) -> f32 {
        if let Some(typical) = self.typical {
            return typical;
        }
        let sums = (0..self.rows.len()).map(|row| self.sum(row, |outcome| outcome.value));
        let (sum, weight) = sums.fold((0.0, 0.0), |(a, b), (sum, weight)| (a + sum, b + weight));
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    /// A sum over the positions in which an attempt is legal, by their weights, and these weights together.
    fn sum(&self, row: usize, of: impl Fn(Outcome) -> f32) -> (f32, f32) {
        let outcomes = self.rows[row].outcomes.iter().zip(&self.weights);
        let legal = outcomes.filter_map(|(outcome, weight)| Some(((*outcome)?, weight)));
        legal.fold((0.0, 0.0), |(sum, all), (outcome, weight)| (sum + weight * of(outcome), all + weight))
    }

    /// What it comes to in these positions to try this first, and the best of the others where it is refused; each position by
    /// its weight.
    fn first(&self, row: usize, positions: &[usize], others: &[usize], typical: f32) -> f32 {
        let Row { outcomes, bonus, .. } = &self.rows[row];
        let (mut sum, mut legal, mut whole) = (0.0, 0.0, 0.0);
        for &at in positions {
            whole += self.weights[at];
            if let Some(outcome) = outcomes[at] {
                sum += self.weights[at] * (outcome.value + bonus);
                legal += self.weights[at];
            }
        }
        let rest = whole - legal;
        if rest > 0.0 {
            let refused = self.refused(row, positions);
            // Where nothing else is planned, the positions count as bad as the worst of a turn.
            let next = self.best(&refused, others, typical);
            sum += rest * next.map_or(typical - NOTHING_LEFT, |(_, value)| value);
        }
        if whole > 0.0 { sum / whole } else { 0.0 }
    }
}

/// How much weight of typical values an attempt is given before its own count. By hand.
const PULL: f32 = 0.1;
/// What it costs, beside a typical value, when all that was planned is refused. By hand.
const NOTHING_LEFT: f32 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str, values: &[Option<f32>]) -> Row {
        let outcome = |value: &Option<f32>| {
            value.map(|value| Outcome { value, lost: 0.0, captures: value > 0.5, checks: false })
        };
        Row { attempt: text.parse().unwrap(), outcomes: values.iter().map(outcome).collect(), bonus: 0.0 }
    }

    #[test]
    fn a_good_attempt_that_may_be_refused_is_tried_first() {
        let table = Table {
            rows: vec![row("e2e4", &[Some(0.0), Some(0.0)]), row("e4d5", &[Some(1.0), None])],
            weights: vec![0.25, 0.75],
            typical: None,
        };
        let planned = table.plan(0.0);
        assert_eq!(planned[0].attempt.to_string(), "e4d5");
        assert!((planned[0].value - 0.25).abs() < 1e-6 && (planned[0].legal - 0.25).abs() < 1e-6);
        let announced = table.announced(planned[0].row);
        assert!((announced.captures - 0.25).abs() < 1e-6 && announced.checks.abs() < 1e-6);
        let course: Vec<String> = table.course(planned[0].row).iter().map(Attempt::to_string).collect();
        assert_eq!(course, ["e4d5", "e2e4"], "what is tried where it is refused");
    }
}
