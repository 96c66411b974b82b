//! Scripted games under each ruleset, with everything that anybody hears of it.
//!
//! A change of the rules shows as a difference in `golden/RULES.txt`. Run with `NEBEL_BLESS=1` to
//! write the files anew, and read the difference before you commit it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fmt::Write as _, path::Path};

use nebel_kriegspiel::{Color, Header, Rules, Transcript, side, start};

fn protocol(rules: &Rules) -> String {
    let mut text = String::new();
    let mut game = Transcript::new(Header::new(rules.clone()));
    for line in include_str!("golden/said.txt").lines() {
        if let Some(fen) = line.strip_prefix("fen ") {
            game = Transcript::new(Header::at(rules.clone(), start::position(fen).unwrap()));
            writeln!(text, "{line}").unwrap();
            continue;
        }
        let sensible = game.umpire().sensible_attempts().len();
        let Ok(event) = game.hear(line) else { continue };
        let event = event.clone();
        writeln!(text, "{line}   ({sensible} attempts made sense)").unwrap();
        writeln!(text, "    umpire  {}", event.to_json(rules)).unwrap();
        for listener in Color::ALL {
            let heard = event.heard_by(listener, rules).map_or("-".to_owned(), |heard| heard.to_json(rules));
            writeln!(text, "    {:<7} {heard}", side::name(listener)).unwrap();
        }
    }
    text
}

#[test]
fn each_ruleset_sounds_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for rules in Rules::KNOWN.map(|rules| rules()) {
        let path = folder.join(format!("{}.txt", rules.name));
        let text = protocol(&rules);
        if std::env::var_os("NEBEL_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{}", rules.name);
    }
}
