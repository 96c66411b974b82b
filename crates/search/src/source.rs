//! Where the states of a belief come from: a list, or an estimation that may take longer than the search.

use crate::domain::Domain;
use crate::keys::KeySet;
use crate::limits::{Meter, Stop};

/// States that are found one after the other, at a cost that the search's own limits bound.
pub trait Source {
    /// A state of the belief.
    type State;

    /// The next state, or `None` after the last. The same state may come twice.
    ///
    /// What is followed on the way is counted with [`Meter::estimate`], what is held with [`Meter::hold`]; so a limit
    /// is noticed between two states too, however long the way is.
    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<Self::State>, Stop>;
}

impl<S: Source> Source for &mut S {
    type State = S::State;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<S::State>, Stop> {
        (**self).find_next(meter)
    }
}

/// States that are at hand, or cost next to nothing.
pub struct Listed<I>(pub I);

impl<I: Iterator> Source for Listed<I> {
    type State = I::Item;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<I::Item>, Stop> {
        meter.tick()?;
        Ok(self.0.next())
    }
}

/// A source that keeps what was taken from it, each state once: the strategy is completed on them.
pub(crate) struct Taken<'a, D: Domain, S> {
    domain: &'a D,
    source: S,
    /// Looked at already, not taken yet.
    first: Option<D::State>,
    keys: KeySet,
    states: Vec<D::State>,
    exhausted: bool,
    /// Bytes that the meter knows of.
    held: usize,
}

impl<'a, D: Domain, S: Source<State = D::State>> Taken<'a, D, S> {
    pub(crate) fn new(domain: &'a D, source: S) -> Self {
        Taken {
            domain,
            source,
            first: None,
            keys: KeySet::default(),
            states: Vec::new(),
            exhausted: false,
            held: 0,
        }
    }

    /// Whether the belief holds no state at all.
    pub(crate) fn is_empty(&mut self, meter: &mut Meter) -> Result<bool, Stop> {
        self.first = self.source.find_next(meter)?;
        self.exhausted = self.first.is_none();
        Ok(self.exhausted)
    }

    /// Takes all that is left.
    pub(crate) fn take_all(&mut self, meter: &mut Meter) -> Result<(), Stop> {
        while self.find_next(meter)?.is_some() {}
        Ok(())
    }

    /// The states taken so far.
    pub(crate) fn states(&self) -> &[D::State] {
        &self.states
    }

    /// Whether it is known that there are no others.
    pub(crate) fn is_whole(&self) -> bool {
        self.exhausted
    }
}

impl<D: Domain, S: Source<State = D::State>> Source for Taken<'_, D, S> {
    type State = D::State;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<D::State>, Stop> {
        let found = match self.first.take() {
            Some(first) => Some(first),
            None if self.exhausted => None,
            None => self.source.find_next(meter)?,
        };
        let Some(state) = found else {
            self.exhausted = true;
            return Ok(None);
        };
        if self.states.len() == self.states.capacity()
            && let Err(stop) = meter.afford(self.held)
        {
            // All that is held is about to double; the state is taken when there is room.
            self.first = Some(state);
            return Err(stop);
        }
        if self.keys.insert(self.domain.key(&state)) {
            self.states.push(state.clone());
            let held = self.keys.bytes() + self.states.capacity() * size_of::<D::State>();
            meter.hold(held - self.held);
            self.held = held;
            meter.check_memory()?;
        }
        Ok(Some(state))
    }
}
