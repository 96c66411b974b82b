//! Learning a model from games.

use nebel_kriegspiel::{
    Announcement, Attempt, Bitboard, Chess, Color, Event, Input, Position, Role, Square, Transcript, Tries,
};
use std::sync::Arc;

use super::{Density, Model, PolicyFit, Reactions, UNCERTAIN, exposure, file::LARGEST_RATE};
use crate::matrices::{MatrixTracker, Squares};

/// Counts over games, from which a model is made.
#[derive(Clone, Debug)]
pub struct Fit {
    games: u32,
    /// By colour and number of moves made: how often each role stood on each square, and in how many games.
    counts: [Vec<Tally>; 2],
    recapture: Rate,
    take_checker: Rate,
    use_try: Share,
    hazard: Share,
    policy: PolicyFit,
}

/// By role and square how often a man stood there, and in how many games it could have.
type Tally = (Box<[[u32; 64]; 6]>, u32);

/// The last move of which densities are kept: later they are too noisy to be of use.
const LAST: usize = 60;
/// Every move up to this, then every fourth.
const DENSE: usize = 12;
/// Turns of prior belief in the guessed reactions, so that a few games do not make extremes.
const PRIOR: f64 = 20.0;

/// How often something happened of the times that it could.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    happened: f64,
    of: f64,
}

impl Share {
    fn count(&mut self, happened: bool) {
        self.happened += f64::from(u8::from(happened));
        self.of += 1.0;
    }

    fn value(self, guess: f32) -> f32 {
        ((self.happened + PRIOR * f64::from(guess)) / (self.of + PRIOR)) as f32
    }
}

/// At which control something happened, and at which it did not.
#[derive(Clone, Debug, Default)]
struct Rate {
    happened: Vec<f32>,
    otherwise: f64,
}

impl Rate {
    fn count(&mut self, happened: bool, control: f32) {
        let control = control + UNCERTAIN;
        if happened {
            self.happened.push(control);
        } else {
            self.otherwise += f64::from(control);
        }
    }

    /// The rate that makes what was counted most likely, with [`PRIOR`] turns at control 1 that go by the guess. The derivative of the log-likelihood
    /// falls with the rate, so its root is found by halving.
    fn value(&self, guess: f32) -> f32 {
        let share = f64::from(Reactions::chance(guess, 1.0 - UNCERTAIN));
        let pull = |rate: f64, control: f64| control / ((rate * control).exp() - 1.0).max(1e-12);
        let slope = |rate: f64| {
            let seen: f64 = self.happened.iter().map(|&control| pull(rate, f64::from(control))).sum();
            seen + PRIOR * share * pull(rate, 1.0) - self.otherwise - PRIOR * (1.0 - share)
        };
        let (mut low, mut high) = (1e-4, LARGEST_RATE);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        low as f32
    }
}

impl Default for Fit {
    fn default() -> Fit {
        let empty = || vec![(Box::new([[0; 64]; 6]), 0); LAST + 3];
        Fit {
            games: 0,
            counts: [empty(), empty()],
            recapture: Rate::default(),
            take_checker: Rate::default(),
            use_try: Share::default(),
            hazard: Share::default(),
            policy: PolicyFit::default(),
        }
    }
}

