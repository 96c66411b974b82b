//! Figure 10 of Ciancarini and Favini (2010): B with k = 1, 3, 7, 10 and C against the minimax program at four times
//! a move, and A, which they judged too weak to test.
//!
//! Each is there by the letter of the paper (`preset=paper`) and as it plays best. The opponent is fixed, as in the paper: 10,000 metapositions
//! a move, however much time the others are given. The paper gave 1, 2, 4 and 8 seconds a move; here a twentieth of it, on faster
//! machines. Games are kept in a store, so that a night's run can be stopped and goes on.
//!
//! A clock is unfair on a machine that others use, since the opponent's nodes are fixed and the challenger's time is not its own. By
//! [`Measure::Nodes`] each challenger has as many nodes a choice as it values in half of the time on a quiet core (by the clock the first attempt of
//! a turn takes half of it too): the same games on any machine.

use std::{fmt::Write as _, time::Duration};

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    opening::Starts,
    runner::{Place, Progress, Run, RunError},
    schedule::Schedule,
    score::Score,
    statistics::elo,
    store::{Store, Versions},
    time::{TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules};
use nebel_players::{Player, favini::Mcts};

use super::watch::Watched;
use crate::{
    charts::{self, ChartLine, Scale, Whisker},
    page::{Page, elo_text, percent, reasons},
};

/// What is played, what the paper's text says of it (its figure is a drawing without numbers), and how many nodes it values in a millisecond of processor time.
///
/// The last were measured with a release build as differences of user time between a small and a large budget, over a few games against
/// `greedy`; those of `b` with k = 3, 7, 10 by `cargo bench -p nebel-players --bench nodes`. They say what a cell of [`Measure::Nodes`] means, no more.
const PLAYERS: [(&str, &str, f64); 12] = [
    ("b:preset=paper,k=1", B1, 212.0),
    ("b:preset=paper,k=3", B3, 5.8),
    ("b:preset=paper,k=7", B7, 3.6),
    ("b:preset=paper,k=10", B7, 1.32),
    ("c:preset=paper", C, 1600.0),
    ("a:preset=paper", A, 7.2),
    ("b:k=1", B1, 492.0),
    ("b:k=3", B3, 24.0),
    ("b:k=7", B7, 12.0),
    ("b:k=10", B7, 13.6),
    ("c", C, 1600.0),
    ("a", A, 12.6),
];

/// What it says of each.
const B1: &str = "far the best B at 1 s, behind the others at 4 and 8 s";
const B3: &str = "disappointing at every time";
const B7: &str = "a little above minimax at 4 and 8 s";
const C: &str = "above +100 at every time, three wins for each loss";
const A: &str = "not tested: under 2% wins";

/// The random plies before each game.
const PLIES: usize = 8;

/// How a time a move is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// By the clock.
    Clock,
    /// By nodes a choice, as many as a player values in half of the time on a quiet core.
    Nodes,
}

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Fig10 {
    /// Times a move, and how many games each player has at each.
    pub cells: Vec<(Duration, u32)>,
    /// How they are given.
    pub measure: Measure,
    /// Whom they meet: `minimax:preset=paper`, unless told.
    pub opponent: String,
    /// Where games are played.
    pub place: Place,
    /// A game is drawn after so many moves of each side.
    pub max_moves: u32,
    /// The seed of everything.
    pub seed: u64,
    /// Which games of earlier runs count.
    pub versions: Versions,
}

/// Twice as many games at half of the time, and so on, as in the paper, so that every cell takes equally long: these times, with so many
/// games at the longest.
pub fn alike_in_time(times: &[Duration], games: u32) -> Vec<(Duration, u32)> {
    let longest = times.iter().max().copied().unwrap_or_default().as_secs_f64();
    let ratio = |time: Duration| (longest / time.as_secs_f64().max(1e-3)).round() as u32;
    times.iter().map(|&time| (time, games.saturating_mul(ratio(time)))).collect()
}

/// Beyond this a difference is drawn at the edge.
const EDGE: f64 = 800.0;

