//! The bot protocol as programs outside meet it, and as `docs/arena.md` shows it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    time::TimeControl,
};
use nebel_kriegspiel::{Chess, Rules, ViewEvent};
use nebel_players::{Budget, Choice, Exec, Fault, Game, Player, by_spec};
use serde_json::{Value, json};

const NEBEL: &str = env!("CARGO_BIN_EXE_nebel");

/// The part of the document that describes the protocol.
fn documented() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/arena.md");
    let text = fs::read_to_string(path).unwrap();
    let section = text.split("## The bot protocol").nth(1).unwrap();
    section.split("\n## ").next().unwrap().to_owned()
}

/// A bot that writes down what it is told, with the number of its process in front, and answers with the lines of a
/// file one after the other; when there are none left, it falls silent.
struct Bot {
    folder: tempfile::TempDir,
}

impl Bot {
    fn new(answers: &[&str]) -> Bot {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("answers"),
            answers.iter().flat_map(|line| [line, "\n"]).collect::<String>(),
        )
        .unwrap();
        let script = r#"n=0
            while read -r line; do
                printf '%s %s\n' $$ "$line" >> log
                case $line in
                    *'"type":"new"'* | *'"type":"go"'*) n=$((n + 1)); sed -n "${n}p" answers ;;
                    *'"type":"quit"'*) exit ;;
                esac
            done"#;
        fs::write(folder.path().join("bot.sh"), script).unwrap();
        Bot { folder }
    }

    fn command(&self) -> String {
        format!("sh -c \"cd '{}' && sh bot.sh; true\"", self.folder.path().display())
    }

    /// What each process of it was told, in order.
    fn told(&self) -> Vec<Vec<Value>> {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let mut told: Vec<(&str, Vec<Value>)> = Vec::new();
        for line in log.lines() {
            let (process, message) = line.split_once(' ').unwrap();
            if told.last().is_none_or(|(last, _)| *last != process) {
                told.push((process, Vec::new()));
            }
            told.last_mut().unwrap().1.push(serde_json::from_str(message).unwrap());
        }
        told.into_iter().map(|(_, messages)| messages).collect()
    }

    /// The types of what each process was told.
    fn types(&self) -> Vec<String> {
        let word = |message: &Value| message["type"].as_str().unwrap().to_owned();
        self.told().iter().map(|told| told.iter().map(word).collect::<Vec<_>>().join(" ")).collect()
    }
}

/// Makes the attempts that it was given.
struct Scripted(std::slice::Iter<'static, &'static str>);

impl Player for Scripted {
    fn spec(&self) -> String {
        "scripted".to_owned()
    }

    fn start(&mut self, _: Game) -> Result<(), Fault> {
        Ok(())
    }

    fn hear(&mut self, _: &ViewEvent) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, _: &Budget) -> Result<Choice, Fault> {
        Ok(self.0.next().map_or(Choice::Resign, |attempt| Choice::Try(attempt.parse().unwrap())))
    }
}

const READY: &str = r#"{"type":"ready"}"#;

fn terms(rules: Rules, max_moves: u32) -> MatchTerms {
    MatchTerms { rules, start: Chess::new(), max_moves: Some(max_moves) }
}

#[test]
fn the_games_in_the_document_are_real() {
    // What the other side does in each of them, and the bot's terms.
    let other_sides: [(TimeControl, u32, &'static [&'static str]); 3] = [
        (TimeControl::Nodes(1500), 2, &["d7d5", "d8d5"]),
        (TimeControl::Turn(Duration::from_secs(10)), 500, &["f2f3", "g2h3", "g2g4"]),
        (
            TimeControl::Clock { base: Duration::from_mins(3), increment: Duration::from_secs(2) },
            500,
            &["e2e4"],
        ),
    ];
    let document = documented();
    let games: Vec<&str> =
        document.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(games.len(), other_sides.len());
    for (game, (time, max_moves, attempts)) in games.into_iter().zip(other_sides) {
        let lines =
            |arrow: &str| -> Vec<&str> { game.lines().filter_map(|line| line.strip_prefix(arrow)).collect() };
        let bot = Bot::new(&lines("← "));
        let shown: Vec<Value> = lines("→ ").iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let rules = Rules::by_name(shown[0]["rules"].as_str().unwrap()).unwrap();
        let mut player = Exec::new(&bot.command());
        let mut other = Scripted(attempts.iter());
        let seat = Contestant { player: &mut player, seed: 7, time };
        let opposite = Contestant { player: &mut other, seed: 8, time: TimeControl::Unlimited };
        let is_white = shown[0]["color"] == "white";
        let (white, black) = if is_white { (seat, opposite) } else { (opposite, seat) };
        play(&terms(rules, max_moves), white, black, |_| {});
        drop(player);
        let told = bot.told().concat();
        assert_eq!(told.len(), shown.len(), "{told:#?}");
        for (told, shown) in told.into_iter().zip(shown) {
            assert_eq!(settled(told, &shown), shown);
        }
    }
}

/// A message with the times of `go` as they are shown, if they are not longer: they have begun to run.
fn settled(mut told: Value, shown: &Value) -> Value {
    if told["type"] == "go" {
        for (name, value) in told["clock"].as_object_mut().unwrap() {
            let (is, most) = (value.as_u64().unwrap(), shown["clock"][name].as_u64().unwrap_or(0));
            if name.ends_with("_ms") && (most / 2..=most).contains(&is) {
                *value = most.into();
            }
        }
    }
    told
}

