//! `nebel solve` as a user meets it: limits, and what is said when one is reached.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Color, Header, Rules, Transcript, json, transcript::Record};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use shakmaty::CastlingMode;

/// What White has heard of so many random moves under Berkeley rules: a belief that no machine holds.
fn write_view(path: &Path, moves: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut transcript = Transcript::new(Header::new(Rules::berkeley()));
    for _ in 0..2 * moves {
        let chosen = transcript.umpire().legal_moves().choose(&mut rng).unwrap();
        let chosen = chosen.to_uci(CastlingMode::Standard).to_string();
        transcript.hear(&chosen).unwrap();
    }
    let mut text = Vec::new();
    json::write(&Record::View(Box::new(transcript.view(Color::White))), &mut text).unwrap();
    fs::write(path, text).unwrap();
}

/// The report of a search, the seconds that it took and the most mebibytes that it held (0 where nobody says).
fn solve(folder: &Path, args: &[&str]) -> (Value, f64, usize) {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .args(["solve", "--view", "view.jsonl", "--plies", "3", "--json"])
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes =
            line.and_then(|line| line.trim().strip_suffix(" kB")).map_or(0, |text| text.parse().unwrap());
        most = most.max(kibibytes);
        assert!(begun.elapsed() < Duration::from_mins(1), "{args:?}: still running");
        thread::sleep(Duration::from_millis(5));
    }
    let taken = begun.elapsed().as_secs_f64();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{args:?}");
    (serde_json::from_slice(&output.stdout).unwrap(), taken, most / 1024)
}

#[test]
fn limits_count_from_the_start_of_a_view() {
    let folder = tempfile::tempdir().unwrap();
    write_view(&folder.path().join("view.jsonl"), 10);
    for algorithm in ["dfs", "pns", "ipns"] {
        let (report, taken, most) = solve(folder.path(), &["--algorithm", algorithm, "--time", "1"]);
        assert_eq!(report["stopped"], "time", "{algorithm}: {report}");
        assert_eq!((&report["guaranteed"], &report["whole"]), (&Value::Null, &false.into()), "{algorithm}");
        assert!(report["states"].as_u64().unwrap() > 0, "{algorithm}: {report}");
        assert!(report["seconds"].as_f64().unwrap() < 2.0 && taken < 4.0, "{algorithm}: {taken} s, {report}");
        println!("{algorithm}, one second: {taken:.2} s, {most} MiB");

        let (report, taken, most) =
            solve(folder.path(), &["--algorithm", algorithm, "--time", "20", "--memory", "64"]);
        assert_eq!(report["stopped"], "memory", "{algorithm}: {report}");
        assert!(report["peak_memory"].as_u64().unwrap() <= 72 << 20, "{algorithm}: {report}");
        // The program itself takes some twenty.
        assert!(most < 110, "{algorithm}: {most} MiB");
        println!("{algorithm}, 64 MiB: {taken:.2} s, {most} MiB, {report}");
    }
}

/// The aim is a fifth of a second and a tenth of the limit; a machine that does other things as well is given a second.
#[test]
fn every_algorithm_stops_on_a_view_of_thirty_moves() {
    let folder = tempfile::tempdir().unwrap();
    write_view(&folder.path().join("view.jsonl"), 30);
    let algorithms = [
        "dfs", "l-dfs", "gl-dfs", "gx-dfs", "pns", "e-pns", "le-dfs", "l-dub", "l-dbu", "gl-dbu", "ipns",
        "auto",
    ];
    for algorithm in algorithms {
        let args = ["--algorithm", algorithm, "--time", "0.5", "--memory", "256"];
        let (report, taken, most) = solve(folder.path(), &args);
        // Who looks at one position after the other may find one without a mate, which refutes them all.
        let is_refuted = report["guaranteed"] == false && report["stopped"].is_null();
        let is_stopped = report["stopped"] == "time" || report["stopped"] == "memory";
        assert!(is_refuted || (is_stopped && report["guaranteed"].is_null()), "{algorithm}: {report}");
        assert!(is_stopped || algorithm != "dfs", "the belief fits: {report}");
        println!(
            "{algorithm}: {:.3} s, {taken:.3} s in all, {most} MiB",
            report["seconds"].as_f64().unwrap()
        );
        assert!(report["seconds"].as_f64().unwrap() < 1.5 && most < 320, "{algorithm}: {report}, {most} MiB");
    }
}

/// A rook and a king against a king on one of three squares: one attempt mates on two of them.
const THREE: [&str; 3] =
    ["7k/5K2/8/8/8/8/8/R7 w - - 0 1", "8/5K1k/8/8/8/8/8/R7 w - - 0 1", "8/5K2/7k/8/8/8/8/R7 w - - 0 1"];

fn nebel(folder: &Path, args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_nebel")).args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_largest_part_is_found_counted_and_weighed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("alike"), THREE.join("\n")).unwrap();
    let weights = ["1", "1", "6"];
    let weighed: Vec<String> =
        THREE.iter().zip(weights).map(|(fen, weight)| format!("{fen}; {weight}")).collect();
    fs::write(folder.join("weighed"), weighed.join("\n")).unwrap();
    for (file, share) in [("alike", 2.0 / 3.0), ("weighed", 0.25)] {
        let solve = ["solve", "--positions", file, "--plies", "1", "--probability"];
        let (report, _, _) = nebel(folder, &[&solve[..], &["--strategy", "--json"]].concat());
        let value: Value = serde_json::from_str(&report).unwrap();
        assert!((value["probability"].as_f64().unwrap() - share).abs() < 1e-9, "{report}");
        assert_eq!((&value["wins"], &value["states"], &value["exact"]), (&2.into(), &3.into(), &true.into()));
        assert_eq!((&value["attempt"], &value["guaranteed"]), (&"a1h1".into(), &false.into()));
        fs::write(folder.join("plan.json"), &report).unwrap();
        let (words, _, _) = nebel(folder, &solve);
        assert!(words.contains("2 of 3 positions") && words.contains("within 1 ply."), "{words}");
        // The verifier counts the same, and without `--count` it is no strategy for all.
        let verify = ["verify", "--positions", file, "--plies", "1", "plan.json"];
        let (counted, _, code) = nebel(folder, &[&verify[..], &["--count", "--json"]].concat());
        let counted: Value = serde_json::from_str(&counted).unwrap();
        assert_eq!((&counted["wins"], &counted["positions"], code), (&2.into(), &3.into(), Some(0)));
        assert_eq!(nebel(folder, &verify).2, Some(1));
    }
    for (weight, complaint) in [("0", "weight"), ("-1", "weight"), ("x", "weight"), ("nan", "weight")] {
        fs::write(folder.join("bad"), format!("{}; {weight}", THREE[0])).unwrap();
        let (_, words, code) =
            nebel(folder, &["solve", "--positions", "bad", "--plies", "1", "--probability"]);
        assert!(words.contains("bad: line 1") && words.contains(complaint), "{words}");
        assert_eq!(code, Some(2), "{words}");
    }
}
