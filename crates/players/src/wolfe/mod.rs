//! The two programs whose games the problem collections come from, as players (Russell and Wolfe 2005, section 3).
//!
//! `wolfe-white` estimates exactly as long as that fits and looks one move and the reply ahead, statically;
//! `wolfe-black` knows a few positions of its belief and tries what captures or checks in them. In the collections the
//! first has White and hints keep its belief small; here either may have any side, nobody gives hints, and a belief that
//! grows too large is cut to a sample. What each of them prefers is in `aggressive` and `grabbing`; the games of the
//! collections are played with these too, in the crate `nebel-experiments`.

mod aggressive;
mod grabbing;

use nebel_belief::{
    Key,
    particles::{ParticleLimits, Particles},
};
use nebel_kriegspiel::{Attempt, Chess, Color, Position as _, ViewEvent};
use nebel_prover::{Kriegspiel, Position};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::{CastlingMode, EnPassantMode};

pub use self::{
    aggressive::{LOOKED_AT, aggressive},
    grabbing::{Black, KEPT, grabbing},
};
use crate::{Budget, Choice, Fault, Game, Player};

/// Which of the two programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// Exact estimation and a static look ahead.
    White,
    /// A part of its belief, captures and checks first.
    Black,
}

impl Program {
    /// The belief is cut to a sample of so many positions.
    const fn limits(self) -> ParticleLimits {
        match self {
            // Section 3: the exact belief never grows beyond ten thousand.
            Program::White => ParticleLimits::plain(10_000, 10_000),
            Program::Black => ParticleLimits::plain(KEPT, KEPT),
        }
    }
}

/// One of the programs as a player.
#[derive(Debug)]
pub struct Wolfe {
    program: Program,
    game: Option<State>,
}

#[derive(Debug)]
struct State {
    side: Color,
    domain: Kriegspiel,
    pool: Particles,
    random: Xoshiro256PlusPlus,
}

impl Wolfe {
    /// The program, before a game.
    pub const fn new(program: Program) -> Wolfe {
        Wolfe { program, game: None }
    }
}

impl Player for Wolfe {
    fn spec(&self) -> String {
        match self.program {
            Program::White => "wolfe-white".to_owned(),
            Program::Black => "wolfe-black".to_owned(),
        }
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.game = Some(State {
            side: game.side,
            domain: Kriegspiel::new(game.rules.clone()),
            pool: Particles::new(game.rules, &game.start, game.side, self.program.limits()),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
        });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        state.pool.hear(event, &mut state.random).map_err(|error| Fault::Protocol(error.to_string()))
    }

    fn choose(&mut self, _: &Budget) -> Result<Choice, Fault> {
        let Some(state) = &mut self.game else { return Ok(Choice::Resign) };
        if state.pool.view().own().may_ask() {
            return Ok(Choice::Ask);
        }
        let sensible = state.pool.view().own().sensible_attempts();
        let best = match self.program {
            Program::White => state.aggressive(),
            Program::Black => state.grabbing(sensible.clone()),
        };
        // Where no position is left in the sample, or none allows what may be tried, anything is as good.
        let best = best.into_iter().find(|attempt| sensible.contains(attempt));
        let best = best.or_else(|| sensible.choose(&mut state.random).copied());
        Ok(best.map_or(Choice::Resign, Choice::Try))
    }
}

impl State {
    fn aggressive(&mut self) -> Vec<Attempt> {
        let keys: Vec<Key> = self.pool.keys().sample(&mut self.random, LOOKED_AT).copied().collect();
        let positions = keys.into_iter().filter_map(|key| self.pool.view().position(key));
        // The program thinks as White.
        let belief: Vec<Position> = match self.side {
            Color::White => positions.map(|chess| Position::of(&chess)).collect(),
            Color::Black => {
                positions.filter_map(|chess| mirrored(&chess)).map(|chess| Position::of(&chess)).collect()
            }
        };
        let mut ranked = aggressive(&self.domain, &belief);
        if self.side == Color::Black {
            for attempt in &mut ranked {
                attempt.from = attempt.from.flip_vertical();
                attempt.to = attempt.to.flip_vertical();
            }
        }
        ranked
    }

    fn grabbing(&mut self, sensible: Vec<Attempt>) -> Vec<Attempt> {
        let hearing = self.pool.view();
        let positions = self.pool.keys().iter().filter_map(|&key| hearing.position(key));
        let belief: Vec<Position> = positions.map(|chess| Position::of(&chess)).collect();
        grabbing(&belief, self.side, sensible, &mut self.random)
    }
}

/// The same position with the sides exchanged.
fn mirrored(chess: &Chess) -> Option<Chess> {
    chess.to_setup(EnPassantMode::Legal).into_mirrored().position(CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Rules, Umpire, start};

    use super::*;

    /// What a program tries in a position that it knows.
    fn choice(program: Program, fen: &str, side: Color) -> String {
        let start = start::position(fen).unwrap();
        let mut player = Wolfe::new(program);
        player.start(Game { side, rules: Rules::berkeley(), start, seed: 7 }).unwrap();
        match player.choose(&Budget::unlimited()) {
            Ok(Choice::Try(attempt)) => attempt.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_take_a_queen_that_hangs_with_either_colour() {
        for program in [Program::White, Program::Black] {
            let with_white = choice(program, "3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", Color::White);
            assert_eq!(with_white, "d1d8", "{program:?}");
            let with_black = choice(program, "3rk3/8/8/8/8/8/8/3QK3 b - - 0 1", Color::Black);
            assert_eq!(with_black, "d8d1", "{program:?}");
        }
    }

    #[test]
    fn a_refusal_is_not_tried_again() {
        let rules = Rules::berkeley();
        let mut umpire = Umpire::new(rules.clone());
        let mut players = [Wolfe::new(Program::White), Wolfe::new(Program::Black)];
        for (player, side) in players.iter_mut().zip(Color::ALL) {
            player.start(Game { side, rules: rules.clone(), start: Chess::new(), seed: 3 }).unwrap();
        }
        for _ in 0..150 {
            if umpire.over().is_some() {
                return;
            }
            let mover = usize::from(umpire.to_move() == Color::Black);
            let Ok(Choice::Try(attempt)) = players[mover].choose(&Budget::unlimited()) else { panic!() };
            assert!(umpire.sensible_attempts().contains(&attempt));
            let event = umpire.attempt(attempt).unwrap();
            for (player, side) in players.iter_mut().zip(Color::ALL) {
                event.heard_by(side, &rules).map_or(Ok(()), |heard| player.hear(&heard)).unwrap();
            }
        }
    }
}