impl Fig10 {
    /// Plays what the store does not hold yet, and writes the page.
    pub fn run(&self, store: &Store, mut report: impl FnMut(&str, Progress<'_>)) -> Result<Page, RunError> {
        let mut table = String::new();
        let (mut lines, mut whiskers) = (Vec::new(), Vec::new());
        let mut csv = "player,milliseconds,games,wins,draws,losses,elo,low,high\n".to_owned();
        for (player, paper, rate) in PLAYERS {
            let (mut points, mut strokes) = (Vec::new(), Vec::new());
            for &(time, games) in &self.cells {
                let name = format!("{player} against {}, {} ms", self.opponent, time.as_millis());
                let run = self.cell(player, rate, time, games);
                let rows = run.play(store, |progress| report(&name, progress))?;
                let result = &run.table(&rows)[0][1];
                let milliseconds = time.as_millis();
                // Writing into a String cannot fail.
                let _ =
                    writeln!(table, "| `{player}` | {milliseconds} ms | {} | {paper} |", cell_text(result));
                if let Some(elo) = elo(result) {
                    let [low, high] = elo.interval;
                    let Score { wins, draws, losses, .. } = result;
                    let _ = writeln!(
                        csv,
                        "\"{player}\",{milliseconds},{},{wins},{draws},{losses},{:.1},{low:.1},{high:.1}",
                        result.games(),
                        elo.difference
                    );
                    let at = milliseconds as f64;
                    points.push((at, elo.difference.clamp(-EDGE, EDGE)));
                    strokes.push(Whisker { at, low: low.clamp(-EDGE, EDGE), high: high.clamp(-EDGE, EDGE) });
                }
            }
            lines.push(ChartLine { name: player.to_owned(), points });
            whiskers.push(strokes);
        }
        let mut files = vec![("cf-fig10.csv".to_owned(), csv)];
        let title = format!("Elo against {}", self.opponent);
        let drawn = charts::lines_with_whiskers(
            &title,
            "milliseconds a move",
            "Elo",
            Scale::Logarithmic,
            &lines,
            &whiskers,
        );
        if let Some(svg) = drawn {
            files.push(("cf-fig10.svg".to_owned(), svg));
        }
        let speeds = if self.measure == Measure::Clock { self.speeds() } else { calibrated(&self.times()) };
        let markdown = format!("{}{table}\n![Elo by time](cf-fig10.svg)\n{speeds}", self.introduction());
        Ok(Page { markdown, files })
    }

    fn cell(&self, player: &str, rate: f64, time: Duration, games: u32) -> Run {
        let starts = Starts::drawn(PLIES, self.seed);
        let schedule = Schedule::of_two(player, &self.opponent, games, starts, self.seed);
        let times = Times::alike(match self.measure {
            Measure::Clock => TimeControl::Turn(time),
            Measure::Nodes => TimeControl::Nodes(nodes(rate, time)),
        });
        let terms = terms(self.max_moves);
        Run { schedule, terms, times, place: self.place.clone(), sprt: None, versions: self.versions }
    }

    fn times(&self) -> Vec<Duration> {
        self.cells.iter().map(|&(time, _)| time).collect()
    }

    fn introduction(&self) -> String {
        let measure = match self.measure {
            Measure::Clock => "",
            Measure::Nodes => {
                " Times are processor time, given as nodes: a choice has as many as the player values in half of the time on a quiet core (a turn has between one \
                 and two choices), so that the same seed gives the same games on any machine, however busy."
            }
        };
        format!(
            "# Ciancarini and Favini (2010), Figure 10\n\n\
             Each player against `{}`, ICC rules, at most {} moves, seed {}, one thread a player. Games begin after {PLIES} random quiet \
             plies, each start with both colours. The paper gave 1, 2, 4 \
             and 8 s a move to a Java program on eight cores; here the times are a twentieth of it.{measure} Percentages and Elo with 95% \
             intervals, Elo judged by pairs of games; what has no end is drawn at {EDGE}. Where intervals of cells overlap widely, nothing is told \
             between them.\n\n\
             | player | time a move | games | wins | draws | losses | Elo (95%) | games ended by | the paper |\n\
             |---|---|---|---|---|---|---|---|---|\n",
            self.opponent, self.max_moves, self.seed
        )
    }

    /// Nodes a second of every player, from one game each at the shortest time.
    fn speeds(&self) -> String {
        let mut text = "\n## Nodes a second\n\nFrom one game each against `greedy`. The paper: C values 10 to 20 times the nodes of \
            B with k = 1.\n\n| player | nodes a second |\n|---|---|\n"
            .to_owned();
        let time = TimeControl::Turn(self.cells.first().map_or(Duration::from_millis(50), |&(time, _)| time));
        for (spec, ..) in PLAYERS {
            let (name, options) =
                spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
            let (Ok(player), mut greedy) = (Mcts::new(name, options), nebel_players::Greedy::default())
            else {
                continue;
            };
            let mut player = Watched::new(player);
            let seats = (
                Contestant { player: &mut player, seed: self.seed, time },
                Contestant { player: &mut greedy, seed: self.seed + 1, time },
            );
            play(&terms(MEASURED), seats.0, seats.1, |_| {});
            let rate = player.nodes as f64 / player.time.as_secs_f64().max(1e-9);
            let _ = writeln!(text, "| `{}` | {rate:.0} |", player.spec());
        }
        text
    }
}

/// The nodes of each player's choices.
fn calibrated(times: &[Duration]) -> String {
    let mut text = "\n## Nodes a choice\n\n| player | nodes a millisecond |".to_owned();
    // Writing into a String cannot fail.
    for time in times {
        let _ = write!(text, " {} ms |", time.as_millis());
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(times.len()));
    for (player, _, rate) in PLAYERS {
        let _ = write!(text, "| `{player}` | {rate} |");
        for &time in times {
            let _ = write!(text, " {} |", nodes(rate, time));
        }
        text.push('\n');
    }
    text
}

/// The nodes of a choice.
fn nodes(rate: f64, time: Duration) -> u64 {
    ((rate * time.as_secs_f64() * 1000.0 / 2.0).round() as u64).max(1)
}

/// Moves of a game from which speeds are taken.
const MEASURED: u32 = 30;

fn terms(max_moves: u32) -> MatchTerms {
    MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(max_moves) }
}

fn cell_text(score: &Score) -> String {
    let share = |count: u32| percent(count, score.games());
    let [wins, draws, losses] = [score.wins, score.draws, score.losses].map(share);
    format!("{} | {wins} | {draws} | {losses} | {} | {}", score.games(), elo_text(score), reasons(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_time_has_twice_the_games() {
        let [short, long] = [50, 200].map(Duration::from_millis);
        assert_eq!(alike_in_time(&[short, long], 40), [(short, 160), (long, 40)]);
    }

    #[test]
    fn half_of_the_time_makes_the_nodes_of_a_choice() {
        assert_eq!(nodes(1600.0, Duration::from_millis(50)), 40_000);
        assert_eq!(nodes(1.32, Duration::from_millis(50)), 33);
        assert_eq!(nodes(0.001, Duration::from_millis(1)), 1);
    }
}
