//! The whole of it in small, and each part by itself.

use std::fs;

use nebel_players::{Calibration, INPUT_NAMES, Inputs, Odds};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    Training,
    fit::Aim,
    network::{Network, slopes, surprise},
    samples::{self, Sample, Samples},
};

fn tiny() -> Training {
    Training {
        options: "positions=4,particles=20,lines=16,ahead=4".to_owned(),
        games: 3,
        max_moves: 12,
        lambda: 0.8,
        units: 3,
        epochs: 2,
        seed: 5,
    }
}

/// Inputs at random, some of which always say the same; half of the men are left.
fn inputs(count: usize) -> Vec<Inputs> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let left = INPUT_NAMES.iter().position(|name| *name == "men left").unwrap();
    let mut one = |at: usize| match at {
        at if at == left => 0.5,
        at if at % 9 == 0 => 1.0,
        _ => random.random_range(-1.0..2.0),
    };
    (0..count).map(|_| std::array::from_fn(&mut one)).collect()
}

#[test]
fn a_killed_training_goes_on_and_comes_to_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let learned = tiny().run(whole.path(), |_, _| {}).unwrap();
    let again = tempfile::tempdir().unwrap();
    Training { games: 1, ..tiny() }.run(again.path(), |_, _| {}).unwrap();
    // Killed while the second game was being written down.
    let journal = again.path().join("train.journal");
    let text = fs::read_to_string(&journal).unwrap();
    let cut = fs::read_to_string(whole.path().join("train.journal")).unwrap();
    fs::write(&journal, &cut[..text.len() + 40]).unwrap();
    let mut played = Vec::new();
    let resumed = tiny().run(again.path(), |done, _| played.push(done)).unwrap();
    assert_eq!(played, [2, 3], "the first is not played again");
    assert_eq!(resumed.value.to_json(), learned.value.to_json());
    assert_eq!(resumed.report, learned.report);
    let other = Training { seed: 6, ..tiny() }.run(again.path(), |_, _| {}).unwrap_err();
    assert!(other.to_string().contains("another seed"), "{other}");
}

/// A small change of a weight.
const STEP: f32 = 0.01;

#[test]
fn slopes_are_what_small_changes_show() {
    let calibration = Calibration { slope: [0.3, 0.2], width: [0.6, 0.2] };
    let all = inputs(20);
    let mut network = Network::new(all.iter(), 5, 1);
    // A direct path that is not nothing.
    network.weights.iter_mut().enumerate().for_each(|(at, weight)| *weight += 0.01 * (at % 7) as f32);
    let mut seen = Vec::new();
    for inputs in &all {
        let scaled = network.scaled(inputs);
        let target = Odds { win: 0.5, draw: 0.3, loss: 0.2 };
        let sample = Sample::of(1.5, inputs, target);
        let aim = Aim::of(&sample, &calibration);
        let mut gradient = vec![0.0; network.weights.len()];
        network.backward(&scaled, aim.slope(network.forward(&scaled)), &mut gradient);
        for at in (0..network.weights.len()).step_by(13) {
            let surprise = |by: f32| {
                let mut moved = network.clone();
                moved.weights[at] += by;
                f64::from(aim.surprise(moved.forward(&scaled)))
            };
            // Where a unit wakes up between the two, the slope is between theirs.
            let [behind, ahead] = [-STEP, STEP].map(|by| (surprise(by) - surprise(0.0)) / f64::from(by));
            let said = f64::from(gradient[at]);
            let near = 1e-3 * (1.0 + said.abs());
            let is_between = (behind.min(ahead) - near..=behind.max(ahead) + near).contains(&said);
            assert!(is_between, "{at}: {said}, shown {behind} and {ahead}");
            seen.extend((said.abs() > 5e-3).then_some(at));
        }
    }
    assert!(seen.len() > 50, "many slopes are not nothing: {}", seen.len());
}

