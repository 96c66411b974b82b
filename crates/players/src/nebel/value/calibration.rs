//! How a value in pawns becomes chances to win, draw and lose.
//!
//! An ordered logistic curve: whoever is further ahead wins more and loses less, and how steep that is and how wide the draw depends on how many
//! men are left.

use serde::{Deserialize, Serialize};

/// The least slope and width.
const LEAST: f32 = 1e-3;

/// How a value in pawns becomes chances: with no men left, and with all of them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// So much more likely, as the logarithm of odds, a pawn makes a win.
    pub slope: [f32; 2],
    /// How far ahead, in the same unit, a side must be to win every other game; the draw lies between this and the same behind.
    pub width: [f32; 2],
}

/// How likely a game is won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Odds {
    /// Won.
    pub win: f32,
    /// Drawn.
    pub draw: f32,
    /// Lost.
    pub loss: f32,
}

impl Calibration {
    /// The slope and the width of the draw where so large a share of the men is left.
    pub fn at(&self, men_left: f32) -> (f32, f32) {
        let between = |[none, all]: [f32; 2]| (none + (all - none) * men_left).max(LEAST);
        (between(self.slope), between(self.width))
    }

    /// How likely a value in pawns wins, draws and loses.
    pub fn odds(&self, pawns: f32, men_left: f32) -> Odds {
        let (slope, width) = self.at(men_left);
        let (win, loss) = (logistic(slope * pawns - width), logistic(-slope * pawns - width));
        Odds { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

impl Odds {
    /// The points to be expected of a game.
    pub fn points(self) -> f32 {
        self.win + self.draw / 2.0
    }
}

/// The logistic curve.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances_and_grow_with_the_value() {
        let calibration = Calibration { slope: [0.2, 0.3], width: [0.5, 0.1] };
        let odds = [-30.0, -3.0, 0.0, 3.0, 30.0].map(|pawns| calibration.odds(pawns, 0.5));
        for Odds { win, draw, loss } in odds {
            assert!((win + draw + loss - 1.0).abs() < 1e-6 && win >= 0.0 && draw >= 0.0 && loss >= 0.0);
        }
        assert!(odds.windows(2).all(|pair| pair[0].points() < pair[1].points()));
        assert!((odds[2].points() - 0.5).abs() < 1e-6);
    }
}
