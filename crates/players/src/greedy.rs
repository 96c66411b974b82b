//! `greedy`: reacts and else moves at random.
//!
//! It takes back where it was captured, tries pawn captures when it was told of some (or asks, where
//! the rules have the question), and otherwise tries attempts that make sense, each equally likely.
//! Cheaper men try first.

use nebel_kriegspiel::{Answer, Attempt, Color, Event, Heard, OwnSide, Role, Square, Tries};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Budget, Choice, Fault, Game, Player};

/// The reactive player.
#[derive(Debug, Default)]
pub struct Greedy {
    game: Option<State>,
}

#[derive(Debug)]
struct State {
    own: OwnSide,
    random: Xoshiro256PlusPlus,
    /// Where the other side has just captured.
    lost_on: Option<Square>,
    /// Whether there is a pawn capture to find.
    has_tries: bool,
}

impl Player for Greedy {
    fn spec(&self) -> String {
        "greedy".to_owned()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.game = Some(State {
            own: OwnSide::new(game.rules, &game.start, game.side),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            lost_on: None,
            has_tries: false,
        });
        Ok(())
    }

    fn hear(&mut self, event: &Heard) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        state.own.hear(event).map_err(|error| Fault::Protocol(error.to_string()))?;
        state.react(event);
        Ok(())
    }

    fn choose(&mut self, _: &Budget) -> Result<Choice, Fault> {
        Ok(self.game.as_mut().map_or(Choice::Resign, State::choose))
    }
}

impl State {
    fn side(&self) -> Color {
        self.own.men().color()
    }

    fn react(&mut self, event: &Event) {
        match event {
            Event::Attempt { by, answer: Answer::Moved(announcement), .. } => {
                let by_other = *by != self.side();
                self.lost_on = announcement.capture.filter(|_| by_other).map(|capture| capture.square);
                self.has_tries = by_other
                    && announcement.tries.is_some_and(|tries| match tries {
                        Tries::Count(count) => count > 0,
                        Tries::Any(any) => any,
                        Tries::From(squares) => squares.any(),
                    });
            }
            Event::Ask { by, answer } if *by == self.side() => {
                self.has_tries = *answer == nebel_kriegspiel::AskAnswer::Yes;
            }
            _ => {}
        }
    }

    fn choose(&mut self) -> Choice {
        if self.own.may_ask() {
            return Choice::Ask;
        }
        let sensible = self.own.sensible_attempts();
        let worth = |attempt: &Attempt| match self.own.men().role_at(attempt.from) {
            Some(Role::Pawn) => 1,
            Some(Role::Knight | Role::Bishop) => 3,
            Some(Role::Rook) => 5,
            Some(Role::Queen) => 9,
            Some(Role::King) | None => 10,
        };
        let takes_back = |attempt: &&Attempt| Some(attempt.to) == self.lost_on;
        let takes = |attempt: &&Attempt| self.has_tries && self.own.men().is_pawn_capture(**attempt);
        let reaction = sensible.iter().filter(|a| takes_back(a)).min_by_key(|a| worth(a));
        let reaction = reaction.or_else(|| sensible.iter().find(takes));
        let chosen = reaction.copied().or_else(|| sensible.choose(&mut self.random).copied());
        chosen.map_or(Choice::Resign, Choice::Try)
    }
}
