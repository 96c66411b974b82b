//! Who is connected, by address, and who gives way when there are too many.
//!
//! A connection either waits for its client (to say what it wants, to send the rest of it, to take the answer) or is
//! worked for. Those that wait can give way; the oldest of the address that has most of them goes first.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::sync::Notify;

use crate::quota::Source;

/// All connections; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Visits {
    of_one: usize,
    of_all: usize,
    inside: Arc<Mutex<Inside>>,
}

#[derive(Debug, Default)]
struct Inside {
    all: usize,
    next: u64,
    /// By source, in the order in which they came.
    by: BTreeMap<Source, BTreeMap<u64, Arc<Visit>>>,
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Visit {
    source: Source,
    number: u64,
    /// How much is being done for it; while there is something it does not give way.
    work: AtomicU32,
    gives_way: Notify,
}

impl Visits {
    /// At most `of_one` from each source, and `of_all` in all.
    pub(crate) fn new(of_one: usize, of_all: usize) -> Visits {
        Visits { of_one, of_all, inside: Arc::default() }
    }

    /// A place for a connection; none if nobody can give way to it.
    pub(crate) fn admit(&self, source: Source) -> Option<Place> {
        let mut inside = self.lock();
        let of_this = inside.by.get(&source).map_or(0, BTreeMap::len);
        if of_this >= self.of_one {
            inside.make_room(source)?;
        } else if inside.all >= self.of_all {
            let most = inside.by.iter().max_by_key(|(_, visits)| visits.len()).map(|(source, _)| *source);
            inside.make_room(most?)?;
        }
        let number = inside.next;
        inside.next += 1;
        inside.all += 1;
        let visit = Arc::new(Visit { source, number, work: AtomicU32::new(0), gives_way: Notify::new() });
        inside.by.entry(source).or_default().insert(number, Arc::clone(&visit));
        Some(Place { visits: self.clone(), visit })
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Sends away the oldest connection of a source that waits for its client.
    fn make_room(&mut self, source: Source) -> Option<()> {
        let mut of_source = self.by.get(&source)?.values();
        let oldest = Arc::clone(of_source.find(|visit| visit.work.load(Ordering::Relaxed) == 0)?);
        oldest.gives_way.notify_one();
        self.forget(&oldest);
        Some(())
    }

    fn forget(&mut self, visit: &Visit) {
        let Some(of_source) = self.by.get_mut(&visit.source) else { return };
        if of_source.remove(&visit.number).is_some() {
            self.all -= 1;
        }
        if of_source.is_empty() {
            self.by.remove(&visit.source);
        }
    }
}

impl Visit {
    /// Where it comes from.
    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// While this lives the connection does not give way.
    pub(crate) fn work(visit: &Arc<Visit>) -> Work {
        visit.work.fetch_add(1, Ordering::Relaxed);
        Work(Arc::clone(visit))
    }

    /// It never gives way from now on.
    pub(crate) fn stay(&self) {
        self.work.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until the connection has to give way.
    pub(crate) async fn must_go(&self) {
        self.gives_way.notified().await;
    }
}

/// Something is being done for a connection.
#[derive(Debug)]
pub(crate) struct Work(Arc<Visit>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.work.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The place of a connection, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    visits: Visits,
    visit: Arc<Visit>,
}

impl Place {
    /// Whose place it is.
    pub(crate) fn visit(&self) -> &Arc<Visit> {
        &self.visit
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.visits.lock().forget(&self.visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(last: u8) -> Source {
        Source::of([127, 0, 0, last].into())
    }

    /// Whether a connection was told to go.
    async fn is_gone(place: &Place) -> bool {
        let gone = tokio::time::timeout(std::time::Duration::from_millis(1), place.visit().must_go());
        gone.await.is_ok()
    }

    #[tokio::test]
    async fn the_oldest_that_waits_gives_way_and_those_at_work_stay() {
        let visits = Visits::new(3, 100);
        let working = visits.admit(source(1)).unwrap();
        let work = Visit::work(working.visit());
        let oldest = visits.admit(source(1)).unwrap();
        let other = visits.admit(source(1)).unwrap();
        let newest = visits.admit(source(1)).unwrap();
        assert!(is_gone(&oldest).await && !is_gone(&working).await && !is_gone(&other).await);
        other.visit().stay();
        newest.visit().stay();
        assert!(visits.admit(source(1)).is_none(), "nobody waits");
        drop(work);
        assert!(visits.admit(source(1)).is_some() && is_gone(&working).await);
        // The places of those that had to go are not counted twice.
        drop((working, oldest, other, newest));
        assert!(visits.lock().by.is_empty() && visits.lock().all == 0);
    }

    #[tokio::test]
    async fn who_has_most_gives_way_when_all_places_are_taken() {
        let visits = Visits::new(100, 5);
        let few: Vec<Place> = (0..2).map(|_| visits.admit(source(1)).unwrap()).collect();
        let many: Vec<Place> = (0..3).map(|_| visits.admit(source(2)).unwrap()).collect();
        let _new = visits.admit(source(3)).unwrap();
        assert!(is_gone(&many[0]).await && !is_gone(&many[1]).await && !is_gone(&few[0]).await);
    }
}
