//! The champion watched: whether its chance to win comes true, whether its belief stays alive and near the truth, and by what it
//! loses men.
//!
//! Games against some opponents, the champion's belief and its opinion of the game noted at the first choice of every turn. The losses are read
//! from the transcripts afterwards ([`super::losses`]).

use std::{path::Path, time::Duration};

use nebel_arena::{opening::Starts, schedule::Schedule, score::half_points};
use nebel_belief::{Men, particles::HowKnown};
use nebel_kriegspiel::{Color, Rules, ViewEvent};
use nebel_players::{Budget, Choice, Fault, Game, Nebel, Player, by_spec};
use nebel_search::{Clock, Stopwatch};
use serde::{Deserialize, Serialize};

use super::{
    against::{Against, RANDOM_PLIES},
    informed::Truth,
    losses::{Loss, losses},
    watched_page::page,
};
use crate::{beliefs::LEAST, error::ExperimentError, journal::Journal, page::Page};

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The champion's options.
    pub options: String,
    /// Against whom it plays.
    pub opponents: Vec<String>,
    /// Games against each of them.
    pub games: u32,
    /// Nodes for each choice of the opponents.
    pub nodes: u64,
    /// A game is drawn after so many moves of each side.
    pub max_moves: u32,
    /// The seed of everything.
    pub seed: u64,
}

/// One game, as it is noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Noted {
    pub(super) opponent: usize,
    /// What the champion made of it.
    pub(super) half_points: usize,
    pub(super) turns: Vec<Turn>,
    pub(super) losses: Vec<Loss>,
}

/// What the champion believed at one of its turns.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The chance to win that it saw; none where it did not say.
    pub(super) chance: Option<f64>,
    /// How well its positions were known: 0 for the last event, 1 since an earlier turn, 2 by everything heard, 3 all.
    pub(super) known: u8,
    /// The log-probability that the belief's marginals gave to the truth, in nats.
    pub(super) nats: f64,
    /// How long it listened since its turn before, in milliseconds on the processor.
    pub(super) heard: f64,
}

impl Watched {
    /// Plays all games and writes the page; games are noted in `folder` as they end, and a killed run goes on from there. `report` hears
    /// how many games are done, and of how many.
    pub fn run(&self, folder: &Path, mut report: impl FnMut(u32, u32)) -> Result<Page, ExperimentError> {
        for opponent in &self.opponents {
            by_spec(opponent)?;
        }
        let header = format!("{self:?}, {}\n", env!("CARGO_PKG_VERSION"));
        let (mut journal, lines) = Journal::open(
            &folder.join("watched.journal"),
            &header,
            "it is of another match, or of another version",
        )?;
        let mut all: Vec<Noted> = lines.iter().map_while(|line| serde_json::from_str(line).ok()).collect();
        let of = self.games * self.opponents.len() as u32;
        while (all.len() as u32) < of {
            let noted = self.play(all.len() as u32)?;
            // Numbers can always be written.
            journal.note(&serde_json::to_string(&noted).unwrap_or_default())?;
            all.push(noted);
            report(all.len() as u32, of);
        }
        Ok(page(self, &all))
    }

    /// Plays one of all games; the opponents come in turn.
    fn play(&self, number: u32) -> Result<Noted, ExperimentError> {
        let opponents = self.opponents.len() as u32;
        let opponent = (number % opponents) as usize;
        let spec = &self.opponents[opponent];
        let starts = Starts::drawn(RANDOM_PLIES, self.seed);
        let schedule = Schedule::of_two("nebel", spec, self.games, starts, self.seed);
        let fixture = schedule.fixture(number / opponents);
        let options = (!self.options.is_empty()).then_some(&*self.options);
        let truth = Truth::new(&Rules::icc(), &fixture.start);
        let mut champion = Observed {
            nebel: Nebel::new(options)?,
            truth: truth.clone(),
            side: fixture.first,
            spent: Duration::ZERO,
            is_new: true,
            turns: Vec::new(),
        };
        let against = Against { opponent: spec, nodes: self.nodes, max_moves: self.max_moves };
        let played = against.play(&mut champion, &truth, &fixture)?;
        Ok(Noted {
            opponent,
            half_points: half_points(fixture.first, played.over),
            turns: champion.turns,
            losses: losses(&played.transcript, fixture.first),
        })
    }
}

/// The champion, whose belief and opinion are noted.
struct Observed {
    nebel: Nebel,
    truth: Truth,
    side: Color,
    /// The time it has listened since its last turn.
    spent: Duration,
    /// Whether nothing was tried yet in this turn.
    is_new: bool,
    turns: Vec<Turn>,
}

impl Player for Observed {
    fn spec(&self) -> String {
        self.nebel.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.nebel.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        self.is_new |= event.by() != Some(self.side);
        let begun = Stopwatch::new(Clock::Processor);
        let heard = self.nebel.hear(event);
        self.spent += begun.elapsed();
        heard
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let noted = self.is_new.then(|| self.look());
        let choice = self.nebel.choose(budget)?;
        if let Some(turn) = noted.flatten()
            && matches!(choice, Choice::Try(_))
        {
            self.turns.push(Turn { chance: self.nebel.chance(), ..turn });
            (self.spent, self.is_new) = (Duration::ZERO, false);
        }
        Ok(choice)
    }
}

impl Observed {
    fn look(&self) -> Option<Turn> {
        let belief = self.nebel.belief()?;
        let own = belief.view().own().men().squares();
        let truth = Men::of(&self.truth.position(), !self.side);
        Some(Turn {
            chance: None,
            known: match belief.how_known() {
                HowKnown::LastEvent => 0,
                HowKnown::Since => 1,
                HowKnown::Some => 2,
                HowKnown::All => 3,
            },
            nats: belief.marginals().log_likelihood(&truth, own, LEAST),
            heard: self.spent.as_secs_f64() * 1e3,
        })
    }
}
