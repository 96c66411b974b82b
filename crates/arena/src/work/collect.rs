//! The loop above every queue: hands units out, keeps results, and believes nobody.
//!
//! It runs in the thread of the caller, who alone writes to the store. A result counts when its unit is one of the run, is
//! not there yet, and when the [`Job`] finds it possible: a game is replayed by the umpire. Results of strangers may be
//! [audited](super::audit) besides: some units are done again here, and when the results differ, all that the stranger ever
//! said in this run is thrown away and handed out again.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Unit, UnitError,
    audit::{Auditor, Finding},
    queue::{Delivery, Queue, QueueError, Rest, Standing},
};

/// Somebody who wants units done.
pub trait Job {
    /// How keeping results fails.
    type Error: From<QueueError>;

    /// The next unit that was not handed out yet.
    fn next(&mut self) -> Option<Unit>;

    /// Whether a result of this unit is wanted: it is one of the run and not there yet, handed out or not.
    fn wants(&self, number: u64) -> bool;

    /// A unit of the run again, by its number.
    fn unit(&self, number: u64) -> Option<Unit>;

    /// Judges a result and keeps it.
    fn keep(&mut self, number: u64, worker: Option<&str>, result: &[u8]) -> Result<Kept, Self::Error>;

    /// Throws a result away that was kept.
    fn forget(&mut self, number: u64) -> Result<(), Self::Error>;

    /// Whether enough is known, whatever is still out.
    fn is_over(&self) -> bool;

    /// Units that are there, and units in all if that is known.
    fn progress(&self) -> (u64, Option<u64>);

    /// Whether somebody who does the unit again finds the same; `None` where doing it again proves nothing.
    fn agrees(&self, number: u64, claimed: &[u8], repeated: &[u8]) -> Option<bool>;

    /// A unit cannot be done, here or anywhere. What this says ends the run; otherwise it is told at the end.
    fn failed(&mut self, _number: u64, _error: &UnitError) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Results of earlier runs that came from strangers, each with who it was.
    fn credits(&self) -> Vec<(u64, String)> {
        Vec::new()
    }

    /// A result that is kept, as it came.
    fn kept(&self, _number: u64) -> Option<Vec<u8>> {
        None
    }
}

/// What became of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is there now.
    New,
    /// It was there already.
    Known,
    /// It cannot be, for this reason.
    Refused(String),
}

/// So many workers may fail on a unit before it is done here.
const MOST_FAILURES: usize = 3;

/// Has all units of a job done. Without an auditor, whoever brings a result that can be is believed.
pub fn collect<J: Job>(
    job: &mut J,
    queue: &mut dyn Queue,
    auditor: Option<&mut Auditor>,
) -> Result<(), J::Error> {
    let mut collector = Collector {
        job,
        auditor,
        out: BTreeSet::new(),
        again: BTreeSet::new(),
        failures: BTreeMap::new(),
        failed: BTreeMap::new(),
        standing: Standing::default(),
        notices: Vec::new(),
    };
    collector.remember();
    queue.tell(&collector.standing());
    loop {
        let is_over = collector.job.is_over();
        let has_all = !is_over && collector.hand_out(queue)? == Left::Nothing;
        if (is_over || has_all) && !collector.is_auditing() {
            break;
        }
        for delivery in queue.take()? {
            collector.take(queue, delivery)?;
        }
        collector.hear_auditor()?;
        for notice in collector.notices.drain(..) {
            queue.say(&notice);
        }
        queue.tell(&collector.standing());
    }
    while queue.stop()? == Rest::Coming {
        for delivery in queue.take()? {
            collector.take(queue, delivery)?;
        }
    }
    match collector.failed.into_iter().next() {
        None => Ok(()),
        Some((number, cause)) => {
            Err(QueueError::Gone(format!("unit {number} cannot be done: {cause}")).into())
        }
    }
}

/// What is left of a run.
#[derive(PartialEq, Eq)]
enum Left {
    /// Units that are out, or not even that.
    Something,
    /// All results are there.
    Nothing,
}

struct Collector<'a, J> {
    job: &'a mut J,
    auditor: Option<&'a mut Auditor>,
    /// Units that are handed out and not there yet.
    out: BTreeSet<u64>,
    /// Units to be handed out once more.
    again: BTreeSet<u64>,
    /// Who failed on a unit.
    failures: BTreeMap<u64, BTreeSet<String>>,
    /// Units that cannot be done here either.
    failed: BTreeMap<u64, String>,
    standing: Standing,
    /// What the user should hear.
    notices: Vec<String>,
}

