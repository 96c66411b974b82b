//! The farm: units of work done by workers on any number of machines, over NATS `JetStream`.
//!
//! Each run has two streams on the broker, kept on its disk. The collector (who wants the work done) publishes units into the
//! first, a work queue: the broker hands each to one worker, takes it back when no sign of life comes for some seconds, and
//! removes it when it is acknowledged. A worker publishes the result into the second stream and acknowledges the unit only when
//! the broker has the result. The collector keeps a result in its store before it acknowledges it. So whoever is killed, at
//! whatever moment, nothing is lost; work may be done twice, and is counted once.
//!
//! Units have subjects of their own and the stream holds one message a subject at most, so publishing what is there already
//! does nothing: a collector that is started again first takes the results that wait, then publishes what its store lacks.
//! Message ids alone would not do, because a broker forgets them after a while. A result's id is a hash of what it says:
//! sent twice it arrives once, and a forged one cannot keep the true one out.
//!
//! | concept | module |
//! |---|---|
//! | names, limits, and what is told of a run | here |
//! | connecting, with credentials | [`connection`] |
//! | the queue that the collector sees | [`collector`] |
//! | who does units | [`worker`], [`hands`] |
//! | who is there, and how far runs are | [`status`] |
//! | starting a broker of one's own | [`broker`] |
//!
//! Trust: a worker judges a unit before it builds anything of it ([`crate::work::Trust`]); the collector replays every game by
//! the umpire and repeats some ([`crate::work::audit`]).

pub mod broker;
pub mod collector;
pub mod connection;
mod hands;
pub mod status;
pub mod worker;

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

pub use self::connection::Broker;
use crate::work::{
    Cancel, Trust, UnitError, Work,
    audit::Auditor,
    collect::{Job, collect},
    queue::QueueError,
};

/// How the workers of a farm are used.
#[derive(Clone, Debug)]
pub struct Farm {
    /// Where it is.
    pub broker: Broker,
    /// The share of results that is repeated here, besides the first of each worker.
    pub verify: f64,
    /// What the results are kept in. A run is known by it and by its terms, so that it goes on when it is started again;
    /// without it, the run ends with its collector.
    pub home: Option<PathBuf>,
    /// Raised when the user wants to end.
    pub stop: Cancel,
    /// Is told what the user should hear, a line at a time.
    pub say: fn(&str),
}

/// What is told of a run.
#[derive(Clone, Debug)]
pub struct RunTerms {
    /// What it is, in a line.
    pub title: String,
    /// All that its results depend on.
    pub identity: Value,
    /// What its units are about: specs of players.
    pub subjects: Vec<String>,
}

/// The version of the program, which a run and its workers must share.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How long a unit may go without a sign of life before another worker is given it.
const ACK_WAIT: Duration = Duration::from_secs(5);
/// How often signs of life are given.
const BEAT: Duration = Duration::from_millis(1500);
/// A unit that was handed out so often without a result is reported as failed.
const MOST_HANDINGS: i64 = 10;
/// Units of a run that the broker holds at most.
const WINDOW: usize = 16_384;
/// Results that wait for the collector at most, by their number and bytes: then workers wait.
const MOST_RESULTS: i64 = 200_000;
const MOST_BYTES: i64 = 1 << 30;
/// Runs that nobody ends are forgotten after this.
const LONGEST_RUN: Duration = Duration::from_hours(24 * 30);

const UNITS: &str = "nebel-units-";
const RESULTS: &str = "nebel-results-";
/// The consumers' names on the two streams.
const WORKERS: &str = "workers";
const COLLECTOR: &str = "collector";
/// Where everybody is asked who is there.
const PING: &str = "nebel.ping";
/// Where a collector says that there is something new.
const NEWS: &str = "nebel.news";

/// Headers of a result.
mod header {
    pub(super) const UNIT: &str = "Nebel-Unit";
    pub(super) const WORKER: &str = "Nebel-Worker";
    pub(super) const HANDED: &str = "Nebel-Handed";
    /// Present if there is no result: why.
    pub(super) const FAILED: &str = "Nebel-Failed";
}

