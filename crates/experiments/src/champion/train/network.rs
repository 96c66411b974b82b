//! The network as it is learned: one row of weights, what they come to, and which way each should go.

use nebel_players::{Calibration, INPUT_NAMES, Inputs, Layers, Odds, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The numbers of one attempt.
const INPUTS: usize = INPUT_NAMES.len();
/// No chance is taken for smaller: a result that was thought impossible must not outweigh all others.
const LEAST: f32 = 1e-4;
/// How large the first weights are. By hand.
const FIRST: f32 = 0.1;

/// The network with its weights in one row: the direct path, then bias, weights and output of each unit.
#[derive(Clone, Debug)]
pub(super) struct Network {
    units: usize,
    mean: Inputs,
    scale: Inputs,
    pub(super) weights: Vec<f32>,
}

/// Numbers as the network takes them: how far they are from their mean, in units of how far they usually are.
pub(super) type Scaled = [f32; INPUTS];

impl Network {
    /// Begins with a direct path of nothing and small random units.
    pub(super) fn new<'a>(
        samples: impl Iterator<Item = &'a Inputs> + Clone,
        units: usize,
        seed: u64,
    ) -> Network {
        let count = samples.clone().count().max(1) as f64;
        let mut moments = [(0.0_f64, 0.0_f64); INPUTS];
        for inputs in samples {
            for ((sum, squares), &input) in moments.iter_mut().zip(inputs) {
                *sum += f64::from(input);
                *squares += f64::from(input) * f64::from(input);
            }
        }
        let mean = moments.map(|(sum, _)| (sum / count) as f32);
        // What never changes tells nothing.
        let scale = moments.map(|(sum, squares)| {
            let deviation = (squares / count - (sum / count).powi(2)).max(0.0).sqrt();
            if deviation > 1e-3 { (1.0 / deviation) as f32 } else { 0.0 }
        });
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; INPUTS + units * (INPUTS + 2)];
        for weight in &mut weights[INPUTS..] {
            *weight = random.random_range(-FIRST..FIRST);
        }
        Network { units, mean, scale, weights }
    }

    /// Numbers as the network takes them.
    pub(super) fn scaled(&self, inputs: &Inputs) -> Scaled {
        std::array::from_fn(|at| (inputs[at] - self.mean[at]) * self.scale[at])
    }

    /// The correction in pawns.
    pub(super) fn forward(&self, inputs: &Scaled) -> f32 {
        let direct = dot(&self.weights[..INPUTS], inputs);
        let units = self.weights[INPUTS..].chunks_exact(INPUTS + 2);
        let unit = |unit: &[f32]| unit[INPUTS + 1] * (unit[INPUTS] + dot(&unit[..INPUTS], inputs)).max(0.0);
        direct + units.map(unit).sum::<f32>()
    }

    /// Adds to `gradient` how the weights change the correction, so many times.
    pub(super) fn backward(&self, inputs: &Scaled, times: f32, gradient: &mut [f32]) {
        let add = |to: &mut [f32], times: f32| {
            to.iter_mut().zip(inputs).for_each(|(to, input)| *to += times * input);
        };
        add(&mut gradient[..INPUTS], times);
        let units = self.weights[INPUTS..].chunks_exact(INPUTS + 2);
        for (unit, gradient) in units.zip(gradient[INPUTS..].chunks_exact_mut(INPUTS + 2)) {
            let active = unit[INPUTS] + dot(&unit[..INPUTS], inputs);
            if active > 0.0 {
                gradient[INPUTS + 1] += times * active;
                gradient[INPUTS] += times * unit[INPUTS + 1];
                add(&mut gradient[..INPUTS], times * unit[INPUTS + 1]);
            }
        }
    }

    /// The network as players use it.
    pub(super) fn value(&self, calibration: Calibration) -> Value {
        let units = || self.weights[INPUTS..].chunks_exact(INPUTS + 2).take(self.units);
        let layers = Layers {
            mean: self.mean.into(),
            scale: self.scale.into(),
            direct: self.weights[..INPUTS].into(),
            bias: units().map(|unit| unit[INPUTS]).collect(),
            hidden: units().map(|unit| unit[..INPUTS].into()).collect(),
            out: units().map(|unit| unit[INPUTS + 1]).collect(),
        };
        Value::new(layers, calibration)
    }
}

/// How surprising a target is by these odds, in nats.
pub(super) fn surprise(odds: Odds, target: Odds) -> f32 {
    let part = |target: f32, odds: f32| if target > 0.0 { -target * odds.max(LEAST).ln() } else { 0.0 };
    part(target.win, odds.win) + part(target.draw, odds.draw) + part(target.loss, odds.loss)
}

/// How the surprise changes with the two arguments of the logistic curves, that of the win and that of the loss.
pub(super) fn slopes(odds: Odds, target: Odds) -> (f32, f32) {
    let Odds { win, draw, loss } = odds;
    let drawn = target.draw / draw.max(LEAST);
    ((drawn * win - target.win) * (1.0 - win), (drawn * loss - target.loss) * (1.0 - loss))
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
