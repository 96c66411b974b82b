//! The score of a match as it went, drawn over its games.

use nebel_arena::{
    score::Score,
    statistics::{elo, expected_score},
};

use crate::charts::{self, ChartLine, Scale};

/// The score of a player over time, in percent, with its 95% interval. `None` without games.
pub fn drawing(title: &str, course: &[Score]) -> Option<String> {
    let percent = |value: f64| 100.0 * value.clamp(0.0, 1.0);
    let (mut mean, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for (index, score) in course.iter().enumerate() {
        let game = index as f64 + 1.0;
        let [below, above] = elo(score)?.interval;
        mean.push((game, percent(score.points() / f64::from(score.games()))));
        low.push((game, percent(expected_score(below))));
        high.push((game, percent(expected_score(above))));
    }
    let line = |name: &str, points| ChartLine { name: name.to_owned(), points };
    let lines = [line("score", mean), line("95% from", low), line("95% to", high)];
    charts::lines(title, "game", "percent of the points", Scale::Linear, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_drawn_in_percent() {
        let score = |wins, losses| Score::of_games(wins, 0, losses);
        let svg = drawing("Score", &[score(1, 0), score(1, 1), score(2, 1)]).unwrap();
        assert!(svg.contains("percent of the points") && svg.contains("95% from"));
        assert!(drawing("Nothing", &[]).is_none());
    }
}
