//! The cheapest states to give up so that none of the known refuted sets is left whole.
//!
//! Any part of a belief that can be won leaves out a state of every refuted set, so the weight of a cheapest such choice bounds
//! what can be won from above: the implicit hitting sets of maximum satisfiability (Davies & Bacchus, CP 2011).

/// A choice of states that meets every set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// The states, in ascending order.
    pub(super) states: Vec<usize>,
    /// Their weight.
    pub(super) weight: f64,
    /// Whether none is cheaper.
    pub(super) cheapest: bool,
    /// Sets that were looked at to find it.
    pub(super) work: u64,
}

/// A cheapest choice that meets every set, or a cheap one if more than `most` sets would have to be looked at, over and over, to find it.
pub(super) fn cheapest(sets: &[Vec<usize>], weights: &[f64], most: u64) -> Choice {
    let mut search = Search {
        sets,
        weights,
        chosen: vec![false; weights.len()],
        kept: vec![false; weights.len()],
        best: Choice { states: Vec::new(), weight: f64::INFINITY, cheapest: true, work: 0 },
        most,
        work: 0,
    };
    search.branch(0.0);
    Choice { cheapest: search.work < most, work: search.work, ..search.best }
}

struct Search<'a> {
    sets: &'a [Vec<usize>],
    weights: &'a [f64],
    chosen: Vec<bool>,
    /// States that are not to be chosen on this branch, because another one chooses them.
    kept: Vec<bool>,
    best: Choice,
    most: u64,
    work: u64,
}

impl Search<'_> {
    fn branch(&mut self, weight: f64) {
        self.work += 1 + self.sets.len() as u64;
        let open: Vec<&Vec<usize>> =
            self.sets.iter().filter(|set| !set.iter().any(|&state| self.chosen[state])).collect();
        let Some(smallest) = open.iter().min_by_key(|set| self.free(set).count()) else {
            if weight < self.best.weight {
                let states = (0..self.chosen.len()).filter(|&state| self.chosen[state]).collect();
                self.best = Choice { states, weight, ..self.best };
            }
            return;
        };
        // The first way down is always gone to its end, so that there is a choice.
        let enough = self.work >= self.most && self.best.weight.is_finite();
        if enough || weight + self.least(&open) >= self.best.weight {
            return;
        }
        let mut states: Vec<usize> = self.free(smallest).collect();
        let met = |state: usize| open.iter().filter(|set| set.contains(&state)).count() as f64;
        states.sort_by(|&a, &b| (met(b) / self.weights[b]).total_cmp(&(met(a) / self.weights[a])));
        for &state in &states {
            self.chosen[state] = true;
            self.branch(weight + self.weights[state]);
            self.chosen[state] = false;
            self.kept[state] = true;
        }
        for &state in &states {
            self.kept[state] = false;
        }
    }

    /// The states of a set that may be chosen.
    fn free<'b>(&'b self, set: &'b [usize]) -> impl Iterator<Item = usize> + 'b {
        set.iter().copied().filter(|&state| !self.kept[state])
    }

    /// What meeting these sets costs at least: sets without a common state are paid for one by one.
    fn least(&self, open: &[&Vec<usize>]) -> f64 {
        let mut met = vec![false; self.chosen.len()];
        let mut least = 0.0;
        for set in open {
            if set.iter().any(|&state| met[state]) {
                continue;
            }
            set.iter().for_each(|&state| met[state] = true);
            least += self.free(set).map(|state| self.weights[state]).fold(f64::INFINITY, f64::min);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_meets_all_sets_at_the_least_weight() {
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..500 {
            let weights: Vec<f64> = (0..8).map(|_| (1 + next(5)) as f64).collect();
            let sets: Vec<Vec<usize>> = (0..next(7))
                .map(|_| {
                    let bits = 1 + next(255);
                    (0..8).filter(|state| bits >> state & 1 == 1).collect()
                })
                .collect();
            let meets = |bits: u32| sets.iter().all(|set| set.iter().any(|&state| bits >> state & 1 == 1));
            let weight = |bits: u32| {
                (0..8).filter(|state| bits >> state & 1 == 1).map(|state| weights[state]).sum::<f64>()
            };
            let least = (0..256).filter(|&bits| meets(bits)).map(weight).fold(f64::INFINITY, f64::min);
            let choice = cheapest(&sets, &weights, u64::MAX);
            let bits = choice.states.iter().fold(0, |bits, &state| bits | 1 << state);
            assert!(choice.cheapest && meets(bits));
            assert!((choice.weight - least).abs() < 1e-9 && (weight(bits) - least).abs() < 1e-9);
        }
    }
}
