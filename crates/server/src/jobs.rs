//! Analyses under way: started, watched, cancelled, forgotten.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    ops::Bound,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use nebel_search::Cancel;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    api::solve::SolveResult,
    limits::ServerLimits,
    pool::{Busy, Failed, Pool},
    quota::{Shares, Source},
    secret::{self, NoRandomness},
};

/// All analyses; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Jobs {
    entries: Arc<Mutex<BTreeMap<String, Entry>>>,
    /// Those that wait for a thread.
    waiting: Arc<Mutex<Rotation>>,
    /// Those that run or wait, by who wants them.
    under_way: Shares,
}

#[derive(Debug)]
struct Entry {
    state: State,
    begun: Instant,
    /// When somebody last asked, or when it was done.
    touched: Instant,
    cancel: Cancel,
}

/// How an analysis stands.
#[derive(Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(crate) enum Analysis {
    /// It goes on, or waits for a thread.
    Running {
        /// Since it was asked for.
        seconds: f64,
    },
    /// It is done.
    Done {
        /// What it found.
        #[schema(value_type = SolveResult)]
        result: Value,
    },
    /// It failed.
    Failed {
        /// One sentence.
        error: String,
    },
    /// It was cancelled.
    Cancelled,
}

impl Analysis {
    fn to_text(&self) -> Bytes {
        // Plain values and JSON: serialising them cannot fail.
        serde_json::to_vec(self).unwrap_or_default().into()
    }
}

#[derive(Debug)]
enum State {
    Running,
    /// What is told of it, written down once.
    Done(Bytes),
    Failed(String),
    Cancelled,
}

/// The most analyses that are remembered…
const MOST: usize = 200;
/// …and the most bytes of their results.
const MOST_BYTES: usize = 64 << 20;
/// How long a result is kept that nobody asks for.
const KEPT: Duration = Duration::from_mins(10);
/// An analysis that nobody has asked for in this time is cancelled: its page was closed.
const ABANDONED: Duration = Duration::from_mins(1);

/// Why an analysis was not begun.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error("Too many of your analyses are under way: cancel one, or wait.")]
    TooMany,
    #[error(transparent)]
    Busy(#[from] Busy),
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
}

impl Jobs {
    pub(crate) fn new(limits: &ServerLimits) -> Jobs {
        Jobs {
            entries: Arc::default(),
            waiting: Arc::default(),
            under_way: Shares::new(limits.proofs_an_address, MOST),
        }
    }

    /// Begins an analysis for somebody; its name.
    pub(crate) fn begin(
        &self,
        threads: &Pool,
        source: Source,
        work: impl FnOnce(&Cancel) -> Result<Value, String> + Send + 'static,
    ) -> Result<String, JobError> {
        // Given back when no thread has it to do any more, which is later than when it is cancelled.
        let share = self.under_way.take(source, 1).ok_or(JobError::TooMany)?;
        let id = secret::new_id()?;
        let now = Instant::now();
        let cancel = Cancel::default();
        {
            let mut jobs = self.lock();
            make_room(&mut jobs, now);
            let state = State::Running;
            jobs.insert(id.clone(), Entry { state, begun: now, touched: now, cancel: cancel.clone() });
        }
        let (jobs, name) = (self.clone(), id.clone());
        let work = Box::new(move || {
            let _share = share;
            let work =
                AssertUnwindSafe(|| if cancel.is_cancelled() { Err(String::new()) } else { work(&cancel) });
            let result = catch_unwind(work).unwrap_or_else(|_| Err(Failed.to_string()));
            let result = result.map(|result| Analysis::Done { result }.to_text());
            if let Some(job) = jobs.lock().get_mut(&name) {
                job.touched = Instant::now();
                job.state = match result {
                    _ if cancel.is_cancelled() => State::Cancelled,
                    Ok(text) => State::Done(text),
                    Err(sentence) => State::Failed(sentence),
                };
            }
        });
        // A thread that is free takes what is next in rotation, which need not be this. The work is watched by its
        // name, not by whoever began it.
        let waiting = Arc::clone(&self.waiting);
        waiting.lock().unwrap_or_else(PoisonError::into_inner).put(source, work);
        let begun = threads.run(move |_| {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            if let Some(work) = next {
                work();
            }
        });
        match begun {
            Ok(job) => job.detach(),
            Err(busy) => {
                self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take_back(source);
                self.lock().remove(&id);
                return Err(busy.into());
            }
        }
        Ok(id)
    }

    /// How an analysis stands, in JSON.
    pub(crate) fn look(&self, id: &str) -> Option<Bytes> {
        let mut jobs = self.lock();
        let job = jobs.get_mut(id)?;
        job.touched = Instant::now();
        let told = match &job.state {
            State::Running => Analysis::Running { seconds: job.begun.elapsed().as_secs_f64() },
            State::Done(text) => return Some(text.clone()),
            State::Failed(error) => Analysis::Failed { error: error.clone() },
            State::Cancelled => Analysis::Cancelled,
        };
        Some(told.to_text())
    }

    /// Asks an analysis to end.
    pub(crate) fn cancel(&self, id: &str) -> Option<Bytes> {
        {
            let mut jobs = self.lock();
            let job = jobs.get_mut(id)?;
            job.cancel.cancel();
            if matches!(job.state, State::Running) {
                job.state = State::Cancelled;
            }
        }
        self.look(id)
    }

