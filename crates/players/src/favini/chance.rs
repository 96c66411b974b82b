//! Forks of the process that follows a move, and the exchange on a square.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::numbers::NUMBERS;

/// More than any man but the king is worth: what is worth more is the king.
const KINGLY: f32 = 15.0;

/// How a fork of the process is taken.
pub(crate) trait Chance: Sized {
    /// The value of a fork whose first way has this probability.
    fn fork(
        &mut self,
        probability: f32,
        yes: impl FnOnce(&mut Self) -> f32,
        no: impl FnOnce(&mut Self) -> f32,
    ) -> f32;
}

/// Both ways, weighted.
pub(crate) struct Expected;

impl Chance for Expected {
    #[inline]
    fn fork(&mut self, p: f32, yes: impl FnOnce(&mut Self) -> f32, no: impl FnOnce(&mut Self) -> f32) -> f32 {
        if p <= 0.0 {
            no(self)
        } else if p >= 1.0 {
            yes(self)
        } else {
            p * yes(self) + (1.0 - p) * no(self)
        }
    }
}

/// One way, drawn.
pub(crate) struct Drawn<'a>(pub(crate) &'a mut Xoshiro256PlusPlus);

impl Chance for Drawn<'_> {
    #[inline]
    fn fork(&mut self, p: f32, yes: impl FnOnce(&mut Self) -> f32, no: impl FnOnce(&mut Self) -> f32) -> f32 {
        if self.0.random::<f32>() < p { yes(self) } else { no(self) }
    }
}

/// Whether hidden men take again on a square where one has taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Retaliation {
    /// By how many control it, of whom one stands there now.
    Others(f32),
    /// With the probability that the paper calls `Prob_control`, each time (section 5.2).
    Printed(f32),
}

impl Retaliation {
    /// The chance that somebody takes again.
    fn chance(self) -> f32 {
        match self {
            Retaliation::Others(control) => 1.0 - (1.0 - control).exp(),
            Retaliation::Printed(control) => control.clamp(0.0, 1.0),
        }
    }

    /// The same when one more has taken.
    fn next(self) -> Retaliation {
        match self {
            Retaliation::Others(control) => Retaliation::Others((control - 1.0).max(1.0)),
            Retaliation::Printed(_) => self,
        }
    }
}

/// An own man worth so much falls on a square where hidden men may take again; `guards` take back in their order. Returns the
/// change of the balance.
pub(crate) fn exchange<C: Chance>(
    chance: &mut C,
    worth: f32,
    guards: &[f32],
    again: Retaliation,
    taker: f32,
) -> f32 {
    let Some((&guard, guards)) = guards.split_first() else { return -worth };
    let others = again.chance();
    if guard > KINGLY {
        // The king takes back only what nobody guards.
        return chance.fork(1.0 - others, |_| taker - worth, |_| -worth);
    }
    let retaken = |chance: &mut C| {
        let retaken_again = |chance: &mut C| exchange(chance, guard, guards, again.next(), taker);
        taker + chance.fork(others, retaken_again, |_| 0.0)
    };
    chance.fork(NUMBERS.take_back, retaken, |_| 0.0) - worth
}
