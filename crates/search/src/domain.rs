//! The world as the solvers see it: one trait, [`Domain`].
//!
//! A *state* is one full description of the world. The solver does not know which state it is in, only a set of
//! them, its *belief*. It makes *attempts*; an attempt may be refused, which costs nothing, and otherwise produces a
//! *percept* and hands the turn to the opponent (or to nature), whose *replies* are unseen but for their percepts.
//! Chess, planning and phantom games differ only in what stands behind these words.
//!
//! What a domain promises:
//!
//! * Whether an attempt makes sense is known to the solver, so every state of a belief offers the same attempts; those
//!   that [`Domain::attempts`] leaves out are refused in that state, and a refusal tells nothing else.
//! * Attempts and percepts are small integers that mean the same in all states of a belief.
//! * Questions ([`Outcome::Answered`]) end: a turn holds a bounded number of them.
//! * A state that the opponent is to move in has at least one reply; otherwise the attempt that led there has won or
//!   failed.

use std::ops::ControlFlow;

/// Something that the solver can try, or ask, in its turn.
pub type AttemptId = u16;

/// What the solver hears after an attempt or after a reply.
pub type Percept = u64;

/// Tells replies apart across similar states: the same thing done has the same name.
pub type ReplyName = u16;

/// What comes of an attempt in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<S> {
    /// Not possible in this state: nothing changes and the turn goes on.
    Refused,
    /// The goal is reached.
    Won(Percept),
    /// The goal is out of reach for good.
    Failed,
    /// Done: the opponent replies next.
    Moved {
        /// What the solver hears.
        percept: Percept,
        /// The world afterwards.
        state: S,
    },
    /// A question was answered: the same turn goes on, no ply is used up.
    Answered {
        /// The answer.
        percept: Percept,
        /// The world afterwards, which remembers at least that the question was asked.
        state: S,
        /// Whether the answer takes attempts away.
        choice: Choice,
    },
}

/// What an answer does to the attempts of the rest of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All attempts stay that can be of use: a belief refuted after this answer was refuted before it.
    Open,
    /// Some attempts are forbidden now: a refutation after this answer says nothing about the rest.
    Restricted,
}

/// One thing that the opponent can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<S> {
    /// The opponent reaches the solver's goal himself.
    Won(Percept),
    /// The goal is out of reach for good.
    Failed,
    /// The solver's next turn.
    Continues {
        /// What the solver hears.
        percept: Percept,
        /// The world afterwards.
        state: S,
    },
}

/// A partially observable domain; see the [module](self) for what it promises.
pub trait Domain: Sync {
    /// One full description of the world. Small: solvers copy it freely.
    type State: Clone + Send + Sync;

    /// Whether [`Domain::settled`] may ever say yes. Where not, solvers do not ask.
    const SETTLES: bool = false;

    /// Whether the solver is sure of the goal from these states together, in all of which the opponent is to reply, by
    /// what is known outside the search: such a set is a leaf. What holds for a set holds for every part of it.
    fn settled(&self, _: &[Self::State]) -> bool {
        false
    }

    /// The identity of a state. Two states are the same for every purpose of the search if and only if their keys are
    /// equal; a hash will do where it is so good that the whole search never meets a collision.
    fn key(&self, state: &Self::State) -> u128;

    /// Appends the attempts and questions that are *not* refused in `state`, the most promising first. Each at most
    /// once.
    fn attempts(&self, state: &Self::State, attempts: &mut Vec<AttemptId>);

    /// Whether the attempt is a question that moves nothing. Incremental solvers ask only where nothing else leads to a
    /// proof, so that a strategy begins with a question only where some states cannot be won without.
    fn is_question(&self, _: AttemptId) -> bool {
        false
    }

    /// Like [`Domain::attempts`] for the last ply of a search: attempts that cannot win at once may be left out, and
    /// those left out need not be refused.
    fn final_attempts(&self, state: &Self::State, attempts: &mut Vec<AttemptId>) {
        self.attempts(state, attempts);
    }

    /// What comes of `attempt` in `state`: any attempt that some state of the belief does not refuse.
    fn outcome(&self, state: &Self::State, attempt: AttemptId) -> Outcome<Self::State>;

    /// Like [`Domain::outcome`] for the last ply of a search, where all that does not win has failed: `Failed` may
    /// stand for `Moved`, and a domain can save itself the successor.
    fn final_outcome(&self, state: &Self::State, attempt: AttemptId) -> Outcome<Self::State> {
        match self.outcome(state, attempt) {
            Outcome::Moved { .. } => Outcome::Failed,
            outcome => outcome,
        }
    }

    /// Calls `visit` with each reply until it breaks.
    fn replies(&self, state: &Self::State, visit: impl FnMut(Reply<Self::State>) -> ControlFlow<()>);

    /// How many replies there are: what a proof has to answer.
    fn count_replies(&self, state: &Self::State) -> u32 {
        let mut count = 0;
        self.replies(state, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether a solver who sees everything wins with one attempt, questions before it apart, for domains that know without
    /// making it.
    fn knows_win(&self, _: &Self::State) -> Option<bool> {
        None
    }

    /// Like [`Domain::outcome`] for a solver who sees everything: percepts may be left out, and an attempt that leaves
    /// the opponent without a reply, but does not win, may pass as `Moved`.
    fn full_information_outcome(&self, state: &Self::State, attempt: AttemptId) -> Outcome<Self::State> {
        self.outcome(state, attempt)
    }

    /// Calls `visit` with each attempt that is not refused and its [`Domain::full_information_outcome`] until it breaks: those named
    /// in `first` before the others, in that order.
    fn open_attempts(
        &self,
        state: &Self::State,
        first: &[AttemptId],
        visit: impl FnMut(AttemptId, Outcome<Self::State>) -> ControlFlow<()>,
    ) {
        open_attempts_in_order(self, state, first, visit);
    }

    /// Like [`Domain::replies`] for a solver who sees everything, with names, the reply named `first` before the others
    /// if there is one: a reply that has refuted one attempt is likely to refute the next. Percepts may be left out,
    /// and a reply that leaves the solver without an attempt may pass as one that continues.
    fn open_replies(
        &self,
        state: &Self::State,
        _first: ReplyName,
        mut visit: impl FnMut(ReplyName, Reply<Self::State>) -> ControlFlow<()>,
    ) {
        self.replies(state, |reply| visit(ReplyName::MAX, reply));
    }
}

/// [`Domain::open_attempts`] of a domain without a faster way.
pub fn open_attempts_in_order<D: Domain + ?Sized>(
    domain: &D,
    state: &D::State,
    first: &[AttemptId],
    mut visit: impl FnMut(AttemptId, Outcome<D::State>) -> ControlFlow<()>,
) {
    let mut attempts = Vec::new();
    domain.attempts(state, &mut attempts);
    attempts.sort_by_key(|attempt| first.iter().position(|other| other == attempt).unwrap_or(first.len()));
    for attempt in attempts {
        if visit(attempt, domain.full_information_outcome(state, attempt)).is_break() {
            break;
        }
    }
}

/// The outcome with `plies` left, the attempt included. With two or less, `Moved` is of use only where it settles.
pub(crate) fn outcome_within<D: Domain>(
    domain: &D,
    state: &D::State,
    attempt: AttemptId,
    plies: u32,
) -> Outcome<D::State> {
    // A leaf may be reached by any attempt.
    if plies > 2 || D::SETTLES {
        return domain.outcome(state, attempt);
    }
    match domain.final_outcome(state, attempt) {
        Outcome::Moved { .. } => Outcome::Failed,
        outcome => outcome,
    }
}
