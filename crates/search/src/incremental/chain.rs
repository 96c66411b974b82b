//! One turn: a chain of attempts that grows and breaks as states come in.
//!
//! A state flows down the chain to the first link that does not refuse it. If that link cannot be extended to win it, the
//! link breaks and its states flow on; a state that every link refuses is stuck, and the chain is extended for it. An
//! attempt that failed behind a chain fails behind every shorter one, because more states reach it there.

use super::tree::TurnId;
use super::{Blame, Engine, Fed, Guide};
use crate::algorithm::{Breadth, Pruning};
use crate::domain::{AttemptId, Domain, Outcome, outcome_within};
use crate::limits::Stop;

/// At most so many states are asked what they know against an attempt.
const MOST_ASKED: usize = 2;

impl<D: Domain, G: Guide<D>> Engine<'_, D, G> {
    /// SOLVE of Fig. 6 for an OR-node: until every state is caught by a link that wins it, or no attempt is left.
    pub(super) fn cover(&mut self, id: TurnId) -> Result<bool, Stop> {
        loop {
            while let Some((state, from)) = self.tree.turns[id as usize].loose.pop_front() {
                if !self.flow(id, state, from)? {
                    return Ok(false);
                }
            }
            let turn = &self.tree.turns[id as usize];
            // The refused child comes last: DUB's inner recursion leaves it for later if there is another.
            let waits = self.breadth == Breadth::First
                && turn.chain.last().is_some_and(|link| !link.groups.is_empty());
            if turn.stuck.is_empty() || waits {
                return Ok(true);
            }
            if !self.extend(id)? {
                self.learn_core(id);
                return Ok(false);
            }
        }
    }

    /// Sends a state down the chain to the first link that does not refuse it. False if the turn is lost.
    fn flow(&mut self, id: TurnId, state: u32, from: u32) -> Result<bool, Stop> {
        let chain = self.tree.turns[id as usize].chain.len();
        for at in from as usize..chain {
            let turn = &self.tree.turns[id as usize];
            let (attempt, plies) = (turn.chain[at].attempt, turn.plies);
            let physical = &turn.states[state as usize];
            let outcome = outcome_within(self.domain, physical, attempt, plies);
            if matches!(outcome, Outcome::Refused) {
                self.meter.tick()?;
                continue;
            }
            self.meter.construct()?;
            self.meter.count_try(plies);
            // The guide is not asked here: where a plan exists, it mostly holds, and extending it costs less.
            self.tree.turns[id as usize].chain[at].caught.push(state);
            match self.feed(id, at, state, outcome)? {
                Fed::Proved => {}
                Fed::Failed => self.break_link(id, at),
                Fed::Hopeless => return Ok(false),
            }
            return Ok(true);
        }
        self.tree.turns[id as usize].stuck.push(state);
        Ok(true)
    }

    /// A link has failed: its states look for another one. Greedy pruning keeps the links behind it, because they win
    /// whatever they catch and may catch more; without it they go too, being the refused child of this link.
    pub(super) fn break_link(&mut self, id: TurnId, at: usize) {
        let turn = &mut self.tree.turns[id as usize];
        let attempt = turn.chain[at].attempt;
        match self.pruning {
            Pruning::Greedy => {
                let link = turn.chain.remove(at);
                // The lengths of the chain change for what stands behind this link, and the menu was made for one.
                turn.menu.made_for = turn.menu.made_for.filter(|_| at == turn.chain.len());
                for (_, from) in &mut turn.loose {
                    if *from as usize > at {
                        *from -= 1;
                    }
                }
                turn.loose.extend(link.caught.iter().map(|&state| (state, at as u32)));
                for (_, length) in &mut turn.failed {
                    if *length as usize > at {
                        *length -= 1;
                    }
                }
                self.remember_link(&link);
                self.tree.drop_link(link, self.meter);
            }
            Pruning::None => self.cut_chain(id, at),
        }
        self.note_failure(id, attempt, at as u32);
    }

    /// Takes the links from `at` on out of the chain and sets their states free.
    fn cut_chain(&mut self, id: TurnId, at: usize) {
        let turn = &mut self.tree.turns[id as usize];
        let dropped: Vec<_> = turn.chain.drain(at..).collect();
        // Everything that had got as far as here starts again from here, in the order of arrival.
        let mut states: Vec<u32> = dropped.iter().flat_map(|link| link.caught.iter().copied()).collect();
        states.append(&mut turn.stuck);
        states.extend(turn.loose.iter().filter(|&&(_, from)| from as usize >= at).map(|&(state, _)| state));
        turn.loose.retain(|&(_, from)| (from as usize) < at);
        states.sort_unstable();
        turn.loose.extend(states.iter().map(|&state| (state, at as u32)));
        // What failed behind a longer chain may do better now.
        turn.failed.retain(|&(_, length)| length as usize <= at);
        turn.menu.made_for = None;
        for link in dropped {
            self.tree.drop_link(link, self.meter);
        }
    }

    /// Appends a link for the stuck states. False if the turn is lost.
    fn extend(&mut self, id: TurnId) -> Result<bool, Stop> {
        if let Some(attempt) = self.choose(id)? {
            let link = self.tree.new_link(attempt);
            let turn = &mut self.tree.turns[id as usize];
            let at = turn.chain.len() as u32;
            turn.chain.push(link);
            turn.loose.extend(turn.stuck.drain(..).map(|state| (state, at)));
            return Ok(true);
        }
        // The refused child of the last link is lost. Greedily, so is the turn (Theorem 2).
        let chain = self.tree.turns[id as usize].chain.len();
        if chain == 0 || self.pruning == Pruning::Greedy {
            return Ok(false);
        }
        let attempt = self.tree.turns[id as usize].chain[chain - 1].attempt;
        self.cut_chain(id, chain - 1);
        self.note_failure(id, attempt, chain as u32 - 1);
        Ok(true)
    }

    /// An attempt that some stuck state does not refuse and that has not failed behind this chain.
    fn choose(&mut self, id: TurnId) -> Result<Option<AttemptId>, Stop> {
        let turn = &self.tree.turns[id as usize];
        let chain = turn.chain.len() as u32;
        // Go on with the menu in hand; the states in front of its own are exhausted, unless they came later.
        let first = match turn.menu.made_for {
            Some((state, length)) if length == chain => {
                turn.stuck.iter().position(|&stuck| stuck == state).unwrap_or(0)
            }
            _ => 0,
        };
        let order = (first..turn.stuck.len()).chain(0..first);
        for stuck in order {
            let state = self.tree.turns[id as usize].stuck[stuck];
            self.list_attempts(id, state, chain);
            while let Some(attempt) = self.next_attempt(id, chain) {
                if self.admitted_by_all(id, state, attempt)? {
                    return Ok(Some(attempt));
                }
                self.note_failure(id, attempt, chain);
            }
        }
        self.choose_question(id, chain)
    }

    /// A question that some stuck state does not refuse and that has not failed behind this chain. All else has, in every
    /// stuck state: none is asked for the sake of one while an attempt that another allows would do without.
    fn choose_question(&mut self, id: TurnId, chain: u32) -> Result<Option<AttemptId>, Stop> {
        for index in 0..self.tree.turns[id as usize].questions.len() {
            let turn = &self.tree.turns[id as usize];
            let question = turn.questions[index];
            if has_failed(&turn.failed, question, chain) {
                continue;
            }
            let refused = |&&state: &&u32| {
                let physical = &turn.states[state as usize];
                matches!(outcome_within(self.domain, physical, question, turn.plies), Outcome::Refused)
            };
            let Some(&state) = turn.stuck.iter().find(|state| !refused(state)) else {
                continue;
            };
            if self.admitted_by_all(id, state, question)? {
                return Ok(Some(question));
            }
            self.note_failure(id, question, chain);
        }
        Ok(None)
    }

    /// Makes the menu for a state, unless it is in hand; questions are put aside.
    fn list_attempts(&mut self, id: TurnId, state: u32, chain: u32) {
        let turn = &mut self.tree.turns[id as usize];
        if turn.menu.made_for != Some((state, chain)) {
            turn.menu.attempts.clear();
            let physical = &turn.states[state as usize];
            attempts_within::<D, G>(self.domain, turn.plies, physical, &mut turn.menu.attempts);
            let questions = &mut turn.questions;
            turn.menu.attempts.retain(|&attempt| {
                let is_question = self.domain.is_question(attempt);
                if is_question && !questions.contains(&attempt) {
                    questions.push(attempt);
                }
                !is_question
            });
            self.guide.order(self.domain, physical, turn.plies, &mut turn.menu.attempts);
            turn.menu.next = 0;
            turn.menu.old_failures = turn.failed.len();
            turn.menu.made_for = Some((state, chain));
        }
    }

    /// The next attempt of the menu that has not failed.
    fn next_attempt(&mut self, id: TurnId, chain: u32) -> Option<AttemptId> {
        let turn = &mut self.tree.turns[id as usize];
        loop {
            let &attempt = turn.menu.attempts.get(turn.menu.next)?;
            turn.menu.next += 1;
            // Later failures come from this menu, which holds each attempt once.
            let known = turn.menu.old_failures.min(turn.failed.len());
            if !has_failed(&turn.failed[..known], attempt, chain) {
                return Some(attempt);
            }
        }
    }

    /// An attempt has failed behind a chain of this length, for the states that were found to blame.
    fn note_failure(&mut self, id: TurnId, attempt: AttemptId, chain: u32) {
        let turn = &mut self.tree.turns[id as usize];
        turn.failed.push((attempt, chain));
        if G::REMEMBERS {
            turn.blames.push(self.blame);
        }
    }

    /// Whether no stuck state rules the attempt out at once, by its end on this ply or by what the guide knows. As
    /// published, only the state is asked from which the attempt comes.
    fn admitted_by_all(&mut self, id: TurnId, state: u32, attempt: AttemptId) -> Result<bool, Stop> {
        let plies = self.tree.turns[id as usize].plies;
        let stuck = self.tree.turns[id as usize].stuck.len();
        let asked = if G::TOGETHER { stuck.min(MOST_ASKED) } else { 1 };
        for index in 1..=asked {
            let turn = &self.tree.turns[id as usize];
            // The last to come has broken a link, or is new: it has most to say.
            let state = if G::TOGETHER { turn.stuck[stuck - index] } else { state };
            let physical = &turn.states[state as usize];
            let outcome = outcome_within(self.domain, physical, attempt, plies);
            self.blame = Blame::of(state);
            if matches!(outcome, Outcome::Failed) {
                self.meter.construct()?;
                self.meter.count_try(plies);
                return Ok(false);
            }
            if !self.admitted(&outcome, plies)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the guide says about an outcome.
    fn admitted(&mut self, outcome: &Outcome<D::State>, plies: u32) -> Result<bool, Stop> {
        match outcome {
            Outcome::Moved { state, .. } => {
                self.guide.admits_reply(self.domain, self.meter, state, plies.saturating_sub(2))
            }
            _ => Ok(true),
        }
    }
}

/// The attempts that a state may be tried with; on the last ply those that may win at once are enough.
pub(super) fn attempts_within<D: Domain, G: Guide<D>>(
    domain: &D,
    plies: u32,
    state: &D::State,
    attempts: &mut Vec<AttemptId>,
) {
    if G::TOGETHER && plies <= 2 {
        domain.final_attempts(state, attempts);
    } else {
        domain.attempts(state, attempts);
    }
}

/// Whether an attempt has failed behind a chain of this length or a longer one.
fn has_failed(failed: &[(AttemptId, u32)], attempt: AttemptId, chain: u32) -> bool {
    failed.iter().any(|&(other, length)| other == attempt && length >= chain)
}
