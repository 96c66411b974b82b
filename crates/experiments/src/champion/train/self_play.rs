//! Games of the champion against itself, in which each side notes what a learned value is told.

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    opening::Starts,
    schedule::Schedule,
    score::half_points,
    time::TimeControl,
};
use nebel_kriegspiel::{Color, Rules, ViewEvent};
use nebel_players::{Budget, Choice, Fault, Game, INPUT_NAMES, Inputs, Nebel, NotedInputs, Player};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::Training;
use crate::{champion::against::RANDOM_PLIES, error::ExperimentError};

/// One game, as it is noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Noted {
    /// What White made of it.
    pub(super) half_points: usize,
    /// The own turns of White and of Black.
    pub(super) sides: [Vec<Turn>; 2],
}

/// The attempt that a turn ended with, its value and what was told of it, in thousandths: whole numbers are written alike everywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Turn(i32, Vec<i32>);

/// At so many of all turns a side tries another attempt than its best…
const STRAY: f32 = 0.2;
/// …of those that are behind it by no more, in pawns. Without that, attempts and what the player takes for good would be the same in all samples, and nothing
/// could be learned of the difference. Both by hand.
const STRAY_BY: f32 = 0.3;

impl Training {
    /// The champion with the options that were given.
    pub(super) fn player(&self) -> Result<Nebel, ExperimentError> {
        let options = (!self.options.is_empty()).then_some(&*self.options);
        Ok(Nebel::new(options)?)
    }

    /// Plays one of the games.
    pub(super) fn play(&self, number: u32) -> Result<Noted, ExperimentError> {
        let starts = Starts::drawn(RANDOM_PLIES, self.seed);
        let fixture = Schedule::of_two("nebel", "nebel", self.games, starts, self.seed).fixture(number);
        let [mut white, mut black] =
            [self.player()?, self.player()?].map(|nebel| Learner::new(nebel.noting()));
        let terms =
            MatchTerms { rules: Rules::icc(), start: fixture.start.clone(), max_moves: Some(self.max_moves) };
        let [seed_of_white, seed_of_black] = fixture.seeds;
        let time = TimeControl::Unlimited;
        let played = play(
            &terms,
            Contestant { player: &mut white, seed: seed_of_white, time },
            Contestant { player: &mut black, seed: seed_of_black, time },
            |_| {},
        );
        Ok(Noted { half_points: half_points(Color::White, played.over), sides: [white.turns, black.turns] })
    }
}

/// The champion, whose turns are noted, and who strays now and then.
struct Learner {
    nebel: Nebel,
    side: Color,
    random: Xoshiro256PlusPlus,
    /// What the attempt was told by that is with the umpire now.
    tried: Option<Turn>,
    turns: Vec<Turn>,
}

impl Learner {
    fn new(nebel: Nebel) -> Learner {
        let random = Xoshiro256PlusPlus::seed_from_u64(0);
        Learner { nebel, side: Color::White, random, tried: None, turns: Vec::new() }
    }

    /// One of the attempts that are about as good as the best.
    fn stray(&mut self) -> Option<&NotedInputs> {
        let noted = self.nebel.noted();
        let best = noted.first()?.pawns;
        let good: Vec<&NotedInputs> = noted.iter().filter(|noted| noted.pawns > best - STRAY_BY).collect();
        good.choose(&mut self.random).copied()
    }
}

impl Player for Learner {
    fn spec(&self) -> String {
        self.nebel.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.side = game.side;
        // Another stream than the player's own.
        self.random = Xoshiro256PlusPlus::seed_from_u64(!game.seed);
        self.nebel.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        if event.by() == Some(self.side) && event.announcement().is_some() {
            self.turns.extend(self.tried.take());
        }
        self.nebel.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let choice = self.nebel.choose(budget)?;
        let Choice::Try(attempt) = choice else { return Ok(choice) };
        let strays = self.random.random_range(0.0..1.0) < STRAY;
        let attempt = if strays { self.stray().map_or(attempt, |noted| noted.attempt) } else { attempt };
        let noted = self.nebel.noted().iter().find(|noted| noted.attempt == attempt);
        self.tried = noted.map(Turn::of);
        Ok(Choice::Try(attempt))
    }
}

impl Turn {
    fn of(noted: &NotedInputs) -> Turn {
        let whole = |number: f32| (number * 1000.0).round() as i32;
        Turn(whole(noted.pawns), noted.inputs.iter().map(|&input| whole(input)).collect())
    }

    /// The value in pawns, and what was told.
    pub(super) fn read(&self) -> (f32, Inputs) {
        let mut inputs = [0.0; INPUT_NAMES.len()];
        for (input, &whole) in inputs.iter_mut().zip(&self.1) {
            *input = whole as f32 / 1000.0;
        }
        (self.0 as f32 / 1000.0, inputs)
    }
}
