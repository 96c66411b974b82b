//! What the farm itself costs: `cargo run --release -p nebel-arena --example farm_load`.
//!
//! Starts a `nats-server` of its own and, in this process, workers and a collector. First trivial units: how many a second go
//! through broker and collector. Then units of one second: how much longer they take on the farm than in threads.

#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::{
    collections::BTreeSet,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use common::Nats;
use nebel_arena::{
    farm::{
        Broker, Farm, FarmError, RunTerms,
        worker::{WorkerTerms, work},
    },
    work::{
        Cancel, Hand, Kinds, Trust, Unit, UnitError, Work,
        collect::{Job, Kept, collect},
        queue::QueueError,
        threads::Threads,
    },
};
use serde_json::json;

/// Units that take a fixed time, and answer with as many bytes as they were given.
struct Fixed(Duration);

impl Work for Fixed {
    fn kind(&self) -> &'static str {
        "fixed"
    }

    fn signature(&self, _: &str, _: Trust) -> Result<String, UnitError> {
        Ok(String::new())
    }

    fn hand(&self, _: Trust) -> Box<dyn Hand> {
        Box::new(Fixed(self.0))
    }
}

impl Hand for Fixed {
    fn work(&mut self, payload: &[u8], _: &Cancel) -> Result<Vec<u8>, UnitError> {
        thread::sleep(self.0);
        Ok(payload.to_vec())
    }
}

#[derive(Debug)]
struct Failed(#[allow(dead_code, reason = "shown by Debug")] String);

impl From<QueueError> for Failed {
    fn from(error: QueueError) -> Failed {
        Failed(error.to_string())
    }
}

impl From<FarmError> for Failed {
    fn from(error: FarmError) -> Failed {
        Failed(error.to_string())
    }
}

/// So many units of so many bytes.
struct Count {
    next: u64,
    of: u64,
    bytes: usize,
    done: BTreeSet<u64>,
}

impl Count {
    fn new(of: u64, bytes: usize) -> Count {
        Count { next: 0, of, bytes, done: BTreeSet::new() }
    }
}

impl Job for Count {
    type Error = Failed;

    fn next(&mut self) -> Option<Unit> {
        let number = self.next;
        self.next += 1;
        self.unit(number)
    }

    fn wants(&self, number: u64) -> bool {
        number < self.of && !self.done.contains(&number)
    }

    fn unit(&self, number: u64) -> Option<Unit> {
        (number < self.of).then(|| Unit { number, payload: vec![b'x'; self.bytes] })
    }

    fn keep(&mut self, number: u64, _: Option<&str>, _: &[u8]) -> Result<Kept, Failed> {
        Ok(if self.done.insert(number) { Kept::New } else { Kept::Known })
    }

    fn forget(&mut self, number: u64) -> Result<(), Failed> {
        self.done.remove(&number);
        Ok(())
    }

    fn is_over(&self) -> bool {
        false
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.done.len() as u64, Some(self.of))
    }

    fn agrees(&self, _: u64, _: &[u8], _: &[u8]) -> Option<bool> {
        None
    }
}

fn on_farm(url: &str, time: Duration, workers: usize, jobs: usize, mut count: Count) -> Duration {
    let stop = Cancel::default();
    let threads: Vec<_> = (0..workers)
        .map(|_| {
            let terms = WorkerTerms {
                broker: Broker::at(url),
                jobs,
                trust: Trust::Stranger,
                kinds: Kinds::default().with(Arc::new(Fixed(time))),
                stop: stop.clone(),
                say: |_| {},
            };
            thread::spawn(move || work(terms).unwrap())
        })
        .collect();
    thread::sleep(Duration::from_millis(500));
    let farm = Farm { broker: Broker::at(url), verify: 0.0, home: None, stop: stop.clone(), say: |_| {} };
    let terms = RunTerms { title: "load".to_owned(), identity: json!("load"), subjects: Vec::new() };
    let begin = Instant::now();
    farm.collect(&mut count, &Fixed(time), &terms).unwrap();
    let wall = begin.elapsed();
    assert_eq!(count.done.len() as u64, count.of);
    stop.cancel();
    for thread in threads {
        thread.join().unwrap();
    }
    wall
}

fn main() {
    let Some(nats) = Nats::start() else { return };
    for bytes in [100, 2000] {
        let units = 40_000;
        let wall = on_farm(&nats.url(), Duration::ZERO, 1, 2, Count::new(units, bytes));
        println!(
            "{units} trivial units of {bytes} bytes, results alike: {:.2} s, {:.0} a second",
            wall.as_secs_f64(),
            units as f64 / wall.as_secs_f64()
        );
    }
    let (second, units, jobs) = (Duration::from_secs(1), 240, 8);
    let mut count = Count::new(units, 500);
    let begin = Instant::now();
    collect(&mut count, &mut Threads::new(&Fixed(second), jobs, Cancel::default()), None).unwrap();
    let here = begin.elapsed();
    let there = on_farm(&nats.url(), second, 2, jobs / 2, Count::new(units, 500));
    println!(
        "{units} units of 1 s, {jobs} at a time: {:.2} s in threads, {:.2} s on the farm, {:+.2}%",
        here.as_secs_f64(),
        there.as_secs_f64(),
        100.0 * (there.as_secs_f64() / here.as_secs_f64() - 1.0)
    );
}