fn unit_subject(run: &str, number: u64) -> String {
    format!("nebel.units.{run}.{number}")
}

fn result_subject(run: &str) -> String {
    format!("nebel.results.{run}")
}

/// Where the collector of a run answers.
fn collector_subject(run: &str) -> String {
    format!("nebel.collector.{run}")
}

/// What stands in the description of a run's stream, for workers and for whoever asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Notice {
    title: String,
    kind: String,
    version: String,
    /// Subjects with their signatures.
    signatures: Vec<(String, String)>,
}

/// The broker takes no longer description.
const LONGEST_NOTICE: usize = 4000;

impl Notice {
    fn of(work: &dyn Work, terms: &RunTerms) -> Result<Notice, FarmError> {
        let mut subjects = terms.subjects.clone();
        subjects.sort_unstable();
        subjects.dedup();
        let sign = |subject: String| {
            let signature = work.signature(&subject, Trust::Own).map_err(FarmError::Signature)?;
            Ok((subject, signature))
        };
        let signatures = subjects.into_iter().map(sign).collect::<Result<_, FarmError>>()?;
        let title: String = terms.title.chars().take(200).collect();
        Ok(Notice { title, kind: work.kind().to_owned(), version: VERSION.to_owned(), signatures })
    }

    fn written(&self) -> Result<String, FarmError> {
        let text = serde_json::to_string(self).unwrap_or_default();
        if text.len() > LONGEST_NOTICE { Err(FarmError::TooManySubjects) } else { Ok(text) }
    }
}

/// Why a farm cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FarmError {
    /// The broker cannot be reached, or does not let us in.
    #[error("no broker at {url}: {cause}")]
    Connect {
        /// Where, without passwords.
        url: String,
        /// Why.
        cause: String,
    },
    /// What was asked of the broker failed.
    #[error("the broker: {0}")]
    Broker(String),
    /// Somebody else collects this run.
    #[error("another collector of this run is at work")]
    Collected,
    /// What plays cannot be told apart from other versions of it.
    #[error("{0}")]
    Signature(UnitError),
    /// The players of a run are told to workers in a few thousand bytes.
    #[error("too many players for one run on a farm")]
    TooManySubjects,
    /// No randomness is to be had.
    #[error("the system has no randomness: {0}")]
    Random(String),
}

impl Farm {
    /// Has the units of a job done by the workers of the farm.
    pub fn collect<J>(&self, job: &mut J, work: &dyn Work, terms: &RunTerms) -> Result<(), J::Error>
    where
        J: Job,
        J::Error: From<FarmError> + From<QueueError>,
    {
        let notice = Notice::of(work, terms)?;
        let run = self.name(terms, &notice)?;
        let mut queue = collector::Collector::begin(self, &run, &notice)?;
        let mut auditor = Auditor::new(work, self.verify, random()?);
        let collected = collect(job, &mut queue, Some(&mut auditor));
        if collected.is_err() && self.home.is_none() {
            // Nobody can go on with it.
            queue.end();
        }
        collected
    }

    /// The name of a run: the same for the same terms kept in the same place by the same program.
    fn name(&self, terms: &RunTerms, notice: &Notice) -> Result<String, FarmError> {
        let mut hasher = blake3::Hasher::new_derive_key("nebel farm: name of a run");
        match &self.home {
            None => hasher.update(&random()?.to_le_bytes()),
            Some(home) => {
                let home = std::path::absolute(home).unwrap_or_else(|_| home.clone());
                hasher.update(home.as_os_str().as_encoded_bytes()).update(b"\0");
                hasher.update(status::host().as_bytes())
            }
        };
        hasher.update(b"\0").update(terms.identity.to_string().as_bytes());
        hasher.update(b"\0").update(serde_json::to_string(notice).unwrap_or_default().as_bytes());
        Ok(hasher.finalize().to_hex()[..16].to_owned())
    }
}

/// A number that nobody can know.
fn random() -> Result<u64, FarmError> {
    getrandom::u64().map_err(|error| FarmError::Random(error.to_string()))
}
