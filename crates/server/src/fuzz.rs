//! Bodies of requests and messages of the WebSocket against garbage and damage: no panic, and what is refused is refused in
//! one line.

#[path = "../../kriegspiel/tests/common/damage.rs"]
mod damage;

use damage::{damaged, garbage, judged, one_line};
use nebel_kriegspiel::{Color, Header, Rules, Transcript, json::Side};
use nebel_search::Cancel;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{
    api::{
        answer::{Attempted, answer_to},
        belief::Moment,
        body::read,
        error::ApiError,
        review::{Text, read_game},
        solve::{PlaceAsked, Question, belief_of, place_of},
        tables::{Probe, king_set},
        umpire::{Lines, told_of},
    },
    games::{
        messages::{GameFacts, Request},
        seat::Seat,
        terms::{GameTerms, NewGame},
    },
};

/// A body that was right before something happened to it, or that never was.
fn body<T: DeserializeOwned>(right: &Value, seed: u64) -> Option<T> {
    let right = right.to_string();
    assert!(read::<T>(right.as_bytes()).is_ok(), "{right}");
    told(read::<T>(&garbage(seed, 100)));
    told(read::<T>(&damaged(right, seed)))
}

fn told<T>(result: Result<T, ApiError>) -> Option<T> {
    result.map_err(|error| one_line(error.sentence())).ok()
}

const GAME: &str = "{\"nebel\":1,\"rules\":\"icc\"}\n{\"by\":\"white\",\"attempt\":\"e2e4\",\"answer\":\"moved\",\"tries\":{\"count\":0}}\n";
const KINGS: [&str; 2] = ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1", "7k/8/5K2/8/Q7/8/8/8 w - - 0 1"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn games_to_begin(seed in any::<u64>()) {
        let clock = json!({"initial_ms": 60_000, "increment_ms": 1000});
        let opponent = json!({"player": "random", "move_ms": 300});
        let right = json!({"rules": "icc", "as": "white", "opponent": opponent, "clock": clock, "practice": true});
        if let Some(wanted) = body::<NewGame>(&right, seed)
            && let Some(terms) = judged(wanted.terms(Color::White, seed))
        {
            let kept = serde_json::to_string(&terms).unwrap_or_default();
            prop_assert_eq!(judged(GameTerms::read(&kept)), Some(terms));
            judged(GameTerms::read(&String::from_utf8_lossy(&damaged(kept, seed))));
        }
    }

    #[test]
    fn games_to_look_at(seed in any::<u64>()) {
        if let Some(asked) = body::<Text>(&json!({"text": GAME, "as": "white"}), seed) {
            told(read_game(&asked.text, &Rules::icc(), 100));
        }
        body::<Moment>(&json!({"text": GAME, "as": "black", "events": 1, "limit": 1000}), seed);
        told(read_game(&String::from_utf8_lossy(&damaged(GAME, seed)), &Rules::icc(), 100));
    }

    #[test]
    fn lines_for_the_umpire(seed in any::<u64>()) {
        let right = json!({"rules": "english", "start": KINGS[0], "as": "white", "said": ["f6f7", "any?", "a4g4"]});
        if let Some(lines) = body::<Lines>(&right, seed) {
            told(told_of(&lines));
        }
    }

    #[test]
    fn questions(seed in any::<u64>()) {
        let right = json!({"rules": "berkeley", "plies": 3, "positions": KINGS, "algorithm": "auto", "time": 1.5});
        if let Some(question) = body::<Question>(&right, seed) {
            told(belief_of(&question, 100));
        }
        let strategy = json!({"try": "f6f7", "legal": {}, "illegal": {"try": "a4g4", "legal": {}, "illegal": null}});
        let right = json!({"positions": KINGS, "strategy": strategy, "path": ["illegal"]});
        if let Some(place) = body::<PlaceAsked>(&right, seed) {
            told(place_of(&place));
        }
    }

    #[test]
    fn problems_and_tables(seed in any::<u64>()) {
        let line = json!([{"try": "f6f7", "heard": "illegal"}]);
        let right = json!({"positions": KINGS, "plies": 1, "line": line, "try": "a4g4"});
        if let Some(attempted) = body::<Attempted>(&right, seed) {
            let cancel = Cancel::default();
            cancel.cancel();
            told(answer_to(&attempted, &cancel));
        }
        for king in [json!("all"), json!(["e5", "a8"])] {
            if let Some(probe) = body::<Probe>(&json!({"men": "Kc3 Ra1", "king": king}), seed) {
                told(king_set(&probe));
            }
        }
    }

    /// Whatever a side sends, its seat judges it by its view, and what it lets through the umpire can answer.
    #[test]
    fn messages(seed in any::<u64>(), moved in any::<bool>()) {
        let header = Header::new(Rules::icc());
        let mut game = Transcript::new(header.clone());
        let facts = GameFacts {
            id: "id".to_owned(),
            side: Side::White,
            rules: "icc".to_owned(),
            start: String::new(),
            white: "human".to_owned(),
            black: "human".to_owned(),
            practice: false,
            link: true,
            watch: None,
            watching: false,
        };
        let mut seat = Seat::new(facts, header, Color::White);
        let outside = crate::games::seat::Outside { clock: None, machine: None, hurried_to: None };
        if moved {
            let event = game.hear("e2e4").cloned();
            let heard = event.ok().and_then(|event| event.heard_by(Color::White, &Rules::icc()));
            if let Some(heard) = heard {
                seat.hear(heard, &outside);
            }
        }
        for right in [
            r#"{"type":"try","attempt":"e2e4","seen":0}"#,
            r#"{"type":"ask","seen":0}"#,
            r#"{"type":"resign"}"#,
            r#"{"type":"hello","token":"abc"}"#,
        ] {
            let text = damaged(right, seed);
            // What is wrong with a message is told in fixed words, not in the library's.
            let _ = serde_json::from_slice::<Request>(&garbage(seed, 60));
            let Ok(request) = serde_json::from_slice::<Request>(&text) else { continue };
            if let Some(crate::games::seat::Put::Line(line)) = judged(seat.judge(&request)) {
                prop_assert!(judged(game.hear(&line)).is_some());
            }
        }
    }
}