impl Fit {
    /// Learns how the sides that are `wanted` play in this game.
    pub fn add(&mut self, game: &Transcript, wanted: impl Fn(Color) -> bool) {
        if !Color::ALL.into_iter().any(&wanted) {
            return;
        }
        self.games += 1;
        self.policy.add(game, &wanted);
        let header = game.header();
        let mut position = header.start.clone();
        let mut made = [0; 2];
        Color::ALL
            .into_iter()
            .filter(|&color| wanted(color))
            .for_each(|color| self.count_men(&position, color, 0));
        let even = Arc::new(Model::even());
        let mut listeners = Color::ALL.map(|side| {
            let listener = MatrixTracker::new(header.rules.clone(), &header.start, side, even.clone());
            (side, listener)
        });
        let mut last: Option<(Attempt, Announcement)> = None;
        for event in game.events() {
            if let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event
                && let Some(said) = event.announcement()
            {
                if let Some((before, answer)) = last.filter(|_| wanted(*by)) {
                    let listener =
                        &listeners.iter().find(|(side, _)| side != by).map(|(_, listener)| listener);
                    self.react(before, &answer, *attempt, said, &position, *listener);
                }
                let Some(m) = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt)
                else {
                    return;
                };
                position.play_unchecked(m);
                made[*by as usize] += 1;
                if wanted(*by) {
                    self.count_men(&position, *by, made[*by as usize]);
                }
                last = Some((*attempt, *said));
            }
            for (side, listener) in &mut listeners {
                if let Some(heard) = event.heard_by(*side, &header.rules)
                    && listener.hear(&heard).is_err()
                {
                    return;
                }
            }
        }
    }

    /// The model of what was counted.
    pub fn finish(&self) -> Model {
        let snapshots: Vec<u32> =
            (0..=LAST).filter(|&at| at <= DENSE || at % 4 == 0).map(|at| at as u32).collect();
        let densities = [0, 1].map(|color: usize| {
            snapshots.iter().map(|&at| self.smoothed(color, at as usize)).collect::<Vec<Density>>()
        });
        let guess = Reactions::GUESSED;
        let reactions = Reactions {
            recapture: self.recapture.value(guess.recapture),
            take_checker: self.take_checker.value(guess.take_checker),
            use_try: self.use_try.value(guess.use_try),
            hazard: self.hazard.value(guess.hazard),
        };
        Model::new(self.games, snapshots, densities, reactions).with_policy(self.policy.finish())
    }

    fn count_men(&mut self, position: &Chess, color: Color, moves: usize) {
        let Some((counts, games)) = self.counts[color as usize].get_mut(moves) else { return };
        *games += 1;
        let board = position.board();
        for role in Role::ALL {
            for square in board.by_color(color) & board.by_role(role) {
                counts[role as usize - 1][square.to_usize()] += 1;
            }
        }
    }

    /// Counts how one move answers another.
    fn react(
        &mut self,
        before: Attempt,
        answer: &Announcement,
        reply: Attempt,
        said: &Announcement,
        position: &Chess,
        victim: Option<&MatrixTracker>,
    ) {
        let Some(victim) = victim else { return };
        let own = victim.own().men().squares();
        let control = |square: Square| victim.matrices().control(square, own);
        let captures_on = |square: Square| said.capture.is_some() && reply.to == square;
        let has_tries = match answer.tries {
            Some(Tries::Count(count)) => count > 0,
            Some(Tries::Any(any)) => any,
            Some(Tries::From(from)) => from.any(),
            None => false,
        };
        if answer.capture.is_some() {
            self.recapture.count(captures_on(before.to), control(before.to));
        } else if !answer.check.is_empty() {
            self.take_checker.count(captures_on(before.to), control(before.to));
        }
        if has_tries {
            let is_pawn = position.board().role_at(reply.from) == Some(Role::Pawn);
            self.use_try.count(is_pawn && said.capture.is_some());
        } else if answer.capture.is_none() && answer.check.is_empty() {
            let exposed = own & !victim.own().men().by_role(Role::King);
            let sum: f32 = exposed.into_iter().map(|square| control(square) + UNCERTAIN).sum();
            self.hazard.happened += f64::from(u8::from(said.capture.is_some()));
            self.hazard.of += f64::from(sum * exposure(victim.men_left() as f32));
        }
    }

    /// A density averaged over neighbouring moves, and late in the game over neighbouring squares too.
    fn smoothed(&self, color: usize, at: usize) -> Density {
        let reach = if at <= DENSE { 0 } else { 2 };
        let window = &self.counts[color][at - reach..=(at + reach).min(LAST + 2)];
        let games: u32 = window.iter().map(|(_, games)| games).sum();
        let mut density = [[0.0; 64]; 6];
        for (role, squares) in density.iter_mut().enumerate() {
            for (square, share) in squares.iter_mut().enumerate() {
                let count: u32 = window.iter().map(|(counts, _)| counts[role][square]).sum();
                *share = count as f32 / games.max(1) as f32;
            }
            // Pawns keep to their files, so only pieces and kings are spread over squares.
            if at > DENSE && role != Role::Pawn as usize - 1 {
                *squares = blurred(squares);
            }
        }
        density
    }
}

/// Half of what each square has, and half of the mean of its neighbours' shares.
fn blurred(squares: &Squares) -> Squares {
    let mut blurred = squares.map(|share| share / 2.0);
    for square in Bitboard::FULL {
        let near = shakmaty::attacks::king_attacks(square);
        let share = squares[square.to_usize()] / 2.0 / near.count() as f32;
        for to in near {
            blurred[to.to_usize()] += share;
        }
    }
    blurred
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn a_rate_is_found_again_from_what_it_brings_about() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for rate in [0.1, 0.9, 2.5] {
            let mut counted = Rate::default();
            for _ in 0..20_000 {
                let control = random.random_range(0.0..3.0);
                counted.count(random.random::<f32>() < Reactions::chance(rate, control), control);
            }
            let found = counted.value(1.0);
            assert!((found / rate - 1.0).abs() < 0.05, "{found} for {rate}");
        }
    }

    #[test]
    fn nothing_counted_leaves_the_guess() {
        for guess in [0.3, 1.0] {
            assert!((Rate::default().value(guess) / guess - 1.0).abs() < 0.02);
        }
    }
}
