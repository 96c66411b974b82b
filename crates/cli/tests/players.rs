//! `nebel explain`, `nebel model` and the reproductions of Ciancarini and Favini.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

fn nebel(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nebel"));
    command.current_dir(folder);
    command
}

const GAME: &str = r#"{"nebel":1,"rules":"icc","white":"one","black":"two"}
{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}
{"by":"black","attempt":"d7d5","answer":"moved","tries":{"count":1}}
{"by":"white","attempt":"e4d5","answer":"moved","capture":{"square":"d5","kind":"pawn"},"tries":{"count":0}}
{"by":"black","attempt":"d8d5","answer":"moved","capture":{"square":"d5","kind":"pawn"},"tries":{"count":0}}
"#;

#[test]
fn explain_shows_beliefs_and_attempts_and_refuses_players_that_cannot_say() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.jsonl"), GAME).unwrap();
    for spec in ["hs", "c", "b:k=1"] {
        let run = nebel(folder.path())
            .args(["explain", spec, "game.jsonl", "--nodes", "300", "--json"])
            .output()
            .unwrap();
        assert!(run.status.success(), "{spec}");
        let value: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(value["player"], spec);
        // A man has just captured on d5, and it is known that nothing of ours does any more.
        let there = value["belief"]["d5"].as_object().unwrap();
        assert!(there.values().filter_map(Value::as_f64).sum::<f64>() > 0.9, "{spec}");
        assert!(value["attempts"].as_array().unwrap().len() > 10);
    }
    let words = nebel(folder.path()).args(["explain", "c", "game.jsonl", "--nodes", "300"]).output().unwrap();
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.contains("  1  [R]") && words.contains("c chooses "), "{words}");
    for seed in ["1", "2", "3"] {
        let args = ["explain", "minimax", "game.jsonl", "--nodes", "300", "--top", "1", "--seed", seed];
        let words = nebel(folder.path()).args(args).output().unwrap();
        let words = String::from_utf8(words.stdout).unwrap();
        let chosen = words.rsplit_once("chooses ").unwrap().1.trim_end().trim_end_matches('.');
        assert!(words.lines().any(|line| line.starts_with(&format!("{chosen} "))), "{words}");
    }
    nebel(folder.path()).args(["explain", "random", "game.jsonl"]).assert().code(1);
    nebel(folder.path()).args(["explain", "nobody", "game.jsonl"]).assert().code(2);
    nebel(folder.path()).args(["explain", "c", "nowhere.jsonl"]).assert().code(2);
}

#[test]
fn a_model_is_learnt_from_games_and_taken_by_players() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.jsonl"), GAME).unwrap();
    let fit = |player: &str| {
        let mut command = nebel(folder.path());
        command.args(["model", "fit", "game.jsonl", "--player", player, "--output", "model.json"]);
        command.assert()
    };
    fit("nobody").code(2);
    fit("two").success();
    let model: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("model.json")).unwrap()).unwrap();
    let queens = model["black"]["queen"].as_array().unwrap();
    // After two moves of Black his queen stood on d5, in every game.
    let squares: Vec<&str> = queens[2].as_str().unwrap().split(' ').collect();
    assert_eq!(squares[35], "1000");
    assert!(model["white"]["queen"][2].as_str().unwrap().split(' ').all(|share| share == "0"));
    // Without him only White's men are learnt.
    let others = ["model", "fit", "game.jsonl", "--except", "two", "--output", "others.json"];
    nebel(folder.path()).args(others).assert().success();
    let others: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("others.json")).unwrap()).unwrap();
    assert!(others["black"]["queen"][2].as_str().unwrap().split(' ').all(|share| share == "0"));
    let nobody = ["model", "fit", "game.jsonl", "--except", "one", "--except", "two"];
    nebel(folder.path()).args(nobody).assert().code(2);
    let mut explain = nebel(folder.path());
    explain.args(["explain", "c:model=model.json", "game.jsonl", "--nodes", "50"]).assert().success();
    nebel(folder.path()).args(["explain", "c:model=game.jsonl", "game.jsonl"]).assert().code(2);
}

