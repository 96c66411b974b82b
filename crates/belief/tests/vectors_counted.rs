//! The shared vectors are all there: a file that was cut short must not pass for one that agrees.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{io::Write as _, path::Path};

use serde_json::Value;

/// A file of the shared vectors, how many entries it has, and how many of them with a view.
const FILES: [(&str, usize, usize); 2] = [("beliefs.jsonl", 48, 48), ("problems.jsonl", 44, 30)];

#[test]
fn every_shared_vector_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    for (file, entries, views) in FILES {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            // Not by a macro, so that a passing test shows it.
            let _ = writeln!(std::io::stderr(), "skipped: the shared vectors are not here ({file})");
            continue;
        };
        let read: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let with_view = read.iter().filter(|entry| entry["view"].is_array()).count();
        assert_eq!((read.len(), with_view), (entries, views), "{file}");
    }
}
