//! The model of the opponent: where players of a colour have their men by move number, and how they react.
//!
//! Ciancarini and Favini (2010, section 5) learn from games the matrices `D_w(p, t)` and `D_b(p, t)`, how often a man
//! p stands on a square after t moves. Approach A draws boards by the values themselves; approaches B
//! and C let beliefs drift along their gradients `D(p, t+1) − D(p, t)`, here an [`Attraction`] for every move.
//! The constants of their second set of assumptions (how likely is a recapture, …) are learnt from the same games:
//! [`Reactions`]. How likely each legal move is says the [`policy`].
//!
//! A model comes from a collection of games, of everybody or of one player ([`Fit`]), and is a small file
//! ([`file`]). The one in [`Model::standard`] was learnt from games of this project's own players.

pub mod file;
mod fit;
pub mod policy;
mod policy_features;
mod policy_fit;
mod policy_turn;

use std::sync::{Arc, OnceLock};

use nebel_kriegspiel::{Color, Role, Square};

pub use fit::Fit;
pub use policy::Policy;
pub use policy_fit::{Foretold, PolicyFit};

use crate::matrices::{Squares, spread::Attraction};

/// A model of an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Of how many games it was learnt.
    pub games: u32,
    /// The numbers of moves at which densities were taken; between them they are interpolated, behind them nothing is known.
    snapshots: Vec<u32>,
    /// By colour and snapshot, for each role the density on each square.
    densities: [Vec<Density>; 2],
    /// How players react.
    pub reactions: Reactions,
    /// How likely they make each of their legal moves.
    pub policy: Arc<Policy>,
    /// By colour and move number, from 1.
    attractions: [Vec<Attraction>; 2],
}

/// For each role, pawn to king, the density on each square.
pub type Density = [Squares; 6];

/// How players react to announcements. How well a square is controlled, as far as the other side can tell, says much about
/// whether its man is taken: rates are per unit of control, and a rate r at control x makes a chance of 1 − e^(−r·x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reactions {
    /// The man that has just captured is captured: a rate.
    pub recapture: f32,
    /// The man that has just given check is captured: a rate.
    pub take_checker: f32,
    /// A side that was told of a pawn capture makes one: a share of turns.
    pub use_try: f32,
    /// After silence a given man is captured: a rate, for an opponent with eight men. One with fewer looks at each square more often.
    pub hazard: f32,
}

impl Reactions {
    /// Guesses in the sense of the paper ("a very high chance", "a fixed chance"), for a model of no games.
    pub const GUESSED: Reactions =
        Reactions { recapture: 1.0, take_checker: 0.3, use_try: 0.9, hazard: 0.05 };

    /// The chance that a man on a square of this control is taken, at this rate. No control is certain to be none.
    pub fn chance(rate: f32, control: f32) -> f32 {
        1.0 - (-rate * (control + UNCERTAIN)).exp()
    }

    /// The rate of [`Reactions::hazard`] for an opponent with so many men.
    pub fn hazard_of(&self, men: f32) -> f32 {
        self.hazard * exposure(men)
    }
}

/// How much more often than one with eight men an opponent with so many looks at a square.
fn exposure(men: f32) -> f32 {
    16.0 / (8.0 + men)
}

/// How the rise and fall of densities becomes an attraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gradient {
    /// Where the density rises, by how much; a share is even, so that no square is out of reach.
    Rises,
    /// The same with so many hundredths even, to find out what the share is worth.
    Mixed(u8),
    /// As the paper says: the differences scaled and centred so that their sum is 1 (64 here, which is the same to those who divide
    /// by it). What falls most attracts nothing.
    Centred,
}

/// Control where none is seen.
const UNCERTAIN: f32 = 0.05;

/// How much of every attraction is even, so that no square is out of reach. By hand; `docs/players.md` has what others foretell.
const EVEN_SHARE: f32 = 0.3;

impl Model {
    /// The model that ships with the project, learnt from the games of its own players (`docs/players.md` says how).
    pub fn standard() -> Arc<Model> {
        static STANDARD: OnceLock<Arc<Model>> = OnceLock::new();
        let read =
            || Arc::new(Model::from_json(include_str!("standard.json")).unwrap_or_else(|_| Model::even()));
        STANDARD.get_or_init(read).clone()
    }

    /// A model that knows nothing: no square attracts more than another.
    pub fn even() -> Model {
        Model::new(0, Vec::new(), [Vec::new(), Vec::new()], Reactions::GUESSED)
    }

    fn new(games: u32, snapshots: Vec<u32>, densities: [Vec<Density>; 2], reactions: Reactions) -> Model {
        let mut model = Model {
            games,
            snapshots,
            densities,
            reactions,
            policy: Arc::new(Policy::even()),
            attractions: [Vec::new(), Vec::new()],
        };
        model.attract(Gradient::Rises);
        model
    }