    /// Cancels what nobody asks for any more.
    pub(crate) fn cancel_abandoned(&self) {
        let now = Instant::now();
        for job in self.lock().values_mut().filter(|job| matches!(job.state, State::Running)) {
            if now.duration_since(job.touched) >= ABANDONED {
                job.cancel.cancel();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What waits, by source, one of each in turn: who has begun much waits long, and the others do not wait for him.
#[derive(Default)]
struct Rotation {
    by: BTreeMap<Source, VecDeque<Work>>,
    last: Option<Source>,
}

type Work = Box<dyn FnOnce() + Send>;

impl Rotation {
    fn put(&mut self, source: Source, work: Work) {
        self.by.entry(source).or_default().push_back(work);
    }

    fn next(&mut self) -> Option<Work> {
        let after_last = self.last.and_then(|last| {
            let mut after = self.by.range((Bound::Excluded(last), Bound::Unbounded));
            after.next().map(|(source, _)| *source)
        });
        let source = after_last.or_else(|| self.by.keys().next().copied())?;
        self.last = Some(source);
        self.remove(source, VecDeque::pop_front)
    }

    /// Takes back what a source put last.
    fn take_back(&mut self, source: Source) {
        self.remove(source, VecDeque::pop_back);
    }

    fn remove(
        &mut self,
        source: Source,
        remove: impl Fn(&mut VecDeque<Work>) -> Option<Work>,
    ) -> Option<Work> {
        let of_source = self.by.get_mut(&source)?;
        let work = remove(of_source);
        if of_source.is_empty() {
            self.by.remove(&source);
        }
        work
    }
}

impl fmt::Debug for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rotation").field("last", &self.last).finish_non_exhaustive()
    }
}

/// Forgets what nobody asks for, and the oldest results while there are too many of them.
fn make_room(jobs: &mut BTreeMap<String, Entry>, now: Instant) {
    jobs.retain(|_, job| {
        let kept = if matches!(job.state, State::Running) { ABANDONED } else { KEPT };
        let stays = now.duration_since(job.touched) < kept;
        if !stays {
            job.cancel.cancel();
        }
        stays
    });
    let length = |job: &Entry| if let State::Done(text) = &job.state { text.len() } else { 0 };
    while jobs.len() >= MOST || jobs.values().map(length).sum::<usize>() > MOST_BYTES {
        let results = jobs.iter().filter(|(_, job)| !matches!(job.state, State::Running));
        let Some(oldest) = results.min_by_key(|(_, job)| job.touched).map(|(id, _)| id.clone()) else {
            return;
        };
        jobs.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nobody_waits_for_all_that_another_has_begun() {
        let [one, two, three] = [1, 2, 3].map(|last| Source::of([127, 0, 0, last].into()));
        let (done, order) = std::sync::mpsc::channel();
        let mut waiting = Rotation::default();
        for (source, name) in [(two, "a"), (two, "b"), (two, "c"), (one, "d"), (three, "e"), (one, "f")] {
            let done = done.clone();
            waiting.put(source, Box::new(move || done.send(name).unwrap()));
        }
        waiting.take_back(one);
        while let Some(work) = waiting.next() {
            work();
        }
        drop(done);
        assert_eq!(order.iter().collect::<Vec<_>>(), ["d", "a", "e", "b", "c"]);
    }

    #[test]
    fn one_address_has_its_share_and_results_do_not_pile_up() {
        let jobs = Jobs::new(&ServerLimits { proofs_an_address: 2, ..ServerLimits::default() });
        let pool = Pool::new("test", 1, 1000).unwrap();
        let [one, other] = [1, 2].map(|last| Source::of([127, 0, 0, last].into()));
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let waits = move |_: &Cancel| wait.recv().map(|()| Value::Null).map_err(|error| error.to_string());
        let running = jobs.begin(&pool, one, waits).unwrap();
        let waiting = jobs.begin(&pool, one, |_| Ok(Value::Null)).unwrap();
        assert!(matches!(jobs.begin(&pool, one, |_| Ok(Value::Null)), Err(JobError::TooMany)));
        let of_another = jobs.begin(&pool, other, |_| Ok(json!(7))).unwrap();
        assert_eq!(jobs.cancel(&waiting).unwrap(), r#"{"state":"cancelled"}"#);
        assert!(
            matches!(jobs.begin(&pool, one, |_| Ok(Value::Null)), Err(JobError::TooMany)),
            "cancelled work takes room until a thread has seen that it is"
        );
        release.send(()).unwrap();
        let ends = |id: &str| {
            let is_running = || String::from_utf8_lossy(&jobs.look(id).unwrap()).contains("running");
            while is_running() {
                std::thread::yield_now();
            }
        };
        ends(&running);
        ends(&of_another);
        assert_eq!(jobs.look(&of_another).unwrap(), r#"{"state":"done","result":7}"#);
        let failed = jobs.begin(&pool, one, |_| panic!("on purpose")).unwrap();
        ends(&failed);
        assert_eq!(jobs.look(&failed).unwrap(), r#"{"state":"failed","error":"the work failed"}"#);
        for _ in 0..100 {
            let id = jobs.begin(&pool, one, |_| Ok(json!("x".repeat(MOST_BYTES / 40)))).unwrap();
            ends(&id);
        }
        assert!(jobs.lock().len() <= 45, "{} results of a fortieth each", jobs.lock().len());
    }
}
