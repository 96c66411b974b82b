//! The game with full information: what one state alone allows.
//!
//! A belief is lost if one of its states has no win even for a solver who sees everything. That is ordinary AND–OR
//! search, cheap beside search over beliefs, and what it finds is remembered for every state.

use std::ops::ControlFlow;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::algorithm::Part;
use crate::domain::{AttemptId, Domain, Outcome, Reply, ReplyName, outcome_within};
use crate::limits::{Meter, Stop};

/// What is known about a state in which the solver is to move.
#[derive(Clone, Copy, Default)]
struct SolvedState {
    /// Fewest plies in which a win is known; 0 for none.
    won: u8,
    /// Most plies in which there is known to be no win.
    lost: u8,
    /// The attempt that wins.
    attempt: AttemptId,
}

/// What is known about a state in which the opponent is to move, in plies after his reply.
#[derive(Clone, Copy)]
struct Held {
    won: u8,
    lost: u8,
}

/// Remembered results and the attempts that have won most.
pub(super) struct FullInformation {
    turns: HashMap<u128, SolvedState, FixedState>,
    replies: HashMap<u128, Held, FixedState>,
    /// How often each attempt has won, as far as one has.
    wins: Vec<u32>,
    /// The attempts that have won last, by the plies left.
    winners: [[AttemptId; WINNERS]; SLOTS],
    /// The reply that has last refuted an attempt, by the plies left after it.
    refuters: [ReplyName; SLOTS],
    spare: Vec<Vec<AttemptId>>,
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

/// Bytes of a remembered state, the table's slack included.
const ENTRY: usize = 48;

impl FullInformation {
    /// Remembers within about so many bytes.
    pub(super) fn new(bytes: usize, without: Option<Part>) -> Self {
        FullInformation {
            turns: HashMap::default(),
            replies: HashMap::default(),
            wins: Vec::new(),
            winners: [[AttemptId::MAX; WINNERS]; SLOTS],
            refuters: [ReplyName::MAX; SLOTS],
            spare: Vec::new(),
            limit: bytes / ENTRY,
            without,
        }
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
        let known = self.turns.get(&key).copied().unwrap_or_default();
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
        self.make_room(meter);
        let known = self.turns.entry(key).or_default();
        if let Some(attempt) = winner {
            known.won = plies.min(255) as u8;
            known.attempt = attempt;
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
        } else {
            known.lost = known.lost.max(plies.min(255) as u8);
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
        if let Some(held) = key.and_then(|key| self.replies.get(&key)) {
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
        self.make_room(meter);
        let held = self.replies.entry(key).or_insert(Held { won: 0, lost: 0 });
        if wins {
            held.won = plies.min(255) as u8;
        } else {
            held.lost = held.lost.max(plies.min(255) as u8);
        }
        Ok(wins)
    }

    /// Puts the attempt that is known to win this state first, then those that have won others most often, and questions
    /// last.
    pub(super) fn order<D: Domain>(&self, domain: &D, key: u128, attempts: &mut [AttemptId]) {
        let best = self.turns.get(&key).filter(|known| known.won != 0).map(|known| known.attempt);
        attempts.sort_by_key(|&attempt| {
            let wins = self.wins.get(usize::from(attempt)).copied().unwrap_or(0);
            let wins = if Some(attempt) == best { u32::MAX } else { wins };
            (domain.is_question(attempt), std::cmp::Reverse(wins))
        });
    }

    /// Forgets all when the memory is full: what matters comes back soon.
    fn make_room(&mut self, meter: &mut Meter) {
        let held = self.turns.len() + self.replies.len();
        if held >= self.limit {
            self.turns.clear();
            self.replies.clear();
            meter.release(held * ENTRY);
        }
        meter.hold(ENTRY);
    }
}
