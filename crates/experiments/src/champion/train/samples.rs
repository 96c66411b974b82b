//! What is learned from: turns, and what came of them.
//!
//! The target of a turn is made of later turns of the same side, which know more: the odds that go with the search's value one turn later, two turns later,
//! and so on, each counting λ times as much as the one before, and the result for all that is left. That is the λ-return of temporal differences
//! (Sutton 1988): it is less noisy than the result, and it sees what happened to the man that the value was about.

use nebel_players::{Calibration, Inputs, Odds, men_left};

use super::self_play::Noted;

/// One of so many pairs of games is held out. Both games of a pair begin alike, so they stay together.
const HELD_OUT: usize = 5;

/// A turn, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// What the search says, in pawns.
    pub(super) pawns: f32,
    pub(super) inputs: Inputs,
    /// What it ended with.
    pub(super) result: Odds,
    /// What is to be foretold.
    pub(super) target: Odds,
    /// Whether the next sample is the same side's next turn.
    pub(super) goes_on: bool,
    pub(super) is_held_out: bool,
}

/// All turns of all games, each side's one after the other.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) all: Vec<Sample>,
}

/// Takes the turns out of the games.
pub(super) fn read(games: &[Noted]) -> Samples {
    let mut all = Vec::new();
    for (number, game) in games.iter().enumerate() {
        for (side, half_points) in game.sides.iter().zip([game.half_points, 2 - game.half_points.min(2)]) {
            let result = RESULTS[half_points.min(2)];
            for (at, turn) in side.iter().enumerate() {
                let (pawns, inputs) = turn.read();
                all.push(Sample {
                    pawns,
                    inputs,
                    result,
                    target: result,
                    goes_on: at + 1 < side.len(),
                    is_held_out: (number / 2) % HELD_OUT == HELD_OUT - 1,
                });
            }
        }
    }
    Samples { all }
}

/// Lost, drawn and won.
const RESULTS: [Odds; 3] = [
    Odds { win: 0.0, draw: 0.0, loss: 1.0 },
    Odds { win: 0.0, draw: 1.0, loss: 0.0 },
    Odds { win: 1.0, draw: 0.0, loss: 0.0 },
];

#[cfg(test)]
impl Sample {
    /// A last turn, to learn from.
    pub(super) fn of(pawns: f32, inputs: &Inputs, result: Odds) -> Sample {
        Sample { pawns, inputs: *inputs, result, target: result, goes_on: false, is_held_out: false }
    }

    /// The same with a turn of the same side after it.
    pub(super) fn followed(self) -> Sample {
        Sample { goes_on: true, ..self }
    }
}

impl Samples {
    /// Sets the targets, by what the search said at later turns.
    pub(super) fn aim(&mut self, calibration: &Calibration, lambda: f32) {
        for at in (0..self.all.len()).rev() {
            let sample = &self.all[at];
            if !sample.goes_on {
                continue;
            }
            let next = &self.all[at + 1];
            let seen = calibration.odds(next.pawns, men_left(&next.inputs));
            let blend = |seen: f32, later: f32| (1.0 - lambda) * seen + lambda * later;
            self.all[at].target = Odds {
                win: blend(seen.win, next.target.win),
                draw: blend(seen.draw, next.target.draw),
                loss: blend(seen.loss, next.target.loss),
            };
        }
    }

    /// Those to learn from.
    pub(super) fn learned_from(&self) -> impl Iterator<Item = &Sample> + Clone {
        self.all.iter().filter(|sample| !sample.is_held_out)
    }

    /// Those to judge by.
    pub(super) fn held_out(&self) -> impl Iterator<Item = &Sample> + Clone {
        self.all.iter().filter(|sample| sample.is_held_out)
    }
}
