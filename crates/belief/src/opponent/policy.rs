//! A move policy: how likely the other side makes each of its legal moves, given what it can see and guess.
//!
//! It sees its own men and what the umpire told it last ([`Sight`]): that a man was captured and where, that it is in check,
//! that its pawns have captures. From these each move has a few features, each feature a weight, and the chance of a move
//! is a softmax over the legal moves (a conditional logit, fitted by maximum likelihood in [`super::policy_fit`]), with a floor
//! shared by all legal moves, since nobody plays by a formula. What a move meets is a feature though the mover cannot see it, since it
//! guesses: whether it captures, whether the other side guards the square (`policy_features`), whether it gives check. In games of our players a
//! move that takes an unseen man is some three times as likely as one that does not.

use nebel_kriegspiel::{Announcement, Color, Role, Square, Tries};
use nebel_position::{Legal, Men, Move};

pub use super::policy_features::FEATURES;
use super::policy_turn::{Factors, Turn};
use crate::moved::Moved;

/// What the side to move was told last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sight {
    /// Where it has just lost a man, which is where the capturing man stands.
    pub lost: Option<Square>,
    /// Whether it is in check.
    pub check: bool,
    /// Whether its pawns can capture, where it was told.
    pub tries: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
/// One turn of the side to move: its legal moves, its men, what it was told, and the move it made before.
pub struct Scene<'a> {
    /// What is legal.
    pub legal: &'a Legal<&'a Men, &'a Men>,
    /// What it was told.
    pub sight: Sight,
    /// The move before, where it is known.
    pub last: Option<Moved>,
}

/// The weights of the features, and the floor.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    weights: Vec<f32>,
    floor: f32,
    factors: Box<Factors>,
}

/// The share that all legal moves have alike. By hand, no match.
pub const FLOOR: f32 = 0.02;

impl Sight {
    /// By what was announced of the move before.
    pub fn after(announcement: &Announcement, mover: Color) -> Sight {
        Sight {
            lost: announcement.capture.map(|capture| capture.captured_square(mover)),
            check: !announcement.check.is_empty(),
            tries: announcement.tries.map(Tries::are_there),
        }
    }
}

impl Policy {
    /// A policy of these weights; `None` if there are not as many as there are features, or one is no number.
    pub fn new(weights: Vec<f32>, floor: f32) -> Option<Policy> {
        let is_sound = weights.len() == FEATURES && weights.iter().all(|weight| weight.abs() < 100.0);
        (is_sound && (0.0..=1.0).contains(&floor)).then(|| Policy::sound(weights, floor))
    }

    fn sound(weights: Vec<f32>, floor: f32) -> Policy {
        Policy { factors: Box::new(Factors::of(&weights)), weights, floor }
    }

    /// All legal moves alike.
    pub fn even() -> Policy {
        Policy::sound(vec![0.0; FEATURES], 1.0)
    }

    /// The weights, as [`Policy::new`] takes them.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The share that all legal moves have alike.
    pub fn floor(&self) -> f32 {
        self.floor
    }

    /// The chances of a turn, worked out once for all its moves.
    pub fn chances<'a>(&'a self, scene: &Scene<'a>) -> MoveChances<'a> {
        let turn = Turn::new(&self.factors, scene);
        let (mut total, mut count) = (0.0, 0_u32);
        turn.for_each(|_, share| {
            total += share;
            count += 1;
        });
        MoveChances { turn, floor: self.floor, total, even: 1.0 / count.max(1) as f32 }
    }

    /// All legal moves of a turn with their chances, which add up to one.
    pub fn replies(&self, scene: &Scene<'_>, replies: &mut Vec<(Move, f32)>) {
        replies.clear();
        let mut total = 0.0;
        Turn::new(&self.factors, scene).for_each(|m, share| {
            total += share;
            replies.push((m, share));
        });
        let even = self.floor / replies.len().max(1) as f32;
        for (_, chance) in replies {
            *chance = (1.0 - self.floor) * *chance / total.max(f32::MIN_POSITIVE) + even;
        }
    }
}

/// The chances of the legal moves of one turn.
pub struct MoveChances<'a> {
    turn: Turn<'a>,
    floor: f32,
    total: f32,
    even: f32,
}

