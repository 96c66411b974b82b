//! Simulated message probabilities against observed frequencies.
//!
//! Approaches B and C stand on how well they foretell the umpire (Ciancarini and Favini 2010, section 7: "this may hint
//! at inaccuracies in the assumptions behind the referee's simulated messages"). Here player `c` plays games, and for every
//! attempt the odds it reckoned with are put beside what the umpire said.

use std::fmt::Write as _;

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    time::TimeControl,
};
use nebel_kriegspiel::{Announcement, Chess, Rules};
use nebel_players::{
    SpecError, by_spec,
    favini::{Mcts, Odds},
};

use super::watch::{Watched, gives_tries};
use crate::{
    charts::{self, ChartLine, Scale},
    page::Page,
};

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Games.
    pub games: u32,
    /// Nodes for each choice.
    pub nodes: u64,
    /// Whom `c` meets, in turn.
    pub opponents: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The seed of everything.
    pub seed: u64,
}

/// A kind of message, and what is known of it.
struct Message {
    name: &'static str,
    /// What was reckoned with, and whether it came; `None` where nothing could be seen.
    seen: MessageCheck,
}

type MessageCheck = fn(&Odds, Option<&Announcement>) -> Option<(f32, bool)>;

/// Probabilities after "legal" are seen only where the attempt was.
const MESSAGES: [Message; 4] = [
    Message { name: "legal", seen: |odds, said| Some((odds.legal, said.is_some())) },
    Message { name: "capture", seen: |odds, said| Some((odds.capture, said?.capture.is_some())) },
    Message { name: "check", seen: |odds, said| Some((odds.check, !said?.check.is_empty())) },
    Message { name: "pawn try", seen: |odds, said| Some((odds.tries, gives_tries(said?)?)) },
];

/// The bins of probabilities, by their upper ends.
const BINS: [f32; 12] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];

/// One bin of one message.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    count: u32,
    reckoned: f64,
    came: u32,
}

/// The moves after which a game is drawn.
const MAX_MOVES: u32 = 150;

impl Calibration {
    /// Plays and writes the page. `report` hears of games played.
    pub fn run(&self, mut report: impl FnMut(u32)) -> Result<Page, SpecError> {
        let mut bins = [[Bin::default(); BINS.len()]; MESSAGES.len()];
        let wrong = |error| SpecError::Options { player: "c", error };
        let mut player = Watched::new(Mcts::new("c", None).map_err(wrong)?);
        for number in 0..self.games {
            let spec = self.opponents.get(number as usize / 2 % self.opponents.len().max(1));
            let mut opponent = by_spec(spec.map_or("greedy", String::as_str))?;
            let terms =
                MatchTerms { rules: self.rules.clone(), start: Chess::new(), max_moves: Some(MAX_MOVES) };
            let seed = self.seed.wrapping_mul(0x9E37_79B9).wrapping_add(u64::from(number)) << 1;
            let time = TimeControl::Nodes(self.nodes);
            let own = Contestant { player: &mut player, seed, time };
            let other = Contestant { player: &mut *opponent, seed: seed | 1, time };
            let (white, black) = if number % 2 == 0 { (own, other) } else { (other, own) };
            play(&terms, white, black, |_| {});
            for (odds, said) in player.answers.drain(..) {
                count(&mut bins, &odds, said.as_ref());
            }
            report(number + 1);
        }
        Ok(self.page(&bins))
    }

    fn page(&self, bins: &[[Bin; BINS.len()]; MESSAGES.len()]) -> Page {
        let mut csv = "message,from,to,attempts,reckoned,observed\n".to_owned();
        let mut table = String::new();
        let mut lines = Vec::new();
        for (message, bins) in MESSAGES.iter().zip(bins) {
            let mut points = Vec::new();
            let (mut attempts, mut reckoned, mut came, mut error) = (0, 0.0, 0, 0.0);
            for (index, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.count > 0) {
                let low = if index == 0 { 0.0 } else { BINS[index - 1] };
                let mean = bin.reckoned / f64::from(bin.count);
                let share = f64::from(bin.came) / f64::from(bin.count);
                // Writing into a String cannot fail.
                let _ = writeln!(
                    csv,
                    "{},{low:.2},{:.2},{},{mean:.4},{share:.4}",
                    message.name,
                    BINS[index].min(1.0),
                    bin.count
                );
                attempts += bin.count;
                came += bin.came;
                reckoned += bin.reckoned;
                error += f64::from(bin.count) * (mean - share).abs();
                if bin.count >= ENOUGH {
                    points.push((mean, share));
                }
            }
            let of = f64::from(attempts.max(1));
            let _ = writeln!(
                table,
                "| {} | {attempts} | {:.1}% | {:.1}% | {:.1}% |",
                message.name,
                100.0 * reckoned / of,
                100.0 * f64::from(came) / of,
                100.0 * error / of
            );
            lines.push(ChartLine { name: message.name.to_owned(), points });
        }
        lines.push(ChartLine { name: "perfect".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)] });
        let mut files = vec![("calibration.csv".to_owned(), csv)];
        let title = "What c reckons with, and what the umpire says";
        if let Some(svg) = charts::lines(title, "reckoned", "observed", Scale::Linear, &lines) {
            files.push(("calibration.svg".to_owned(), svg));
        }
        let markdown = format!(
            "# Simulated messages against observed ones\n\n\
             {} games of `c` against {} under `{}`, {} nodes a choice, seed {}. For every attempt of `c` the odds before it, \
             and what the umpire said; capture, check and pawn tries of attempts that were legal. The error is the mean distance \
             between reckoned and observed over the bins of the CSV, weighted by attempts; bins of fewer than {ENOUGH} attempts are not drawn.\n\n\
             | message | attempts | reckoned | observed | error |\n|---|---|---|---|---|\n{table}\n\
             ![reckoned against observed](calibration.svg)\n",
            self.games,
            self.opponents.join(", "),
            self.rules.name,
            self.nodes,
            self.seed
        );
        Page { markdown, files }
    }
}

/// Fewer attempts than this in a bin say nothing.
const ENOUGH: u32 = 30;

fn count(bins: &mut [[Bin; BINS.len()]; MESSAGES.len()], odds: &Odds, said: Option<&Announcement>) {
    for (message, bins) in MESSAGES.iter().zip(bins) {
        let Some((reckoned, came)) = (message.seen)(odds, said) else { continue };
        let index = BINS.iter().position(|&end| reckoned < end).unwrap_or(BINS.len() - 1);
        bins[index].count += 1;
        bins[index].reckoned += f64::from(reckoned);
        bins[index].came += u32::from(came);
    }
}
