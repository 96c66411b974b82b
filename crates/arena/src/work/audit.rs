//! Who is believed: results of strangers that are repeated here, and workers that are banned.
//!
//! The umpire sees to it that a game is possible; that it was played by the players it names can only be seen by playing it
//! again, which repeats where players have a budget of nodes. So the first result of each worker is repeated, and a random
//! share of the others; a run does not end before all repetitions are in. A worker whose result differs is banned, and all
//! its results of the run are taken back. A worker that lies in one result of n, and does so in m of them, escapes a share s
//! with probability (1 − s)^m; a share of 1 lets nobody escape, and costs as much as doing everything here.
//!
//! A worker's name is what it calls itself. Whoever takes a new name for every lie has every lie repeated.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::mpsc::{self, Receiver, Sender, TryRecvError},
    thread,
};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Cancel, Trust, Unit, UnitError, Work, queue::QueueError};

/// Repeats units in a thread of its own.
pub struct Auditor {
    tasks: Sender<Task>,
    findings: Receiver<Finding>,
    /// Tasks without a finding.
    pending: usize,
    /// The share of results that is repeated.
    share: f64,
    workers: BTreeMap<String, Record>,
    /// Nobody outside can know what it draws.
    random: Xoshiro256PlusPlus,
    cancel: Cancel,
}

/// What is known of a worker.
#[derive(Debug, Default)]
struct Record {
    /// Its results that are kept.
    said: BTreeSet<u64>,
    /// Whether a result is or was repeated.
    is_audited: bool,
    is_proven: bool,
    is_banned: bool,
    /// Results that cannot be.
    strikes: u32,
}

/// A unit to be done here.
struct Task {
    unit: Unit,
    /// Who did it, and what was found; nobody for a unit that no worker could do.
    claim: Option<(String, Vec<u8>)>,
}

/// What came of doing a unit here.
pub(super) enum Finding {
    /// A result and its repetition.
    Repeated {
        /// Who brought the result.
        worker: String,
        number: u64,
        claimed: Vec<u8>,
        repeated: Result<Vec<u8>, UnitError>,
    },
    /// A unit that no worker could do.
    Redone { number: u64, result: Result<Vec<u8>, UnitError> },
}

/// So many results that cannot be are too many for an honest worker.
const STRIKES: u32 = 3;

impl Auditor {
    /// An auditor of units of a kind who repeats this share of them. `secret` decides which, so that no worker may know it.
    pub fn new(work: &dyn Work, share: f64, secret: u64) -> Auditor {
        let (tasks, waiting) = mpsc::channel::<Task>();
        let (sender, findings) = mpsc::channel();
        let cancel = Cancel::default();
        let (mut hand, flag) = (work.hand(Trust::Own), cancel.clone());
        thread::spawn(move || {
            for Task { unit, claim } in waiting {
                let result = hand.work(&unit.payload, &flag);
                let number = unit.number;
                let finding = match claim {
                    None => Finding::Redone { number, result },
                    Some((worker, claimed)) => {
                        Finding::Repeated { worker, number, claimed, repeated: result }
                    }
                };
                if sender.send(finding).is_err() {
                    return;
                }
            }
        });
        Auditor {
            tasks,
            findings,
            pending: 0,
            share,
            workers: BTreeMap::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(secret),
            cancel,
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.pending > 0
    }

    pub(super) fn is_banned(&self, worker: &str) -> bool {
        self.workers.get(worker).is_some_and(|record| record.is_banned)
    }

    /// A result of this worker is kept.
    pub(super) fn credit(&mut self, worker: &str, number: u64) {
        self.workers.entry(worker.to_owned()).or_default().said.insert(number);
    }

    /// Workers none of whose results was repeated, each with one of them.
    pub(super) fn unproven(&self) -> Vec<(String, u64)> {
        let unproven = self.workers.iter().filter(|(_, record)| !record.is_audited);
        unproven.filter_map(|(worker, record)| Some((worker.clone(), *record.said.last()?))).collect()
    }

    /// Whether a result of this worker should be repeated.
    pub(super) fn wants(&mut self, worker: &str) -> bool {
        let is_drawn = self.random.random::<f64>() < self.share;
        is_drawn || self.workers.get(worker).is_none_or(|record| !record.is_audited)
    }

    pub(super) fn audit(&mut self, worker: &str, unit: Unit, claimed: Vec<u8>) {
        self.workers.entry(worker.to_owned()).or_default().is_audited = true;
        self.task(Task { unit, claim: Some((worker.to_owned(), claimed)) });
    }

    pub(super) fn redo(&mut self, unit: Unit) {
        self.task(Task { unit, claim: None });
    }

    fn task(&mut self, task: Task) {
        self.pending += 1;
        // If the thread is gone, `findings` says so.
        let _ = self.tasks.send(task);
    }

    pub(super) fn prove(&mut self, worker: &str) {
        self.workers.entry(worker.to_owned()).or_default().is_proven = true;
    }

    /// A result of this worker cannot be; whether that is one too many. A worker of whom a result was found true is
    /// believed a little longer: somebody else may use its name.
    pub(super) fn strike(&mut self, worker: &str) -> bool {
        let record = self.workers.entry(worker.to_owned()).or_default();
        record.strikes += 1;
        record.strikes >= if record.is_proven { 10 * STRIKES } else { STRIKES }
    }

    /// Believes a worker no more; what it said, unless it was banned before.
    pub(super) fn ban(&mut self, worker: &str) -> Option<BTreeSet<u64>> {
        let record = self.workers.entry(worker.to_owned()).or_default();
        let is_new = !std::mem::replace(&mut record.is_banned, true);
        is_new.then(|| std::mem::take(&mut record.said))
    }

    /// What is found by now.
    pub(super) fn findings(&mut self) -> Result<Vec<Finding>, QueueError> {
        let mut findings = Vec::new();
        while self.pending > 0 {
            match self.findings.try_recv() {
                Ok(finding) => {
                    self.pending -= 1;
                    findings.push(finding);
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    return Err(QueueError::Gone("the thread that repeats units died".to_owned()));
                }
            }
        }
        Ok(findings)
    }
}

impl Drop for Auditor {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
