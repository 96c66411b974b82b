//! Analyses under way: started, watched, cancelled, forgotten.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use nebel_search::Cancel;
use serde_json::{Value, json};

use crate::{
    pool::{Busy, Pool},
    secret::{self, NoRandomness},
};

/// All analyses; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jobs(Arc<Mutex<BTreeMap<String, Entry>>>);

#[derive(Debug)]
struct Entry {
    state: State,
    begun: Instant,
    /// When somebody last asked, or when it was done.
    touched: Instant,
    cancel: Cancel,
}

#[derive(Debug)]
enum State {
    Running,
    Done(Value),
    Failed(String),
    Cancelled,
}

/// The most analyses that are remembered.
const MOST: usize = 200;
/// How long a result is kept that nobody asks for.
const KEPT: Duration = Duration::from_mins(10);
/// An analysis that nobody has asked for in this time is cancelled: its page was closed.
const ABANDONED: Duration = Duration::from_mins(1);

/// Why an analysis was not begun.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error(transparent)]
    Busy(#[from] Busy),
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
}

impl Jobs {
    /// Begins an analysis; its name.
    pub(crate) fn begin(
        &self,
        threads: &Pool,
        work: impl FnOnce(&Cancel) -> Result<Value, String> + Send + 'static,
    ) -> Result<String, JobError> {
        let id = secret::new_id()?;
        let now = Instant::now();
        let cancel = Cancel::default();
        {
            let mut jobs = self.lock();
            jobs.retain(|_, job| {
                let is_running = matches!(job.state, State::Running);
                let kept = if is_running { ABANDONED } else { KEPT };
                let stays = now.duration_since(job.touched) < kept;
                if !stays {
                    job.cancel.cancel();
                }
                stays
            });
            if jobs.len() >= MOST {
                return Err(Busy.into());
            }
            let entry = Entry { state: State::Running, begun: now, touched: now, cancel: cancel.clone() };
            jobs.insert(id.clone(), entry);
        }
        let (jobs, name) = (self.clone(), id.clone());
        let begun = threads.run(move |_| {
            let result = if cancel.is_cancelled() { Err(String::new()) } else { work(&cancel) };
            if let Some(job) = jobs.lock().get_mut(&name) {
                job.touched = Instant::now();
                job.state = match result {
                    _ if cancel.is_cancelled() => State::Cancelled,
                    Ok(value) => State::Done(value),
                    Err(sentence) => State::Failed(sentence),
                };
            }
        });
        match begun {
            // The work is watched by its name, not by whoever began it.
            Ok(job) => job.detach(),
            Err(busy) => {
                self.lock().remove(&id);
                return Err(busy.into());
            }
        }
        Ok(id)
    }

    /// How an analysis stands.
    pub(crate) fn look(&self, id: &str) -> Option<Value> {
        let mut jobs = self.lock();
        let job = jobs.get_mut(id)?;
        job.touched = Instant::now();
        Some(match &job.state {
            State::Running => json!({"state": "running", "seconds": job.begun.elapsed().as_secs_f64()}),
            State::Done(result) => json!({"state": "done", "result": result}),
            State::Failed(error) => json!({"state": "failed", "error": error}),
            State::Cancelled => json!({"state": "cancelled"}),
        })
    }

    /// Asks an analysis to end.
    pub(crate) fn cancel(&self, id: &str) -> Option<Value> {
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
