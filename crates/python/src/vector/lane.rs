//! One of many games, on the fast board, and what it writes into its rows of the arrays.

use nebel_belief::{Belief, BeliefLimits};
use nebel_kriegspiel::{Attempt, Chess, Color, Event};
use nebel_position::{Game, Side};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::rows::{Brought, Row};
use crate::{
    action::{self, ASK, Action},
    belief::hidden_planes,
    observation::{self, CODES},
};

/// What all games share.
pub(super) struct Games {
    /// The game at the beginning.
    pub(super) start: Game,
    pub(super) position: Chess,
    /// Events that are shown.
    pub(super) last: usize,
    /// Attempts and questions after which a game is cut.
    pub(super) max_attempts: u32,
    /// The limits of beliefs, where marginals are wanted.
    pub(super) beliefs: Option<BeliefLimits>,
}

/// More actions than can make sense at once: sixteen men, of which a queen has the most, 27 squares; castling twice; a question.
const MOST_SENSIBLE: usize = 16 * 27 + 2 + 1;

/// One game.
pub(super) struct Lane {
    game: Game,
    attempts: u32,
    /// The last events that White and Black heard, as they are shown: the latest at the end.
    heard: [Box<[u8]>; 2],
    beliefs: Option<Box<[Belief; 2]>>,
    /// The actions that are marked in the mask: so many of these.
    sensible: [u16; MOST_SENSIBLE],
    count: usize,
    random: Xoshiro256PlusPlus,
    seed: u64,
    /// Games that were begun, so that each has beliefs of its own randomness.
    begun: u64,
}

impl Lane {
    pub(super) fn new(games: &Games, seed: u64, number: u64) -> Lane {
        let mut lane = Lane {
            game: games.start.clone(),
            attempts: 0,
            heard: [(); 2].map(|()| vec![0; games.last * CODES].into_boxed_slice()),
            beliefs: None,
            sensible: [0; MOST_SENSIBLE],
            count: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            seed: 0,
            begun: 0,
        };
        lane.seed(seed, number);
        lane.reset(games);
        lane
    }

    /// Begins the randomness of a game anew: its own, whatever the threads.
    pub(super) fn seed(&mut self, seed: u64, number: u64) {
        self.seed = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        self.begun = 0;
    }

    pub(super) fn reset(&mut self, games: &Games) {
        self.game.clone_from(&games.start);
        self.attempts = 0;
        self.heard.iter_mut().for_each(|heard| heard.fill(0));
        let rules = games.start.rules();
        self.beliefs = games.beliefs.map(|limits| {
            let seed = self.seed.wrapping_add(self.begun);
            Box::new(Color::ALL.map(|side| Belief::new(rules.clone(), &games.position, side, limits, seed)))
        });
        self.begun += 1;
    }

    /// A random action that makes sense.
    #[inline]
    pub(super) fn sample(&mut self) -> u32 {
        u32::from(self.sensible[self.random.random_range(0..self.count)])
    }

    pub(super) fn fen(&self) -> String {
        self.game.fen()
    }

    /// Puts an action to the umpire and shows what came of it.
    #[inline]
    pub(super) fn step(&mut self, games: &Games, number: u32, row: &mut Row<'_, '_>) {
        // A game that is over has begun anew, so there is an answer.
        let told = match action::of_number(number, self.game.to_move()) {
            Some(Action::Try(attempt)) => self.game.attempt(attempt),
            Some(Action::Ask) | None => self.game.ask(),
        };
        let Ok(event) = told else { return };
        self.attempts += 1;
        self.tell(&event);
        let mut brought = Brought { answer: observation::answer(&event), ..Brought::default() };
        let over = self.game.over();
        if over.is_some() || self.attempts >= games.max_attempts {
            if let Some(winner) = over.and_then(|over| over.result.winner()) {
                brought.rewards = winner.fold_wb([1.0, -1.0], [-1.0, 1.0]);
            }
            (brought.terminated, brought.truncated) = (over.is_some(), over.is_none());
            self.reset(games);
            self.show(games, row);
        } else if event.announcement().is_some() || games.start.rules().may_ask() {
            self.show(games, row);
        } else {
            // A refusal takes one action away and adds a line; the men stay as they are.
            let sensible = &mut self.sensible[..self.count];
            if let Some(index) = sensible.iter().position(|&sensible| u32::from(sensible) == number) {
                sensible.swap(index, self.count - 1);
                self.count -= 1;
                row.mask()[number as usize] = false;
            }
            self.show_heard(games, row);
        }
        row.bring(brought);
    }

    /// Tells both sides their shares of an event.
    #[inline]
    fn tell(&mut self, event: &Event) {
        for side in Color::ALL {
            let Some(share) = event.share_of(side, self.game.rules()) else { continue };
            let lines = &mut self.heard[place(side)];
            if let Some(before) = lines.len().checked_sub(CODES) {
                lines.copy_within(CODES.., 0);
                observation::write_event(event, share, side, &mut lines[before..]);
            }
            if let Some(beliefs) = &mut self.beliefs
                && let Some(heard) = event.heard_by(side, self.game.rules())
            {
                // The umpire's own events always agree with each other.
                let _ = beliefs[place(side)].hear(&heard);
            }
        }
    }

    /// Writes all that the side to move may know.
    #[inline]
    pub(super) fn show(&mut self, games: &Games, row: &mut Row<'_, '_>) {
        let (own, planes) = (self.game.own(), row.own());
        planes.fill(0);
        observation::write_men(|role| own.by_role(role), planes);
        let mask = row.mask();
        for &number in &self.sensible[..self.count] {
            mask[usize::from(number)] = false;
        }
        let mut count = 0;
        let mut allow = |number: u32| {
            mask[number as usize] = true;
            self.sensible[count] = number as u16;
            count += 1;
        };
        self.game.for_each_sensible(|from, targets, promotion| match promotion {
            None => targets.into_iter().for_each(|to| allow(64 * u32::from(from) + u32::from(to))),
            _ => targets.into_iter().for_each(|to| allow(action::number(Attempt { from, to, promotion }))),
        });
        if self.game.may_ask() {
            allow(ASK);
        }
        self.count = count;
        *row.turn() = place(self.game.to_move()) as u8;
        self.show_heard(games, row);
    }

    #[inline]
    fn show_heard(&self, games: &Games, row: &mut Row<'_, '_>) {
        let place = place(self.game.to_move());
        row.events(games.last).copy_from_slice(&self.heard[place]);
        if let Some(beliefs) = &self.beliefs {
            let planes = hidden_planes(&beliefs[place].marginals());
            row.marginals().iter_mut().zip(&planes).for_each(|(to, &from)| *to = from as f32);
        }
    }
}

/// Where a side's things are among both sides'.
#[inline]
fn place(side: Color) -> usize {
    usize::from(side == Color::Black)
}
