//! The cumulative curve of a measurement: how many problems each algorithm has decided after so many seconds.

use nebel_search::Algorithm;

use super::Row;
use crate::charts::{self, ChartLine, Scale};

/// The curve begins here; what is faster counts as done by then.
const LEFT: f64 = 1e-4;

/// Draws the curve, one line an algorithm, up to the time limit. `None` when there is nothing to draw.
pub fn curve(title: &str, algorithms: &[Algorithm], time: f64, rows: &[Row]) -> Option<String> {
    let line = |&algorithm: &Algorithm| {
        let decided = rows.iter().filter(|row| row.algorithm == algorithm && row.decided());
        ChartLine { name: algorithm.to_string(), points: stairs(decided.map(|row| row.seconds), time) }
    };
    let lines: Vec<ChartLine> = algorithms.iter().map(line).collect();
    charts::lines(title, "seconds", "problems decided", Scale::Logarithmic, &lines)
}

/// How many of some times have passed by when, as stairs that reach to `time` at least.
pub(super) fn stairs(seconds: impl Iterator<Item = f64>, time: f64) -> Vec<(f64, f64)> {
    let mut spent: Vec<f64> = seconds.map(|seconds| seconds.max(LEFT)).collect();
    spent.sort_by(f64::total_cmp);
    let mut points = vec![(LEFT, 0.0)];
    for (before, &seconds) in spent.iter().enumerate() {
        points.extend([(seconds, before as f64), (seconds, before as f64 + 1.0)]);
    }
    // A search may end a little behind its limit.
    let right = spent.last().copied().unwrap_or(LEFT).max(time);
    points.push((right, spent.len() as f64));
    points
}
