//! `random`: tries attempts that make sense, each equally likely, and never one that was refused.

use nebel_kriegspiel::{Heard, OwnSide};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Budget, Choice, Game, Player};

/// The floor that every other player must beat.
#[derive(Debug, Default)]
pub struct Random {
    game: Option<(OwnSide, Xoshiro256PlusPlus)>,
}

impl Player for Random {
    fn spec(&self) -> String {
        "random".to_owned()
    }

    fn start(&mut self, game: Game) {
        let own = OwnSide::new(game.rules, &game.start, game.side);
        self.game = Some((own, Xoshiro256PlusPlus::seed_from_u64(game.seed)));
    }

    fn hear(&mut self, event: &Heard) {
        if let Some((own, _)) = &mut self.game {
            // A view that contradicts itself leaves nothing sensible to do; the last state will serve.
            let _ = own.hear(event);
        }
    }

    fn choose(&mut self, _: &Budget) -> Choice {
        let Some((own, random)) = &mut self.game else {
            return Choice::Resign;
        };
        own.sensible_attempts().choose(random).map_or(Choice::Resign, |&attempt| Choice::Try(attempt))
    }
}
