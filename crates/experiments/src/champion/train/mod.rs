//! The champion's value learned from its own games: self-play, samples, fit, weights.
//!
//! What is learned is what is compared: the value of an attempt as the search leaves it, given the belief, the own men after it, and what the other
//! side may know. The search's own later values make the targets, together with the result ([`samples`]), and a small network learns what the
//! value of a turn leaves out ([`fit`]). The games are noted as they end, so that a killed run goes on where it was, and all else is worked out anew
//! from the notes in seconds: one seed, one file.

mod fit;
mod network;
mod report;
mod samples;
mod self_play;

use std::path::Path;

use nebel_players::Value;

use crate::{error::ExperimentError, journal::Journal};

/// How a value is learned.
#[derive(Clone, Debug)]
pub struct Training {
    /// The options of the champion that plays against itself.
    pub options: String,
    /// Games of self-play.
    pub games: u32,
    /// A game is drawn after so many moves of each side.
    pub max_moves: u32,
    /// How much a target believes the turn after the next, and so on, rather than the next: 0 the next turn's search alone, 1 the result alone.
    pub lambda: f32,
    /// Units of the hidden layer.
    pub units: usize,
    /// Times that all samples are gone through.
    pub epochs: u32,
    /// The seed of everything.
    pub seed: u64,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The value.
    pub value: Value,
    /// What it was learned from, and how well it foretells, in Markdown.
    pub report: String,
}

impl Training {
    /// Plays what is not played yet, noting games in `folder`, and learns. `report` hears how many games are done, and of how many.
    pub fn run(&self, folder: &Path, mut report: impl FnMut(u32, u32)) -> Result<Trained, ExperimentError> {
        // Options that nobody can play by are judged before anything is written.
        self.player()?;
        let Training { options, max_moves, seed, .. } = self;
        // More games of the same kind go on with those that are there; what is made of them later is not their matter.
        let header = format!("{options:?} {max_moves} {seed}, {}\n", env!("CARGO_PKG_VERSION"));
        let (mut journal, lines) = Journal::open(
            &folder.join("train.journal"),
            &header,
            "it is of other options, another seed, or another version",
        )?;
        let mut games: Vec<self_play::Noted> =
            lines.iter().map_while(|line| serde_json::from_str(line).ok()).collect();
        games.truncate(self.games as usize);
        while (games.len() as u32) < self.games {
            let noted = self.play(games.len() as u32)?;
            // Numbers can always be written.
            journal.note(&serde_json::to_string(&noted).unwrap_or_default())?;
            games.push(noted);
            report(games.len() as u32, self.games);
        }
        Ok(self.learn(&games))
    }

    /// Learns from these games.
    fn learn(&self, games: &[self_play::Noted]) -> Trained {
        let mut samples = samples::read(games);
        let calibration = fit::calibrate(&samples.learned_from());
        samples.aim(&calibration, self.lambda);
        let fit = fit::fit(&samples, calibration, self);
        let report = report::report(self, games, &samples, calibration, &fit);
        Trained { value: fit.value, report }
    }
}

#[cfg(test)]
mod tests;
