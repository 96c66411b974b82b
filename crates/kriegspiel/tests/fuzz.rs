//! Every parser of this crate, against garbage and against texts that were right before something happened to them: none
//! panics, and what is refused is refused in one line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/damage.rs"]
mod damage;

use damage::{damaged, damaged_text, judged, one_line};
use nebel_kriegspiel::{
    Attempt, Color, Event, Input, Rules, Umpire, json, pgn, start,
    transcript::Record,
    words::{Listener, Words},
};
use proptest::prelude::*;

/// A game in full, or as a side heard it.
fn record() -> impl Strategy<Value = Record> {
    (0..Rules::KNOWN.len(), 0..common::STARTS.len(), any::<u64>(), 0..3usize).prop_map(
        |(rules, start, seed, whose)| {
            let game = common::random_game(&Rules::KNOWN[rules](), common::STARTS[start], seed, 60);
            match [None, Some(Color::White), Some(Color::Black)][whose] {
                None => Record::Transcript(Box::new(game)),
                Some(side) => Record::View(Box::new(game.view(side))),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn transcripts(record in record(), seed in any::<u64>()) {
        let mut text = Vec::new();
        json::write(&record, &mut text).unwrap();
        let text = damaged(text, seed);
        judged(json::read(&text[..]));
        for game in json::Games::of(&text[..]).take(20) {
            judged(game);
        }
        for line in String::from_utf8_lossy(&text).lines() {
            judged(Event::from_json(line));
        }
    }

    #[test]
    fn games_in_pgn(record in record(), seed in any::<u64>()) {
        let mut text = Vec::new();
        pgn::write(&record, &mut text).unwrap();
        judged(pgn::read(&String::from_utf8_lossy(&damaged(text, seed)), &Rules::icc()));
    }

    #[test]
    fn garbage(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,60}") {
        judged(json::read(&bytes[..]));
        let _ = Attempt::from_ascii(&bytes);
        for text in [&*String::from_utf8_lossy(&bytes), &text] {
            judged(pgn::read(text, &Rules::icc()));
            judged(start::position(text));
            judged(Rules::from_json(text));
            judged(Rules::by_name(text));
            judged(Event::from_json(text));
            judged(text.parse::<Attempt>());
        }
    }

    #[test]
    fn starts(fen in "[kqrbnpKQRBNP1-8/]{0,90} [wb] (-|[KQkq]{1,4}) (-|[a-h][36])( [0-9]{1,12}){0,2}",
              known in 0..common::STARTS.len(), seed in any::<u64>()) {
        let harmed = damaged_text(common::STARTS[known], seed);
        for fen in [&*fen, &*harmed] {
            judged(json::read(serde_json::json!({"nebel": 1, "rules": "icc", "view": "black", "start": fen}).to_string().as_bytes()));
            if let Some(position) = judged(start::position(fen)) {
                let umpire = Umpire::at(Rules::icc(), position);
                let _ = umpire.sensible_attempts();
            }
        }
    }

    #[test]
    fn rules(which in 0..Rules::KNOWN.len(), seed in any::<u64>()) {
        let text = serde_json::to_vec(&Rules::KNOWN[which]()).unwrap();
        let text = damaged(text, seed);
        if let Some(rules) = judged(Rules::from_json(&String::from_utf8_lossy(&text))) {
            let again = serde_json::to_string(&rules).unwrap();
            prop_assert_eq!(Rules::from_json(&again).unwrap(), rules);
        }
    }

    /// Whatever is said to the umpire is answered, and read back from what it answered.
    #[test]
    fn attempts(lines in prop::collection::vec("([a-h][1-8]){2}[qrbnk]?|any\\?|\\PC{0,12}|.{0,4}", 1..12),
                which in 0..Rules::KNOWN.len(), start in 0..common::STARTS.len()) {
        let rules = Rules::KNOWN[which]();
        let mut umpire = Umpire::at(rules.clone(), start::position(common::STARTS[start]).unwrap());
        for line in lines {
            if let Some(attempt) = judged(line.parse::<Attempt>()) {
                prop_assert_eq!(attempt.to_string(), line.as_str());
                prop_assert_eq!(Input::parse(&line).attempt(), Some(attempt));
            }
            let Some(event) = judged(umpire.hear(&line)) else { break };
            let text = event.to_json(&rules);
            one_line(&text);
            prop_assert_eq!(Event::from_json(&text).unwrap().to_json(&rules), text);
            for listener in [Listener::Umpire, Listener::Side(Color::White), Listener::Side(Color::Black)] {
                one_line(&Words::of(&event, listener, &rules).text());
            }
        }
    }
}
