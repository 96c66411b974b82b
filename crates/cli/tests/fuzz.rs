//! The files that only the program reads (positions, journals, rows of measurements) and the others as it is given them,
//! against garbage and damage: exit code 0, 1 or 2, and where something is refused one line that says why.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../kriegspiel/tests/common/damage.rs"]
mod damage;

use std::{fs, path::Path, process::Output};

use assert_cmd::Command;
use damage::{damaged, garbage};
use proptest::prelude::*;

fn nebel(folder: &Path, args: &[&str], input: &str) -> Output {
    Command::cargo_bin("nebel").unwrap().args(args).current_dir(folder).write_stdin(input).output().unwrap()
}

/// A program that was given something odd takes it, or says in one line why not.
fn judged(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().unwrap_or_else(|| panic!("ended by a signal: {said}"));
    match code {
        // 1 is also the answer "no".
        0 | 1 => assert!(!said.contains("panicked"), "{said}"),
        2 => assert!(said.starts_with("nebel: ") && said.lines().count() == 1, "{said:?}"),
        _ => panic!("exit code {code}: {said}"),
    }
    code != 2
}

/// A folder with a file that something happened to.
fn folder_with(name: &str, text: &str, seed: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bytes = if seed.is_multiple_of(8) { garbage(seed, 300) } else { damaged(text, seed) };
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

const POSITIONS: &str = "6k1/8/5K2/8/Q7/8/8/8 w - - 0 1\n\n7k/8/5K2/8/Q7/8/8/8 w - - 0 1\n";
const STRATEGY: &str = r#"{"try":"f6f7","legal":{"Black to move.":{"then":{"White to move.":{"try":"a4h4","legal":{"Check by File. Checkmate.":"mate"},"illegal":null}}}},"illegal":{"try":"a4g4","legal":{},"illegal":null}}"#;
const GAME: &str = r#"{"nebel":1,"rules":"icc"}
{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}
{"by":"black","attempt":"d7e6","answer":"illegal"}
{"by":"black","attempt":"d7d5","answer":"moved","tries":{"count":1}}
"#;

/// Two near-misses, which are quickly judged.
fn collection() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../collections/berkeley-3.jsonl");
    let whole = fs::read_to_string(path).unwrap();
    let misses = whole.lines().filter(|line| line.contains("\"guaranteed\":false")).take(2);
    misses.collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn positions(seed in any::<u64>()) {
        let folder = folder_with("positions", POSITIONS, seed);
        judged(&nebel(folder.path(), &["solve", "--positions", "positions", "--plies", "1"], ""));
    }

    #[test]
    fn strategies(seed in any::<u64>()) {
        let folder = folder_with("strategy", STRATEGY, seed);
        fs::write(folder.path().join("positions"), POSITIONS).unwrap();
        let args = ["verify", "--positions", "positions", "--plies", "3", "strategy"];
        judged(&nebel(folder.path(), &args, ""));
    }

    #[test]
    fn games(seed in any::<u64>()) {
        let folder = folder_with("game", GAME, seed);
        judged(&nebel(folder.path(), &["convert", "game", "--to", "pgn"], ""));
        judged(&nebel(folder.path(), &["belief", "game", "--as", "white"], ""));
    }

    #[test]
    fn rows_of_measurements(seed in any::<u64>()) {
        let rows = "problem,plies,states,algorithm,verdict,seconds,constructed,expanded,beliefs,peak_memory,last_nodes,last_states,last_replies,last_percepts,last_tries,limit,memory,threads,hash\n1,3,2,auto,mate,0.1,1,1,1,1,0,0,0,0,0,60,2048,1,0\n";
        let folder = folder_with("rows.csv", rows, seed);
        fs::write(folder.path().join("two.jsonl"), collection()).unwrap();
        let before = fs::read(folder.path().join("rows.csv")).unwrap();
        if !judged(&nebel(folder.path(), &["problems", "bench", "two.jsonl", "--output", "rows.csv"], "")) {
            prop_assert_eq!(fs::read(folder.path().join("rows.csv")).unwrap(), before, "what is not ours is left alone");
        }
    }
}

#[test]
fn journals() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.jsonl"), collection()).unwrap();
    let deepen = |output: &str| {
        let args = ["problems", "deepen", "two.jsonl", "--plies", "5", "--output", output];
        nebel(folder.path(), &args, "")
    };
    // A folder stands where the output should go, so that the journal stays.
    fs::create_dir(folder.path().join("blocked")).unwrap();
    assert!(!deepen("blocked").status.success());
    let journal = fs::read_to_string(folder.path().join("blocked.journal")).unwrap();
    assert!(journal.lines().count() > 2, "{journal}");
    let path = folder.path().join("out.journal");
    for seed in 0..40 {
        let bytes = if seed % 8 == 0 { garbage(seed, 300) } else { damaged(journal.as_str(), seed) };
        fs::write(&path, &bytes).unwrap();
        if !judged(&deepen("out")) {
            assert_eq!(fs::read(&path).unwrap(), bytes, "what is not ours is left alone");
        }
    }
}