impl<J: Job> Collector<'_, J> {
    /// What strangers brought in earlier runs is audited with the rest.
    fn remember(&mut self) {
        let Some(auditor) = &mut self.auditor else { return };
        for (number, worker) in self.job.credits() {
            auditor.credit(&worker, number);
        }
        for (worker, number) in auditor.unproven() {
            if let (Some(unit), Some(claimed)) = (self.job.unit(number), self.job.kept(number)) {
                auditor.audit(&worker, unit, claimed);
            }
        }
    }

    fn hand_out(&mut self, queue: &mut dyn Queue) -> Result<Left, J::Error> {
        let mut units = Vec::new();
        let room = queue.room();
        while units.len() < room
            && let Some(number) = self.again.pop_first()
        {
            units.extend(self.job.unit(number));
        }
        while units.len() < room
            && let Some(unit) = self.job.next()
        {
            self.out.insert(unit.number);
            units.push(unit);
        }
        if !units.is_empty() {
            queue.put(units)?;
        }
        // Where there was room, the job had no more units.
        let has_all = room > 0 && self.out.is_empty() && self.again.is_empty();
        Ok(if has_all { Left::Nothing } else { Left::Something })
    }

    fn is_auditing(&self) -> bool {
        self.auditor.as_ref().is_some_and(|auditor| auditor.is_busy())
    }

    fn take(&mut self, queue: &mut dyn Queue, delivery: Delivery) -> Result<(), J::Error> {
        let number = delivery.number;
        let worker = delivery.worker.as_deref();
        let is_banned = worker
            .is_some_and(|worker| self.auditor.as_ref().is_some_and(|auditor| auditor.is_banned(worker)));
        // Doubles, and what nobody asked for, cost no more than this.
        if !self.job.wants(number) {
            self.standing.doubles += 1;
        } else if is_banned {
            self.refuse(number);
        } else {
            match &delivery.result {
                Ok(result) => self.judge(number, worker, delivery.handed, result)?,
                Err(error) => self.fail(number, worker, error)?,
            }
        }
        Ok(queue.settle(delivery)?)
    }

    fn judge(
        &mut self,
        number: u64,
        worker: Option<&str>,
        handed: u32,
        result: &[u8],
    ) -> Result<(), J::Error> {
        match self.job.keep(number, worker, result)? {
            Kept::New => {
                self.out.remove(&number);
                self.again.remove(&number);
                self.failures.remove(&number);
                self.standing.again += u64::from(handed.saturating_sub(1));
                if let (Some(worker), Some(auditor)) = (worker, &mut self.auditor) {
                    auditor.credit(worker, number);
                    let is_repeatable = self.job.agrees(number, result, result).is_some();
                    if is_repeatable
                        && auditor.wants(worker)
                        && let Some(unit) = self.job.unit(number)
                    {
                        auditor.audit(worker, unit, result.to_vec());
                    }
                }
            }
            Kept::Known => {
                self.out.remove(&number);
                self.again.remove(&number);
                self.standing.doubles += 1;
            }
            Kept::Refused(why) => match worker {
                None => {
                    return Err(
                        QueueError::Gone(format!("the result of unit {number} cannot be: {why}")).into()
                    );
                }
                Some(worker) => {
                    self.refuse(number);
                    let is_too_much = self.auditor.as_mut().is_some_and(|auditor| auditor.strike(worker));
                    if is_too_much {
                        self.ban(worker, &why)?;
                    }
                }
            },
        }
        Ok(())
    }

    fn refuse(&mut self, number: u64) {
        self.standing.refused += 1;
        self.hand_out_again(number);
    }

    /// A unit that was not handed out yet will be in its turn.
    fn hand_out_again(&mut self, number: u64) {
        if self.out.contains(&number) {
            self.again.insert(number);
        }
    }

    /// A unit without a result goes to somebody else; when several have failed on it, it is done here.
    fn fail(&mut self, number: u64, worker: Option<&str>, error: &UnitError) -> Result<(), J::Error> {
        let Some(worker) = worker else {
            self.out.remove(&number);
            self.failed.insert(number, error.to_string());
            return self.job.failed(number, error);
        };
        let failures = self.failures.entry(number).or_default();
        let is_new = failures.insert(worker.to_owned());
        match (&mut self.auditor, self.job.unit(number)) {
            (Some(auditor), Some(unit)) if is_new && failures.len() == MOST_FAILURES => auditor.redo(unit),
            _ => self.hand_out_again(number),
        }
        Ok(())
    }

    fn hear_auditor(&mut self) -> Result<(), J::Error> {
        let findings = self.auditor.as_mut().map(|auditor| auditor.findings()).transpose()?;
        for finding in findings.unwrap_or_default() {
            match finding {
                Finding::Repeated { worker, number, claimed, repeated } => {
                    let Ok(repeated) = repeated else { continue };
                    if self.job.agrees(number, &claimed, &repeated) == Some(false) {
                        self.ban(&worker, &format!("unit {number} gave another result here"))?;
                    } else if let Some(auditor) = &mut self.auditor {
                        auditor.prove(&worker);
                    }
                }
                Finding::Redone { number, result } if self.job.wants(number) => match result {
                    Ok(result) => self.judge(number, None, 1, &result)?,
                    Err(error) => self.fail(number, None, &error)?,
                },
                Finding::Redone { .. } => {}
            }
        }
        Ok(())
    }

    /// Nothing that this worker said counts any more.
    fn ban(&mut self, worker: &str, why: &str) -> Result<(), J::Error> {
        let Some(auditor) = &mut self.auditor else { return Ok(()) };
        let Some(said) = auditor.ban(worker) else { return Ok(()) };
        self.standing.banned += 1;
        self.notices.push(format!("worker {worker} is believed no more: {why}"));
        for number in said {
            self.job.forget(number)?;
            self.out.insert(number);
            self.refuse(number);
        }
        Ok(())
    }

    fn standing(&self) -> Standing {
        let (done, of) = self.job.progress();
        Standing { done, of, ..self.standing }
    }
}
