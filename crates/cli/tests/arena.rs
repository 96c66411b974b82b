//! Matches as a user meets them: killed and resumed, repeated, and against programs that misbehave.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/program.rs"]
mod program;

use std::{
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use program::{NEBEL, nebel, printed};
use serde_json::Value;

/// The last line of a match with `--json`.
fn result(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let last = text.lines().last();
    let last = last.unwrap_or_else(|| panic!("no output: {}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(last).unwrap()
}

#[test]
fn a_match_that_is_killed_again_and_again_ends_with_exactly_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "match", "random", "greedy", "--games", "400", "--jobs", "2", "--store", "m.db", "--json", "--seed",
        "5",
    ];
    let mut kills = 0;
    for round in 0..20_u64 {
        let mut child = Command::new(NEBEL)
            .current_dir(folder.path())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(5 + round * 37 % 60));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = result(&nebel(folder.path(), &args));
    assert_eq!(resumed["games"], 400);
    let csv = nebel(folder.path(), &["results", "m.db", "--export", "csv"]);
    let csv = String::from_utf8(csv.stdout).unwrap();
    let mut numbers: Vec<u32> =
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..400).collect::<Vec<_>>(), "each game once");
    // Nothing depends on where it was cut: an undisturbed match has the same games.
    let straight = result(&nebel(
        folder.path(),
        &["match", "random", "greedy", "--games", "400", "--json", "--seed", "5"],
    ));
    assert_eq!(straight, resumed);
    assert!(kills > 0, "no run was cut");
}

#[test]
fn the_same_seed_gives_the_same_transcripts() {
    let folder = tempfile::tempdir().unwrap();
    let games = |store: &str, jobs: &str| {
        let args =
            ["match", "greedy", "random", "--games", "20", "--nodes", "10", "--jobs", jobs, "--store", store];
        assert!(nebel(folder.path(), &args).status.success());
        nebel(folder.path(), &["results", store, "--export", "pgn"]).stdout
    };
    let first = games("1.db", "1");
    assert_eq!(first, games("2.db", "1"));
    assert_eq!(first, games("3.db", "2"), "nor does it depend on the number of jobs");
    assert!(first.len() > 10_000);
}

#[test]
fn a_player_behind_the_protocol_plays_as_it_does_inside() {
    let folder = tempfile::tempdir().unwrap();
    let outside = format!("exec:'{NEBEL}' bot greedy");
    for rules in ["icc", "berkeley-any", "english"] {
        let inside = ["match", "greedy", "random", "--games", "4", "--json", "--rules", rules];
        let through = ["match", &outside, "random", "--games", "4", "--json", "--rules", rules];
        let [inside, through] = [&inside[..], &through[..]].map(|args| result(&nebel(folder.path(), args)));
        for field in ["wins", "draws", "losses", "reasons"] {
            assert_eq!(inside[field], through[field], "{rules} {field}");
        }
    }
}

#[test]
fn programs_that_misbehave_lose_their_games_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let ready = r#"read l; echo "{\"type\":\"ready\",\"name\":\"x\"}""#;
    let programs = [
        ("hangs at the start", "sleep 100".to_owned(), 1),
        ("hangs", format!("sh -c '{ready}; sleep 100'"), 3),
        ("dies at once", "false".to_owned(), 3),
        ("dies later", format!("sh -c '{ready}; exit 3'"), 3),
        ("does not exist", "/no/such/program".to_owned(), 3),
        ("floods lines", "yes".to_owned(), 3),
        ("floods one line", "tr '\\0' x </dev/zero".to_owned(), 3),
        ("floods after the start", format!("sh -c '{ready}; yes'"), 3),
        (
            "talks nonsense",
            format!(
                "sh -c '{ready}; while read l; do case $l in *go*) echo \"{{\\\"type\\\":\\\"try\\\",\\\"attempt\\\":\\\"a1a1\\\"}}\";; esac; done'"
            ),
            3,
        ),
        ("does not listen", format!("sh -c '{ready}; exec yes \"{{\\\"type\\\":\\\"ask\\\"}}\"'"), 3),
    ];
    for (how, program, games) in programs {
        let spec = format!("exec:{program}");
        let games = games.to_string();
        let begin = Instant::now();
        let args = ["match", &spec, "random", "--games", &games, "--move-time", "300ms", "--json"];
        let result = result(&nebel(folder.path(), &args));
        assert_eq!(result["losses"].to_string(), games, "{how}: {result}");
        assert_eq!(result["reasons"]["forfeit"].to_string(), games, "{how}: {result}");
        assert!(begin.elapsed() < Duration::from_mins(2), "{how}");
    }
}

