//! A small size of the load test: the same crowd as in the example, with fewer people.

#[path = "../../examples/load/crowd.rs"]
mod crowd;

use std::time::Duration;

use crate::common::start;
use crowd::{Against, LEVEL, quantile};

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_plays_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let report = crowd::play(server.address, Against::People, 40, Duration::from_secs(5)).await;
    assert_eq!((report.errors, report.refused), (Vec::<String>::new(), 0));
    let answers = &report.latencies;
    assert!(answers.len() >= 40 * 4, "{} attempts", answers.len());
    println!("median {:?}, 99 of 100 within {:?}", quantile(answers, 0.5), quantile(answers, 0.99));
    println!("{} games came to their end", report.finished);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_plays_against_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let report = crowd::play(server.address, Against::Machine, 40, Duration::from_secs(5)).await;
    assert_eq!((report.errors, report.refused), (Vec::<String>::new(), 0));
    assert!(report.turns.len() >= 40, "{} turns", report.turns.len());
    let (median, tick) = (quantile(&report.turns, 0.5), Duration::from_millis(LEVEL.1));
    assert!((tick..tick * 2).contains(&median), "half of the turns came after {median:?} and more");
    println!("{} turns, {} of them hurried", report.turns.len(), report.hurried.len());
    server.stop().await;
}
