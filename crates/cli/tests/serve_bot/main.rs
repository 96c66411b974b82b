//! `nebel serve-bot` against a stand-in on this machine that speaks the documented bot API; never against the site itself.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/program.rs"]
mod program;
mod standin;

use std::{
    fs,
    path::Path,
    process::Output,
    sync::{Arc, Mutex},
    time::Duration,
};

use nebel_kriegspiel::{Answer, Color, Event, Rules};
use serde_json::json;
use standin::{Standin, TOKEN, lock};

/// Runs the bot with the right token until a game is over; returns what it said.
fn serve(folder: &Path, address: &str, args: &[&str]) -> Output {
    fs::write(folder.join("token"), format!("{TOKEN}\n")).unwrap();
    let fixed =
        ["serve-bot", "--site", address, "--token", "token", "--games", "1", "--poll", "1ms", "--seed", "1"];
    program::nebel(folder, &[&fixed, args].concat())
}

fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains(TOKEN) && !said.contains("panicked"), "{said}");
    said
}

/// A whole game that the player must follow.
fn plays(variant: &'static str, rules: Rules, bot: Color, spec: &str) -> Arc<Mutex<Standin>> {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start(variant, rules, bot);
    let output = serve(folder.path(), &address, &[spec, "--move-time", "50ms"]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("Game g1: over.") && !said.contains("cannot follow"), "{variant}: {said}");
    standin
}

#[test]
fn a_player_plays_whole_games_under_every_ruleset_of_the_site() {
    for (variant, rules, bot) in [
        ("wild16", Rules::icc(), Color::White),
        ("berkeley", Rules::berkeley(), Color::Black),
        ("berkeley_any", Rules::berkeley_any(), Color::White),
        ("cincinnati", Rules::cincinnati(), Color::Black),
        ("rand", Rules::rand(), Color::White),
        ("english", Rules::english(), Color::Black),
    ] {
        let standin = plays(variant, rules, bot, "greedy");
        let standin = lock(&standin);
        assert!(standin.is_over() && standin.game.events().len() > 20, "{variant}");
        let is_own = |event: &&Event| event.by() == Some(bot);
        let own = || standin.game.events().iter().filter(is_own);
        assert!(own().all(|event| !event.is_nonsense()), "{variant}: only what is allowed");
        // The bot was told of every answer to its attempts: it knows where its men are, and repeats nothing.
        let refused = own().filter(|event| matches!(event, Event::Attempt { answer: Answer::Illegal, .. }));
        assert!(refused.count() > 0, "{variant}");
        for asked in &standin.asked {
            assert!(asked.head.contains(&format!("Bearer {TOKEN}")), "{}", asked.what);
            assert!(asked.head.to_lowercase().contains("user-agent: nebel/"), "{}", asked.head);
            assert!(!asked.what.ends_with("/moves") && !asked.what.contains("/join"), "{}", asked.what);
        }
    }
}

#[test]
fn the_champion_asks_and_follows_with_its_belief() {
    let standin = plays("english", Rules::english(), Color::White, "nebel");
    let asked = lock(&standin).asked.iter().filter(|asked| asked.what.ends_with("/ask-any")).count();
    assert!(asked > 5, "{asked}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let [a, b] = [(), ()].map(|()| plays("wild16", Rules::icc(), Color::White, "greedy"));
    assert_eq!(lock(&a).game.events(), lock(&b).game.events());
}

#[test]
fn a_level_can_play_and_a_player_can_resign() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    lock(&standin).most_events = 12;
    assert!(serve(folder.path(), &address, &["2", "--move-time", "20ms"]).status.success());
    assert!(lock(&standin).game.events().len() > 12);

    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    let script = r#"while read -r line; do case "$line" in
        *'"new"'*) echo '{"type":"ready","name":"quitter"}';;
        *'"go"'*) echo '{"type":"resign"}';;
    esac; done"#;
    fs::write(folder.path().join("quitter.sh"), script).unwrap();
    let output = serve(folder.path(), &address, &["exec:sh quitter.sh"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(lock(&standin).resigned, ["g1"]);
}

#[test]
fn a_program_that_dies_is_told_and_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("dies.sh"),
        "read -r line; echo '{\"type\":\"ready\",\"name\":\"x\"}'; read -r line",
    )
    .unwrap();
    for spec in ["exec:sh dies.sh", "exec:no-such-program"] {
        let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
        lock(&standin).most_events = 12;
        let output = serve(folder.path(), &address, &[spec]);
        let said = said(&output);
        assert!(output.status.success() && said.matches("at random from here on").count() == 1, "{said}");
        assert!(lock(&standin).game.events().len() > 12);
    }
}