#[test]
fn a_sequential_test_stops_a_match_early() {
    let folder = tempfile::tempdir().unwrap();
    // A program that resigns loses every game, so a few games decide.
    let resigns = r#"exec:sh -c 'while read l; do case $l in *new*) echo "{\"type\":\"ready\"}";; *go*) echo "{\"type\":\"resign\"}";; esac; done'"#;
    let args = ["match", "random", resigns, "--games", "500", "--sprt", "0,100", "--json"];
    let result = result(&nebel(folder.path(), &args));
    assert_eq!(result["sprt"]["verdict"], "accepted");
    let games = result["games"].as_u64().unwrap();
    assert!(games < 100 && games.is_multiple_of(2), "{result}");
    assert_eq!(result["sprt"]["pairs"], games / 2, "whole pairs: {result}");
    assert_eq!(result["pentanomial"][4], games / 2, "{result}");
}

#[test]
fn a_verdict_stays_whoever_finishes_first_and_however_often_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let play = |jobs: &str, games: &str, store: &str| {
        let args = [
            "match", "greedy", "random", "--games", games, "--sprt", "0,150", "--alpha", "0.1", "--beta",
            "0.1", "--jobs", jobs, "--store", store, "--json", "--seed", "3",
        ];
        result(&nebel(folder.path(), &args))
    };
    let alone = play("1", "400", "1.db");
    assert_eq!(alone["sprt"]["verdict"], "accepted", "{alone}");
    assert_eq!(alone["sprt"]["alpha"], 0.1);
    assert_eq!(play("4", "400", "4.db"), alone, "games that were under way do not count");
    assert_eq!(play("4", "400", "4.db"), alone, "asked again");
    assert_eq!(play("2", "600", "4.db"), alone, "made longer");
}

#[test]
fn four_wins_of_four_have_a_lower_end_and_no_upper_one() {
    let folder = tempfile::tempdir().unwrap();
    let resigns = r#"exec:sh -c 'while read l; do case $l in *new*) echo "{\"type\":\"ready\"}";; *go*) echo "{\"type\":\"resign\"}";; esac; done'"#;
    let last = result(&nebel(folder.path(), &["match", "random", resigns, "--games", "4", "--json"]));
    assert_eq!((&last["wins"], &last["elo"], &last["interval"][1]), (&4.into(), &Value::Null, &Value::Null));
    assert!((last["interval"][0].as_f64().unwrap() + 113.4).abs() < 0.1, "{last}");
    let text = printed(folder.path(), &["match", "random", resigns, "--games", "5"]);
    assert!(text.contains("5 games, +5 =0 −0") && text.contains("Elo difference (95%): above −"), "{text}");
    assert!(text.contains("2 pairs: ") && text.contains("1 single game"), "{text}");
}

