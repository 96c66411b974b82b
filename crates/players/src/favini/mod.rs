//! Monte Carlo tree search in Kriegspiel: the players `a`, `b`, `c` and `bc` (Ciancarini and Favini 2010).
//!
//! They share the tree, the belief matrices ([`nebel_belief::matrices`]), the model of the opponent
//! ([`nebel_belief::opponent`]) and the odds of messages ([`Odds`]), and differ in one choice, the approach: how a leaf is valued and how values
//! travel up.
//!
//! | player | a leaf is | backup |
//! |---|---|---|
//! | `a` | a game played out on a board that was drawn | average |
//! | `b:k=N` | messages drawn for N moves and the exchange | average |
//! | `c` | the expectation of one move and its exchange | maximum over moves, mean over messages |
//! | `bc:k=N` | that expectation, and messages drawn for the moves behind it | average |
//!
//! When only a few men are left of the other side all of them hand over to [`Minimax`], which knows how to mate and has the tables,
//! as the program does against a bare king (`few=N`).

mod approach;
mod boards;
#[cfg(test)]
mod by_hand;
mod chance;
mod choose;
mod expectation;
mod heard;
mod hybrid;
mod messages;
mod numbers;
mod odds;
mod options;
mod outcome;
mod plans;
mod premises;
mod presets;
mod search;
mod state;
mod tree;
mod worth;

use nebel_belief::ViewState;
use nebel_kriegspiel::ViewEvent;
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) use self::options::{MODEL, THREADS, read_model};
use self::{choose::Root, options::Settings};
pub use self::{odds::Odds, options::options, worth::Worth};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Minimax, Player, conversion::past::Past, explain::Weighed,
    options::OptionError,
};
use nebel_belief::{last_observation::LastObservation, matrices::MatrixTracker};

/// A player by tree search.
pub struct Mcts {
    settings: Settings,
    spec: String,
    /// Plays on when few hidden men are left.
    closer: Minimax,
    is_closing: bool,
    game: Option<State>,
    /// The attempts weighed at the last choice, and what was noted of it.
    last: (Vec<Weighed>, Vec<String>),
}

/// One game.
struct State {
    listener: MatrixTracker,
    /// For boards of approach A.
    hearing: ViewState,
    observed: LastObservation,
    past: Past,
    random: Xoshiro256PlusPlus,
}

impl Mcts {
    /// A player by the name of its approach and its options, or the option that is wrong.
    pub fn new(name: &str, options: Option<&str>) -> Result<Mcts, OptionError> {
        let settings = Settings::parse(name, options)?;
        let spec = options.map_or_else(|| name.to_owned(), |options| format!("{name}:{options}"));
        let closer = Minimax::new((!settings.tables).then_some("tables=off"))?;
        Ok(Mcts { settings, spec, closer, is_closing: false, game: None, last: (Vec::new(), Vec::new()) })
    }

    /// What it believes; nothing before the first game.
    pub fn listener(&self) -> Option<&MatrixTracker> {
        self.game.as_ref().map(|game| &game.listener)
    }

    /// What the umpire would say of an attempt, by what it believes now.
    pub fn odds(&self, attempt: nebel_kriegspiel::Attempt) -> Option<Odds> {
        self.game
            .as_ref()
            .map(|game| state::State::of(&game.listener, self.settings.premises).announced(attempt))
    }

    /// Nodes valued and iterations made at the last choice.
    pub fn last_effort(&self) -> (u64, u64) {
        self.settings.effort
    }
}

impl Player for Mcts {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.last = (Vec::new(), Vec::new());
        self.is_closing = false;
        self.closer.start(game.clone())?;
        self.game = Some(State {
            listener: MatrixTracker::new(
                game.rules.clone(),
                &game.start,
                game.side,
                self.settings.model.clone(),
            )
            .with_spreading(self.settings.premises.spreading),
            hearing: ViewState::new(game.rules, &game.start, game.side),
            observed: LastObservation::new(&game.start, game.side),
            past: Past::default(),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
        });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(game) = &mut self.game else { return Ok(()) };
        self.last = (Vec::new(), Vec::new());
        let broken = |error: nebel_kriegspiel::side::Contradiction| Fault::Protocol(error.to_string());
        game.past.hear(event, game.listener.own().men());
        game.listener.hear(event).map_err(broken)?;
        game.hearing.hear(event).map_err(broken)?;
        game.observed.hear(event, game.listener.own().men().color());
        self.closer.hear(event)?;
        Ok(())
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let Some(game) = &mut self.game else { return Ok(Choice::Resign) };
        let own = game.listener.own();
        if own.may_ask() {
            return Ok(Choice::Ask);
        }
        self.is_closing = game.listener.men_left() <= self.settings.few;
        if self.is_closing {
            return self.closer.choose(budget);
        }
        let sensible = own.sensible_attempts();
        let (Some(legality), Some(census)) = (self.closer.legality(), self.closer.census()) else {
            return Ok(Choice::Resign);
        };
        let root = Root {
            listener: &game.listener,
            hearing: &game.hearing,
            observed: &game.observed,
            past: &game.past,
            settings: &self.settings,
            legality,
            census,
        };
        let weighed = root.weigh(&sensible, budget, &mut game.random);
        self.settings.effort = weighed.effort;
        self.last = (weighed.attempts, weighed.notes);
        let chosen = weighed.best.or_else(|| sensible.choose(&mut game.random).copied());
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }

    fn explain(&self) -> Option<Explanation> {
        if self.is_closing {
            return self.closer.explain();
        }
        let game = self.game.as_ref()?;
        let matrices = game.listener.matrices();
        let (pawns, pieces) = matrices.left();
        let mut notes = vec![format!("reckons with {pawns:.1} pawns and {pieces:.1} pieces")];
        notes.extend(self.last.1.iter().cloned());
        let mut explanation =
            Explanation { belief: Some(matrices.marginals()), attempts: self.last.0.clone(), notes };
        explanation.sort();
        Some(explanation)
    }
}