#[test]
fn one_bad_game_leaves_the_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::Black);
    {
        let mut standin = lock(&standin);
        let game =
            |id: &str, variant: &str| json!({"game_id": id, "rule_variant": variant, "state": "active"});
        standin.others = vec![
            game("g2", "crazykrieg"),
            game("g3", "wild16"),
            game("g4", "wild16"),
            game("g5\u{1b}[2J/../x", "wild16"),
        ];
        standin.odd = vec![("/game/g3/state", json!({"state": "active", "turn": 3}).to_string())];
        standin.most_events = 30;
    }
    let output = serve(folder.path(), &address, &["greedy"]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    let standin = lock(&standin);
    assert!(standin.game.events().len() > 30, "{said}");
    // Rules that we do not have are declined, once.
    assert_eq!(standin.resigned, ["g2"]);
    for (sentence, id) in
        [("we do not play `crazykrieg`", "g2"), ("not as documented", "g3"), ("There is no such game", "g4")]
    {
        let lines: Vec<&str> = said.lines().filter(|line| line.contains(sentence)).collect();
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("Game {id}: ")), "{sentence}: {said}");
    }
    assert!(standin.asked.iter().all(|asked| !asked.what.contains("g5")));
}

#[test]
fn a_scoresheet_that_cannot_be_read_is_told_and_the_game_goes_on_by_lot() {
    let folder = tempfile::tempdir().unwrap();
    let state = |sheet: serde_json::Value| {
        json!({"state": "active", "turn": "white", "your_color": "white", "allowed_moves": ["e2e4"], "possible_actions": ["move"],
               "scoresheet": sheet})
    };
    let own = json!({"kind": "move", "messages": ["Move complete"], "move_uci": "e2e4"});
    for (sheet, sentence) in [
        (json!({"turns": "none"}), "cannot be read"),
        (json!({"turns": [{"white": [{"kind": "dance", "messages": []}]}]}), "cannot be read"),
        // No tries, though the rules announce them.
        (json!({"turns": [{"white": [own], "black": []}]}), "pawn tries are not announced"),
        (
            json!({"turns": [{"white": [], "black": [{"kind": "capture", "messages": ["Pawn captured at D5"]}]}]}),
            "it is not black's turn",
        ),
    ] {
        let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
        {
            let mut standin = lock(&standin);
            standin.odd = vec![("/game/g1/state", state(sheet.clone()).to_string())];
            standin.most_events = 0;
        }
        let output = serve(folder.path(), &address, &["nebel"]);
        let said = said(&output);
        assert!(said.lines().filter(|line| line.contains(sentence)).count() == 1, "{sheet}: {said}");
        assert!(said.contains("at random from here on") && output.status.success(), "{said}");
        let standin = lock(&standin);
        assert!(standin.asked.iter().any(|asked| asked.body == json!({"uci": "e2e4"})), "{said}");
    }
}

/// The bot as it is after so many seconds, when it is ended from outside.
fn serve_for(seconds: &str, folder: &Path, address: &str, more: &[&str]) -> Output {
    let args = ["serve-bot", "greedy", "--site", address, "--token", "token", "--poll", "10ms"];
    let mut command = std::process::Command::new("timeout");
    command.args([seconds, program::NEBEL]).args(args).args(more).current_dir(folder).output().unwrap()
}

#[test]
fn an_answer_without_end_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    {
        let mut standin = lock(&standin);
        standin.others =
            vec![json!({"game_id": "g2", "rule_variant": "rand", "state": "active"}), json!({"game_id": 7})];
        standin.odd = vec![("/game/g2/state", format!("\"{}\"", "x".repeat(5 << 20)))];
        standin.most_events = 4;
    }
    fs::write(folder.path().join("token"), TOKEN).unwrap();
    // An entry of the list that cannot be read hides which games are over, so the bot is ended from outside.
    let output = serve_for("5", folder.path(), &address, &[]);
    let said = said(&output);
    assert!(said.contains("longer than 4194304 bytes") && said.contains("a game of the list"), "{said}");
    assert!(lock(&standin).game.events().len() > 4, "{said}");
}

