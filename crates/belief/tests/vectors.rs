//! Beliefs that others computed, position for position.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{fens, vectors, view_of};
use nebel_belief::{History, Limit, Stream, Tracker};

/// Compares every belief of a file, of which there must be so many: one that was cut short must not pass.
fn compare(file: &str, beliefs: usize) {
    let entries = vectors(file);
    let mut compared = 0;
    for (index, entry) in entries.iter().enumerate() {
        let Some(view) = view_of(entry) else { continue };
        let mut expected: Vec<&str> =
            entry["positions"].as_array().unwrap().iter().map(|fen| fen.as_str().unwrap()).collect();
        expected.sort_unstable();
        let tracker = Tracker::of_view(&view, Limit::default()).unwrap();
        assert_eq!(fens(tracker.positions()), expected, "{file}: entry {index}, breadth-first");
        let history = History::of_view(&view).unwrap();
        let set = history.stream(Stream::CACHE).collect_set(Limit::default()).unwrap();
        let streamed = fens(set.iter().filter_map(|key| history.position(key)));
        assert_eq!(streamed, expected, "{file}: entry {index}, depth-first");
        compared += 1;
    }
    println!("{file}: {compared} beliefs agree");
    assert!(entries.is_empty() || compared == beliefs, "{file}: {compared} of {beliefs}");
}

#[test]
fn shared_beliefs_are_reproduced() {
    compare("beliefs.jsonl", 48);
}

#[test]
fn beliefs_of_shared_problems_are_reproduced() {
    compare("problems.jsonl", 30);
}