impl MoveChances<'_> {
    /// The chance of a legal move.
    pub fn chance(&self, m: Move) -> f32 {
        let share = self.turn.share(m) / self.total.max(f32::MIN_POSITIVE);
        (1.0 - self.floor) * share + self.floor * self.even
    }

    /// The chance of a legal move that was made by this man.
    pub fn chance_of(&self, moved: Moved, was: Role) -> f32 {
        let promotion = (was == Role::Pawn && moved.role() != Role::Pawn).then_some(moved.role());
        self.chance(Move { from: moved.from(), to: moved.to(), role: was, promotion })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use nebel_kriegspiel::{Attempt, Chess, Position as _, start};
    use nebel_position::Sides;
    use rand::{RngExt, SeedableRng, seq::IndexedRandom};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::policy_features::{RECAPTURE, features};
    use super::*;

    fn chances(fen: &str, policy: &Policy, sight: Sight) -> Vec<(String, f32)> {
        let position: Chess = start::position(fen).unwrap();
        let (mover, other) = (Men::of(&position, Color::Black), Men::of(&position, Color::White));
        let legal = Sides { color: Color::Black, mover: &mover, other: &other }.legal();
        let scene = Scene { legal: &legal, sight, last: None };
        let turn = policy.chances(&scene);
        let mut all = Vec::new();
        let _ = legal.for_each_move(|m| {
            all.push((format!("{}{}", m.from, m.to), turn.chance(m)));
            ControlFlow::Continue(())
        });
        all
    }

    /// The quick way says what the features say.
    #[test]
    fn shares_are_the_exponentials_of_the_features() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let weights: Vec<f32> = (0..FEATURES).map(|_| random.random_range(-1.0..1.0)).collect();
        let policy = Policy::new(weights.clone(), 0.0).unwrap();
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Chess::new();
            let (mut sight, mut last) = (Sight::default(), [None; 2]);
            for _ in 0..150 {
                let Some(&played) = position.legal_moves().choose(&mut random) else { break };
                let color = position.turn();
                let (mover, other) = (Men::of(&position, color), Men::of(&position, !color));
                let legal = Sides { color, mover: &mover, other: &other }.legal();
                let scene = Scene { legal: &legal, sight, last: last[color as usize] };
                let (mut shares, mut replies) = (Vec::new(), Vec::new());
                let _ = legal.for_each_move(|m| {
                    let score: f32 =
                        features(&scene, m).iter().map(|&feature| weights[usize::from(feature)]).sum();
                    shares.push((m, score.exp()));
                    ControlFlow::Continue(())
                });
                let total: f32 = shares.iter().map(|(_, share)| share).sum();
                let chances = policy.chances(&scene);
                policy.replies(&scene, &mut replies);
                assert_eq!(replies.len(), shares.len());
                for (m, share) in shares {
                    let reply = replies.iter().find(|(known, _)| *known == m).unwrap().1;
                    assert!((chances.chance(m) - share / total).abs() < 1e-4, "{m:?} {position:?}");
                    assert!((reply - share / total).abs() < 1e-4, "{m:?} {position:?}");
                    compared += 1;
                }
                last[color as usize] = Some(Moved::new(
                    played.from().unwrap(),
                    Attempt::of_move(played).to,
                    played.promotion().unwrap_or(played.role()),
                ));
                sight = Sight {
                    lost: played.is_capture().then(|| played.to()),
                    check: random.random_ratio(1, 5),
                    tries: [None, Some(false), Some(true)][random.random_range(0..3)],
                };
                position.play_unchecked(played);
            }
        }
        assert!(compared > 50_000, "{compared}");
    }

    #[test]
    fn chances_add_up_and_a_recapture_stands_out() {
        let fen = "4k3/8/2p1n3/3P4/8/8/8/4K3 b - - 0 1";
        let mut weights = vec![0.0; FEATURES];
        weights[usize::from(RECAPTURE)] = 2.0;
        let policy = Policy::new(weights, 0.1).unwrap();
        let sight = Sight { lost: Some(Square::D5), ..Sight::default() };
        let all = chances(fen, &policy, sight);
        assert!((all.iter().map(|(_, chance)| chance).sum::<f32>() - 1.0).abs() < 1e-4);
        let of = |name: &str| all.iter().find(|(known, _)| known == name).unwrap().1;
        assert!(of("c6d5") > 3.0 * of("c6c5"));
        let even = chances(fen, &Policy::even(), sight);
        assert!(even.iter().all(|(_, chance)| (chance * even.len() as f32 - 1.0).abs() < 1e-4));
    }
}
