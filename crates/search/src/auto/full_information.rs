//! The game with full information: what one state alone allows.
//!
//! A belief is lost if one of its states has no win even for a solver who sees everything. That is ordinary AND–OR
//! search, cheap beside search over beliefs, and what it finds is remembered for every state.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::algorithm::Part;
use crate::domain::{AttemptId, Domain, Outcome, Reply, ReplyName, outcome_within};
use crate::limits::{Meter, Stop};

use super::states::{Known, States};

/// Remembered results and the attempts that have won most.
pub(super) struct FullInformation {
    /// States in which the solver is to move.
    turns: Arc<States>,
    /// States in which the opponent is, with plies counted after his reply.
    replies: Arc<States>,
    /// Slots that were free.
    filled: [usize; 2],
    /// How often each attempt has won, as far as one has.
    wins: Vec<u32>,
    /// The attempts that have won last, by the plies left.
    winners: [[AttemptId; WINNERS]; SLOTS],
    /// The reply that has last refuted an attempt, by the plies left after it.
    refuters: [ReplyName; SLOTS],
    spare: Vec<Vec<AttemptId>>,
    /// Slots of a table at most.
    limit: usize,
    without: Option<Part>,
}

/// How many winners are kept for each number of plies.
const WINNERS: usize = 6;

/// Numbers of plies told apart.
const SLOTS: usize = 32;

fn slot(plies: u32) -> usize {
    (plies as usize).min(SLOTS - 1)
}

/// Slots that a table begins with: little enough for the shortest problems.
const FIRST_SLOTS: usize = 1 << 10;

/// Slots of a table that threads share, where it may have so many: it cannot grow any more.
const SHARED_SLOTS: usize = 1 << 21;

/// Which table.
const TURNS: usize = 0;
const REPLIES: usize = 1;

impl FullInformation {
    /// Remembers within about so many bytes.
    pub(super) fn new(bytes: usize, without: Option<Part>) -> Self {
        FullInformation {
            turns: Arc::new(States::new(FIRST_SLOTS)),
            replies: Arc::new(States::new(FIRST_SLOTS)),
            filled: [0; 2],
            wins: Vec::new(),
            winners: [[AttemptId::MAX; WINNERS]; SLOTS],
            refuters: [ReplyName::MAX; SLOTS],
            spare: Vec::new(),
            limit: bytes / 2 / States::SLOT,
            without,
        }
    }

    /// Remembers next to nothing: stands where another is wanted for a while.
    pub(super) fn small() -> Self {
        let nothing = || Arc::new(States::new(0));
        FullInformation { turns: nothing(), replies: nothing(), ..FullInformation::new(0, None) }
    }

    /// Whether it is the part that is left out.
    pub(super) fn is_left_out(&self) -> bool {
        self.without == Some(Part::FullInformation)
    }

    /// Whether it is known that the solver, to move and seeing everything, does not win within `plies`.
    pub(super) fn knows_lost<D: Domain>(&self, domain: &D, state: &D::State, plies: u32) -> bool {
        u32::from(self.turns.get(domain.key(state)).lost) >= plies
    }

    /// The same where the opponent is to reply.
    pub(super) fn knows_lost_reply<D: Domain>(&self, domain: &D, state: &D::State, plies: u32) -> bool {
        u32::from(self.replies.get(domain.key(state)).lost) >= plies
    }

    /// Whether the solver, to move and seeing everything, wins within `plies`.
    pub(super) fn turn<D: Domain>(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
        plies: u32,
    ) -> Result<bool, Stop> {
        if plies == 0 {
            return Ok(false);
        }
        if plies <= 2 {
            return self.wins_at_once(domain, meter, state);
        }
        let key = domain.key(state);
        let known = self.turns.get(key);
        if known.won != 0 && u32::from(known.won) <= plies {
            return Ok(true);
        }
        if u32::from(known.lost) >= plies {
            return Ok(false);
        }
        let mut first = self.spare.pop().unwrap_or_default();
        first.clear();
        if plies > 4 {
            domain.attempts(state, &mut first);
            self.order(domain, key, &mut first);
        } else {
            // Near the end, sorting all costs more than it saves: only the attempts that have won last come first.
            first.extend((known.won != 0 && !domain.is_question(known.attempt)).then_some(known.attempt));
            first.extend(self.winners[slot(plies)].iter().filter(|&&winner| winner != known.attempt));
        }
        let winner = self.winner(domain, meter, state, &first, plies);
        self.spare.push(first);
        let winner = winner?;
        // Read again: what was found below may be of the same state.
        let mut known = self.turns.get(key);
        match winner {
            Some(attempt) => (known.won, known.attempt) = (plies.min(255) as u8, attempt),
            None => known.lost = known.lost.max(plies.min(255) as u8),
        }
        self.filled[TURNS] += usize::from(self.turns.put(key, known));
        self.make_room(meter);
        if let Some(attempt) = winner {
            // A question wins nothing by itself, so it comes last wherever attempts are put in order.
            if self.without == Some(Part::Winners) || domain.is_question(attempt) {
                return Ok(true);
            }
            let place = usize::from(attempt);
            if self.wins.len() <= place {
                self.wins.resize(place + 1, 0);
            }
            self.wins[place] = self.wins[place].saturating_add(1);
            let winners = &mut self.winners[slot(plies)];
            let old = winners.iter().position(|&winner| winner == attempt).unwrap_or(WINNERS - 1);
            winners[..=old].rotate_right(1);
            winners[0] = attempt;
        }
        Ok(winner.is_some())
    }

