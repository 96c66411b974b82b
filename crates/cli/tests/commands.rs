//! The commands as a user meets them: good input, bad input, and nothing lost.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

fn nebel(folder: &Path, args: &[&str], input: impl Into<Vec<u8>>) -> std::process::Output {
    let mut command = Command::cargo_bin("nebel").unwrap();
    command.current_dir(folder).args(args).write_stdin(input).output().unwrap()
}

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Asserts exit code 2 and one line on standard error that holds all these words.
fn assert_bad(output: &std::process::Output, words: &[&str]) {
    let complaint = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(words.iter().all(|word| complaint.contains(word)), "{complaint} should hold {words:?}");
}

#[test]
fn umpire_answers_each_line_with_one_event() {
    let folder = tempfile::tempdir().unwrap();
    let input = "e2e4\nany?\n\nd7d5\r\nz9a1\ne4d5";
    let output = nebel(folder.path(), &["umpire", "--json"], input);
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    let words: Vec<&str> = answers.iter().map(|event| event["answer"].as_str().unwrap()).collect();
    assert_eq!(words, ["moved", "nonsense", "illegal", "moved", "illegal", "moved"]);
    assert_eq!(answers[5]["capture"], serde_json::json!({"square": "d5", "kind": "pawn"}));
    assert!(output.status.success());
}

#[test]
fn umpire_says_after_the_end_that_it_is_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let output = nebel(folder.path(), &["umpire", "--json", "--fen", fen], "a1a8\ng8f8\n\n");
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], r#"{"error":"the game is over: 1-0 by checkmate"}"#);
    assert_eq!(lines[2], lines[1]);
    let output = nebel(folder.path(), &["umpire", "--fen", fen], "a1a8\ng8f8\n");
    assert_bad(&output, &["standard input", "line 2", "the game is over"]);
}

#[test]
fn a_long_line_is_bad_input_and_what_came_before_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = b"e2e4\n".to_vec();
    input.extend(vec![b'x'; 10 << 20]);
    let output = nebel(folder.path(), &["umpire", "--json"], input);
    assert_bad(&output, &["standard input", "line 2", "64 bytes"]);
    assert_eq!(stdout(&output).lines().count(), 1);
    let output = nebel(folder.path(), &["umpire", "--json"], "x".repeat(64) + "\r\n");
    assert!(output.status.success(), "64 bytes are still an attempt");
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let wrong: [(&[&str], &[&str]); 17] = [
        (&["umpire", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], &["--fen", "no black king"]),
        (&["umpire", "--fen", "kk6/8/8/8/8/8/8/K7 w - - 0 1"], &["--fen", "more than one black king"]),
        (
            &["umpire", "--fen", "k7/8/8/8/8/8/8/KR5P w - - 0 1"],
            &["--fen", "a pawn on the first or last rank"],
        ),
        (&["umpire", "--fen", "k7/8/8/8/8/8/8/R6K w - - 0 1"], &["--fen", "side not to move is in check"]),
        (&["umpire", "--fen", "k7/8/8/8/8/8/8/7K w KQ - 0 1"], &["--fen", "castling"]),
        (&["umpire", "--fen", "garbage"], &["--fen", "garbage"]),
        (&["umpire", "--rules", "chess"], &["--rules", "unknown rules `chess`"]),
        (&["umpire", "--rules", "missing.json"], &["missing.json"]),
        (&["umpire", "--colour"], &["--colour"]),
        (&["umpires"], &["umpires"]),
        (&["convert"], &["FILE"]),
        (&["convert", "missing.jsonl"], &["missing.jsonl"]),
        (&["play", "--terminal", "--opponent", "kasparov"], &["--opponent", "unknown player `kasparov`"]),
        (&["play", "--opponent", "random"], &["--terminal"]),
        (&["play", "--rules", "rand"], &["--terminal"]),
        (&["play", "--port", "99999"], &["99999"]),
        (&["play", "--as", "red"], &["red"]),
    ];
    for (args, words) in wrong {
        assert_bad(&nebel(folder.path(), args, ""), words);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no file was left behind");
}

