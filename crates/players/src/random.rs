//! `random`: tries attempts that make sense, each equally likely, and never one that was refused.

use nebel_kriegspiel::{OwnSide, ViewEvent};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Budget, Choice, Fault, Game, Player};

/// The floor that every other player must beat.
#[derive(Debug, Default)]
pub struct Random {
    game: Option<(OwnSide, Xoshiro256PlusPlus)>,
}

impl Player for Random {
    fn spec(&self) -> String {
        "random".to_owned()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        let own = OwnSide::new(game.rules, &game.start, game.side);
        self.game = Some((own, Xoshiro256PlusPlus::seed_from_u64(game.seed)));
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some((own, _)) = &mut self.game else { return Ok(()) };
        own.hear(event).map_err(|error| Fault::Protocol(error.to_string()))
    }

    fn choose(&mut self, _: &Budget) -> Result<Choice, Fault> {
        let Some((own, random)) = &mut self.game else { return Ok(Choice::Resign) };
        let chosen = own.sensible_attempts().choose(random).copied();
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }
}
