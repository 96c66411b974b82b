//! Each decision on the rules has its lines in `decisions.txt`; this is the driver.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_kriegspiel::{Answer, AskAnswer, Color, Event, Rules, Umpire, start};

fn answer_text(event: &Event, next: Color) -> String {
    match event {
        Event::Attempt { answer: Answer::Moved(announcement), .. } => announcement.text(next),
        Event::Attempt { answer: Answer::Illegal, .. } => "illegal".to_owned(),
        Event::Attempt { answer: Answer::Nonsense, .. } | Event::Ask { answer: AskAnswer::Nonsense, .. } => {
            "nonsense".to_owned()
        }
        Event::Ask { answer: AskAnswer::Yes, .. } => "yes".to_owned(),
        Event::Ask { answer: AskAnswer::No, .. } => "no".to_owned(),
        Event::End { over, .. } => over.to_string(),
    }
}

#[test]
fn every_decision_is_kept() {
    let mut rules = Rules::icc();
    let mut umpire = Umpire::new(rules.clone());
    let mut checked = 0;
    for (index, line) in include_str!("decisions.txt").lines().enumerate() {
        let number = index + 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("rules ") {
            rules = Rules::by_name(name).unwrap();
        } else if let Some(fen) = line.strip_prefix("fen ") {
            umpire = Umpire::at(rules.clone(), start::position(fen).unwrap());
        } else if line == "start" {
            umpire = Umpire::new(rules.clone());
        } else if let Some(count) = line.strip_prefix("sensible ") {
            assert_eq!(umpire.sensible_attempts().len(), count.parse::<usize>().unwrap(), "line {number}");
            checked += 1;
        } else {
            let (said, expected) = line.split_once(" => ").unwrap_or_else(|| panic!("line {number}"));
            let answered = match umpire.hear(said) {
                Ok(event) => answer_text(&event, umpire.to_move()),
                Err(error) => error.to_string(),
            };
            assert_eq!(answered, expected, "line {number}: {said}");
            checked += 1;
        }
    }
    assert!(checked > 50);
}
