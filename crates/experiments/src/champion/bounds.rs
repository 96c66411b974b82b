//! Bounding experiments: the champion's choice against one opponent, with its own knowledge and with more.
//!
//! What a row gains over the first says how much there is to be had by what it adds, and so what is worth building.

use std::{fmt::Write as _, fs, path::Path};

use nebel_arena::{
    game::Played,
    opening::Starts,
    schedule::{Fixture, Schedule},
    score::{Ending, Score, Tally},
};
use nebel_belief::opponent::Fit;
use nebel_kriegspiel::{Over, Rules};
use nebel_players::by_spec;
use serde::{Deserialize, Serialize};

use super::{
    against::{Against, RANDOM_PLIES},
    informed::{Informed, Knowledge, Truth},
};
use crate::{
    error::ExperimentError,
    journal::Journal,
    page::{Page, elo_text, reasons},
};

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The champion's options.
    pub options: String,
    /// The other player's spec.
    pub opponent: String,
    /// Games of each row.
    pub games: u32,
    /// Nodes for each choice of the other player.
    pub nodes: u64,
    /// Games from which the other player's policy is learnt.
    pub training: u32,
    /// Plies of the search on the true position.
    pub depth: u8,
    /// The exact belief stands in while it has no more positions than this.
    pub exact: usize,
    /// A game is drawn after so many moves of each side.
    pub max_moves: u32,
    /// The seed of everything.
    pub seed: u64,
}

/// One setting of the champion.
struct Setting {
    name: String,
    options: String,
    knowledge: Knowledge,
}

/// One game, as it is noted.
#[derive(Serialize, Deserialize)]
struct Noted {
    row: usize,
    number: u32,
    over: Over,
}

/// The file, beside the page, with the policy that was learnt.
const MODEL: &str = "opponent.json";

impl Bounds {
    /// Plays all rows and writes the page; games are noted in `folder` as they end, and a killed run goes on from there.
    /// `report` hears how many games are done, and of how many.
    pub fn run(&self, folder: &Path, mut report: impl FnMut(u32, u32)) -> Result<Page, ExperimentError> {
        by_spec(&self.opponent)?;
        let model = folder.join(MODEL);
        let journal = folder.join("bounds.journal");
        let (mut journal, lines) =
            Journal::open(&journal, &self.header(), "it is of another match, or of another version")?;
        if lines.is_empty() {
            self.learn(&model)?;
        }
        let settings = self.settings(&model);
        let mut tallies = vec![Tally::default(); settings.len()];
        let noted: Vec<Noted> = lines.iter().map_while(|line| serde_json::from_str(line).ok()).collect();
        let of = self.games * settings.len() as u32;
        let schedule = self.schedule(self.seed, self.games);
        for number in 0..self.games {
            let fixture = schedule.fixture(number);
            for (row, setting) in settings.iter().enumerate() {
                let known = noted.iter().find(|noted| noted.row == row && noted.number == number);
                let over = if let Some(noted) = known {
                    noted.over
                } else {
                    let over = self.play(setting, &fixture)?.over;
                    // Numbers and words can always be written.
                    let line = serde_json::to_string(&Noted { row, number, over }).unwrap_or_default();
                    journal.note(&line)?;
                    over
                };
                tallies[row].add((0, number / 2), fixture.first, over, Ending::Other);
                report(number * settings.len() as u32 + row as u32 + 1, of);
            }
        }
        let scores: Vec<Score> = tallies.into_iter().map(Tally::into_score).collect();
        Ok(self.page(&settings, &scores))
    }

    fn header(&self) -> String {
        format!("{self:?}, {}\n", env!("CARGO_PKG_VERSION"))
    }

    fn settings(&self, model: &Path) -> Vec<Setting> {
        let setting = |name: &str, knowledge| Setting {
            name: name.to_owned(),
            options: self.options.clone(),
            knowledge,
        };
        let exact = format!("the exact belief, all positions alike, up to {} positions", self.exact);
        let search = format!("the true position, searched {} plies deep and captures", self.depth);
        let comma = if self.options.is_empty() { "" } else { "," };
        let fitted = Setting {
            options: format!("{}{comma}model={}", self.options, model.display()),
            ..setting("a move policy fitted to this opponent", Knowledge::Own)
        };
        vec![
            setting("its own", Knowledge::Own),
            fitted,
            setting(&exact, Knowledge::Exact(self.exact)),
            setting("the true position", Knowledge::Truth),
            setting(&search, Knowledge::Search(self.depth)),
        ]
    }

    fn schedule(&self, seed: u64, games: u32) -> Schedule {
        Schedule::of_two("nebel", &self.opponent, games, Starts::drawn(RANDOM_PLIES, seed), seed)
    }

    /// Learns how the opponent moves from games against the champion as it is, of other starts than those that count.
    fn learn(&self, model: &Path) -> Result<(), ExperimentError> {
        let own = Setting { name: String::new(), options: self.options.clone(), knowledge: Knowledge::Own };
        let schedule = self.schedule(!self.seed, self.training);
        let mut fit = Fit::default();
        for number in 0..self.training {
            let fixture = schedule.fixture(number);
            let played = self.play(&own, &fixture)?;
            fit.add(&played.transcript, |color| color != fixture.first);
        }
        Ok(fs::write(model, fit.finish().to_json())?)
    }

    fn play(&self, setting: &Setting, fixture: &Fixture) -> Result<Played, ExperimentError> {
        let truth = Truth::new(&Rules::icc(), &fixture.start);
        let options = (!setting.options.is_empty()).then_some(&*setting.options);
        let mut champion = Informed::new(options, setting.knowledge, truth.clone())?;
        let against = Against { opponent: &self.opponent, nodes: self.nodes, max_moves: self.max_moves };
        against.play(&mut champion, &truth, fixture)
    }

    fn page(&self, settings: &[Setting], scores: &[Score]) -> Page {
        let mut rows = String::new();
        for (setting, score) in settings.iter().zip(scores) {
            // Writing into a String cannot fail.
            let _ = writeln!(
                rows,
                "| {} | {} | {score} | {} | {} |",
                setting.name,
                score.games(),
                elo_text(score),
                reasons(score),
            );
        }
        let Bounds { options, opponent, nodes, training, seed, max_moves, .. } = self;
        let markdown = format!(
            "# What knowledge is worth\n\n\
             `nebel:{options}` against `{opponent}` with {nodes} nodes a choice, `icc`, paired starts after {RANDOM_PLIES} random plies, at most \
             {max_moves} moves, seed {seed}. Each row gives the champion's choice other knowledge than the first; all rows have the same starts. \
             The fitted policy is learnt from {training} games on other starts.\n\n\
             | knowledge | games | result | Elo (95%) | ended by |\n|---|---|---|---|---|\n{rows}"
        );
        Page { markdown, files: Vec::new() }
    }
}