#[test]
fn a_busy_site_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    {
        let mut standin = lock(&standin);
        standin.busy = vec![(503, None), (429, Some(1)), (500, None)];
        standin.most_events = 4;
    }
    let output = serve(folder.path(), &address, &["greedy", "--offer", "icc"]);
    let said = said(&output);
    assert!(output.status.success() && said.contains("cannot be reached"), "{said}");
    // What the site quotes of our request is not shown.
    assert!(said.contains("Bearer …"), "{said}");
    let standin = lock(&standin);
    let gap = standin.asked[2].when - standin.asked[1].when;
    assert!(gap >= Duration::from_millis(990), "{gap:?}");
    // A game is played, so none is offered.
    assert!(standin.asked.iter().all(|asked| asked.what != "POST /game/create"));
}

#[test]
fn a_game_is_offered_once_a_minute_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::Black);
    lock(&standin).most_events = 0;
    fs::write(folder.path().join("token"), TOKEN).unwrap();
    let output = serve_for("3", folder.path(), &address, &["--offer", "icc"]);
    let said = said(&output);
    let standin = lock(&standin);
    let offers: Vec<_> = standin.asked.iter().filter(|asked| asked.what == "POST /game/create").collect();
    assert!(offers.len() == 1 && offers[0].body["rule_variant"] == "wild16", "{said}");
    assert!(said.contains("A bot has one open game (status 409)"), "{said}");
    assert!(standin.asked.len() > 10);
}

#[test]
fn a_bot_is_registered_and_its_token_kept_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let (standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    fs::write(folder.path().join("key"), "the-key\n").unwrap();
    let fixed = [
        "serve-bot",
        "--site",
        &address,
        "--token",
        "token",
        "--email",
        "a@b.c",
        "--registration-key",
        "key",
    ];
    let run = |args: &[&str]| program::nebel(folder.path(), &[&fixed, args].concat());
    let good = ["--register", "nebel_1", "--display-name", "Nebel"];
    lock(&standin).busy = vec![(409, None)];
    let refused = run(&good);
    assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    assert!(!folder.path().join("token").exists());
    let output = run(&good);
    let told = said(&output);
    assert!(output.status.success() && !told.contains("the-key"), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("token")).unwrap(), format!("{TOKEN}\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(folder.path().join("token")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let before = {
        let standin = lock(&standin);
        let asked = standin.asked.last().unwrap();
        assert!(asked.head.to_lowercase().contains("x-bot-registration-key: the-key"), "{}", asked.head);
        assert!(asked.body["supported_rule_variants"].as_array().unwrap().contains(&json!("wild16")));
        assert_eq!(asked.body["username"], "nebel_1");
        standin.asked.len()
    };
    // The site tells a token once: no new one is asked for while there is no place for it, nor with names that it would not take.
    for args in [
        good,
        ["--register", "ne bel", "--display-name", "Nebel"],
        ["--register", "nebel", "--display-name", "N"],
    ] {
        assert_eq!(run(&args).status.code(), Some(2));
    }
    assert_eq!(lock(&standin).asked.len(), before);
}

#[test]
fn what_is_wrong_is_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let (_standin, address) = Standin::start("wild16", Rules::icc(), Color::White);
    fs::write(folder.path().join("empty"), "\n").unwrap();
    fs::write(folder.path().join("wrong"), "another\n").unwrap();
    fs::write(folder.path().join("token"), TOKEN).unwrap();
    let right = ["--site", &address, "--token", "token"];
    for (args, words) in [
        (vec!["nebel", "--site", &address, "--token", "missing"], "missing"),
        (vec!["nebel", "--site", &address, "--token", "empty"], "holds no token"),
        (vec!["nebel", "--site", &address, "--token", "wrong"], "does not know this token"),
        (vec!["nebel", "--site", "ftp://x", "--token", "token"], "--site"),
        (vec!["nebel", "--site", "http://example.org", "--token", "token"], "https://"),
        ([&["kasparov"], &right[..]].concat(), "unknown player"),
        ([&right[..], &["--offer", "village"]].concat(), "--offer"),
        ([&right[..], &["--poll", "soon"]].concat(), "--poll"),
        ([&right[..], &["--register", "nebel"]].concat(), "--display-name"),
    ] {
        let output = program::nebel(folder.path(), &[&["serve-bot"], args.as_slice()].concat());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said} should hold {words}");
    }
}
