//! One of many games, and its rows of the arrays.

use nebel_belief::{Belief, BeliefLimits};
use nebel_kriegspiel::{Chess, Color, Event, Reason, Umpire, start};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    action::{self, ACTIONS, Action},
    belief::hidden_planes,
    observation::{self, CODES},
};

/// What all games share.
pub(super) struct Games {
    /// The umpire at the beginning.
    pub(super) start: Umpire,
    pub(super) position: Chess,
    /// Events that are shown.
    pub(super) last: usize,
    /// Attempts and questions after which a game is cut.
    pub(super) max_attempts: u32,
    /// The limits of beliefs, where marginals are wanted.
    pub(super) beliefs: Option<BeliefLimits>,
}

/// The rows of some games.
pub(super) struct Rows<'a> {
    pub(super) own: &'a mut [u8],
    pub(super) events: &'a mut [u8],
    pub(super) mask: &'a mut [bool],
    pub(super) turn: &'a mut [u8],
    pub(super) marginals: &'a mut [f32],
    pub(super) answers: &'a mut [u8],
    pub(super) rewards: &'a mut [f32],
    pub(super) terminated: &'a mut [bool],
    pub(super) truncated: &'a mut [bool],
    pub(super) sampled: &'a mut [u32],
}

impl<'a> Rows<'a> {
    /// The rows of the first games, and of the others.
    pub(super) fn split(self, count: usize, games: &Games) -> (Rows<'a>, Rows<'a>) {
        let planes = if games.beliefs.is_some() { 6 * 64 } else { 0 };
        let own = self.own.split_at_mut(count * 6 * 64);
        let events = self.events.split_at_mut(count * games.last * CODES);
        let mask = self.mask.split_at_mut(count * ACTIONS);
        let turn = self.turn.split_at_mut(count);
        let marginals = self.marginals.split_at_mut(count * planes);
        let answers = self.answers.split_at_mut(count);
        let rewards = self.rewards.split_at_mut(count * 2);
        let terminated = self.terminated.split_at_mut(count);
        let truncated = self.truncated.split_at_mut(count);
        let sampled = self.sampled.split_at_mut(count);
        let rows = |own, events, mask, turn, marginals, answers, rewards, terminated, truncated, sampled| {
            Rows { own, events, mask, turn, marginals, answers, rewards, terminated, truncated, sampled }
        };
        (
            rows(
                own.0,
                events.0,
                mask.0,
                turn.0,
                marginals.0,
                answers.0,
                rewards.0,
                terminated.0,
                truncated.0,
                sampled.0,
            ),
            rows(
                own.1,
                events.1,
                mask.1,
                turn.1,
                marginals.1,
                answers.1,
                rewards.1,
                terminated.1,
                truncated.1,
                sampled.1,
            ),
        )
    }

    /// Forgets what the last step brought.
    pub(super) fn clear(&mut self) {
        self.answers.fill(0);
        self.rewards.fill(0.0);
        self.terminated.fill(false);
        self.truncated.fill(false);
    }
}

/// One game.
pub(super) struct Lane {
    umpire: Umpire,
    attempts: u32,
    /// The last events that White and Black heard, the latest at the end.
    heard: [Vec<[u8; CODES]>; 2],
    beliefs: Option<Box<[Belief; 2]>>,
    /// The actions that are marked in the mask.
    sensible: Vec<u32>,
    random: Xoshiro256PlusPlus,
    seed: u64,
    /// Games that were begun, so that each has beliefs of its own randomness.
    begun: u64,
}