#[test]
fn another_version_begins_anew_and_versions_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.sh");
    let version = |version: &str| {
        let ready = format!(r#"{{\"type\":\"ready\",\"name\":\"x\",\"version\":\"{version}\"}}"#);
        let loses = format!(
            r#"while read l; do case $l in *new*) echo "{ready}";; *go*) echo "{{\"type\":\"resign\"}}";; esac; done"#
        );
        std::fs::write(&bot, loses).unwrap();
    };
    let play = |games: &str, more: &[&str]| {
        let args = ["match", "exec:sh bot.sh", "random", "--games", games, "--store", "m.db", "--json"];
        let output = nebel(folder.path(), &[&args[..], more].concat());
        // A line a game that was played now, and the result.
        (String::from_utf8_lossy(&output.stdout).lines().count() - 1, result(&output))
    };
    version("1");
    let (played, first) = play("4", &[]);
    assert_eq!((played, &first["versions"][0]["programs"]["exec"]["version"]), (4, &"1".into()));
    assert_eq!(play("4", &[]).0, 0, "nothing is played twice");
    version("2");
    let (played, second) = play("4", &[]);
    assert_eq!((played, &second["games"]), (4, &4.into()), "old games are not counted as new");
    let (played, mixed) = play("6", &["--mix-versions"]);
    assert_eq!((played, &mixed["games"]), (2, &6.into()));
    version("1");
    let (played, mixed) = play("4", &["--mix-versions"]);
    assert_eq!((played, &mixed["games"]), (0, &4.into()), "one of each number");

    let list = printed(folder.path(), &["results", "m.db"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 2, "{list}");
    assert!(
        lines[0].contains("4 games, +0 =0 −4") && lines[0].contains("version: exec:sh bot.sh x 1 0."),
        "{list}"
    );
    assert!(lines[1].contains("6 games, +0 =0 −6") && lines[1].contains("exec:sh bot.sh x 2 0."), "{list}");
    let list = printed(folder.path(), &["results", "m.db", "--mix-versions"]);
    assert!(list.starts_with("match 1 and 2: ") && list.contains("10 games, +0 =0 −10"), "{list}");
    assert!(list.trim_end().ends_with("2 versions"), "{list}");
    let csv = printed(folder.path(), &["results", "m.db", "--export", "csv"]);
    assert!(csv.lines().nth(1).unwrap().contains(",\"x 1 0."), "{csv}");
    let game = printed(folder.path(), &["results", "m.db", "--match", "2", "--mix-versions"]);
    assert_eq!(game.lines().count(), 11, "the match and all its games: {game}");
}

#[test]
fn starts_are_as_many_as_asked_for_and_drawn_from_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let starts = |more: &[&str]| {
        let _ = std::fs::remove_file(folder.path().join("m.db"));
        let args = [
            "match",
            "random",
            "random",
            "--games",
            "120",
            "--max-moves",
            "1",
            "--random-plies",
            "6",
            "--store",
            "m.db",
        ];
        printed(folder.path(), &[&args[..], more].concat());
        let games = printed(folder.path(), &["results", "m.db", "--export", "jsonl"]);
        let headers = games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let starts = headers.filter(|line| line["nebel"] == 1).map(|line| line["start"].to_string());
        starts.collect::<Vec<String>>()
    };
    let different = |starts: &[String]| starts.iter().collect::<std::collections::BTreeSet<_>>().len();
    let all = starts(&[]);
    assert!(different(&all) > 57, "{}", different(&all));
    assert!(all.chunks(2).all(|pair| pair[0] == pair[1]), "each with both colours");
    assert_eq!(all, starts(&[]));
    let few = starts(&["--starts", "7"]);
    assert_eq!((different(&few), &few[..14]), (7, &all[..14]));
    assert_eq!(few[14], few[0], "again from the first");
    assert_ne!(all, starts(&["--seed", "2"]));
}

#[test]
fn a_store_of_an_earlier_version_is_listed_and_not_continued_unless_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "random", "greedy", "--games", "4", "--nodes", "1", "--store", "m.db", "--json"];
    printed(folder.path(), &args);
    // What version 1 knew: no contestants.
    let store = rusqlite::Connection::open(folder.path().join("m.db")).unwrap();
    store
        .execute_batch(
            "PRAGMA foreign_keys = OFF;
             CREATE TABLE old (id INTEGER PRIMARY KEY, terms TEXT NOT NULL UNIQUE);
             INSERT INTO old SELECT id, terms FROM matches;
             DROP TABLE matches;
             ALTER TABLE old RENAME TO matches;
             PRAGMA user_version = 1;",
        )
        .unwrap();
    drop(store);
    let list = printed(folder.path(), &["results", "m.db"]);
    assert!(list.contains("4 games, ") && list.trim_end().ends_with(", of an unknown version"), "{list}");
    assert_eq!(
        printed(folder.path(), &[&args[..], &["--mix-versions"]].concat()).lines().count(),
        1,
        "nothing is missing"
    );
    assert_eq!(printed(folder.path(), &args).lines().count(), 5, "all are played anew");
    assert_eq!(printed(folder.path(), &["results", "m.db"]).lines().count(), 2);
}

