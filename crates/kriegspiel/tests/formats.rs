//! JSON Lines and PGN: round trips keep everything, and what is wrong is named with its place.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use nebel_kriegspiel::{Color, Rules, json, pgn, transcript::Record};
use proptest::prelude::*;

fn to_json(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(record, &mut bytes).unwrap();
    bytes
}

fn to_pgn(record: &Record) -> String {
    let mut bytes = Vec::new();
    pgn::write(record, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A random game in full and as each side heard it.
fn records(rules: &Rules, seed: u64) -> [Record; 3] {
    let start = common::STARTS[seed as usize % common::STARTS.len()];
    let mut game = common::random_game(rules, start, seed, 150);
    game.header_mut().white = Some("a \"quoted\" name \\".to_owned());
    game.header_mut().other.insert("Event".to_owned(), "Night match [1]".into());
    game.header_mut().other.insert("seed".to_owned(), seed.into());
    let [white, black] = Color::ALL.map(|side| Record::View(Box::new(game.view(side))));
    [Record::Transcript(Box::new(game)), white, black]
}

fn seventh() -> Rules {
    let text = serde_json::to_string(&Rules::english()).unwrap();
    let text = text.replace("english", "village").replace("\"square\"", "\"kind\"");
    Rules::from_json(&text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn round_trips_keep_everything(seed in any::<u64>(), which in 0..7usize) {
        let rules = Rules::KNOWN.get(which).map_or_else(seventh, |rules| rules());
        for record in records(&rules, seed) {
            let text = to_json(&record);
            let again = json::read(&text[..]).unwrap();
            prop_assert_eq!(again.events(), record.events());
            prop_assert_eq!(to_json(&again), text.clone());
            let game = to_pgn(&record);
            let [from_pgn] = &pgn::read(&game, &Rules::icc()).unwrap()[..] else { panic!("one game") };
            prop_assert_eq!(from_pgn.events(), record.events(), "{}", game);
            prop_assert_eq!(to_json(from_pgn), text);
        }
    }
}

#[test]
fn a_view_without_its_mark_is_recognised() {
    let text = br#"{"nebel":1,"rules":"berkeley","start":"6k1/5ppp/8/8/8/8/1Q3PPP/3R2K1 w - - 0 1"}
{"by":"white","attempt":"f2f4","answer":"moved"}
{"by":"black","answer":"illegal"}
{"by":"black","answer":"moved"}"#;
    assert_eq!(json::read(&text[..]).unwrap().side(), Some(Color::White));
}

#[test]
fn the_older_comments_are_read() {
    let text = "1. e4 {(K::)} d5 {(K:dxe6,exd6:)} 2. exd5 {(K:e5,d2d3:Td5)} Qxd5 *";
    let error = pgn::read(text, &Rules::icc()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1: the umpire's answer would be {\"by\":\"white\",\"attempt\":\"e4e5\",\"answer\":\"moved\",\"tries\":{\"count\":0}}"
    );
    let [game] = &pgn::read(&text.replace("e5,d2d3", "dxe3"), &Rules::icc()).unwrap()[..] else { panic!() };
    assert_eq!(game.events().len(), 7);
}

#[test]
fn several_games_are_read_from_one_file() {
    let [full, white, black] = records(&Rules::icc(), 5);
    let text = [&full, &white, &black].map(to_pgn).concat();
    let games = pgn::read(&text, &Rules::icc()).unwrap();
    assert_eq!(
        games.iter().map(Record::side).collect::<Vec<_>>(),
        [None, Some(Color::White), Some(Color::Black)]
    );
    assert_eq!(games[2].events(), black.events());
}

#[test]
fn wrong_files_are_refused_with_line_and_cause() {
    let wrong: [(&str, &str); 12] = [
        ("", "empty: a transcript begins with a header"),
        ("{\"nebel\":2,\"rules\":\"icc\"}", "line 1: format version 2, but this program reads version 1"),
        (
            "{\"nebel\":1,\"rules\":\"chess\"}",
            "line 1: unknown rules `chess` (known: berkeley, berkeley-any, icc, cincinnati, rand, english)",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\",\"start\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}",
            "line 1: wrong FEN `8/8/8/8/8/8/8/8 w - - 0 1`: no king",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\"}\n{\"by\":\"whi",
            "line 2: cut off, or not JSON: `{\\\"by\\\":\\\"whi`",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\"}\n\n{\"by\":\"black\",\"attempt\":\"e7e5\",\"answer\":\"moved\"}",
            "line 3: it is not black's turn",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\"}\n{\"by\":\"white\",\"attempt\":\"e2e4\",\"answer\":\"illegal\"}",
            "line 2: the umpire's answer would be {\"by\":\"white\",\"attempt\":\"e2e4\",\"answer\":\"moved\",\"tries\":{\"count\":0}}",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\"}\n{\"by\":\"white\",\"ask\":\"any\",\"answer\":\"illegal\"}",
            "line 2: a question is answered `yes`, `no` or `nonsense`",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\",\"view\":\"black\"}\n{\"by\":\"white\",\"attempt\":\"e2e4\",\"answer\":\"moved\",\"tries\":{\"count\":0}}",
            "line 2: the other side's attempt stands in the view",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\",\"view\":\"black\"}\n{\"by\":\"white\",\"answer\":\"moved\"}",
            "line 2: pawn tries are not announced as these rules demand",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\",\"view\":\"black\"}\n{\"by\":\"white\",\"answer\":\"illegal\"}",
            "line 2: under these rules the event is not heard by this side",
        ),
        (
            "{\"nebel\":1,\"rules\":\"icc\",\"start\":\"k7/8/8/8/8/8/4QQ2/4K3 w - - 0 1\"}\n{\"by\":\"white\",\"attempt\":\"e2b5\",\"answer\":\"moved\",\"over\":{\"result\":\"1/2-1/2\",\"reason\":\"stalemate\"}}\n{\"by\":\"black\",\"attempt\":\"a8a7\",\"answer\":\"illegal\"}",
            "line 3: the game is over: 1/2-1/2 by stalemate",
        ),
    ];
    for (text, sentence) in wrong {
        assert_eq!(json::read(text.as_bytes()).unwrap_err().to_string(), sentence);
    }
    let long = vec![b'x'; 10 << 20];
    assert_eq!(json::read(&long[..]).unwrap_err().to_string(), "line 1: longer than 65536 bytes");
}
