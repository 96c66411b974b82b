//! How matches in a store stand: their scores, the score as it went, everybody against everybody, versions side by side.

use std::collections::{BTreeMap, BTreeSet};

use nebel_kriegspiel::Color;
use serde_json::Value;

use crate::{
    identity::Identity,
    schedule::first_color,
    score::{Score, Tally},
    store::{KeptMatch, Row, Versions},
};

/// The players of a match by the terms that it is known by.
pub fn players(terms: &Value) -> Vec<&str> {
    let players = terms["players"].as_array().map(Vec::as_slice).unwrap_or_default();
    players.iter().filter_map(Value::as_str).collect()
}

/// The score of a player after each of these games of a match. If it meets itself, perhaps with another budget, the one
/// who has White in the first game is counted.
pub fn course<'a>(rows: impl IntoIterator<Item = &'a Row>, player: &str) -> Vec<Score> {
    let mut tally = Tally::default();
    let games = rows.into_iter().filter(|row| row.white == player || row.black == player);
    let after = games.map(|row| {
        let meets_itself = row.white == row.black;
        let color = if meets_itself { first_color(row.round) } else { row.color_of(player) };
        tally.add(row.pair(), color, row.over, row.ending);
        tally.score().clone()
    });
    after.collect()
}

/// Everybody against everybody.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CrossTable {
    /// Everybody who plays; several versions of one spec stand side by side, each with its mark.
    pub players: Vec<String>,
    /// `scores[a][b]` is a's against b. Games of a player against itself are left out.
    pub scores: Vec<Vec<Score>>,
}

impl CrossTable {
    /// The table of these games of these matches. With [`Versions::Mixed`] a player is its spec.
    pub fn of(rows: &[Row], matches: &[KeptMatch], versions: Versions) -> CrossTable {
        let names = Names::of(rows, matches, versions);
        let both = |row: &Row| [&row.white, &row.black].map(|spec| names.of_player(row.match_id, spec));
        let players: BTreeSet<String> = rows.iter().flat_map(both).collect();
        let players: Vec<String> = players.into_iter().collect();
        let mut tallies = vec![vec![Tally::default(); players.len()]; players.len()];
        for row in rows.iter().filter(|row| row.white != row.black) {
            let [Ok(white), Ok(black)] = both(row).map(|name| players.binary_search(&name)) else {
                continue;
            };
            tallies[white][black].add(row.pair(), Color::White, row.over, row.ending);
            tallies[black][white].add(row.pair(), Color::Black, row.over, row.ending);
        }
        let scores = tallies.into_iter().map(|tallies| tallies.into_iter().map(Tally::into_score).collect());
        CrossTable { scores: scores.collect(), players }
    }
}

/// What players are called when several versions of a spec meet in one table.
struct Names<'a> {
    /// Who plays, by match and spec; `None` if it is not known.
    known: BTreeMap<(i64, &'a str), Option<&'a Identity>>,
    /// Specs of more than one version.
    several: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(rows: &'a [Row], matches: &'a [KeptMatch], versions: Versions) -> Names<'a> {
        let contestant = |id: i64, spec: &str| matches.iter().find(|kept| kept.id == id)?.contestant(spec);
        let mut names = Names { known: BTreeMap::new(), several: BTreeSet::new() };
        for row in rows {
            for spec in [&*row.white, &*row.black] {
                names.known.entry((row.match_id, spec)).or_insert_with(|| contestant(row.match_id, spec));
            }
        }
        if versions == Versions::Same {
            let mut first: BTreeMap<&str, Option<&Identity>> = BTreeMap::new();
            for (&(_, spec), &identity) in &names.known {
                if *first.entry(spec).or_insert(identity) != identity {
                    names.several.insert(spec);
                }
            }
        }
        names
    }

    fn of_player(&self, match_id: i64, spec: &str) -> String {
        match self.known.get(&(match_id, spec)) {
            Some(Some(identity)) if self.several.contains(spec) => format!("{spec} ({identity})"),
            Some(None) if self.several.contains(spec) => format!("{spec} ({UNKNOWN})"),
            _ => spec.to_owned(),
        }
    }
}

/// What the version of players in old stores is called.
pub const UNKNOWN: &str = "of an unknown version";

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
        let schedule = Schedule::of_two(a, b, 12, vec![start], 1);
        Run { schedule, terms, times, place: Place::Here(1), sprt: None, versions: Versions::Same }
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
        assert_eq!(players(&run.kept_terms()), ["greedy", "random"]);
        assert!(players(&json!("no terms")).is_empty());
    }
}
