//! `nebel belief --spill DIR`: the same belief, in files where memory ends.

use std::path::Path;

use nebel_belief::{Spill, SpillError, SpillingTracker, sample::UniformSample};
use nebel_kriegspiel::View;

use super::{BeliefArgs, MOST_LISTED, Report, failure, sorted, with_progress_bar};
use crate::failure::Failure;

/// The memory for positions unless told, in mebibytes.
const MEMORY: usize = 1024;

impl BeliefArgs {
    pub(super) fn spilled(&self, place: &str, view: &View, folder: &Path) -> Result<Report, Failure> {
        let memory = self.memory.unwrap_or(MEMORY).saturating_mul(1 << 20);
        let spill = Spill::new(folder, memory).map_err(|error| {
            Failure::input(
                &folder.display().to_string(),
                format_args!("no file can be made for --spill: {error}"),
            )
        })?;
        let header = view.header();
        let limit = self.limit.unwrap_or(usize::MAX);
        let mut tracker =
            SpillingTracker::new(header.rules.clone(), &header.start, view.side(), limit, spill)
                .with_threads(self.threads());
        let progress = tracker.progress();
        with_progress_bar(&progress, || {
            for (index, event) in view.events().iter().enumerate() {
                tracker.hear(event).map_err(|error| match error {
                    SpillError::Track(error) => failure(place, view, index, &error),
                    SpillError::Disk(error) => {
                        let sentence =
                            format!("event {}: positions cannot be kept on disk: {error}", index + 1);
                        Failure::Run(anyhow::anyhow!("{}: {sentence}", folder.display()))
                    }
                })?;
            }
            Ok::<(), Failure>(())
        })?;
        Ok(Report {
            sizes: Some((tracker.len(), tracker.peak())),
            positions: self.shown(&tracker)?,
            log_weights: None,
            constructed: tracker.successors(),
            on_disk: Some(tracker.spill().most_bytes()),
        })
    }

    /// The positions that are drawn or listed.
    fn shown(&self, tracker: &SpillingTracker) -> Result<Option<Vec<String>>, Failure> {
        let count = match self.sample {
            Some(count) => count.min(MOST_LISTED),
            None if self.lists(tracker.len())? => tracker.len(),
            None => return Ok(None),
        };
        let mut sample = UniformSample::new(count, self.seed);
        tracker.for_each(|key| sample.see(key))?;
        let keys = sample.into_keys().into_iter();
        Ok(Some(sorted(keys.filter_map(|key| tracker.hearing().position_or_start(key)))))
    }
}
