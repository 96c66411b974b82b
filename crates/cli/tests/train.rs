//! `nebel train`: one seed, one file, whether it was killed or not; and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/program.rs"]
mod program;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use program::{NEBEL, nebel, printed};

const TINY: &str = "positions=4,particles=20,lines=16,ahead=4";

/// A tiny training of four games that keeps them in this folder.
fn tiny<'a>(store: &'a str, output: &'a str) -> Vec<&'a str> {
    let mut args = vec!["train", "--options", TINY, "--games", "4", "--max-moves", "10", "--epochs", "2"];
    args.extend(["--units", "3", "--seed", "7", "--store", store, "--output", output]);
    args
}

fn games_noted(folder: &Path, store: &str) -> usize {
    let journal = fs::read_to_string(folder.join(store).join("train.journal")).unwrap_or_default();
    journal.matches('\n').count().saturating_sub(1)
}

#[test]
fn a_training_that_was_killed_goes_on_and_writes_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let report = printed(folder.path(), &tiny("whole", "whole.json"));
    assert!(report.contains("Do its chances come true") && report.contains("4 games"), "{report}");
    let mut killed = Command::new(NEBEL)
        .current_dir(folder.path())
        .args(tiny("killed", "killed.json"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while games_noted(folder.path(), "killed") == 0 {
        assert!(killed.try_wait().unwrap().is_none_or(|status| status.success()));
        thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(printed(folder.path(), &tiny("killed", "killed.json")), report);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("killed.json"), read("whole.json"));

    // The player takes what was learned, and nothing else.
    let spec = format!("nebel:{TINY},value=whole.json");
    let short = ["match", &spec, "random", "--games", "2", "--max-moves", "4"];
    printed(folder.path(), &short);
    let damaged = read("whole.json").replacen("\"mean\":[", "\"mean\":[7", 1);
    fs::write(folder.path().join("damaged.json"), damaged).unwrap();
    for (file, because) in [("damaged.json", "checksum"), ("nowhere.json", "nowhere.json")] {
        let spec = format!("nebel:value={file}");
        refused(folder.path(), &["match", &spec, "random", "--games", "2"], because);
    }
}

#[test]
fn what_cannot_be_learned_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    refused(folder.path(), &["train", "--games", "0"], "--games");
    refused(folder.path(), &["train", "--lambda", "1.5"], "from 0 to 1");
    refused(folder.path(), &["train", "--options", "colour=red"], "colour=red");
    let once = ["train", "--options", TINY, "--games", "1", "--max-moves", "2", "--epochs", "1"];
    printed(folder.path(), &once);
    refused(folder.path(), &[&once[..], &["--seed", "2"]].concat(), "another seed");
    fs::write(folder.path().join("file"), "").unwrap();
    refused(folder.path(), &[&once[..], &["--store", "file"]].concat(), "file");
}

fn refused(folder: &Path, args: &[&str], because: &str) {
    let output = nebel(folder, args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(said.contains(because) && said.lines().count() == 1, "{args:?}: {said}");
}