impl Lane {
    pub(super) fn new(games: &Games, seed: u64, number: u64) -> Lane {
        let mut lane = Lane {
            umpire: games.start.clone(),
            attempts: 0,
            heard: [const { Vec::new() }; 2],
            beliefs: None,
            sensible: Vec::new(),
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
        self.umpire.clone_from(&games.start);
        self.attempts = 0;
        self.heard.iter_mut().for_each(Vec::clear);
        let rules = games.start.rules();
        self.beliefs = games.beliefs.map(|limits| {
            let seed = self.seed.wrapping_add(self.begun);
            Box::new(Color::ALL.map(|side| Belief::new(rules.clone(), &games.position, side, limits, seed)))
        });
        self.begun += 1;
    }

    /// A random action that makes sense.
    pub(super) fn sample(&mut self) -> u32 {
        self.sensible[self.random.random_range(0..self.sensible.len())]
    }

    pub(super) fn fen(&self) -> String {
        start::fen(self.umpire.position())
    }

    /// Puts an action to the umpire and shows what came of it.
    #[inline]
    pub(super) fn step(&mut self, games: &Games, number: u32, row: &mut Rows<'_>) {
        row.clear();
        let by = self.umpire.to_move();
        // A game that is over has begun anew, so the umpire answers.
        let told = match action::of_number(number, by) {
            Some(Action::Try(attempt)) => self.umpire.attempt(attempt),
            Some(Action::Ask) | None => self.umpire.ask(),
        };
        let Ok(event) = told else { return };
        self.attempts += 1;
        self.tell(games, &event);
        row.answers[0] = self.heard_last(by);
        let over = self.umpire.over();
        let is_long = self.attempts >= games.max_attempts;
        if over.is_some() || is_long {
            if let Some(winner) = over.and_then(|over| over.result.winner()) {
                let won = usize::from(winner == Color::Black);
                (row.rewards[won], row.rewards[1 - won]) = (1.0, -1.0);
            }
            row.terminated[0] = over.is_some_and(|over| over.reason != Reason::Length);
            row.truncated[0] = over.is_none();
            self.reset(games);
            self.show(games, row);
        } else if event.announcement().is_some()
            || matches!(event, Event::Ask { .. })
            || games.start.rules().may_ask()
        {
            self.show(games, row);
        } else {
            // A refusal takes one action away and adds a line; the men stay as they are.
            if let Some(index) = self.sensible.iter().position(|&sensible| sensible == number) {
                self.sensible.swap_remove(index);
                row.mask[number as usize] = false;
            }
            self.show_heard(games, row);
        }
    }

    /// What the umpire answered last, as the mover heard it.
    fn heard_last(&self, by: Color) -> u8 {
        self.heard[usize::from(by == Color::Black)].last().map_or(0, |codes| codes[1])
    }

    fn tell(&mut self, games: &Games, event: &Event) {
        for side in Color::ALL {
            let Some(heard) = event.heard_by(side, self.umpire.rules()) else { continue };
            let place = usize::from(side == Color::Black);
            if let Some(beliefs) = &mut self.beliefs {
                // The umpire's own events always agree with each other.
                let _ = beliefs[place].hear(&heard);
            }
            let lines = &mut self.heard[place];
            // One line at least, for the answer.
            if lines.len() >= games.last.max(1) {
                lines.remove(0);
            }
            lines.push(observation::codes(&heard, side));
        }
    }

    /// Writes all that the side to move may know.
    pub(super) fn show(&mut self, games: &Games, row: &mut Rows<'_>) {
        row.own.fill(0);
        observation::write_men(self.umpire.men(), row.own);
        for number in self.sensible.drain(..) {
            row.mask[number as usize] = false;
        }
        let sensible = &mut self.sensible;
        observation::for_each_action(&self.umpire, |number| {
            row.mask[number as usize] = true;
            sensible.push(number);
        });
        row.turn[0] = u8::from(self.umpire.to_move() == Color::Black);
        self.show_heard(games, row);
    }

    fn show_heard(&mut self, games: &Games, row: &mut Rows<'_>) {
        let place = usize::from(self.umpire.to_move() == Color::Black);
        let lines = &self.heard[place];
        let empty = games.last.saturating_sub(lines.len());
        let (before, after) = row.events.split_at_mut(empty * CODES);
        before.fill(0);
        for (line, codes) in after.chunks_exact_mut(CODES).zip(lines) {
            line.copy_from_slice(codes);
        }
        if let Some(beliefs) = &self.beliefs {
            let planes = hidden_planes(&beliefs[place].marginals());
            row.marginals.iter_mut().zip(&planes).for_each(|(to, &from)| *to = from as f32);
        }
    }
}
