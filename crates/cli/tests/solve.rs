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

/// What White has heard of ten random moves under Berkeley rules: a belief that no machine holds.
fn write_view(path: &Path) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut transcript = Transcript::new(Header::new(Rules::berkeley()));
    for _ in 0..20 {
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
    write_view(&folder.path().join("view.jsonl"));
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
