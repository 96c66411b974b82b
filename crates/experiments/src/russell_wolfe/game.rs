//! One game between the two programs of section 3, and the problems it passes.
//!
//! White estimates exactly and attacks; Black knows part of its belief and grabs what it can. Whenever White's belief is
//! small, it is judged.

use nebel_belief::{Key, Limit, TrackError, Tracker};
use nebel_kriegspiel::{Answer, Attempt, Color, Event, Header, Rules, Transcript, View};
use nebel_players::wolfe::{Black, LOOKED_AT, aggressive};
use nebel_prover::{
    Kriegspiel, MaterialWins, Position, Problem,
    collection::{Kind, judge},
};
use nebel_search::Limits;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What counts as a problem, and how games are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub rules: Rules,
    /// The depth of the problems.
    pub plies: u32,
    /// Problems have at most so many positions.
    pub most_states: usize,
    /// A game ends when White's belief grows beyond this.
    pub most_belief: usize,
    /// Refused attempts that White is given in a turn beyond its own, as hints (footnote 6).
    pub hints: u32,
    /// The game ends after so many moves of White.
    pub most_moves: u32,
    /// Whether an ending that a table of one man wins counts as mate (footnote 4).
    pub material_wins: bool,
    /// Per search.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            rules: Rules::berkeley(),
            plies: 3,
            most_states: 100,
            most_belief: 10_000,
            hints: 6,
            most_moves: 80,
            material_wins: false,
            limits: Limits { nodes: Some(20_000_000), ..Limits::default() },
        }
    }
}

/// Plays a game and returns the problems met on the way: what White had heard, and what it is. The same seed gives the
/// same game. The tables are asked where material wins count.
pub fn play(settings: &Settings, tables: &MaterialWins, seed: u64) -> Vec<(View, Kind)> {
    let mut game = Game::new(settings, tables, seed);
    let mut found = Vec::new();
    for _ in 0..settings.most_moves {
        if game.over() || game.hint().is_err() {
            break;
        }
        found.extend(game.problem());
        if game.white_turn().is_err() || game.over() || game.black_turn().is_err() {
            break;
        }
    }
    found
}

struct Game<'a> {
    settings: &'a Settings,
    tables: Option<&'a MaterialWins>,
    domain: Kriegspiel,
    transcript: Transcript,
    white: Tracker,
    black: Black,
    random: Xoshiro256PlusPlus,
}

impl<'a> Game<'a> {
    fn new(settings: &'a Settings, tables: &'a MaterialWins, seed: u64) -> Self {
        let header = Header::new(settings.rules.clone());
        let start = header.start.clone();
        Game {
            settings,
            tables: settings.material_wins.then_some(tables),
            domain: Kriegspiel::new(settings.rules.clone()),
            white: Tracker::new(
                settings.rules.clone(),
                &start,
                Color::White,
                Limit::positions(settings.most_belief),
            ),
            black: Black::new(&settings.rules, &start),
            transcript: Transcript::new(header),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn over(&self) -> bool {
        self.transcript.umpire().over().is_some()
    }

    /// The problem that White faces, if its belief is one.
    fn problem(&self) -> Option<(View, Kind)> {
        if self.white.len() > self.settings.most_states {
            return None;
        }
        let positions = self.white.positions().collect();
        let problem = Problem::new(self.settings.rules.clone(), positions).ok()?;
        match judge(&problem, self.settings.plies, &self.settings.limits, self.tables) {
            Ok(kind @ (Kind::Mate | Kind::NearMiss)) => Some((self.transcript.view(Color::White), kind)),
            _ => None,
        }
    }

    /// Puts an attempt to the umpire and tells both sides; whether it was made.
    fn attempt(&mut self, attempt: Attempt) -> Result<bool, TrackError> {
        let rules = self.settings.rules.clone();
        let Ok(event) = self.transcript.hear(&attempt.to_string()) else { return Ok(true) };
        let event = event.clone();
        if let Some(heard) = event.heard_by(Color::White, &rules) {
            self.white.hear(&heard)?;
        }
        if let Some(heard) = event.heard_by(Color::Black, &rules) {
            self.black.hear(&heard, &mut self.random);
        }
        Ok(matches!(event, Event::Attempt { answer: Answer::Moved(_), .. }))
    }

    /// Gives White refusals that it did not ask for, so that its belief stays small.
    fn hint(&mut self) -> Result<(), TrackError> {
        let umpire = self.transcript.umpire();
        let legal: Vec<Attempt> = umpire.legal_moves().iter().map(|&m| Attempt::of_move(m)).collect();
        let mut illegal = umpire.sensible_attempts();
        illegal.retain(|attempt| !legal.contains(attempt));
        illegal.shuffle(&mut self.random);
        let hints = self.random.random_range(0..=self.settings.hints) as usize;
        for attempt in illegal.into_iter().take(hints) {
            self.attempt(attempt)?;
        }
        Ok(())
    }

    fn white_turn(&mut self) -> Result<(), TrackError> {
        loop {
            // Only those that are looked at are made whole.
            let belief: Vec<Key> = self.white.set().iter().collect();
            let seen = belief.sample(&mut self.random, LOOKED_AT);
            let seen = seen.filter_map(|&key| self.white.position(key));
            let seen: Vec<Position> = seen.map(|chess| Position::of(&chess)).collect();
            let Some(&best) = aggressive(&self.domain, &seen).first() else { return Ok(()) };
            if self.attempt(best)? {
                return Ok(());
            }
        }
    }

    fn black_turn(&mut self) -> Result<(), TrackError> {
        for attempt in self.black.ranked(&mut self.random) {
            if self.attempt(attempt)? {
                break;
            }
        }
        Ok(())
    }
}