    /// The same with attractions made in another way.
    #[must_use]
    pub fn with_gradient(mut self, gradient: Gradient) -> Model {
        self.attract(gradient);
        self
    }

    fn attract(&mut self, gradient: Gradient) {
        let last = self.snapshots.last().copied().unwrap_or(0);
        for color in Color::ALL {
            let attractions = (1..=last).map(|number| self.gradient(color, number, gradient)).collect();
            self.attractions[color as usize] = attractions;
        }
    }

    /// The same with another policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Model {
        Model { policy: Arc::new(policy), ..self }
    }

    /// What attracts the men of `color` when it makes this move; nothing in particular where the model ends.
    pub fn attraction(&self, color: Color, move_number: u32) -> &Attraction {
        let index = (move_number as usize).saturating_sub(1);
        self.attractions[color as usize].get(index).unwrap_or(&Attraction::EVEN)
    }

    /// How often a man of this role stands on this square after so many moves of `color`. Behind the last
    /// snapshot the last one is taken.
    pub fn density(&self, color: Color, role: Role, moves: u32, square: Square) -> f32 {
        let at = |density: &Density| density[role as usize - 1][square.to_usize()];
        let densities = &self.densities[color as usize];
        let Some(after) = self.snapshots.iter().position(|&known| known >= moves) else {
            return densities.last().map_or(0.0, at);
        };
        let (low, high) = (self.snapshots[after.saturating_sub(1)], self.snapshots[after]);
        if high == moves || after == 0 {
            return at(&densities[after]);
        }
        let share = (moves - low) as f32 / (high - low) as f32;
        (1.0 - share) * at(&densities[after - 1]) + share * at(&densities[after])
    }

    fn gradient(&self, color: Color, number: u32, how: Gradient) -> Attraction {
        let of = |roles: &[Role]| -> Squares {
            let change = |square: Square| -> f32 {
                let density = |moves| -> f32 {
                    roles.iter().map(|&role| self.density(color, role, moves, square)).sum()
                };
                density(number) - density(number - 1)
            };
            let changes: Squares = std::array::from_fn(|at| change(Square::new(at as u32)));
            if how == Gradient::Centred {
                let least = changes.iter().copied().fold(f32::MAX, f32::min);
                let sum: f32 = changes.iter().map(|change| change - least).sum();
                return changes.map(|change| if sum > 1e-6 { 64.0 * (change - least) / sum } else { 1.0 });
            }
            let even = if let Gradient::Mixed(hundredths) = how {
                f32::from(hundredths.min(100)) / 100.0
            } else {
                EVEN_SHARE
            };
            let rises = changes.map(|change| change.max(0.0));
            let sum: f32 = rises.iter().sum();
            // Centred at 1 and scaled: where nothing rises, all squares are equal.
            rises.map(|rise| if sum > 1e-6 { even + (1.0 - even) * 64.0 * rise / sum } else { 1.0 })
        };
        Attraction {
            king: of(&[Role::King]),
            pawn: of(&[Role::Pawn]),
            piece: of(&[Role::Knight, Role::Bishop, Role::Rook, Role::Queen]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One man goes from a1 to b1 in half of the games, and nothing else moves: the differences are −1/2, 1/2 and 62 times 0.
    #[test]
    fn gradients_are_scaled_and_centred_by_hand() {
        let mut densities = [[[0.0; 64]; 6]; 2];
        let king = Role::King as usize - 1;
        densities[0][king][Square::A1.to_usize()] = 1.0;
        densities[1][king][Square::A1.to_usize()] = 0.5;
        densities[1][king][Square::B1.to_usize()] = 0.5;
        let model = Model::new(2, vec![0, 1], [densities.to_vec(), densities.to_vec()], Reactions::GUESSED);
        let at = |model: &Model, square: Square| model.attraction(Color::White, 1).king[square.to_usize()];
        // Rises only: all of what is not even goes to b1.
        assert!((at(&model, Square::B1) - (0.3 + 0.7 * 64.0)).abs() < 1e-3);
        assert!((at(&model, Square::A1) - 0.3).abs() < 1e-6);
        // All of it even: nothing attracts.
        let even = model.clone().with_gradient(Gradient::Mixed(100));
        assert!(Square::ALL.iter().all(|&square| (at(&even, square) - 1.0).abs() < 1e-6));
        assert_eq!(model.clone().with_gradient(Gradient::Mixed(30)).attractions, model.attractions);
        // Centred: 0 on a1, 1 on b1, 1/2 elsewhere, of 32 in all.
        let model = model.with_gradient(Gradient::Centred);
        assert!(at(&model, Square::A1).abs() < 1e-6);
        assert!((at(&model, Square::B1) - 64.0 / 32.0).abs() < 1e-5);
        assert!((at(&model, Square::H8) - 32.0 / 32.0).abs() < 1e-5);
    }
}