#[test]
fn a_ruleset_of_ones_own_is_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let rules =
        serde_json::to_string(&nebel_kriegspiel::Rules::icc()).unwrap().replace("\"icc\"", "\"mine\"");
    fs::write(folder.path().join("mine.json"), rules.replace("\"count\"", "\"from\"")).unwrap();
    let output = nebel(folder.path(), &["umpire", "--json", "--rules", "mine.json"], "e2e4\nd7d5\n");
    assert!(stdout(&output).contains(r#""tries":{"from":["e4"]}"#));
    fs::write(folder.path().join("wrong.json"), "{\"name\":\"x\"}").unwrap();
    assert_bad(
        &nebel(folder.path(), &["umpire", "--rules", "wrong.json"], ""),
        &["wrong.json", "missing field"],
    );
    fs::write(folder.path().join("taken.json"), rules.replace("mine", "rand")).unwrap();
    assert_bad(&nebel(folder.path(), &["umpire", "--rules", "taken.json"], ""), &["taken.json", "`rand`"]);
}

#[test]
fn wrong_files_are_refused_and_no_output_is_left_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let header = "{\"nebel\":1,\"rules\":\"icc\"}\n";
    let binary = [&b"\x7fELF"[..], &[0xff; 100]].concat();
    let files: [(&str, Vec<u8>, &[&str]); 7] = [
        ("empty", Vec::new(), &["empty"]),
        ("binary", binary, &["line 1"]),
        ("cut.jsonl", format!("{header}{{\"by\":\"white\",\"att").into(), &["line 2", "cut off"]),
        ("wrong.jsonl", format!("{header}{{\"by\":\"green\"}}").into(), &["line 2", "green"]),
        ("long.jsonl", [header.as_bytes(), &vec![b'{'; 10 << 20]].concat(), &["line 2", "65536 bytes"]),
        ("cut.pgn", b"[Rules \"icc\"]\n\n1. e4 {(:".to_vec(), &["line 3", "not closed"]),
        ("wrong.pgn", b"[Rules \"icc\"]\n\n1. e4 e9 *".to_vec(), &["line 3", "e9"]),
    ];
    for (name, bytes, words) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let output = nebel(folder.path(), &["convert", name, "--output", "out"], "");
        assert_bad(&output, &[&[name], words].concat());
        assert!(!folder.path().join("out").exists(), "{name}");
    }
}

#[test]
fn a_game_at_the_terminal_is_saved_and_can_be_converted() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--terminal", "--seed", "7", "--save", "game.jsonl"];
    let output = nebel(folder.path(), &args, "help\nd2e3\nboard\ne2e4\ne2e4\nhello\nresign\n");
    let text = stdout(&output);
    assert!(output.status.success());
    for words in
        ["(refused: d2e3)> ", "> Done.", "Black has moved.", "Resignation. You lose.", "saved in game.jsonl"]
    {
        assert!(text.contains(words), "{text} should hold {words}");
    }
    let saved = fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    assert!(saved.lines().last().unwrap().contains("resignation"));
    let again = nebel(folder.path(), &args, "");
    assert_bad(&again, &["game.jsonl"]);
    assert_eq!(
        fs::read_to_string(folder.path().join("game.jsonl")).unwrap(),
        saved,
        "nothing was overwritten"
    );

    assert!(nebel(folder.path(), &["convert", "game.jsonl", "-o", "game.pgn"], "").status.success());
    let back = nebel(folder.path(), &["convert", "game.pgn"], "");
    assert_eq!(stdout(&back), saved);
    let view = nebel(folder.path(), &["convert", "game.jsonl", "--to", "jsonl", "--as", "white"], "");
    assert!(!stdout(&view).contains(r#""by":"black","attempt""#));
    fs::write(folder.path().join("view.jsonl"), &view.stdout).unwrap();
    let other = nebel(folder.path(), &["convert", "view.jsonl", "--as", "black"], "");
    assert_bad(&other, &["view.jsonl", "black"]);
}

#[test]
fn the_terminal_takes_short_notation_and_tells_what_is_no_move_from_what_is_illegal() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--terminal", "--opponent", "drifter", "--seed", "7", "--save", "game.jsonl"];
    let input = "hello\ne9\nNd2\nexd3\nexd3\ndraw\nNf3\nany\nresign\n";
    let output = nebel(folder.path(), &args, input);
    let text = stdout(&output);
    for words in [
        "\"hello\" is not a move",
        "\"e9\" is not a move",
        "No man of yours can try Nd2 now.",
        "Illegal: e2d3. Try something else; it is still your turn.",
        "(refused: e2d3)> No man of yours can try exd3 now.",
        "> Your offer is declined. It is still your turn.",
        "> Done.",
    ] {
        assert!(text.contains(words), "{text} should hold {words}");
    }
    let saved = fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    assert!(saved.contains(r#""attempt":"g1f3""#) && saved.contains(r#""black":"random""#), "{saved}");
    assert!(!saved.contains("hello"), "what is no move is no event: {saved}");
    let date = saved.split("\"Date\":\"").nth(1).unwrap();
    assert!(date.starts_with("20") && date.as_bytes()[4] == b'.', "{saved}");
}

#[test]
fn a_game_at_the_terminal_goes_to_the_data_folder_and_meets_the_level_of_the_web() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let play = || {
        let mut command = Command::cargo_bin("nebel").unwrap();
        command.env("HOME", &home).env("XDG_DATA_HOME", home.join("data")).current_dir(folder.path());
        command.args(["play", "--terminal"]).write_stdin("resign\n").output().unwrap()
    };
    for games in 1..=2 {
        assert!(play().status.success());
        let kept = fs::read_dir(home.join("data/nebel/terminal")).unwrap();
        let kept: Vec<String> = kept.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        assert_eq!(kept.len(), games);
        assert!(
            kept.iter().all(|game| game.contains("nebel:level=1") && game.contains("resignation")),
            "{kept:?}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left where one happens to be");
}

#[test]
fn no_help_shows_the_largest_number_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for command in [&["problems", "bench"][..], &["problems", "generate"], &["match"], &["solve"], &["play"]]
    {
        let output = nebel(folder.path(), &[command, &["--help"]].concat(), "");
        assert!(output.status.success() && !stdout(&output).contains("18446744073709551615"), "{command:?}");
    }
}

#[test]
fn an_unfinished_game_at_the_terminal_is_saved_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--terminal", "--as", "black", "--seed", "1", "--save", "game.jsonl"];
    let output = nebel(folder.path(), &args, "e7e5\n");
    assert!(output.status.success());
    let saved = nebel(folder.path(), &["convert", "game.jsonl"], "");
    assert!(stdout(&saved).ends_with("*\n\n"));
}

