//! What comes after the reply: the own next turn, planned once for all positions that sound alike.
//!
//! The value of an attempt by one reply ([`super::outcome`]) does not see what the attempt prepares, nor what it leaves hanging for the
//! turn after. So for the few best attempts the game is played on in drawn positions: the attempt, a reply drawn by its chance, and then the
//! own turn, in which every attempt is valued as in the first ([`Prospect`]). What may be done there depends on what was heard and on nothing
//! else: positions with the same two announcements share one plan, so that no plan knows what the player will not.

use nebel_belief::Key;
use nebel_kriegspiel::OwnMen;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    choice::in_parts,
    outcome::{Candidate, Judge},
    prospect::{Line, Prospect},
};
use crate::Budget;

/// With a clock, each thread plays so many lines between two looks at it.
const PORTION: usize = 4;
/// Without one, so many are played by all threads together before it is seen what can be left out: whatever the number
/// of threads, or they would come to different ends.
const STEADY_PORTION: usize = 16;

/// What the own next turn is to change about the values of some attempts.
pub(super) struct Ahead<'a, 'j> {
    /// A judge for each thread.
    pub(super) judge: &'a (dyn Fn() -> Judge<'j> + Sync),
    pub(super) own: &'a OwnMen,
    /// The share of positions that each attempt may be legal in against the sample, as in the first turn.
    pub(super) missed: f32,
    pub(super) threads: usize,
    /// How many lines were played so far.
    pub(super) lines: usize,
}

impl Ahead<'_, '_> {
    /// What to add to the values of these attempts, which they have so far: by so many lines in all, each a reply drawn in the next
    /// of the positions; with a clock, by as many as there is time for. The better half goes on with as many lines as all had
    /// before, and so on to the last two.
    pub(super) fn corrections(
        &mut self,
        attempts: &[(&Candidate, f32)],
        sample: &[(Key, f64)],
        lines: usize,
        until: &Budget,
        random: &mut Xoshiro256PlusPlus,
    ) -> Vec<f32> {
        let mut prospects: Vec<Prospect> = attempts.iter().map(|_| Prospect::default()).collect();
        let mut corrections = vec![0.0; attempts.len()];
        let mut alive: Vec<usize> = (0..attempts.len()).collect();
        let rounds = attempts.len().next_power_of_two().ilog2().max(1) as usize;
        let mut positions = sample.iter().cycle();
        for round in 0..rounds {
            let until = until.share(1.0 / (rounds - round) as f64);
            let has_clock = until.aim.is_some();
            let mut left = lines.div_ceil(rounds * alive.len());
            while left > 0 && !until.is_over() {
                let portion = if has_clock { PORTION * self.threads } else { left.min(STEADY_PORTION) };
                let drawn = positions.by_ref().take(portion);
                // The same luck for all attempts.
                let drawn = drawn.map(|&(key, weight)| Line {
                    key,
                    weight: weight as f32,
                    luck: random.random_range(0.0..1.0),
                });
                let drawn: Vec<Line> = drawn.collect();
                self.play(attempts, &alive, &drawn, &mut prospects, &until);
                left -= if has_clock { 0 } else { portion };
            }
            for &at in &alive {
                corrections[at] = prospects[at].correction(self.missed);
            }
            let value = |at: usize| attempts[at].1 + corrections[at];
            alive.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
            alive.truncate(alive.len().div_ceil(2).max(2));
        }
        corrections
    }

    /// Plays lines on for all attempts that are alive.
    fn play(
        &mut self,
        attempts: &[(&Candidate, f32)],
        alive: &[usize],
        lines: &[Line],
        prospects: &mut [Prospect],
        until: &Budget,
    ) {
        let (judge, own, known) = (self.judge, self.own, &*prospects);
        let parts = in_parts(self.threads, lines, |lines| {
            let mut judge = judge();
            let mut found: Vec<Prospect> = alive.iter().map(|_| Prospect::default()).collect();
            for line in lines {
                for (&at, found) in alive.iter().zip(&mut found) {
                    found.play(&known[at], &mut judge, own, attempts[at].0, *line);
                }
                if until.stop.is_cancelled() {
                    break;
                }
            }
            found
        });
        self.lines += lines.len() * alive.len();
        for part in parts {
            for (&at, more) in alive.iter().zip(part) {
                prospects[at].add(more);
            }
        }
        for &at in alive {
            prospects[at].thin(self.missed);
        }
    }
}
