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

/// An own man worth so much falls on a square that so many hidden men control; `guards` take back in their order. Returns the
/// change of the balance.
pub(crate) fn exchange<C: Chance>(
    chance: &mut C,
    worth: f32,
    guards: &[f32],
    control: f32,
    taker: f32,
) -> f32 {
    let Some((&guard, guards)) = guards.split_first() else { return -worth };
    // One of the hidden men stands on the square now; the others may take again.
    let others = 1.0 - (1.0 - control).exp();
    if guard > KINGLY {
        // The king takes back only what nobody guards.
        return chance.fork(1.0 - others, |_| taker - worth, |_| -worth);
    }
    let retaken = |chance: &mut C| {
        let again = |chance: &mut C| exchange(chance, guard, guards, (control - 1.0).max(1.0), taker);
        taker + chance.fork(others, again, |_| 0.0)
    };
    chance.fork(NUMBERS.take_back, retaken, |_| 0.0) - worth
}