#[test]
fn the_reproductions_write_their_pages() {
    let folder = tempfile::tempdir().unwrap();
    let calibration = ["reproduce", "cf-calibration", "--games", "3", "--nodes", "40", "-o", "calibration"];
    nebel(folder.path()).args(calibration).assert().success();
    let csv = fs::read_to_string(folder.path().join("calibration/calibration.csv")).unwrap();
    assert!(csv.lines().any(|line| line.starts_with("legal,")), "{csv}");
    let table =
        ["reproduce", "cf-table", "random", "greedy", "c", "--games", "2", "--nodes", "40", "-o", "table"];
    nebel(folder.path()).args(table).args(["--max-moves", "40"]).assert().success();
    let page = fs::read_to_string(folder.path().join("table/cf-table.md")).unwrap();
    assert!(page.contains("random v") || page.contains("v random"), "{page}");
    let figure =
        ["reproduce", "cf-fig10", "--games", "2", "--times", "2ms", "--opponent", "random", "-o", "figure"];
    let store = ["--max-moves", "10", "--store", "games.db"];
    nebel(folder.path()).args(figure).args(store).assert().success();
    let first = fs::read_to_string(folder.path().join("figure/cf-fig10.csv")).unwrap();
    // Names have commas of their own.
    assert!(first.lines().count() > 1);
    for row in first.lines().skip(1) {
        assert!(row.starts_with('"'), "{row}");
        assert_eq!(row.rsplit('"').next().unwrap().matches(',').count(), 8, "{row}");
    }
    // The second run finds all games in the store.
    nebel(folder.path()).args(figure).args(store).assert().success();
    assert_eq!(first, fs::read_to_string(folder.path().join("figure/cf-fig10.csv")).unwrap());
    nebel(folder.path()).args(["reproduce", "cf-fig10", "--opponent", "nobody"]).assert().code(2);
    let unequal = ["reproduce", "cf-fig10", "--times", "2ms,4ms,8ms", "--games", "4,2"];
    let refused = nebel(folder.path()).args(unequal).assert().code(2);
    let sentence = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(sentence.contains("--games: 2 numbers of games for 3 times"), "{sentence}");
}

#[test]
fn the_champion_is_watched_and_a_killed_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let watched =
        ["reproduce", "watched", "--quick", "--options", "level=3", "--opponents", "random", "greedy"];
    let run = || {
        nebel(folder.path()).args(watched).assert().success();
        fs::read_to_string(folder.path().join("watched/watched.md")).unwrap()
    };
    let page = run();
    assert!(page.contains("| `random` | 2 |") && page.contains("| `greedy` | 2 |"), "{page}");
    assert!(page.contains("took something and was retaken"), "{page}");
    // A run that was killed in the middle of a note goes on from the note before: the same games, but for the time they took.
    let journal = folder.path().join("watched/watched.journal");
    let noted = fs::read_to_string(&journal).unwrap();
    let header = noted.lines().next().unwrap().len() + 1;
    let cut = header + noted[header..].len() / 2;
    fs::write(&journal, &noted[..cut]).unwrap();
    let timeless = |page: &str| -> Vec<String> {
        page.lines().filter(|line| !line.ends_with("ms |")).map(str::to_owned).collect()
    };
    assert_eq!(timeless(&run()), timeless(&page));
    let unknown = ["reproduce", "watched", "--quick", "--opponents", "nobody", "-o", "other"];
    nebel(folder.path()).args(unknown).assert().code(2);
}

#[test]
fn players_are_listed_with_their_options_and_wrong_ones_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let list = nebel(folder.path()).args(["players", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let hs = list.as_array().unwrap().iter().find(|kind| kind["name"] == "hs").unwrap();
    let option = |name: &str| {
        let options = hs["options"].as_array().unwrap();
        options.iter().find(|option| option["name"] == name).unwrap().clone()
    };
    assert_eq!((&option("threads")["least"], &option("threads")["most"]), (&1.into(), &64.into()));
    assert_eq!(option("rule")["words"], serde_json::json!(["legal", "answers"]));
    assert_eq!((&option("k")["kind"], &option("k")["default"]), (&"number".into(), &"100".into()));
    let words = nebel(folder.path()).arg("players").output().unwrap();
    assert!(String::from_utf8(words.stdout).unwrap().contains("k=100"));
    for spec in ["hs:threads=100000", "hs:depth=255", "c:k=10", "c:c=NaN", "hs:k=1,k=1", "hs:"] {
        nebel(folder.path()).args(["bot", spec]).assert().code(2);
    }
}
