//! All games, and the threads that share them.

use std::sync::Arc;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    lane::{Games, Lane},
    rows::{Row, Rows},
};
use crate::failure::run;

/// All games.
pub(super) struct Lanes {
    pub(super) lanes: Vec<Lane>,
    /// The threads and the process they belong to: threads do not outlive a fork, so a child makes its own.
    pool: Option<(u32, Arc<ThreadPool>)>,
}

impl Lanes {
    pub(super) fn new(lanes: Vec<Lane>) -> Lanes {
        Lanes { lanes, pool: None }
    }

    /// Has every game worked on, in equal shares by these threads.
    pub(super) fn each(
        &mut self,
        pool: Option<&ThreadPool>,
        games: &Games,
        mut rows: Rows<'_>,
        work: impl Fn(usize, &mut Lane, &mut Row<'_, '_>) + Sync,
    ) {
        let run_share = |first: usize, lanes: &mut [Lane], rows: &mut Rows<'_>| {
            for (index, lane) in lanes.iter_mut().enumerate() {
                work(first + index, lane, &mut rows.row(index));
            }
        };
        let Some(pool) = pool else { return run_share(0, &mut self.lanes, &mut rows) };
        let share = self.lanes.len().div_ceil(pool.current_num_threads());
        pool.in_place_scope(|scope| {
            let mut rest = rows;
            for (number, lanes) in self.lanes.chunks_mut(share).enumerate() {
                let (mut rows, others) = rest.split(lanes.len(), games);
                rest = others;
                let run_share = &run_share;
                scope.spawn(move |_| run_share(number * share, lanes, &mut rows));
            }
        });
    }

    /// So many threads; none for one, whose work the caller does.
    pub(super) fn pool(&mut self, threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
        if threads < 2 {
            return Ok(None);
        }
        let process = std::process::id();
        if let Some((owner, pool)) = &self.pool
            && *owner == process
        {
            return Ok(Some(Arc::clone(pool)));
        }
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().map_err(run)?);
        // A pool of the parent's process has no threads here, and would wait for them if it were dropped.
        std::mem::forget(self.pool.replace((process, Arc::clone(&pool))));
        Ok(Some(pool))
    }
}
