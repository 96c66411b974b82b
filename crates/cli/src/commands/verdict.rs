//! What a match or a tournament shows, for people and for programs.

use std::fmt::Write as _;

use nebel_arena::{
    judging::{Judgement, Judging},
    runner::Run,
    score::Score,
    statistics::{
        Anchor, EloModel, Ratings, elo,
        elo::likelihood_of_superiority,
        sprt::{Sprt, normalized_elo},
    },
    store::Row,
};
use serde_json::{Value, json};

/// What a match shows, seen from its first player. Where a test has decided, only the games are in it that the decision rests
/// on.
pub(super) struct MatchReport<'a> {
    run: &'a Run,
    score: Score,
    judgement: Option<(Sprt, Judgement)>,
    /// Games that were under way when the test decided.
    surplus: usize,
    contestants: Value,
}

impl<'a> MatchReport<'a> {
    pub(super) fn of(run: &'a Run, rows: &[Row], contestants: Value) -> MatchReport<'a> {
        let judging: Judging = run.judge(rows);
        let counted: Vec<Row> = rows.iter().filter(|row| judging.counts(row.round)).cloned().collect();
        MatchReport {
            run,
            score: run.table(&counted)[0][1].clone(),
            judgement: run.sprt.zip(judging.judgement()),
            surplus: rows.len() - counted.len(),
            contestants,
        }
    }

    /// The last line of `--json`. An end of the interval that is infinite has no number in JSON: null.
    pub(super) fn json(&self) -> Value {
        let score = &self.score;
        let [a, b] = [0, 1].map(|place: usize| &self.run.schedule.players[place]);
        let found = elo(score);
        let mut result = json!({
            "a": a, "b": b, "games": score.games(),
            "wins": score.wins, "draws": score.draws, "losses": score.losses,
            "elo": found.map(|elo| elo.difference),
            "interval": found.map_or([None, None], |elo| elo.interval.map(Some)),
            "los": likelihood_of_superiority(score),
            "pairs": score.pairs.iter().sum::<u32>(), "pentanomial": score.pairs,
            "normalized_elo": normalized_elo(&score.pairs),
            "reasons": score.reasons, "bare_king_draws": score.bare_king_draws,
            "versions": self.contestants,
        });
        if let Some((test, judgement)) = self.judgement {
            result["sprt"] = json!(test);
            for (name, value) in json!(judgement).as_object().into_iter().flatten() {
                result["sprt"][name] = value.clone();
            }
        }
        result
    }

    pub(super) fn text(&self) -> String {
        let (score, times) = (&self.score, self.run.times);
        let [a, b] = [(0, times.first), (1, times.second)].map(|(place, time)| {
            let spec: &String = &self.run.schedule.players[place];
            if times.first == times.second { spec.clone() } else { format!("{spec} ({time})") }
        });
        let mut text = format!("{a} against {b}: {} games, {score}\n", score.games());
        if let Some(elo) = elo(score) {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{}", pairs_text(score));
            let _ = writeln!(text, "Elo difference (95%): {elo}");
            let _ =
                writeln!(text, "likelihood of superiority {:.1}%", 100.0 * likelihood_of_superiority(score));
        }
        let reasons: Vec<String> =
            score.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let bare = score.bare_king_draws;
        let _ = writeln!(text, "ended by: {}; draws against a bare king: {bare}", reasons.join(", "));
        if let Some((test, judgement)) = &self.judgement {
            let _ = writeln!(text, "{}", test_text(test, judgement, self.surplus));
        }
        text
    }
}

/// `7 pairs: 1 of 0, 2 of ½, … points; 1 single game`.
fn pairs_text(score: &Score) -> String {
    let counts = score.pairs.iter().zip(["0", "½", "1", "1½", "2"]);
    let counts: Vec<String> = counts.map(|(count, points)| format!("{count} of {points}")).collect();
    let (pairs, singles) = (score.pairs.iter().sum::<u32>(), score.singles.iter().sum::<u32>());
    let pairs = match pairs {
        0 => "no whole pair".to_owned(),
        1 => format!("1 pair: {} points", counts.join(", ")),
        pairs => format!("{pairs} pairs: {} points", counts.join(", ")),
    };
    match singles {
        0 => pairs,
        1 => format!("{pairs}; 1 single game, counted as half a pair"),
        singles => format!("{pairs}; {singles} single games, each counted as half a pair"),
    }
}

fn test_text(sprt: &Sprt, judgement: &Judgement, surplus: usize) -> String {
    let model = match sprt.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalised Elo",
    };
    let (Judgement { pairs, llr, bounds: [low, high], verdict }, Sprt { elo0, elo1, alpha, beta, .. }) =
        (judgement, sprt);
    let mut text = format!(
        "SPRT of {elo0} against {elo1} {model} (risks {alpha} and {beta}): {} after {pairs} pairs, log-likelihood \
         ratio {llr:.2} in {low:.2} to {high:.2}",
        verdict.as_str()
    );
    if surplus > 0 {
        let _ = write!(text, "; {surplus} games that were under way are kept and not counted");
    }
    text
}

/// What a tournament shows.
pub(super) struct TournamentReport<'a> {
    players: &'a [String],
    table: Vec<Vec<Score>>,
    ratings: Ratings,
    contestants: Value,
}

impl<'a> TournamentReport<'a> {
    pub(super) fn of(
        run: &'a Run,
        rows: &[Row],
        contestants: Value,
        anchor: Option<Anchor>,
    ) -> TournamentReport<'a> {
        let table = run.table(rows);
        let ratings = Ratings::of(&table, anchor);
        TournamentReport { players: &run.schedule.players, table, ratings, contestants }
    }

    pub(super) fn json(&self) -> Value {
        let cells = |scores: &[Score]| scores.iter().map(|s| [s.wins, s.draws, s.losses]).collect::<Vec<_>>();
        let table: Vec<_> = self.table.iter().map(|scores| cells(scores)).collect();
        let rated = &self.ratings.players;
        json!({
            "players": self.players, "table": table,
            "elo": rated.iter().map(|rating| rating.map(|rating| rating.elo)).collect::<Vec<_>>(),
            "intervals": rated.iter().map(|rating| rating.map(|rating| rating.interval)).collect::<Vec<_>>(),
            "draws": self.ratings.draws, "versions": self.contestants,
        })
    }

    /// The cross table, the strongest first.
    pub(super) fn text(&self) -> String {
        let rated = &self.ratings.players;
        let elo = |player: usize| rated[player].map_or(f64::NEG_INFINITY, |rating| rating.elo);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let mut rows = vec![vec!["player".to_owned(), "Elo (95%)".to_owned(), "games".to_owned()]];
        rows[0].extend((1..=order.len()).map(|number| number.to_string()));
        for &a in &order {
            let rating = rated[a].map_or_else(|| "–".to_owned(), |rating| rating.to_string());
            let games: u32 = self.table[a].iter().map(Score::games).sum();
            let mut row = vec![self.players[a].clone(), rating, games.to_string()];
            row.extend(order.iter().map(|&b| {
                let score = &self.table[a][b];
                if score.games() == 0 { "–".to_owned() } else { score.to_string() }
            }));
            rows.push(row);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ") + "\n"
        };
        rows.iter().map(line).collect()
    }
}
