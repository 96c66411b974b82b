//! What a set of positions says of squares and attempts, from one pass over it.
//!
//! The positions may be a whole belief or a sample: counts are of positions, each counted once.

use nebel_kriegspiel::{Announcement, Attempt, Role, Rules, Square};
use nebel_position::{Key, Men, Side, Sides};

use crate::{own_move::OwnAttempt, view_state::ViewState};

/// Counts over positions: where hidden men stand, and how own attempts would fare.
///
/// ```
/// use nebel_belief::{Announce, Limit, Statistics, Tracker};
/// use nebel_kriegspiel::{Chess, Color, Role, Rules, Square};
///
/// let tracker = Tracker::new(Rules::icc(), &Chess::new(), Color::White, Limit::default());
/// let statistics = Statistics::gather(tracker.hearing(), tracker.set().iter(), Announce::Nothing);
/// assert_eq!(statistics.positions(), 1);
/// assert_eq!(statistics.men(Square::E8, Role::King), 1);
/// let push = statistics.attempts().iter().find(|attempt| attempt.attempt.to_string() == "e2e4").unwrap();
/// assert_eq!(push.legal, 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    positions: u64,
    men: Box<[[u64; 6]; 64]>,
    attempts: Vec<AttemptStats>,
}

/// How an attempt would fare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttemptStats {
    /// The attempt.
    pub attempt: Attempt,
    /// In how many positions it is legal.
    pub legal: u64,
    /// In how many positions each announcement would follow, the most frequent first. Empty unless
    /// [asked for](Announce).
    pub announcements: Vec<(Announcement, u64)>,
}

/// For which attempts the announcements are worked out; each costs about as much as all else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Announce<'a> {
    /// For none.
    Nothing,
    /// For these.
    Of(&'a [Attempt]),
    /// For all that make sense.
    Everything,
}

impl Statistics {
    /// Counts over these positions, all with the men and the turn of `hearing`.
    pub fn gather(
        hearing: &ViewState,
        keys: impl Iterator<Item = Key>,
        announce: Announce<'_>,
    ) -> Statistics {
        let own = hearing.own();
        let attempts = own.sensible_attempts();
        let tried: Vec<(usize, OwnAttempt)> = attempts
            .iter()
            .enumerate()
            .filter(|(_, attempt)| match announce {
                Announce::Nothing => false,
                Announce::Of(wanted) => wanted.contains(attempt),
                Announce::Everything => true,
            })
            .filter_map(|(index, &attempt)| Some((index, OwnAttempt::new(own.men(), attempt)?)))
            .collect();
        let mut legal = vec![[0; 64]; 64];
        let mut statistics = Statistics {
            positions: 0,
            men: Box::new([[0; 6]; 64]),
            attempts: attempts.into_iter().map(AttemptStats::new).collect(),
        };
        for key in keys {
            let hidden = key.unpack();
            statistics.positions += 1;
            statistics.count_men(&hidden);
            if own.is_to_move() {
                count_legal(hearing, &hidden, &mut legal);
            }
            for (index, attempt) in &tried {
                statistics.attempts[*index].count_announcement(attempt, key, own.rules());
            }
        }
        for attempt in &mut statistics.attempts {
            attempt.legal = legal[attempt.attempt.from.to_usize()][attempt.attempt.to.to_usize()];
            attempt.announcements.sort_by_key(|(announcement, count)| {
                (std::cmp::Reverse(*count), announcement.text(hearing.side()))
            });
        }
        statistics
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// In how many of them a hidden man of this role stands on this square.
    pub fn men(&self, square: Square, role: Role) -> u64 {
        self.men[square.to_usize()][role as usize - 1]
    }

    /// Every attempt that makes sense now; none when the other side is to move.
    pub fn attempts(&self) -> &[AttemptStats] {
        &self.attempts
    }

    fn count_men(&mut self, hidden: &Men) {
        for role in Role::ALL {
            for square in hidden.by_role(role) {
                self.men[square.to_usize()][role as usize - 1] += 1;
            }
        }
    }
}

impl AttemptStats {
    const fn new(attempt: Attempt) -> AttemptStats {
        AttemptStats { attempt, legal: 0, announcements: Vec::new() }
    }

    /// The share of `positions` in which the attempt is legal.
    pub fn probability(&self, positions: u64) -> f64 {
        self.legal as f64 / positions.max(1) as f64
    }

    fn count_announcement(&mut self, attempt: &OwnAttempt, key: Key, rules: &Rules) {
        let Some(announcement) = attempt.announcement(key, rules) else {
            return;
        };
        // There are few different announcements: a search beats a map.
        let found = self.announcements.iter_mut().find(|(known, _)| *known == announcement);
        match found {
            Some((_, count)) => *count += 1,
            None => self.announcements.push((announcement, 1)),
        }
    }
}

fn count_legal(hearing: &ViewState, hidden: &Men, legal: &mut [[u64; 64]]) {
    let sides = Sides { color: hearing.side(), mover: hearing.men(), other: hidden };
    sides.legal().for_each_man(|_, from, targets| {
        for to in targets {
            legal[from.to_usize()][to.to_usize()] += 1;
        }
    });
}