#[test]
fn tournaments_print_a_cross_table() {
    let folder = tempfile::tempdir().unwrap();
    let output = nebel(folder.path(), &["tournament", "random", "greedy", "random", "--games", "2"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.lines().nth(1).unwrap().contains(" =") && text.contains(" −"), "+1 =0 −2: {text}");
    let output =
        nebel(folder.path(), &["tournament", "random", "greedy", "--games", "4", "--gauntlet", "--json"]);
    assert_eq!(result(&output)["players"], serde_json::json!(["random", "greedy"]));
    let anchored = ["tournament", "random", "greedy", "b:k=1", "--games", "2", "--nodes", "20", "--json"];
    let output =
        nebel(folder.path(), &[&anchored[..], &["--anchor", "b:k=1=1500", "--max-moves", "20"]].concat());
    let last = result(&output);
    assert_eq!(
        (&last["elo"][2], &last["intervals"][2]),
        (&1500.0.into(), &serde_json::json!([1500.0, 1500.0]))
    );
    let [low, high] = [0, 1].map(|end: usize| last["intervals"][0][end].as_f64().unwrap());
    assert!(low < last["elo"][0].as_f64().unwrap() && last["elo"][0].as_f64().unwrap() < high, "{last}");
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("no.db"), "this is no store, but a text that is long enough to be one")
        .unwrap();
    std::fs::write(
        folder.path().join("starts"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8\n",
    )
    .unwrap();
    let wrong: [(&[&str], &str); 21] = [
        (&["match", "random"], "<B>"),
        (&["match", "random", "deep-blue"], "unknown player `deep-blue`"),
        (&["match", "random:x=1", "random"], "player `random`"),
        (&["match", "random", "random", "--move-time", "soon"], "--move-time: `soon` is not a time"),
        (&["match", "random", "random", "--sprt", "20,0"], "--sprt"),
        (&["match", "random", "random", "--nodes", "5", "--clock", "1m"], "--nodes"),
        (&["match", "random", "random", "--move-time-b", "soon"], "--move-time-b: `soon` is not a time"),
        (&["match", "random", "random", "--nodes-a", "5", "--move-time-a", "1s"], "--nodes-a"),
        (&["tournament", "random", "greedy", "--nodes-a", "5"], "--nodes-a"),
        (&["match", "random", "random", "--store", "no.db"], "no.db: file is not a database"),
        (&["match", "random", "random", "--starts", "starts"], "starts: line 2: wrong FEN"),
        (&["match", "random", "random", "--random-plies", "41"], "--random-plies"),
        (
            &["match", "random", "random", "--starts", "20"],
            "--starts: a number of starts needs --random-plies",
        ),
        (
            &["match", "random", "random", "--starts", "0", "--random-plies", "4"],
            "--starts: with --random-plies",
        ),
        (
            &["match", "random", "random", "--sprt", "0,5", "--alpha", "0"],
            "--alpha: a risk is between 0 and 0.5, not 0",
        ),
        (&["match", "random", "random", "--sprt", "0,5", "--beta", "NaN"], "--beta: a risk"),
        (&["match", "random", "random", "--sprt", "0,5", "--elo-model", "bayes"], "--elo-model"),
        (&["tournament", "random", "greedy", "--anchor", "c=0"], "--anchor: `c` does not play"),
        (
            &["tournament", "random", "greedy", "--anchor", "random=inf"],
            "--anchor: `random=inf` is not a player",
        ),
        (&["results", "missing.db"], "missing.db: no such file"),
        (&["bot", "kasparov"], "unknown player `kasparov`"),
    ];
    for (args, words) in wrong {
        let output = nebel(folder.path(), args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.lines().count() == 1 && complaint.contains(words), "{args:?}: {complaint}");
    }
}

#[test]
fn results_are_listed_filtered_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| printed(folder.path(), args);
    run(&["match", "exec:false", "random", "--games", "2", "--store", "m.db"]);
    run(&["match", "greedy", "random", "--games", "4", "--nodes", "1", "--store", "m.db"]);
    let list = run(&["results", "m.db"]);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("match 1: exec:false – random") && list.contains("2 games, +0 =0 −2"), "{list}");
    let games = run(&["results", "m.db", "--match", "1", "--reason", "forfeit"]);
    assert_eq!(games.lines().count(), 3, "the match and its games: {games}");
    assert!(games.contains("by forfeit (white died)") && games.contains("(black died)"), "{games}");
    let json = run(&["results", "m.db", "--player", "greedy", "--json"]);
    let game: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&game["match"], &game["game"], &game["fault"]),
        (&2.into(), &3.into(), &serde_json::Value::Null)
    );
    run(&["results", "m.db", "--match", "2", "--curve", "score.svg"]);
    let curve = std::fs::read_to_string(folder.path().join("score.svg")).unwrap();
    assert!(curve.contains("Score of greedy against random"));
    let missing = nebel(folder.path(), &["results", "m.db", "--match", "7"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn a_store_does_not_mix_games_with_other_budgets() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: &str, budgets: &[&str]| {
        let args = ["match", "greedy", "greedy", "--games", games, "--store", "m.db", "--json"];
        result(&nebel(folder.path(), &[&args[..], budgets].concat()))["games"].clone()
    };
    assert_eq!(play("2", &["--nodes-a", "5", "--nodes-b", "7"]), 2);
    assert_eq!(play("2", &["--nodes-a", "7", "--nodes-b", "5"]), 2);
    assert_eq!(play("2", &["--nodes", "5", "--nodes-b", "7"]), 2, "the same as the first");
    assert_eq!(play("3", &["--nodes", "5", "--move-time-b", "10s"]), 3);
    assert_eq!(play("2", &["--clock", "3m+0", "--nodes-a", "5"]), 2);
    let list = printed(folder.path(), &["results", "m.db"]);
    let lines: Vec<&str> = list.lines().collect();
    let terms = [
        "(icc, nodes 5 against nodes 7), 2 games",
        "(icc, nodes 7 against nodes 5), 2 games",
        "(icc, nodes 5 against turn 10000ms), 3 games",
        "(icc, nodes 5 against clock 180000ms+0ms), 2 games",
    ];
    assert_eq!(lines.len(), terms.len(), "{list}");
    for (line, terms) in lines.iter().zip(terms) {
        assert!(line.contains(terms), "{line}");
    }
}

#[test]
fn exported_games_are_read_by_every_command_that_reads_games() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| printed(folder.path(), args);
    run(&["match", "greedy", "random", "--games", "3", "--max-moves", "3", "--store", "m.db"]);
    run(&["results", "m.db", "--export", "jsonl", "-o", "all.jsonl"]);
    let export = std::fs::read_to_string(folder.path().join("all.jsonl")).unwrap();
    let headers: Vec<Value> = export
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["nebel"] == 1)
        .collect();
    let numbers: Vec<&Value> = headers.iter().map(|header| &header["game"]).collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert!(headers.iter().all(|header| header["match"] == 1));

    let pgn = run(&["convert", "all.jsonl"]);
    assert_eq!(pgn.matches("[Result ").count(), 3, "{pgn}");
    std::fs::write(folder.path().join("all.pgn"), &pgn).unwrap();
    assert_eq!(run(&["convert", "all.pgn"]), export, "there and back");
    assert_eq!(run(&["convert", "all.jsonl", "--to", "jsonl"]), export);
    for number in ["1", "2", "3"] {
        run(&["convert", "all.jsonl", "--to", "jsonl", "--game", number, "-o", "one.jsonl"]);
        for side in ["white", "black"] {
            let of_one = run(&["belief", "one.jsonl", "--as", side, "--json"]);
            assert_eq!(run(&["belief", "all.jsonl", "--game", number, "--as", side, "--json"]), of_one);
            let budget = ["--as", side, "--nodes", "200", "--json"];
            let of_one = run(&[&["explain", "c", "one.jsonl"], &budget[..]].concat());
            let of_all = run(&[&["explain", "c", "all.jsonl", "--game", number], &budget[..]].concat());
            assert_eq!(of_all, of_one);
        }
    }
    let views = ["1", "2"].map(|number| run(&["convert", "all.jsonl", "--as", "black", "--game", number]));
    assert_ne!(views[0], views[1]);
    let first = run(&["belief", "all.jsonl", "--json"]);
    assert_eq!(first, run(&["belief", "all.jsonl", "--game", "1", "--json"]), "the first unless told");

    let model: Value = serde_json::from_str(&run(&["model", "fit", "all.jsonl"])).unwrap();
    assert_eq!(model["games"], 3);
    for args in [&["belief", "all.jsonl"][..], &["explain", "c", "all.jsonl"], &["convert", "all.jsonl"]] {
        let output = nebel(folder.path(), &[args, &["--game", "4"]].concat());
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert_eq!(complaint, "nebel: all.jsonl: no game 4: it holds 3 games\n", "{args:?}");
    }
}

#[test]
fn the_experiments_of_parker_write_a_page_with_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["reproduce", "parker", "--quick", "--max-moves", "8", "--store", "p.db", "--output", "page"];
    let output = nebel(folder.path(), &args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("page/parker.md")).unwrap();
    assert_eq!(page.lines().filter(|line| line.contains(" v ")).count(), 6, "{page}");
    assert!(
        page.contains("The assumptions of analyses 1 and 2") && page.contains("| 1 | 20.0 | 1."),
        "{page}"
    );
    assert!(page.contains("| hs v aosp | 13.3 / 10.7 / 76 (1669 games) |"));
    let drawing = std::fs::read_to_string(folder.path().join("page/material-hs-aosp.svg")).unwrap();
    assert!(drawing.contains("hs with White"));
    assert!(nebel(folder.path(), &args).status.success());
    let games = nebel(folder.path(), &["results", "p.db", "--export", "csv"]);
    assert_eq!(
        String::from_utf8(games.stdout).unwrap().lines().count(),
        13,
        "a second run played nothing anew"
    );
}