    /// The last ply: asked so often and answered so fast that remembering would cost more.
    fn wins_at_once<D: Domain>(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
    ) -> Result<bool, Stop> {
        if self.without != Some(Part::Shortcut)
            && let Some(wins) = domain.knows_win(state)
        {
            meter.construct()?;
            return Ok(wins);
        }
        let mut attempts = self.spare.pop().unwrap_or_default();
        attempts.clear();
        domain.final_attempts(state, &mut attempts);
        let mut wins = false;
        for &attempt in &attempts {
            meter.construct()?;
            wins = match outcome_within(domain, state, attempt, 1) {
                Outcome::Won(_) => true,
                Outcome::Answered { state, .. } => self.wins_at_once(domain, meter, &state)?,
                Outcome::Moved { state, .. } => D::SETTLES && domain.settled(&[state]),
                Outcome::Refused | Outcome::Failed => false,
            };
            if wins {
                break;
            }
        }
        self.spare.push(attempts);
        Ok(wins)
    }

    /// The first attempt that wins within `plies`, more than two.
    fn winner<D: Domain>(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
        first: &[AttemptId],
        plies: u32,
    ) -> Result<Option<AttemptId>, Stop> {
        let mut winner = Ok(None);
        domain.open_attempts(state, first, |attempt, outcome| {
            let wins = meter.construct().and_then(|()| match outcome {
                Outcome::Won(_) => Ok(true),
                Outcome::Refused | Outcome::Failed => Ok(false),
                Outcome::Moved { state, .. } => self.reply(domain, meter, &state, plies - 2),
                Outcome::Answered { state, .. } => self.turn(domain, meter, &state, plies),
            });
            match wins {
                Ok(false) => return ControlFlow::Continue(()),
                Ok(true) => winner = Ok(Some(attempt)),
                Err(stop) => winner = Err(stop),
            }
            ControlFlow::Break(())
        });
        winner
    }

    /// Whether the solver wins within `plies` after every reply.
    pub(super) fn reply<D: Domain>(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
        plies: u32,
    ) -> Result<bool, Stop> {
        if D::SETTLES && domain.settled(std::slice::from_ref(state)) {
            return Ok(true);
        }
        if plies == 0 {
            return Ok(false);
        }
        // Before the last ply what is asked again is found again faster than remembered.
        let key = (plies > 2).then(|| domain.key(state));
        if let Some(held) = key.map(|key| self.replies.get(key)) {
            if held.won != 0 && u32::from(held.won) <= plies {
                return Ok(true);
            }
            if u32::from(held.lost) >= plies {
                return Ok(false);
            }
        }
        // Without a reply there is no win.
        let mut result = Ok(false);
        let slot = slot(plies);
        domain.open_replies(state, self.refuters[slot], |name, reply| {
            result = meter.construct().and_then(|()| match reply {
                Reply::Won(_) => Ok(true),
                Reply::Failed => Ok(false),
                Reply::Continues { state, .. } => self.turn(domain, meter, &state, plies),
            });
            match result {
                Ok(true) => return ControlFlow::Continue(()),
                Ok(false) if self.without != Some(Part::Refuters) => self.refuters[slot] = name,
                Ok(false) | Err(_) => {}
            }
            ControlFlow::Break(())
        });
        let wins = result?;
        let Some(key) = key else { return Ok(wins) };
        let mut held = self.replies.get(key);
        if wins {
            held.won = plies.min(255) as u8;
        } else {
            held.lost = held.lost.max(plies.min(255) as u8);
        }
        self.filled[REPLIES] += usize::from(self.replies.put(key, held));
        self.make_room(meter);
        Ok(wins)
    }

    /// Puts the attempt that is known to win this state first, then those that have won others most often, and questions
    /// last.
    pub(super) fn order<D: Domain>(&self, domain: &D, key: u128, attempts: &mut [AttemptId]) {
        let Known { won, attempt, .. } = self.turns.get(key);
        let best = (won != 0).then_some(attempt);
        attempts.sort_by_key(|&attempt| {
            let wins = self.wins.get(usize::from(attempt)).copied().unwrap_or(0);
            let wins = if Some(attempt) == best { u32::MAX } else { wins };
            (domain.is_question(attempt), std::cmp::Reverse(wins))
        });
    }

    /// Doubles a table that is half full, while nobody else has it and its bound allows.
    fn make_room(&mut self, meter: &mut Meter) {
        for (table, filled) in [&mut self.turns, &mut self.replies].into_iter().zip(self.filled) {
            let slots = table.len();
            if filled * 2 > slots && slots * 2 <= self.limit && Arc::get_mut(table).is_some() {
                *table = Arc::new(table.enlarged(slots * 2));
                meter.hold(slots * States::SLOT);
            }
        }
    }

    /// The same knowledge for another thread, which adds to it.
    pub(super) fn share(&mut self, meter: &mut Meter) -> FullInformation {
        for table in [&mut self.turns, &mut self.replies] {
            let (old, bound) = (table.len(), self.limit.next_power_of_two() / 2);
            *table = Arc::new(table.enlarged(SHARED_SLOTS.min(bound.max(1))));
            meter.hold((table.len() - old) * States::SLOT);
        }
        let (turns, replies) = (Arc::clone(&self.turns), Arc::clone(&self.replies));
        let (wins, spare) = (self.wins.clone(), Vec::new());
        FullInformation { turns, replies, wins, spare, ..*self }
    }
}
