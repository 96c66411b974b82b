//! `nebel belief` as a user meets it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use assert_cmd::Command;
use serde_json::Value;

const HEADER: &str = r#"{"nebel":1,"rules":"icc","view":"white"}"#;
const E4: &str = r#"{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}"#;
const ONE_TRY: &str = r#"{"by":"black","answer":"moved","tries":{"count":1}}"#;

fn belief(input: &str, args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("nebel").unwrap();
    command.arg("belief").arg("-").args(args).write_stdin(input).output().unwrap()
}

fn json(output: &std::process::Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn complaint(output: &std::process::Output, code: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn a_belief_is_counted_and_listed_in_both_orders() {
    let view = format!("{HEADER}\n{E4}\n{ONE_TRY}\n");
    let expected = serde_json::json!({"states": 2, "peak": 2, "positions": [
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
    ]});
    for order in ["breadth", "depth"] {
        assert_eq!(json(&belief(&view, &["--json", "--list", "--order", order])), expected);
        let short = json(&belief(&view, &["--json", "--order", order]));
        assert_eq!(short, serde_json::json!({"states": 2, "peak": 2}));
        let sample = json(&belief(&view, &["--json", "--sample", "1", "--order", order]));
        let drawn = sample["positions"].as_array().unwrap();
        assert!(drawn.len() == 1 && expected["positions"].as_array().unwrap().contains(&drawn[0]));
    }
    let words = String::from_utf8(belief(&view, &["--list"]).stdout).unwrap();
    assert!(words.starts_with("2 positions, at the peak 2\n"), "{words}");
    assert_eq!(words.lines().count(), 4);
}

#[test]
fn a_transcript_is_heard_by_the_side_that_is_named() {
    let game = "{\"nebel\":1,\"rules\":\"icc\"}\n".to_owned() + E4 + "\n";
    assert_eq!(json(&belief(&game, &["--json"]))["states"], 1);
    assert_eq!(json(&belief(&game, &["--json", "--as", "black"]))["states"], 20);
}

#[test]
fn a_contradictory_view_is_bad_input_and_names_the_event() {
    let three_tries = r#"{"by":"black","answer":"moved","tries":{"count":3}}"#;
    let view = format!("{HEADER}\n{E4}\n{three_tries}\n");
    for order in ["breadth", "depth"] {
        let text = complaint(&belief(&view, &["--order", order]), 2);
        assert!(text.contains("event 2") && text.contains("no position"), "{text}");
    }
    let text = complaint(&belief(&format!("{HEADER}\n{E4}\n"), &["--as", "black"]), 2);
    assert!(text.contains("Black"), "{text}");
}

#[test]
fn a_limit_that_is_reached_is_a_failure() {
    let quiet = r#"{"by":"black","answer":"moved","tries":{"count":0}}"#;
    let view = format!("{HEADER}\n{E4}\n{quiet}\n");
    assert_eq!(json(&belief(&view, &["--json", "--limit", "18"]))["states"], 18);
    for order in ["breadth", "depth"] {
        let text = complaint(&belief(&view, &["--limit", "17", "--order", order]), 1);
        assert!(text.contains("event 2") && text.contains("17"), "{text}");
    }
}

#[test]
fn every_position_that_is_counted_is_listed() {
    // The side not to move is in check, as games refereed elsewhere may begin; the umpire refuses it.
    let start = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1";
    let header = format!(r#"{{"nebel":1,"rules":"icc","view":"white","start":"{start}"}}"#);
    let refused = r#"{"by":"white","attempt":"e1f2","answer":"illegal"}"#;
    for view in [format!("{header}\n"), format!("{header}\n{refused}\n")] {
        for order in ["breadth", "depth"] {
            let found = belief(&view, &["--json", "--list", "--order", order]);
            if view.contains("e1f2") {
                // No position forbids that move, so the view contradicts itself.
                complaint(&found, 2);
                continue;
            }
            let expected = serde_json::json!({"states": 1, "peak": 1, "positions": [start]});
            assert_eq!(json(&found), expected, "{order}");
            let sample = json(&belief(&view, &["--json", "--sample", "3", "--order", order]));
            assert!(sample["positions"].as_array().unwrap().iter().all(|fen| fen == start), "{sample}");
        }
    }
}

#[test]
fn a_sample_of_more_positions_than_anybody_wants_ends() {
    let view = format!("{HEADER}\n{E4}\n{ONE_TRY}\n");
    let few = json(&belief(&view, &["--json", "--sample", "4294967296"]));
    assert_eq!(few["positions"].as_array().unwrap().len(), 2);
    for view in [view, format!("{HEADER}\n")] {
        let many = belief(&view, &["--json", "--sample", "4294967296", "--order", "depth"]);
        let drawn = json(&many)["positions"].as_array().unwrap().len();
        assert_eq!(drawn, 1_000_000);
        let note = String::from_utf8(many.stderr).unwrap();
        assert!(note.contains("of 4294967296 positions drawn"), "{note}");
    }
}

#[test]
fn shared_beliefs_are_printed_in_both_orders() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/beliefs.jsonl");
    let Ok(text) = fs::read_to_string(path) else {
        // Not by a macro, so that a passing test shows it.
        let _ = writeln!(io::stderr(), "skipped: the shared vectors are not here (beliefs.jsonl)");
        return;
    };
    assert_eq!(text.lines().count(), 48);
    for (index, line) in text.lines().enumerate() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let lines: Vec<String> = entry["view"].as_array().unwrap().iter().map(Value::to_string).collect();
        let mut expected = entry["positions"].as_array().unwrap().clone();
        expected.sort_by(|one, two| one.as_str().cmp(&two.as_str()));
        for order in ["breadth", "depth"] {
            let printed = json(&belief(&lines.join("\n"), &["--json", "--list", "--order", order]));
            assert_eq!(printed["positions"].as_array(), Some(&expected), "entry {index}, {order}");
            assert_eq!(printed["states"], expected.len());
        }
    }
}

/// White's view of quiet moves under `berkeley`: some ten thousand positions after three, a hundred thousand after four.
fn quiet(moves: usize) -> String {
    let mut view = r#"{"nebel":1,"rules":"berkeley","view":"white"}"#.to_owned() + "\n";
    for attempt in ["e2e4", "g1f3", "f1e2", "e1g1", "d2d3"].iter().take(moves) {
        view += &[r#"{"by":"white","attempt":""#, attempt, r#"","answer":"moved"}"#, "\n"].concat();
        view += "{\"by\":\"black\",\"answer\":\"moved\"}\n";
    }
    view
}

#[test]
fn a_belief_that_spills_is_printed_as_one_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let spill = ["--spill", folder.path().to_str().unwrap(), "--memory", "0"];
    for (view, more) in [
        (quiet(3), &["--list"][..]),
        (quiet(4), &["--sample", "20", "--seed", "3"]),
        (quiet(4), &["--threads", "2"]),
        (format!("{HEADER}\n{E4}\n{ONE_TRY}\n"), &["--list"]),
    ] {
        let plain = belief(&view, &[&["--json"], more].concat());
        let spilled = belief(&view, &[&["--json"], more, &spill].concat());
        json(&plain);
        assert_eq!(plain.stdout, spilled.stdout, "{}", String::from_utf8_lossy(&spilled.stderr));
    }
    let words = String::from_utf8(belief(&quiet(4), &spill).stdout).unwrap();
    assert!(words.contains("GB on disk at the peak") && !words.contains("0.000 GB"), "{words}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let text = complaint(&belief(&quiet(4), &[&spill[..], &["--limit", "9000"]].concat()), 1);
    assert!(text.contains("9000"), "{text}");
    let text = complaint(&belief(&quiet(5), &["--memory", "1"]), 1);
    assert!(text.contains("bytes"), "without files the memory is a limit: {text}");
}

#[test]
fn a_folder_that_takes_no_files_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for bad in [missing, file] {
        let text = complaint(&belief(&quiet(1), &["--spill", bad.to_str().unwrap()]), 2);
        assert!(text.contains("--spill"), "{text}");
    }
    let text =
        complaint(&belief(&quiet(1), &["--spill", folder.path().to_str().unwrap(), "--order", "depth"]), 2);
    assert!(text.contains("breadth"), "{text}");
}

/// A disk that is full, as far as a shell can pretend: files may have eight kibibytes.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let view = folder.path().join("view");
    fs::write(&view, quiet(4)).unwrap();
    let limited = format!(
        "trap '' XFSZ; ulimit -f 16; exec '{}' belief '{}' --spill '{}' --memory 0",
        env!("CARGO_BIN_EXE_nebel"),
        view.display(),
        folder.path().display()
    );
    let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
    let text = complaint(&output, 1);
    assert!(text.contains("cannot be kept on disk"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}
