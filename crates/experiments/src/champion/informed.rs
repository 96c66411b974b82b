//! The champion's choice with knowledge that it cannot have.
//!
//! An [`Informed`] player is given its view as every player is, and besides it the umpire's position, which whoever plays the game
//! keeps up to date ([`Truth::follow`]). It is no player that a spec can name.

use std::sync::{Arc, Mutex, PoisonError};

use nebel_belief::{Estimate as _, Key, Limit, Men, Tracker};
use nebel_kriegspiel::{Attempt, Chess, Color, Event, Input, Position as _, Rules, Umpire, ViewEvent};
use nebel_players::{
    Budget, Choice, Fault, Game, Nebel, OptionError, Player,
    evaluate::{AlphaBeta, Evaluate as _, MATE},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What stands in for the champion's own belief.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Knowledge {
    /// Nothing does.
    Own,
    /// The exact belief, all positions alike, while it has no more than so many.
    Exact(usize),
    /// The true position.
    Truth,
    /// The true position, and a search of so many plies on it in place of the champion's choice.
    Search(u8),
}

/// The game as the umpire has it.
#[derive(Clone)]
pub(super) struct Truth(Arc<Mutex<Umpire>>);

impl Truth {
    pub(super) fn new(rules: &Rules, start: &Chess) -> Truth {
        Truth(Arc::new(Mutex::new(Umpire::at(rules.clone(), start.clone()))))
    }

    /// Takes in an event of the game.
    pub(super) fn follow(&self, event: &Event) {
        if event.announcement().is_some()
            && let Event::Attempt { said: Some(Input::Attempt(attempt)), .. } = event
        {
            // An event of a game that goes on: it is answered as it was.
            let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).attempt(*attempt);
        }
    }

    pub(super) fn position(&self) -> Chess {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).position().clone()
    }
}

/// The champion, told more than a player is.
pub(super) struct Informed {
    nebel: Nebel,
    knowledge: Knowledge,
    truth: Truth,
    side: Color,
    exact: Option<Tracker>,
    search: AlphaBeta,
    random: Xoshiro256PlusPlus,
}

/// So many positions are drawn from an exact belief: as many as the champion draws from its own.
const DRAWN: usize = 100;

impl Informed {
    pub(super) fn new(
        options: Option<&str>,
        knowledge: Knowledge,
        truth: Truth,
    ) -> Result<Informed, OptionError> {
        let depth = if let Knowledge::Search(depth) = knowledge { depth.max(1) - 1 } else { 0 };
        Ok(Informed {
            nebel: Nebel::new(options)?,
            knowledge,
            truth,
            side: Color::White,
            exact: None,
            search: AlphaBeta::new(depth),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        })
    }

    /// The move of the best value; each is searched by itself.
    fn searched(&mut self) -> Choice {
        let position = self.truth.position();
        let mut best: Option<(f32, Attempt)> = None;
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let value = self.search.value(&after, &Budget::unlimited()).map_or(-MATE, |value| -value);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, Attempt::of_move(m)));
            }
        }
        best.map_or(Choice::Resign, |(_, attempt)| Choice::Try(attempt))
    }
}

impl Player for Informed {
    fn spec(&self) -> String {
        self.nebel.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.side = game.side;
        self.random = Xoshiro256PlusPlus::seed_from_u64(game.seed);
        self.exact = match self.knowledge {
            Knowledge::Exact(most) => {
                Some(Tracker::new(game.rules.clone(), &game.start, game.side, Limit::positions(most)))
            }
            _ => None,
        };
        self.nebel.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        // What no longer fits is followed no further.
        self.exact = self.exact.take().and_then(|mut exact| exact.hear(event).is_ok().then_some(exact));
        self.nebel.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let positions: Vec<(Key, f64)> = match (self.knowledge, &self.exact) {
            (Knowledge::Search(_), _) => return Ok(self.searched()),
            (Knowledge::Truth, _) => vec![(Key::pack(&Men::of(&self.truth.position(), !self.side)), 1.0)],
            (_, Some(exact)) => exact.sample(DRAWN, &mut self.random),
            (_, None) => return self.nebel.choose(budget),
        };
        self.nebel.choose_among(Some(&positions), budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queen hangs that the champion cannot know of: it stands where a rook of its belief may be as well.
    #[test]
    fn the_truth_is_what_the_umpire_has() {
        let rules = Rules::icc();
        let start: Chess = nebel_kriegspiel::start::position("3rk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1").unwrap();
        for (knowledge, takes) in [(Knowledge::Truth, true), (Knowledge::Search(2), true)] {
            let truth = Truth::new(&rules, &start);
            let mut player = Informed::new(None, knowledge, truth.clone()).unwrap();
            let game = Game { side: Color::White, rules: rules.clone(), start: start.clone(), seed: 1 };
            player.start(game).unwrap();
            let mut umpire = Umpire::at(rules.clone(), start.clone());
            for attempt in ["d2e3", "e8f7"] {
                let event = umpire.attempt(attempt.parse().unwrap()).unwrap();
                truth.follow(&event);
                player.hear(&event.heard_by(Color::White, &rules).unwrap()).unwrap();
            }
            let choice = player.choose(&Budget::unlimited()).unwrap();
            assert_eq!(choice == Choice::Try("d1d8".parse().unwrap()), takes, "{knowledge:?}: {choice:?}");
        }
    }
}