#[test]
fn a_byte_order_mark_is_skipped_wherever_text_is_read() {
    const MARK: &str = "\u{feff}";
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        fs::write(folder.path().join(format!("marked-{name}")), format!("{MARK}{text}")).unwrap();
    };
    let start = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    let view = format!("{{\"nebel\":1,\"rules\":\"berkeley\",\"view\":\"white\",\"start\":\"{start}\"}}\n");
    write("view.jsonl", &view);
    let pgn = stdout(&nebel(folder.path(), &["convert", "view.jsonl", "--to", "pgn"], ""));
    write("view.pgn", &pgn);
    write("positions.txt", &format!("{start}\n"));
    let solve = ["solve", "--positions", "positions.txt", "--plies", "1", "--strategy", "--json"];
    write("strategy.json", &stdout(&nebel(folder.path(), &solve, "")));
    let rules = serde_json::to_string(&nebel_kriegspiel::Rules::icc()).unwrap();
    write("rules.json", &rules.replace("\"icc\"", "\"mine\""));
    let view_line = serde_json::to_string(&pgn).unwrap();
    let entry = format!("{{\"plies\":1,\"guaranteed\":true,\"states\":1,\"view\":{view_line}}}\n");
    write("problems.jsonl", &entry);
    for (args, input) in [
        (&["belief", "view.jsonl", "--list", "--json"][..], ""),
        (&["belief", "view.pgn", "--list", "--json"], ""),
        (&["convert", "view.jsonl"], ""),
        (&["convert", "view.pgn"], ""),
        (&["solve", "--positions", "positions.txt", "--plies", "1"], ""),
        (&["verify", "--positions", "positions.txt", "--plies", "1", "strategy.json"], ""),
        (&["problems", "show", "problems.jsonl", "1"], ""),
        (&["match", "random", "random", "--starts", "positions.txt", "--games", "2", "--max-moves", "1"], ""),
        (&["umpire", "--rules", "rules.json", "--json"], "e2e4\n"),
        (&["umpire", "--json"], "e2e4\nany?\n"),
        (&["belief", "-", "--list", "--json"], &view),
    ] {
        let plain = nebel(folder.path(), args, input);
        let marked: Vec<String> = args
            .iter()
            .map(|arg| if arg.contains('.') { format!("marked-{arg}") } else { (*arg).to_owned() })
            .collect();
        let marked: Vec<&str> = marked.iter().map(String::as_str).collect();
        let input = if input.is_empty() { String::new() } else { format!("{MARK}{input}") };
        let with_mark = nebel(folder.path(), &marked, input);
        assert!(plain.status.success(), "{args:?}: {}", String::from_utf8_lossy(&plain.stderr));
        assert!(with_mark.status.success(), "{args:?}: {}", String::from_utf8_lossy(&with_mark.stderr));
        assert_eq!(stdout(&with_mark), stdout(&plain), "{args:?}");
    }
}
