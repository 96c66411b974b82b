//! A small size of the load test: the same crowd as in the example, with fewer people.

#[path = "../../examples/load/crowd.rs"]
mod crowd;

use std::time::Duration;

use crate::common::start;

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_plays_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let report = crowd::play(server.address, 40, Duration::from_secs(5)).await;
    assert_eq!(report.errors, Vec::<String>::new());
    assert!(report.latencies.len() >= 40 * 4, "{} attempts", report.latencies.len());
    println!("median {:?}, 99 of 100 within {:?}", report.quantile(0.5), report.quantile(0.99));
    println!("{} games came to their end", report.finished);
    server.stop().await;
}
