//! What a value was learned from, and how well it foretells.

use std::fmt::Write as _;

use nebel_players::{Calibration, INPUT_NAMES, Odds, men_left};

use super::{
    Training,
    fit::Fit,
    network::surprise,
    samples::{Sample, Samples},
    self_play::Noted,
};

/// Chances are put together by tenths.
const BINS: usize = 10;
/// So many of the strongest direct weights are shown.
const STRONGEST: usize = 15;
/// The scale of the champion's own curve from pawns to chances; its numbers say where it comes from.
const OWN_SCALE: f32 = 6.0;

/// Writes the report.
pub(super) fn report(
    training: &Training,
    games: &[Noted],
    samples: &Samples,
    calibration: Calibration,
    fit: &Fit,
) -> String {
    let Training { options, seed, lambda, units, epochs, max_moves, .. } = training;
    let made = |half_points: usize| games.iter().filter(|game| game.half_points == half_points).count();
    let turns = samples.all.len();
    let held_out = samples.held_out().count();
    let own = |sample: &Sample| own(sample.pawns);
    let calibrated = |sample: &Sample| calibration.odds(sample.pawns, men_left(&sample.inputs));
    let corrected = |sample: &Sample| fit.value.odds(sample.pawns, &sample.inputs);
    let Calibration { slope, width } = calibration;
    let mut rows = String::new();
    for (name, odds) in [
        ("its own curve", &own as &dyn Fn(&Sample) -> Odds),
        ("calibrated", &calibrated),
        ("calibrated and corrected", &corrected),
    ] {
        let mean = |of: fn(&Sample) -> Odds| {
            let sum: f32 = samples.held_out().map(|sample| surprise(odds(sample), of(sample))).sum();
            sum / held_out.max(1) as f32
        };
        if held_out > 0 {
            let _ = writeln!(rows, "| {name} | {:.4} | {:.4} |", mean(|s| s.result), mean(|s| s.target));
        }
    }
    let (first, kept) = (fit.course[0], fit.course[fit.kept]);
    format!(
        "# A value learned from self-play\n\n\
         {} games of `nebel{}{options}` against itself, seed {seed}, at most {max_moves} moves: +{} ={} −{} for White, {turns} turns, of which {held_out} are held out.\n\n\
         ## Do its chances come true against an equal?\n\n\
         The chance that its curve gives to the value of the attempt made, and what these games came to; *calibrated* are the points that the curve learned from \
         the other games foretells. Turns of one game go together, so the rows are less sure than their counts look.\n\n{}\n\
         The same in the games held out alone:\n\n{}\n\
         Calibrated: slope {:.4} a pawn with no men left and {:.4} with all (its own curve: {:.4}), width of the draw {:.3} and {:.3}.\n\n\
         ## Held out, in nats a turn\n\n\
         | odds | results | targets (λ = {lambda}) |\n|---|---|---|\n{rows}\n\
         {units} hidden units, {epochs} times through the samples, those of time {} kept: {:.4} to {:.4} on the samples learned from, {:.4} to {:.4} held out.\n\n\
         ## The strongest direct weights\n\n\
         In pawns for one standard deviation.\n\n| input | pawns |\n|---|---|\n{}",
        games.len(),
        if options.is_empty() { "" } else { ":" },
        made(2),
        made(1),
        made(0),
        reliability(samples.all.iter(), &calibrated),
        reliability(samples.held_out(), &calibrated),
        slope[0],
        slope[1],
        1.0 / OWN_SCALE,
        width[0],
        width[1],
        fit.kept,
        first.0,
        kept.0,
        first.1,
        kept.1,
        strongest(fit),
    )
}

/// What the champion's own curve says, which knows no draws: its chance counts as points.
fn own(pawns: f32) -> Odds {
    let calibration = Calibration { slope: [1.0 / OWN_SCALE; 2], width: [0.0; 2] };
    calibration.odds(pawns, 1.0)
}

fn reliability<'a>(
    samples: impl Iterator<Item = &'a Sample>,
    calibrated: &dyn Fn(&Sample) -> Odds,
) -> String {
    #[derive(Clone, Copy, Default)]
    struct Bin {
        turns: u32,
        chance: f32,
        foretold: f32,
        made: [f32; 3],
    }
    let mut bins = [Bin::default(); BINS];
    for sample in samples {
        let chance = own(sample.pawns).points();
        let bin = &mut bins[((chance * BINS as f32) as usize).min(BINS - 1)];
        bin.turns += 1;
        bin.chance += chance;
        bin.foretold += calibrated(sample).points();
        for (made, result) in
            bin.made.iter_mut().zip([sample.result.win, sample.result.draw, sample.result.loss])
        {
            *made += result;
        }
    }
    let mut rows = "| chance | turns | mean chance | won | drawn | lost | points | calibrated |\n|---|---|---|---|---|---|---|---|\n".to_owned();
    for (at, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.turns > 0) {
        let [low, high] = [at, at + 1].map(|end| end as f32 / BINS as f32);
        let count = bin.turns as f32;
        let [win, draw, loss] = bin.made.map(|made| made / count);
        // Writing into a String cannot fail.
        let _ = writeln!(
            rows,
            "| {low:.1} to {high:.1} | {} | {:.3} | {win:.3} | {draw:.3} | {loss:.3} | {:.3} | {:.3} |",
            bin.turns,
            bin.chance / count,
            win + draw / 2.0,
            bin.foretold / count,
        );
    }
    rows
}

fn strongest(fit: &Fit) -> String {
    let mut weights: Vec<(&str, f32)> =
        INPUT_NAMES.into_iter().zip(fit.value.direct().iter().copied()).collect();
    weights.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    weights.iter().take(STRONGEST).fold(String::new(), |mut rows, (name, weight)| {
        let _ = writeln!(rows, "| {name} | {weight:+.3} |");
        rows
    })
}
