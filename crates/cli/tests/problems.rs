//! Measurements over collections of mate problems: `nebel problems bench` and the figure made of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path, process::Output};

use assert_cmd::Command;

fn nebel(folder: &Path, args: &[&str]) -> Output {
    Command::cargo_bin("nebel").unwrap().args(args).current_dir(folder).output().unwrap()
}

/// A file of the shipped collections.
fn collection(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../collections").join(name).display().to_string()
}

fn complaint(output: &Output, words: &str) {
    let complaint = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.lines().count() == 1 && complaint.contains(words), "{complaint}");
}

#[test]
fn a_measurement_that_was_cut_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = collection("berkeley-3.jsonl");
    let bench = |more: &[&str]| {
        let args = ["problems", "bench", &file, "--first", "4", "--jobs", "2", "--output", "rows.csv"];
        nebel(folder.path(), &[&args, more].concat())
    };
    let output = bench(&["--curve", "curve.svg"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    let rows = folder.path().join("rows.csv");
    let whole = fs::read_to_string(&rows).unwrap();
    assert_eq!(whole.lines().count(), 1 + 4 * 2, "{whole}");
    let drawing = fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(drawing.contains("gl-dbu") && drawing.contains("auto") && drawing.contains("problems decided"));

    let cut = &whole[..whole.len() - 9];
    fs::write(&rows, cut).unwrap();
    assert!(bench(&[]).status.success());
    let again = fs::read_to_string(&rows).unwrap();
    let kept = &cut[..=cut.rfind('\n').unwrap()];
    assert!(again.starts_with(kept), "{again}");
    assert_eq!(again.lines().count(), 1 + 4 * 2, "{again}");
    assert!(bench(&[]).status.success());
    assert_eq!(fs::read_to_string(&rows).unwrap(), again, "nothing was left to do");

    complaint(&bench(&["--time", "5"]), "rows.csv: its limit is 60 s, not 5 s");
    complaint(&bench(&["--time=-1"]), "--time");
    complaint(&bench(&["--algorithms", "alpha-beta"]), "no algorithm is called");
    fs::write(&rows, "a letter to a friend").unwrap();
    complaint(&bench(&[]), "rows.csv: line 1: not a row");
    assert_eq!(fs::read_to_string(&rows).unwrap(), "a letter to a friend");
}

#[test]
fn figure_4_is_made_with_all_it_refers_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = collection("berkeley-5.jsonl");
    let args = ["reproduce", "rw-fig4", "--quick", "--jobs", "2", "--output", "page", "--collection"];
    let output = nebel(folder.path(), &[&args, &[&*file][..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join("page").join(name)).unwrap();
    let page = read("rw-fig4.md");
    let ranked = |name: &str| page.lines().filter(|line| line.contains(&format!("| `{name}` |"))).count();
    assert!(["dfs", "pns", "ipns", "gl-dbu", "auto"].iter().all(|name| ranked(name) == 2), "{page}");
    assert!(
        page.contains("## Mates") && page.contains("## Near-misses") && page.contains("of 3 |"),
        "{page}"
    );
    assert!(page.contains("section 6.4"), "{page}");
    assert_eq!(read("rw-fig4.csv").lines().count(), 1 + 6 * 12);
    for drawing in ["mates.svg", "near-misses.svg"] {
        assert!(page.contains(drawing) && read(drawing).contains("gx-dfs"));
    }
    let missing = ["reproduce", "rw-fig4", "--collection", "none.jsonl"];
    complaint(&nebel(folder.path(), &missing), "none.jsonl");
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let empty = ["reproduce", "rw-fig4", "--collection", "empty.jsonl"];
    complaint(&nebel(folder.path(), &empty), "empty.jsonl: no mate to measure");
}