#[test]
fn slopes_of_the_curves_are_what_small_changes_show() {
    let odds = |win: f32, loss: f32| {
        let [win, loss] = [win, loss].map(nebel_players::logistic);
        Odds { win, draw: 1.0 - win - loss, loss }
    };
    for (win, loss, target) in [
        (0.5, -1.2, Odds { win: 1.0, draw: 0.0, loss: 0.0 }),
        (-0.7, -0.9, Odds { win: 0.0, draw: 1.0, loss: 0.0 }),
        (-2.0, 0.4, Odds { win: 0.2, draw: 0.3, loss: 0.5 }),
    ] {
        let (by_win, by_loss) = slopes(odds(win, loss), target);
        let at = |win: f32, loss: f32| surprise(odds(win, loss), target);
        let shown = (at(win + 0.01, loss) - at(win - 0.01, loss)) / 0.02;
        assert!((by_win - shown).abs() < 1e-3, "{by_win} {shown}");
        let shown = (at(win, loss + 0.01) - at(win, loss - 0.01)) / 0.02;
        assert!((by_loss - shown).abs() < 1e-3, "{by_loss} {shown}");
    }
}

#[test]
fn players_are_told_what_was_learned() {
    let all = inputs(50);
    let network = Network::new(all.iter(), 8, 2);
    let value = network.value(Calibration { slope: [0.2; 2], width: [0.2; 2] });
    for inputs in &all {
        let learned = network.forward(&network.scaled(inputs)).clamp(-2.0, 2.0);
        assert!((value.correction(inputs) - learned).abs() < 1e-5);
    }
}

/// Results that an input decides, which the search does not see: it is learned, with its sign, and the calibration is found.
#[test]
fn what_decides_results_is_learned() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let truth = Calibration { slope: [0.4; 2], width: [0.3; 2] };
    let decides = INPUT_NAMES.iter().position(|name| *name == "king at home").unwrap();
    let mut all = Vec::new();
    for (at, inputs) in inputs(6000).into_iter().enumerate() {
        let pawns: f32 = random.random_range(-4.0..4.0);
        let odds = truth.odds(pawns + inputs[decides], 0.5);
        let luck: f32 = random.random_range(0.0..1.0);
        let [win, draw] = [odds.win, odds.win + odds.draw].map(|until| luck < until);
        let share = |is: bool| f32::from(u8::from(is));
        let result = Odds { win: share(win), draw: share(draw && !win), loss: share(!draw) };
        all.push(Sample { is_held_out: at % 5 == 0, ..Sample::of(pawns, &inputs, result) });
    }
    let samples = Samples { all };
    let calibration = super::fit::calibrate(&samples.learned_from());
    assert!((calibration.at(0.5).0 - 0.4).abs() < 0.06, "{calibration:?}");
    assert!((calibration.at(0.5).1 - 0.3).abs() < 0.06, "{calibration:?}");
    let fit = super::fit::fit(&samples, calibration, &Training { units: 4, epochs: 10, ..tiny() });
    assert!(fit.kept > 0 && fit.course[fit.kept].1 < fit.course[0].1, "{:?}", fit.course);
    let correction = |input: f32| {
        let mut inputs = [0.5; INPUT_NAMES.len()];
        inputs[decides] = input;
        fit.value.correction(&inputs)
    };
    let learned = correction(1.5) - correction(-0.5);
    assert!((1.0..3.0).contains(&learned), "two pawns, not {learned}");
}

/// Three games that all end drawn say nothing of the slope: it must not turn round.
#[test]
fn a_calibration_never_turns_round() {
    let drawn = Odds { win: 0.0, draw: 1.0, loss: 0.0 };
    let all: Vec<Sample> = inputs(30)
        .into_iter()
        .enumerate()
        .map(|(at, one)| Sample::of(at as f32 - 10.0, &one, drawn))
        .collect();
    let Calibration { slope, width } = super::fit::calibrate(&all.iter());
    assert!(slope.into_iter().chain(width).all(|number| number > 0.0), "{slope:?} {width:?}");
}

#[test]
fn a_target_is_what_later_turns_saw_and_the_result() {
    let calibration = Calibration { slope: [0.3; 2], width: [0.2; 2] };
    let won = Odds { win: 1.0, draw: 0.0, loss: 0.0 };
    let last = Sample::of(2.0, &[0.5; INPUT_NAMES.len()], won);
    let mut samples = Samples { all: vec![last.clone().followed(), last] };
    let seen = calibration.odds(2.0, 0.5);
    for (lambda, wanted) in [(0.0, seen.win), (1.0, 1.0), (0.75, 0.25 * seen.win + 0.75)] {
        samples.aim(&calibration, lambda);
        assert!((samples.all[0].target.win - wanted).abs() < 1e-6);
        assert!((samples.all[1].target.win - 1.0).abs() < 1e-6, "the last turn has the result");
    }
    assert!(samples::read(&[]).all.is_empty());
}
