//! How matches in a store stand: their scores, the score as it went, everybody against everybody.

use std::collections::BTreeSet;

use nebel_kriegspiel::Color;
use serde_json::Value;

use crate::{schedule::first_color, score::Score, store::Row};

/// The players of a match by the terms that it is known by.
pub fn players(terms: &Value) -> Vec<&str> {
    let players = terms["players"].as_array().map(Vec::as_slice).unwrap_or_default();
    players.iter().filter_map(Value::as_str).collect()
}

/// The score of a player after each of these games of a match. If it meets itself, perhaps with another budget, the one
/// who has White in the first game is counted.
pub fn course<'a>(rows: impl IntoIterator<Item = &'a Row>, player: &str) -> Vec<Score> {
    let mut score = Score::default();
    let games = rows.into_iter().filter(|row| row.white == player || row.black == player);
    let after = games.map(|row| {
        let meets_itself = row.white == row.black;
        let color = if meets_itself { first_color(row.number) } else { row.color_of(player) };
        score.add(color, row.over, row.ending);
        score.clone()
    });
    after.collect()
}

/// Everybody who plays in these games, and the scores of all against all: `table[a][b]` is a's against b. Games of a
/// player against itself are left out.
pub fn cross_table(rows: &[Row]) -> (Vec<String>, Vec<Vec<Score>>) {
    let players: BTreeSet<&String> = rows.iter().flat_map(|row| [&row.white, &row.black]).collect();
    let players: Vec<String> = players.into_iter().cloned().collect();
    let place = |spec: &String| players.binary_search(spec).ok();
    let mut table = vec![vec![Score::default(); players.len()]; players.len()];
    for row in rows.iter().filter(|row| row.white != row.black) {
        let (Some(white), Some(black)) = (place(&row.white), place(&row.black)) else { continue };
        table[white][black].add(Color::White, row.over, row.ending);
        table[black][white].add(Color::Black, row.over, row.ending);
    }
    (players, table)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::Rules;
    use serde_json::json;

    use super::*;
    use crate::{
        game::MatchTerms,
        runner::{Place, Run},
        schedule::Schedule,
        store::Store,
        time::{TimeControl, Times},
    };

    fn run(a: &str, b: &str) -> Run {
        let start = nebel_kriegspiel::Chess::new();
        let terms = MatchTerms { rules: Rules::icc(), start: start.clone(), max_moves: Some(500) };
        let times = Times::alike(TimeControl::Nodes(1));
        Run {
            schedule: Schedule::of_two(a, b, 12, vec![start], 1),
            terms,
            times,
            place: Place::Here(1),
            sprt: None,
        }
    }

    #[test]
    fn of_a_player_who_meets_itself_the_first_is_followed() {
        let run = run("greedy", "greedy");
        let rows = run.play(&Store::in_memory().unwrap(), |_| {}).unwrap();
        assert_eq!(course(&rows, "greedy").last(), Some(&run.table(&rows)[0][1]));
        let of_white = rows.iter().fold(Score::default(), |mut score, row| {
            score.add(Color::White, row.over, row.ending);
            score
        });
        assert_ne!(of_white, run.table(&rows)[0][1], "these games tell the two apart");
    }

    #[test]
    fn the_course_of_a_match_ends_with_its_score() {
        let run = run("greedy", "random");
        let rows = run.play(&Store::in_memory().unwrap(), |_| {}).unwrap();
        let table = run.table(&rows);
        for (player, score) in [("greedy", &table[0][1]), ("random", &table[1][0])] {
            let course = course(&rows, player);
            assert_eq!(course.len(), 12);
            assert_eq!(course.last(), Some(score));
        }
        assert!(course(&rows, "nobody").is_empty());
        assert_eq!(players(&run.identity()), ["greedy", "random"]);
        assert!(players(&json!("no terms")).is_empty());
    }
}
