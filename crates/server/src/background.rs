//! Work on a whole game, done in slices while people look at what is there already: begun, watched by name, ended when
//! nobody asks any more.
//!
//! A slice is short, and between two of them the threads do what others wait for. What was worked out is shared by all
//! who want the same.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    jobs::JobError,
    pool::Pool,
    quota::{Shares, Source},
};

/// Works under way or done, by name; clones share them.
#[derive(Debug)]
pub(crate) struct Background<T> {
    works: Arc<Mutex<BTreeMap<String, Work<T>>>>,
    /// Those under way, by who wants them.
    under_way: Shares,
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Background<T> {
        Background { works: Arc::clone(&self.works), under_way: self.under_way.clone() }
    }
}

/// One work, as far as it is.
#[derive(Debug)]
pub(crate) struct Work<T> {
    /// What the slices have brought so far.
    pub(crate) done: Vec<T>,
    /// How many slices there are.
    pub(crate) total: usize,
    /// Whether it has ended, and if not well, why.
    pub(crate) ended: Option<Result<(), String>>,
    bytes: usize,
    touched: Instant,
}

/// What the results of works weigh.
pub(crate) trait Weigh {
    /// About so many bytes.
    fn bytes(&self) -> usize;
}

/// The results that are kept, in bytes, and those of one work.
const MOST_BYTES: usize = 96 << 20;
const MOST_OF_ONE: usize = 24 << 20;
/// How long a result is kept that nobody asks for.
const KEPT: Duration = Duration::from_mins(10);
/// A work that nobody has asked for in this time is ended: its page was closed.
const ABANDONED: Duration = Duration::from_mins(1);
/// The most works under way from all addresses.
const MOST: usize = 64;

impl<T: Weigh + Send + 'static> Background<T> {
    /// None yet; so many may be under way for each address.
    pub(crate) fn new(of_one: usize) -> Background<T> {
        Background { works: Arc::default(), under_way: Shares::new(of_one, MOST) }
    }

    /// What there is of a work; `None` if nobody has begun it.
    pub(crate) fn look<R>(&self, name: &str, read: impl FnOnce(&Work<T>) -> R) -> Option<R> {
        let mut works = self.lock();
        let work = works.get_mut(name)?;
        work.touched = Instant::now();
        Some(read(work))
    }

    /// Begins a work unless it is there: `total` slices, each made by a thread when it is free. `finished` is called when
    /// all of them are done.
    pub(crate) fn begin(
        &self,
        threads: &Pool,
        source: Source,
        name: &str,
        (total, slices): (usize, impl Iterator<Item = Result<T, String>> + Send + 'static),
        finished: impl FnOnce(&[T]) + Send + 'static,
    ) -> Result<(), JobError> {
        let share = self.under_way.take(source, 1).ok_or(JobError::TooMany)?;
        {
            let mut works = self.lock();
            make_room(&mut works);
            if works.get(name).is_some_and(|work| !matches!(work.ended, Some(Err(_)))) {
                return Ok(());
            }
            let work = Work { done: Vec::new(), total, ended: None, bytes: 0, touched: Instant::now() };
            works.insert(name.to_owned(), work);
        }
        let (this, name, threads) = (self.clone(), name.to_owned(), threads.clone());
        tokio::spawn(async move {
            let _share = share;
            this.run(&threads, &name, slices).await;
            let works = this.lock();
            if let Some(work) = works.get(&name).filter(|work| work.ended == Some(Ok(()))) {
                finished(&work.done);
            }
        });
        Ok(())
    }

    async fn run(
        &self,
        threads: &Pool,
        name: &str,
        mut slices: impl Iterator<Item = Result<T, String>> + Send + 'static,
    ) {
        loop {
            let slice = threads.run(move |_| {
                let next = slices.next();
                (slices, next)
            });
            let result = match slice {
                Ok(mut job) => job.wait().await.map_err(|error| error.to_string()),
                Err(busy) => Err(busy.to_string()),
            };
            let next = match result {
                Ok((rest, next)) => {
                    slices = rest;
                    next
                }
                Err(error) => return self.end(name, Err(error)),
            };
            match next {
                None => return self.end(name, Ok(())),
                Some(Err(error)) => return self.end(name, Err(error)),
                Some(Ok(value)) => {
                    if !self.take(name, value) {
                        return;
                    }
                }
            }
        }
    }

    /// Takes what a slice brought; whether somebody still wants the rest.
    fn take(&self, name: &str, value: T) -> bool {
        let mut works = self.lock();
        let Some(work) = works.get_mut(name) else { return false };
        work.bytes += value.bytes();
        work.done.push(value);
        if work.bytes > MOST_OF_ONE {
            work.ended = Some(Err("The game is too long to be worked through to its end.".to_owned()));
            return false;
        }
        if work.touched.elapsed() >= ABANDONED {
            works.remove(name);
            return false;
        }
        true
    }

    fn end(&self, name: &str, ended: Result<(), String>) {
        if let Some(work) = self.lock().get_mut(name) {
            work.ended = Some(ended);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Work<T>>> {
        self.works.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets what nobody asks for, and the results looked at longest ago while there are too many of them.
fn make_room<T>(works: &mut BTreeMap<String, Work<T>>) {
    works.retain(|_, work| work.ended.is_none() || work.touched.elapsed() < KEPT);
    while works.values().map(|work| work.bytes).sum::<usize>() > MOST_BYTES {
        let ended = works.iter().filter(|(_, work)| work.ended.is_some());
        let oldest = ended.min_by_key(|(_, work)| work.touched).map(|(name, _)| name.clone());
        let Some(oldest) = oldest else { return };
        works.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for u64 {
        fn bytes(&self) -> usize {
            8
        }
    }

    async fn ended(works: &Background<u64>, name: &str) -> (Vec<u64>, Result<(), String>) {
        loop {
            let look = works.look(name, |work| (work.done.clone(), work.ended.clone()));
            if let Some((done, Some(ended))) = look {
                return (done, ended);
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    #[tokio::test]
    async fn works_are_shared_counted_and_say_why_they_ended() {
        let pool = Pool::new("test", 1, 10).unwrap();
        let works = Background::new(1);
        let source = Source::of("127.0.0.1".parse().unwrap());
        let (told, hears) = std::sync::mpsc::channel();
        let slices = (3, (1..=3).map(Ok::<u64, String>));
        works.begin(&pool, source, "game", slices, move |all| told.send(all.to_vec()).unwrap()).unwrap();
        assert_eq!(ended(&works, "game").await, (vec![1, 2, 3], Ok(())));
        assert_eq!(hears.recv_timeout(Duration::from_secs(5)).unwrap(), [1, 2, 3]);
        // Who wants the same gets what is there; the slices of the second are never asked for.
        let panics = (1, std::iter::from_fn(|| -> Option<Result<u64, String>> { panic!("not wanted") }));
        works.begin(&pool, source, "game", panics, |_| ()).unwrap();
        assert_eq!(works.look("game", |work| work.done.len()), Some(3));
        // The share of the first comes back a moment after its end.
        let fails = || (9, [Ok(1), Err("It breaks.".to_owned())].into_iter());
        while works.begin(&pool, source, "other", fails(), |_| panic!("not finished")).is_err() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(ended(&works, "other").await, (vec![1], Err("It breaks.".to_owned())));
        assert!(works.look("nothing", |_| ()).is_none());
    }
}
