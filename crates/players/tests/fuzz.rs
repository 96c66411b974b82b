//! Specs, durations, models and both ends of the bot protocol against garbage and damage: no panic, and what is refused is
//! refused in one line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../kriegspiel/tests/common/damage.rs"]
mod damage;

use std::{
    fs,
    time::{Duration, Instant},
};

use damage::{damaged, damaged_text, garbage, judged, one_line};
use nebel_belief::opponent::Model;
use nebel_kriegspiel::{Chess, Color, Rules};
use nebel_players::{
    Budget, Choice, Exec, Game, Player, TimeControl, by_spec, check_untrusted, kinds, serve,
    time::{parse_clock, parse_duration},
};

#[test]
fn durations() {
    for seed in 0..4000 {
        for text in ["500ms", "1.5s", "3m", "2", "3m+2s"] {
            let text = damaged_text(text, seed);
            if let Some(time) = judged(parse_duration(&text)) {
                assert!(time <= Duration::from_hours(24), "{text}");
            }
            judged(parse_clock(&text));
        }
        for text in ["unlimited", "turn 10ms", "attempt 30000ms", "clock 180000ms+2000ms", "nodes 5000"] {
            if let Some(control) = judged(damaged_text(text, seed).parse::<TimeControl>()) {
                judged(control.to_string().parse::<TimeControl>()).unwrap();
            }
        }
    }
}

/// Nothing is started and no thread is made by a spec that was not asked for: those that could do so are only judged.
#[test]
fn specs() {
    let known = kinds().iter().flat_map(|kind| {
        let options = kind.options().iter().filter(|option| option.default.is_some());
        options.map(|option| format!("{}:{}", kind.name, option.written())).chain([kind.name.to_owned()])
    });
    for spec in known {
        for seed in 0..40 {
            let text = damaged_text(&spec, seed);
            let is_open = judged(check_untrusted(&text)).is_some();
            let takes_much = ["thread", "pool", "exec", "uci", "/"].iter().any(|word| text.contains(word));
            if !takes_much && judged(by_spec(&text)).is_none() {
                assert!(!is_open, "{text} is open to everybody, and there is no such player");
            }
        }
    }
}

#[test]
fn models() {
    let written = Model::standard().to_json();
    for seed in 0..60 {
        judged(Model::from_json(&String::from_utf8_lossy(&garbage(seed, 100))));
        if let Some(model) = judged(Model::from_json(&damaged_text(&written, seed))) {
            judged(Model::from_json(&model.to_json())).unwrap();
        }
    }
}

const SAID: &str = r#"{"type":"new","color":"white","rules":"icc","seed":7,"clock":{"move_ms":5,"nodes":10}}
{"type":"go","clock":{"move_ms":5,"limit_ms":10}}
{"type":"event","by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}
{"type":"event","by":"black","answer":"moved","tries":{"count":1}}
{"type":"over","result":"1-0","reason":"resignation"}
{"type":"quit"}
"#;

#[test]
fn what_a_bot_is_told() {
    for seed in 0..1500 {
        for input in [damaged(SAID, seed), garbage(seed, 100)] {
            let mut output = Vec::new();
            judged(serve(&mut *by_spec("random").unwrap(), &input[..], &mut output));
            for line in String::from_utf8(output).unwrap().lines() {
                assert!(line.starts_with("{\""), "{line}");
            }
        }
    }
}

#[test]
fn what_a_bot_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("said");
    for seed in 0..40 {
        let choice = r#"{"type":"try","attempt":"e2e4"}"#;
        let mut said = b"{\"type\":\"ready\",\"name\":\"x\"}\n".to_vec();
        said.extend(if seed % 4 == 0 { garbage(seed, 100) } else { damaged(choice, seed) });
        // A line of the program is quoted as it came, so it must be one.
        said.retain(|byte| *byte != b'\r');
        fs::write(&file, said).unwrap();
        // It says what stands in the file and nothing more, until nobody speaks to it.
        let mut bot = Exec::new(&format!("sh -c 'cat {}; exec cat > /dev/null'", file.display()));
        let game = Game { side: Color::White, rules: Rules::icc(), start: Chess::default(), seed };
        bot.start(game).unwrap();
        let budget =
            Budget { limit: Some(Instant::now() + Duration::from_millis(30)), ..Budget::unlimited() };
        match bot.choose(&budget) {
            Ok(Choice::Try(_) | Choice::Ask | Choice::Resign) => {}
            Err(fault) => one_line(&fault.to_string()),
        }
    }
}