#[test]
fn every_word_that_is_sent_is_in_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = BTreeSet::new();
    for (index, rules) in Rules::KNOWN.into_iter().enumerate() {
        let log = folder.path().join(format!("{index}"));
        let recorded = format!("sh -c \"tee '{}' | '{NEBEL}' bot greedy\"", log.display());
        for number in 0..4 {
            let (mut player, mut other) = (Exec::new(&recorded), by_spec("greedy").unwrap());
            let time = TimeControl::Nodes(1);
            let seat = Contestant { player: &mut player, seed: number, time };
            let opposite = Contestant { player: &mut *other, seed: 100 + number, time };
            let (white, black) = if number % 2 == 0 { (seat, opposite) } else { (opposite, seat) };
            play(&terms(rules(), 200), white, black, |_| {});
            drop(player);
            for line in fs::read_to_string(&log).unwrap().lines() {
                collect(&serde_json::from_str(line).unwrap(), &mut words);
            }
        }
    }
    for word in
        ["capture", "kind", "check", "count", "from", "any", "ask", "promotion", "over", "long", "yes"]
    {
        assert!(words.contains(word), "the games do not tell enough: {word} is not among {words:?}");
    }
    let document = documented();
    let ends = [
        "checkmate",
        "stalemate",
        "material",
        "fifty",
        "repetition",
        "resignation",
        "time",
        "forfeit",
        "length",
    ];
    for word in words.iter().map(String::as_str).chain(ends).chain(["en_passant"]) {
        let is_there = document.contains(&format!("\"{word}\"")) || document.contains(&format!("`{word}`"));
        assert!(is_there, "docs/arena.md says nothing of `{word}`");
    }
}

/// The names of all fields, and the words in them that are no squares, attempts, positions or results.
fn collect(message: &Value, words: &mut BTreeSet<String>) {
    match message {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            words.insert(name.clone());
            if !matches!(&**name, "start" | "attempt" | "square" | "from" | "rules" | "result") {
                collect(value, words);
            }
        }),
        Value::Array(values) => values.iter().for_each(|value| collect(value, words)),
        Value::String(word) => {
            words.insert(word.clone());
        }
        _ => {}
    }
}

#[test]
fn a_program_that_is_started_anew_knows_only_of_its_new_game() {
    let bot = Bot::new(&[READY]);
    let mut player = Exec::new(&bot.command());
    let time = TimeControl::Turn(Duration::from_millis(300));
    for number in 0..3 {
        let mut other = Scripted(["e2e4"].iter());
        let seat = Contestant { player: &mut player, seed: number, time };
        let opposite = Contestant { player: &mut other, seed: 9, time: TimeControl::Unlimited };
        let (white, black) = if number % 2 == 0 { (seat, opposite) } else { (opposite, seat) };
        let game = play(&terms(Rules::icc(), 10), white, black, |_| {});
        let account = if number % 2 == 0 { &game.white } else { &game.black };
        assert_eq!(account.fault, Some(Fault::Silent));
    }
    drop(player);
    assert_eq!(
        bot.types(),
        ["new go event over quit", "new event go event over quit", "new go event over quit"],
        "each is told how its own game ended"
    );
}

#[test]
fn a_program_hears_nothing_of_a_game_that_its_opponent_could_not_begin() {
    let bot = Bot::new(&[READY, READY]);
    let (mut player, mut dies) = (Exec::new(&bot.command()), Exec::new("false"));
    for number in 0..4 {
        let time = TimeControl::Unlimited;
        let seat = Contestant { player: &mut player, seed: number, time };
        let opposite = Contestant { player: &mut dies, seed: 9, time };
        let (white, black) = if number % 2 == 0 { (opposite, seat) } else { (seat, opposite) };
        play(&terms(Rules::icc(), 10), white, black, |_| {});
    }
    drop(player);
    assert_eq!(bot.types(), ["new event over new event over quit"]);
}

#[test]
fn each_side_is_told_its_own_budget() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str| folder.path().join(name);
    let bot = |log: PathBuf| format!("exec:sh -c \"tee -a '{}' | '{NEBEL}' bot greedy\"", log.display());
    let [a, b] = ["a", "b"].map(|name| bot(log(name)));
    let budgets = ["--move-time-a", "20s", "--nodes-b", "50", "--games", "2", "--max-moves", "5"];
    let output =
        Command::new(NEBEL).args(["match", &a, &b]).args(budgets).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("2 games, "), "{output:?}");
    assert!(said.contains("(turn 20000ms)") && said.contains("(nodes 50)"), "{said}");
    for (name, budget) in [("a", json!({"move_ms": 20_000})), ("b", json!({"nodes": 50}))] {
        let text = fs::read_to_string(log(name)).unwrap();
        let messages: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |word: &str| messages.iter().filter(|message| message["type"] == word).collect::<Vec<_>>();
        let colors: Vec<&Value> = of("new").iter().map(|message| &message["color"]).collect();
        assert_eq!(colors.len(), 2);
        assert_ne!(colors[0], colors[1], "a budget goes with the player, not with the colour");
        assert!(of("new").iter().all(|message| message["clock"] == budget), "{name}: {text}");
        assert!(of("go").len() >= 10);
        for go in of("go") {
            let clock = go["clock"].as_object().unwrap();
            let is_timed = clock.contains_key("move_ms") && clock.contains_key("limit_ms");
            assert_eq!((is_timed, clock.get("nodes").is_some()), (name == "a", name == "b"), "{go}");
        }
    }
}
