//! Fitting a [`Policy`] to games by maximum likelihood.
//!
//! Every move of a wanted side is one observation: the features of its legal moves, and which of them was made. The likelihood
//! of a conditional logit is concave, so plain gradient ascent finds its top; a normal prior keeps weights of features
//! that are seldom seen near zero.

use std::ops::ControlFlow;

use nebel_kriegspiel::{Attempt, Chess, Color, Event, Input, Position as _, Transcript};
use nebel_position::{Men, Move, Side, Sides};

use super::{
    policy::{FLOOR, Policy, Scene, Sight},
    policy_features::{FEATURES, Features, features},
};
use crate::moved::Moved;

/// Moves that were made, with what else could have been.
#[derive(Clone, Debug, Default)]
pub struct PolicyFit {
    turns: Vec<Observed>,
}

/// One turn: the features of its legal moves, and the move that was made.
#[derive(Clone, Debug)]
struct Observed {
    moves: Vec<Features>,
    made: usize,
}

/// How well a policy foretells moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Foretold {
    /// How many moves were looked at.
    pub moves: usize,
    /// The mean logarithm of their chances, in nats.
    pub nats: f64,
    /// The same if all legal moves are alike.
    pub even: f64,
}

/// Rounds of gradient ascent; after half of them the likelihood moves in the fifth digit.
const ROUNDS: usize = 300;
/// The prior counts as much as so many moves that pull each weight to zero.
const PRIOR: f64 = 2.0;
/// The length of a step (Adam's, with its usual averages).
const STEP: f64 = 0.05;

impl PolicyFit {
    /// Learns how the sides that are `wanted` move in this game.
    pub fn add(&mut self, game: &Transcript, wanted: impl Fn(Color) -> bool) {
        for_each_turn(game, wanted, |scene, made| {
            let mut moves = Vec::new();
            let mut chosen = None;
            let _ = scene.legal.for_each_move(|m| {
                let is_made = m.from == made.from && m.to == made.to && m.promotion == made.promotion;
                chosen = chosen.or(is_made.then_some(moves.len()));
                moves.push(features(scene, m));
                ControlFlow::Continue(())
            });
            self.turns.extend(chosen.map(|made| Observed { moves, made }));
        });
    }

    /// How many moves it has learnt from.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether it has seen nothing.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The policy under which the moves are likeliest.
    pub fn finish(&self) -> Policy {
        let mut weights = vec![0.0_f64; FEATURES];
        let (mut mean, mut square) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
        for round in 1..=ROUNDS {
            let gradient = self.gradient(&weights);
            let (mean_left, square_left) =
                (1.0 - 0.9_f64.powi(round as i32), 1.0 - 0.99_f64.powi(round as i32));
            for (index, slope) in gradient.into_iter().enumerate() {
                mean[index] = 0.9 * mean[index] + 0.1 * slope;
                square[index] = 0.99 * square[index] + 0.01 * slope * slope;
                let pace = (square[index] / square_left).sqrt() + 1e-9;
                weights[index] += STEP * (mean[index] / mean_left) / pace;
            }
        }
        let weights = weights.into_iter().map(|weight| weight as f32).collect();
        Policy::new(weights, FLOOR).unwrap_or_else(Policy::even)
    }

    /// The slope of the likelihood a move.
    fn gradient(&self, weights: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| -PRIOR * weight).collect();
        let mut chances = Vec::new();
        for Observed { moves, made } in &self.turns {
            chances.clear();
            let score = |features: &Features| -> f64 {
                features.iter().map(|&feature| weights[usize::from(feature)]).sum()
            };
            chances.extend(moves.iter().map(|features| score(features).exp()));
            let total: f64 = chances.iter().sum();
            for (index, (features, chance)) in moves.iter().zip(&chances).enumerate() {
                let pull = f64::from(u8::from(index == *made)) - chance / total;
                for &feature in features {
                    gradient[usize::from(feature)] += pull;
                }
            }
        }
        let count = self.turns.len().max(1) as f64;
        for slope in &mut gradient {
            *slope /= count;
        }
        gradient
    }
}

impl Policy {
    /// How well it foretells the moves of the sides that are `wanted` in these games.
    pub fn foretell<'a>(
        &self,
        games: impl Iterator<Item = &'a Transcript>,
        wanted: impl Fn(&Transcript, Color) -> bool,
    ) -> Foretold {
        let mut foretold = Foretold::default();
        for game in games {
            for_each_turn(
                game,
                |color| wanted(game, color),
                |scene, made| {
                    let chances = self.chances(scene);
                    let role = scene.legal.sides().mover.role_at(made.from);
                    let Some(role) = role else { return };
                    let m = Move { from: made.from, to: made.to, role, promotion: made.promotion };
                    foretold.moves += 1;
                    foretold.nats += f64::from(chances.chance(m)).max(1e-9).ln();
                    foretold.even -= (scene.legal.count_moves().max(1) as f64).ln();
                },
            );
        }
        let count = foretold.moves.max(1) as f64;
        Foretold { moves: foretold.moves, nats: foretold.nats / count, even: foretold.even / count }
    }
}

/// Calls `each` with every turn of the wanted sides, and the move made in it.
fn for_each_turn(
    game: &Transcript,
    wanted: impl Fn(Color) -> bool,
    mut each: impl FnMut(&Scene<'_>, Attempt),
) {
    let mut position: Chess = game.header().start.clone();
    let mut sight = Sight::default();
    let mut last: [Option<Moved>; 2] = [None; 2];
    for event in game.events() {
        let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event else { continue };
        let Some(announcement) = event.announcement() else { continue };
        let (mover, other) = (Men::of(&position, *by), Men::of(&position, !*by));
        if wanted(*by) {
            let legal = Sides { color: *by, mover: &mover, other: &other }.legal();
            each(&Scene { legal: &legal, sight, last: last[*by as usize] }, *attempt);
        }
        let Some(m) = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt) else {
            return;
        };
        last[*by as usize] =
            Some(Moved::new(attempt.from, attempt.to, attempt.promotion.unwrap_or(m.role())));
        position.play_unchecked(m);
        sight = Sight::after(announcement, !*by);
    }
}
