//! A cross table of many players: results with intervals, how games ended, and how they went.

use std::fmt::Write as _;

use nebel_arena::{
    game::MatchTerms,
    runner::{Place, Progress, Run, RunError},
    schedule::{Form, Schedule},
    score::Score,
    statistics::Ratings,
    store::{Row, Store, Versions},
    time::{TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules};

use super::habits::Habits;
use crate::page::{Page, elo_text, reasons};

/// How the tournament is played.
#[derive(Clone, Debug)]
pub struct CrossTable {
    /// The players.
    pub players: Vec<String>,
    /// Games for each pair.
    pub games: u32,
    /// How long they may think.
    pub time: TimeControl,
    /// The rules.
    pub rules: Rules,
    /// Where games are played.
    pub place: Place,
    /// A game is drawn after so many moves of each side.
    pub max_moves: u32,
    /// The seed of everything.
    pub seed: u64,
    /// Which games of earlier runs count.
    pub versions: Versions,
}

impl CrossTable {
    /// Plays what the store does not hold yet, and writes the page.
    pub fn run(&self, store: &Store, report: impl FnMut(Progress<'_>)) -> Result<Page, RunError> {
        let starts = vec![Chess::new()];
        let schedule =
            Schedule::of_many(self.players.clone(), Form::RoundRobin, self.games, starts, self.seed);
        let terms =
            MatchTerms { rules: self.rules.clone(), start: Chess::new(), max_moves: Some(self.max_moves) };
        let times = Times::alike(self.time);
        let run =
            Run { schedule, terms, times, place: self.place.clone(), sprt: None, versions: self.versions };
        let rows = run.play(store, report)?;
        Ok(Page { markdown: self.page(&run, &rows), files: Vec::new() })
    }

    fn page(&self, run: &Run, rows: &[Row]) -> String {
        let table = run.table(rows);
        let ratings = Ratings::of(&table, None);
        let elo = |player: usize| ratings.players[player].map_or(f64::NEG_INFINITY, |rating| rating.elo);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let mut text = format!(
            "# Everybody against everybody\n\nRules `{}`, {} games a pair, time: {}, at most {} moves, seed {}. Wins, draws and losses seen from the \
             row; ratings by the Bradley–Terry model with Davidson's draws, their mean 0, with 95% intervals.\n\n| player | rating (95%) | games |",
            self.rules.name, self.games, self.time, self.max_moves, self.seed
        );
        // Writing into a String cannot fail.
        for &player in &order {
            let _ = write!(text, " {} |", self.players[player]);
        }
        let _ = writeln!(text, "\n|---|---|---|{}", "---|".repeat(order.len()));
        for &a in &order {
            let rating = ratings.players[a].map_or_else(|| "–".to_owned(), |rating| rating.to_string());
            let games: u32 = table[a].iter().map(Score::games).sum();
            let _ = write!(text, "| `{}` | {rating} | {games} |", self.players[a]);
            for &b in &order {
                let _ = if a == b { write!(text, " |") } else { write!(text, " {} |", table[a][b]) };
            }
            text.push('\n');
        }
        text += "\n## Pairs\n\n| pair | games | Elo (95%) | games ended by | draws | of them against a bare king |\n|---|---|---|---|---|---|\n";
        for (index, &a) in order.iter().enumerate() {
            for &b in &order[index + 1..] {
                let score = &table[a][b];
                let _ = writeln!(
                    text,
                    "| {} v {} | {} | {} | {} | {} | {} |",
                    self.players[a],
                    self.players[b],
                    score.games(),
                    elo_text(score),
                    reasons(score),
                    draws(score, rows, [&self.players[a], &self.players[b]]),
                    score.bare_king_draws
                );
            }
        }
        text + "\n## How games went\n\n" + &Habits::of(rows).markdown()
    }
}

/// How the draws of a pair came about.
fn draws(score: &Score, rows: &[Row], pair: [&String; 2]) -> String {
    let mut of_pair = Score::default();
    let is_draw = |row: &&Row| {
        let players = [&row.white, &row.black];
        row.over.result.winner().is_none() && (players == pair || players == [pair[1], pair[0]])
    };
    for row in rows.iter().filter(is_draw) {
        of_pair.add(nebel_kriegspiel::Color::White, row.over, row.ending);
    }
    if score.draws == 0 { "–".to_owned() } else { reasons(&of_pair) }
}
