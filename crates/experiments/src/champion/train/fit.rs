//! Learning: first how values become chances, then what corrects the values.

use nebel_players::{Calibration, Odds, Value, men_left};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    Training,
    network::{Network, Scaled, slopes, surprise},
    samples::{Sample, Samples},
};

/// A fit.
pub(super) struct Fit {
    pub(super) value: Value,
    /// After each time through the samples, how surprising the targets are: of the samples learned from, and of those held out.
    pub(super) course: Vec<(f32, f32)>,
    /// The time through the samples whose weights are kept: that with the least surprise held out.
    pub(super) kept: usize,
}

/// Steps to the calibration, on all samples at once.
const STEPS: u32 = 600;
/// How fast the calibration is learned. By hand.
const CALIBRATION_RATE: f32 = 0.02;
/// The same for the weights. By hand.
const RATE: f32 = 0.001;
/// The least slope and width.
const FLATTEST: f32 = 0.01;
/// So many samples make one step.
const BATCH: usize = 64;
/// How strongly weights are pulled to nothing at each step, in units of the rate. By hand: turns of one game go together, so there are fewer samples
/// than it looks.
const DECAY: f32 = 0.03;

/// How values become chances: slope and width that make the results the most likely.
pub(super) fn calibrate<'a>(samples: &(impl Iterator<Item = &'a Sample> + Clone)) -> Calibration {
    // Slopes of no men left and of all, then widths.
    let mut weights = vec![1.0 / 6.0, 1.0 / 6.0, 0.2, 0.2];
    let count = samples.clone().count().max(1) as f32;
    let mut adam = Adam::new(weights.len());
    for _ in 0..STEPS {
        let calibration = of_weights(&weights);
        let mut gradient = [0.0; 4];
        for sample in samples.clone() {
            let left = men_left(&sample.inputs);
            let odds = calibration.odds(sample.pawns, left);
            let (win, loss) = slopes(odds, sample.result);
            let (slope, width) = (sample.pawns * (win - loss), -(win + loss));
            for (at, part) in [slope * (1.0 - left), slope * left, width * (1.0 - left), width * left]
                .into_iter()
                .enumerate()
            {
                gradient[at] += part / count;
            }
        }
        adam.step(&mut weights, &gradient, CALIBRATION_RATE, 0.0);
        // Nobody wins by being behind, however few games say so.
        for weight in &mut weights {
            *weight = weight.max(FLATTEST);
        }
    }
    of_weights(&weights)
}

fn of_weights(weights: &[f32]) -> Calibration {
    Calibration { slope: [weights[0], weights[1]], width: [weights[2], weights[3]] }
}

/// The correction that makes the targets the least surprising.
pub(super) fn fit(samples: &Samples, calibration: Calibration, training: &Training) -> Fit {
    let inputs = samples.learned_from().map(|sample| &sample.inputs);
    let mut network = Network::new(inputs, training.units, training.seed);
    let scaled = |sample: &Sample| (network.scaled(&sample.inputs), Aim::of(sample, &calibration));
    let learned_from: Vec<(Scaled, Aim)> = samples.learned_from().map(scaled).collect();
    let held_out: Vec<(Scaled, Aim)> = samples.held_out().map(scaled).collect();
    let mut order: Vec<usize> = (0..learned_from.len()).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(training.seed);
    let mut adam = Adam::new(network.weights.len());
    // Without a correction to begin with: what is no better than that is not kept.
    let mut nothing = network.clone();
    nothing.weights.fill(0.0);
    let mut course = vec![(mean(&nothing, &learned_from), mean(&nothing, &held_out))];
    let (mut best, mut kept) = (nothing, 0);
    for epoch in 1..=training.epochs as usize {
        order.shuffle(&mut random);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0; network.weights.len()];
            for &at in batch {
                let (inputs, aim) = &learned_from[at];
                let slope = aim.slope(network.forward(inputs)) / batch.len() as f32;
                network.backward(inputs, slope, &mut gradient);
            }
            adam.step(&mut network.weights, &gradient, RATE, DECAY);
        }
        let now = (mean(&network, &learned_from), mean(&network, &held_out));
        // Where nothing is held out, the last is kept.
        if held_out.is_empty() || now.1 < course[kept].1 {
            (best, kept) = (network.clone(), epoch);
        }
        course.push(now);
    }
    Fit { value: best.value(calibration), course, kept }
}

/// What a correction is to bring about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pawns: f32,
    men_left: f32,
    calibration: Calibration,
    target: Odds,
}

impl Aim {
    pub(super) fn of(sample: &Sample, calibration: &Calibration) -> Aim {
        let men_left = men_left(&sample.inputs);
        Aim { pawns: sample.pawns, men_left, calibration: *calibration, target: sample.target }
    }

    /// How surprising the target is with this correction.
    pub(super) fn surprise(&self, correction: f32) -> f32 {
        surprise(self.calibration.odds(self.pawns + correction, self.men_left), self.target)
    }

    /// How that changes with the correction.
    pub(super) fn slope(&self, correction: f32) -> f32 {
        let odds = self.calibration.odds(self.pawns + correction, self.men_left);
        let (win, loss) = slopes(odds, self.target);
        self.calibration.at(self.men_left).0 * (win - loss)
    }
}

fn mean(network: &Network, samples: &[(Scaled, Aim)]) -> f32 {
    let sum: f64 = samples.iter().map(|(inputs, aim)| f64::from(aim.surprise(network.forward(inputs)))).sum();
    (sum / samples.len().max(1) as f64) as f32
}

/// Adam (Kingma and Ba 2015, Algorithm 1, with its constants), the decay of weights apart from it (Loshchilov and Hutter 2019).
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(weights: usize) -> Adam {
        Adam { first: vec![0.0; weights], second: vec![0.0; weights], steps: 0 }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let [by_first, by_second] = [0.9_f32, 0.999].map(|beta| 1.0 - beta.powi(self.steps));
        for (at, (weight, gradient)) in weights.iter_mut().zip(gradient).enumerate() {
            self.first[at] += 0.1 * (gradient - self.first[at]);
            self.second[at] += 0.001 * (gradient * gradient - self.second[at]);
            let step = self.first[at] / by_first / ((self.second[at] / by_second).sqrt() + 1e-8);
            *weight -= rate * (step + decay * *weight);
        }
    }
}
