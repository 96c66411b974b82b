//! Depth-first estimation: a stream of consistent current positions, the first one long before the
//! last (Russell & Wolfe 2005, sections 2 and 7).
//!
//! The stream walks the tree of histories. Many histories lead to the same position at the same event,
//! so each event has a cache of positions met there; what follows from a position in the cache is not
//! walked again. A cache is bounded: a position that it has forgotten is walked again, and so the
//! stream may then repeat positions. With caches at least twice as large as the belief this is rare;
//! [`Stream::collect_set`] is exact in any case.

use std::borrow::Cow;

use nebel_kriegspiel::{Chess, Color, Event, Rules, View};

use nebel_position::Key;

use crate::{
    exact::budget::{Budget, Limit, SLOT},
    exact::set::PositionSet,
    exact::table::{KeyTable, hash},
    exact::tracker::TrackError,
    step::Step,
    view_state::ViewState,
};

/// The steps of a whole view, and the own men after them.
#[derive(Clone, Debug)]
pub struct History {
    start: Key,
    steps: Vec<Step>,
    /// For each step the index of its event.
    events: Vec<usize>,
    hearing: ViewState,
}

impl History {
    /// The history of a view.
    pub fn of_view(view: &View) -> Result<History, (usize, TrackError)> {
        let header = view.header();
        History::new(header.rules.clone(), &header.start, view.side(), view.events())
    }

    /// The history of these events, or the index of one that does not fit.
    pub fn new(
        rules: Rules,
        start: &Chess,
        side: Color,
        events: &[Event],
    ) -> Result<History, (usize, TrackError)> {
        let mut hearing = ViewState::new(rules, start, side);
        let mut history = History {
            start: hearing.start(),
            steps: Vec::new(),
            events: Vec::new(),
            hearing: hearing.clone(),
        };
        for (index, event) in events.iter().enumerate() {
            let step = hearing.hear(event).map_err(|error| (index, error.into()))?;
            if let Some(step) = step {
                history.steps.push(step);
                history.events.push(index);
            }
        }
        history.hearing = hearing;
        Ok(history)
    }

    /// The position before the first event.
    pub fn start(&self) -> Key {
        self.start
    }

    /// What each event that says anything asks of a position.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The index of the event of a step.
    pub fn event_of(&self, step: usize) -> Option<usize> {
        self.events.get(step).copied()
    }

    /// The own side at the end of the history.
    pub fn hearing(&self) -> &ViewState {
        &self.hearing
    }

    /// One current position in full.
    pub fn position(&self, key: Key) -> Option<Chess> {
        self.hearing.position(key)
    }

    /// The stream of current positions, with room for so many positions in the cache of an event.
    pub fn stream(&self, cache: usize) -> Stream<'_> {
        Stream::new(Cow::Borrowed(self), cache)
    }

    /// The same stream, which keeps the history.
    pub fn into_stream(self, cache: usize) -> Stream<'static> {
        Stream::new(Cow::Owned(self), cache)
    }
}

/// An iterator over the consistent current positions, in depth-first order.
#[derive(Clone, Debug)]
pub struct Stream<'a> {
    history: Cow<'a, History>,
    caches: Vec<Cache>,
    /// Positions still to be walked, with the number of steps behind them.
    waiting: Vec<(usize, Key)>,
    /// How many positions came of each step.
    met: Vec<usize>,
    walked: u64,
    /// Slots in all caches.
    cached: usize,
}

impl<'a> Stream<'a> {
    fn new(history: Cow<'a, History>, cache: usize) -> Stream<'a> {
        let caches = history.steps.iter().map(|step| {
            let room = if step.is_filter() { 0 } else { cache };
            Cache { room, slots: Vec::new() }
        });
        Stream {
            caches: caches.collect(),
            waiting: vec![(0, history.start)],
            met: vec![0; history.steps.len()],
            walked: 0,
            cached: 0,
            history,
        }
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The room for positions in each cache unless the caller knows better: a megabyte.
    pub const CACHE: usize = 1 << 16;

    /// How many positions were walked so far, at all events.
    pub fn walked(&self) -> u64 {
        self.walked
    }

    /// How many steps some history has got through. After a stream that gave nothing, the step of this
    /// index is the first that no position agrees with.
    pub fn reached_steps(&self) -> usize {
        self.met.iter().take_while(|&&met| met > 0).count()
    }

    /// The most positions met after any step so far: at the end of the stream the peak of the belief, or
    /// more if a cache was too small.
    pub fn peak(&self) -> usize {
        self.met.iter().copied().max().unwrap_or(1)
    }

    /// All current positions, each once.
    pub fn collect_set(&mut self, limit: Limit) -> Result<PositionSet, TrackError> {
        let budget = Budget::new(limit);
        let mut table = KeyTable::default();
        for key in &mut *self {
            table.insert_all(&[key.bits()], &budget).map_err(|full| full.error(limit))?;
        }
        Ok(PositionSet::from_lists(vec![table.into_list(&budget)]))
    }
}

/// What became of one position of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamStep {
    /// It is a current one.
    Current(Key),
    /// It was followed by others, or by none.
    Followed,
    /// There was none left.
    Ended,
}

impl Stream<'_> {
    /// Takes the walk on by one position, for callers who count.
    pub fn walk(&mut self) -> StreamStep {
        let Some((depth, key)) = self.waiting.pop() else { return StreamStep::Ended };
        let Some(step) = self.history.steps.get(depth) else { return StreamStep::Current(key) };
        self.walked += 1;
        let before = self.waiting.len();
        let (cache, waiting) = (&mut self.caches[depth], &mut self.waiting);
        let slots = cache.slots.len();
        step.follow(key, |next| {
            if cache.is_new(next) {
                waiting.push((depth + 1, next));
            }
        });
        self.cached += cache.slots.len() - slots;
        self.met[depth] += self.waiting.len() - before;
        StreamStep::Followed
    }

    /// The bytes that its positions take.
    pub fn bytes(&self) -> usize {
        self.cached * SLOT + self.waiting.capacity() * size_of::<(usize, Key)>()
    }
}

impl Iterator for Stream<'_> {
    type Item = Key;

    fn next(&mut self) -> Option<Key> {
        loop {
            match self.walk() {
                StreamStep::Current(key) => return Some(key),
                StreamStep::Followed => {}
                StreamStep::Ended => return None,
            }
        }
    }
}

/// Positions met at one event: as many as there is room for, newer ones in the place of older.
#[derive(Clone, Debug)]
struct Cache {
    room: usize,
    slots: Vec<u128>,
}

impl Cache {
    /// Whether the position is not in the cache; it is afterwards. A cache starts small, because most
    /// beliefs of a history are.
    fn is_new(&mut self, key: Key) -> bool {
        if self.room == 0 {
            return true;
        }
        if self.slots.is_empty() {
            self.slots = vec![0; self.room.min(1 << 10)];
        }
        let index = hash(key.bits()) as usize % self.slots.len();
        let found = self.slots[index];
        if found == key.bits() {
            return false;
        }
        if found != 0 && self.slots.len() < self.room {
            self.grow();
            return self.is_new(key);
        }
        self.slots[index] = key.bits();
        true
    }

    fn grow(&mut self) {
        let larger = (self.slots.len() * 4).min(self.room);
        let old = std::mem::replace(&mut self.slots, vec![0; larger]);
        for key in old.into_iter().filter(|&key| key != 0) {
            self.slots[hash(key) as usize % larger] = key;
        }
    }
}
