//! Breadth-first exact tracking: the belief after every event.

use std::sync::Arc;

use nebel_kriegspiel::{Chess, Color, Event, OwnSide, Rules, View, side::Contradiction};
use thiserror::Error;

use nebel_position::Key;

use crate::{
    exact::budget::{Budget, Limit, SLOT},
    exact::progress::Progress,
    exact::set::PositionSet,
    exact::table::Full,
    exact::workers::Workers,
    step::Step,
    view_state::ViewState,
};

/// One side's exact belief, kept event by event.
///
/// ```
/// use nebel_belief::{Limit, Tracker};
/// use nebel_kriegspiel::{Chess, Color, Event, Rules};
///
/// let mut tracker = Tracker::new(Rules::icc(), &Chess::new(), Color::White, Limit::default());
/// for line in [
///     r#"{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}"#,
///     r#"{"by":"black","answer":"moved","tries":{"count":1}}"#,
/// ] {
///     tracker.hear(&Event::from_json(line).unwrap()).unwrap();
/// }
/// assert_eq!(tracker.len(), 2); // d7d5 or f7f5
/// ```
#[derive(Clone, Debug)]
pub struct Tracker {
    hearing: ViewState,
    set: Arc<PositionSet>,
    limit: Limit,
    threads: usize,
    peak: usize,
    peak_bytes: usize,
    successors: u64,
    progress: Arc<Progress>,
}

/// Why an event could not be taken in. The tracker stays at the event before.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TrackError {
    /// The event does not fit this side's own men and turn.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The event fits, but no position agrees with it and all that went before.
    #[error("no position agrees with this and all that was heard before")]
    NoPosition,
    /// The limit on positions is reached.
    #[error("more than {0} positions, the limit")]
    Positions(usize),
    /// The limit on bytes is reached.
    #[error("more than {0} bytes for positions, the limit")]
    Bytes(usize),
    /// The machine has no more memory to give.
    #[error("out of memory")]
    Memory,
    /// Somebody stopped it ([`Progress::stop`]).
    #[error("stopped")]
    Stopped,
}

impl Tracker {
    /// The belief of one side at the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color, limit: Limit) -> Tracker {
        let hearing = ViewState::new(rules, start, side);
        let set = Arc::new(PositionSet::single(hearing.start()));
        Tracker {
            peak: 1,
            peak_bytes: set.bytes(),
            hearing,
            set,
            limit,
            threads: 1,
            successors: 0,
            progress: Arc::default(),
        }
    }

    /// The same, working with this many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Tracker {
        self.threads = threads.max(1);
        self
    }

    /// The belief at the end of a view, or the index of the event at which tracking stopped.
    pub fn of_view(view: &View, limit: Limit) -> Result<Tracker, (usize, TrackError)> {
        let header = view.header();
        let mut tracker = Tracker::new(header.rules.clone(), &header.start, view.side(), limit);
        for (index, event) in view.events().iter().enumerate() {
            tracker.hear(event).map_err(|error| (index, error))?;
        }
        Ok(tracker)
    }

    /// Takes in an event of this side's view. On an error nothing has changed.
    pub fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        let mut hearing = self.hearing.clone();
        if let Some(step) = hearing.hear(event)? {
            let budget = Budget::new(self.limit);
            let at_rest = self.set.bytes() / SLOT;
            budget.take(at_rest).map_err(|full| full.error(self.limit))?;
            let workers = Workers { threads: self.threads, budget: &budget, progress: &self.progress };
            let followed = workers.follow(&mut self.set, &step).map_err(|full| full.error(self.limit))?;
            self.successors += followed.ok_or(TrackError::NoPosition)?;
            self.peak = self.peak.max(self.set.len());
            self.peak_bytes = self.peak_bytes.max(budget.most_bytes());
        }
        self.hearing = hearing;
        Ok(())
    }

    /// How many positions the belief holds; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a belief is never empty")]
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// The most positions it has held after any event.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The bytes that its positions take at rest.
    pub fn bytes(&self) -> usize {
        self.set.bytes()
    }

    /// The most bytes that positions, buffers and tables took at any time.
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// How many positions were found in all, before merging.
    pub fn successors(&self) -> u64 {
        self.successors
    }

    /// The positions, packed.
    pub fn set(&self) -> &PositionSet {
        &self.set
    }

    /// The positions in one list, for somebody who keeps them while this goes on. They are brought together in place: nothing is
    /// copied where they are in one list already.
    pub fn share(&mut self) -> Arc<PositionSet> {
        if self.set.as_list().is_none() {
            let set = std::mem::take(&mut self.set);
            self.set = Arc::new(Arc::try_unwrap(set).unwrap_or_else(|set| (*set).clone()).into_one_list());
        }
        Arc::clone(&self.set)
    }

    /// The positions, in no particular order.
    pub fn positions(&self) -> impl Iterator<Item = Chess> + '_ {
        self.set.iter().filter_map(|key| self.hearing.position(key))
    }

    /// One position in full.
    pub fn position(&self, key: Key) -> Option<Chess> {
        self.hearing.position(key)
    }

    /// What this side knows of itself, and the men that all positions share.
    pub fn hearing(&self) -> &ViewState {
        &self.hearing
    }

    /// What this side knows of itself.
    pub fn own(&self) -> &OwnSide {
        self.hearing.own()
    }

    /// Counters to watch from another thread.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }
}

impl Workers<'_> {
    /// Leads a set to the one after a step: how many positions were found before merging, or nothing where no position agrees, and
    /// then, as on an error, the set is what it was.
    pub(crate) fn follow(&self, set: &mut Arc<PositionSet>, step: &Step) -> Result<Option<u64>, Full> {
        if step.only_leaves_out() {
            let kept = self.judge(set, step)?;
            if kept.count() == 0 {
                return Ok(None);
            }
            self.keep(set, &kept, step)?;
            return Ok(Some(kept.count() as u64));
        }
        let outcome = self.expand(set, step)?;
        if outcome.set.is_empty() {
            return Ok(None);
        }
        *set = Arc::new(outcome.set);
        Ok(Some(outcome.successors))
    }
}

impl Full {
    /// What the caller is told, who set this limit.
    pub(crate) fn error(self, limit: Limit) -> TrackError {
        match self {
            Full::Positions => TrackError::Positions(limit.positions),
            Full::Bytes => TrackError::Bytes(limit.bytes),
            Full::Memory => TrackError::Memory,
            Full::Stopped => TrackError::Stopped,
        }
    }
}
