//! Games through the WebSocket: against the machine, between two people, and what remains of them.

use crate::common::{Person, get, link_game, new_game, start, text};
use serde_json::json;

/// Plays the first attempts that make sense until the game is over or so many moves were made.
async fn play_on(person: &mut Person, side: &str, moves: usize) {
    for _ in 0..moves {
        if !person.my_turn(side).await {
            return;
        }
        loop {
            let attempts = person.now["attempts"].as_array().unwrap().clone();
            let attempt = &attempts[person.seen * 7 % attempts.len()];
            let answer = person.attempt(attempt.as_str().unwrap()).await;
            assert_eq!(answer["type"], "event", "{answer}");
            if answer["event"]["answer"] == "moved" || !person.now["over"].is_null() {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_the_machine_goes_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted = json!({"as": "black", "opponent": {"player": "greedy", "move_ms": 50}});
    let game = new_game(server.address, &wanted).await;
    assert_eq!(game["side"], "black");
    assert!(game.get("invite").is_none());
    let (id, token) = (text(&game["id"]), text(&game["token"]));
    let mut person = Person::sit(server.address, &id, &token).await;
    assert_eq!(get(server.address, &format!("/api/games/{id}/transcript")).await.status, 409);
    assert_eq!(get(server.address, &format!("/api/games/{id}/review")).await.status, 409);
    play_on(&mut person, "black", 4).await;
    let facts = get(server.address, &format!("/api/games/{id}")).await.json();
    assert_eq!(
        (&facts["white"], &facts["black"], &facts["over"]),
        (&json!("greedy"), &json!("human"), &json!(null))
    );
    person.my_turn("black").await;
    person.send(&json!({"type": "resign"})).await;
    let end = person.hear("event").await;
    assert_eq!(end["event"]["over"], json!({"result": "1-0", "reason": "resignation"}));
    let over = json!({"result": "1-0", "reason": "resignation", "text": "Resignation. You lose."});
    assert_eq!(end["now"]["over"], over);
    for (query, word) in [
        ("?as=full", "attempt"),
        ("?as=black&format=pgn", "[View \"black\"]"),
        ("?as=white", "\"view\":\"white\""),
    ] {
        let answer = get(server.address, &format!("/api/games/{id}/transcript{query}")).await;
        assert!(answer.status == 200 && answer.text.contains(word), "{query}: {}", answer.text);
    }
    person.send(&json!({"type": "rematch"})).await;
    let rematch = person.hear("rematch").await;
    assert_eq!((&rematch["offered_by"], &rematch["game"]["side"]), (&json!("black"), &json!("white")));
    let (id, token) = (text(&rematch["game"]["id"]), text(&rematch["game"]["token"]));
    let mut person = Person::sit(server.address, &id, &token).await;
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_by_link_and_hear_their_shares() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, black) = link_game(server.address, "icc", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    assert_eq!(white.hear("opponent").await["connected"], false);
    let mut black = Person::sit(server.address, &id, &black).await;
    assert_eq!(white.hear("opponent").await["connected"], true);
    assert_eq!(white.now["attempts"].as_array().unwrap().len(), 34);
    assert_eq!(black.now["attempts"].as_array().unwrap().len(), 0);
    let moved = white.attempt("e2e4").await;
    assert_eq!(
        moved["event"],
        json!({"by": "white", "attempt": "e2e4", "answer": "moved", "tries": {"count": 0}, "words": {"said": "Done."}})
    );
    let heard = black.hear("event").await;
    let words = json!({"said": "White has moved."});
    assert_eq!(
        heard["event"],
        json!({"by": "white", "answer": "moved", "tries": {"count": 0}, "words": words})
    );
    let refused = black.attempt("d7e6").await;
    assert_eq!(
        (&refused["event"]["answer"], &refused["now"]["refused"]),
        (&json!("illegal"), &json!(["d7e6"]))
    );
    black.attempt("d7d5").await;
    let heard = white.hear("event").await;
    assert_eq!(heard["seen"], 2, "under these rules refusals of the other are not heard");
    assert_eq!(heard["now"]["tries"], json!({"count": 1}));
    assert_eq!(heard["now"]["tries_text"], "You have 1 pawn try.");
    let taken = white.attempt("e4d5").await;
    assert_eq!(taken["now"]["taken"], json!([{"square": "d5", "kind": "pawn", "by": "white"}]));
    assert_eq!(black.hear("event").await["now"]["men"].get("d5"), None);
    drop(black);
    assert_eq!(white.hear("opponent").await["connected"], false);
    white.send(&json!({"type": "resign"})).await;
    assert_eq!(white.hear("event").await["event"]["over"]["result"], "0-1");
    white.send(&json!({"type": "rematch"})).await;
    assert_eq!(white.hear("rematch").await["game"], json!(null), "the other must agree");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_agree_to_another_game_and_each_gets_its_own_secret() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, black) = link_game(server.address, "english", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    let mut black = Person::sit(server.address, &id, &black).await;
    black.send(&json!({"type": "resign"})).await;
    white.hear("event").await;
    black.hear("event").await;
    white.send(&json!({"type": "rematch"})).await;
    assert_eq!(black.hear("rematch").await, json!({"type": "rematch", "offered_by": "white", "game": null}));
    white.hear("rematch").await;
    black.send(&json!({"type": "rematch"})).await;
    let (first, second) = (white.hear("rematch").await, black.hear("rematch").await);
    assert_eq!(first["game"]["id"], second["game"]["id"]);
    assert_ne!(first["game"]["token"], second["game"]["token"]);
    assert_eq!((&first["game"]["side"], &second["game"]["side"]), (&json!("black"), &json!("white")));
    let mut white =
        Person::sit(server.address, &text(&second["game"]["id"]), &text(&second["game"]["token"])).await;
    assert_eq!(white.now["can_ask"], true);
    white.send(&json!({"type": "ask", "seen": 0})).await;
    assert_eq!(white.hear("event").await["now"]["asked"], "no");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_run_when_all_are_here_and_run_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted =
        json!({"as": "white", "opponent": {"link": true}, "clock": {"initial_ms": 1500, "increment_ms": 0}});
    let game = new_game(server.address, &wanted).await;
    let id = text(&game["id"]);
    let mut white = Person::sit(server.address, &id, &text(&game["token"])).await;
    assert_eq!(white.now["clock"], json!({"white_ms": 1500, "black_ms": 1500, "running": null}));
    let black = text(&game["invite"]).rsplit_once('/').unwrap().1.to_owned();
    let mut black = Person::sit(server.address, &id, &black).await;
    let moved = white.attempt("e2e4").await;
    assert_eq!(moved["now"]["clock"]["running"], "black");
    assert_eq!(moved["now"]["clock"]["black_ms"], 1500);
    black.hear("event").await;
    let end = black.hear("event").await;
    assert_eq!(end["event"]["over"], json!({"result": "1-0", "reason": "time"}));
    assert_eq!(
        (&end["now"]["clock"]["black_ms"], &end["now"]["clock"]["running"]),
        (&json!(0), &json!(null))
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_shows_what_could_be_where() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted = json!({"as": "white", "practice": true, "opponent": {"player": "random", "move_ms": 50}});
    let game = new_game(server.address, &wanted).await;
    let mut person = Person::sit(server.address, &text(&game["id"]), &text(&game["token"])).await;
    let belief = person.hear("belief").await;
    assert_eq!((&belief["seen"], &belief["belief"]["states"]), (&json!(0), &json!(1)));
    assert_eq!(belief["belief"]["squares"]["k"][60], 1.0);
    person.attempt("e2e4").await;
    while person.hear("belief").await["seen"] != 2 {}
    let last: serde_json::Value = serde_json::from_str(person.stream.last().unwrap()).unwrap();
    assert!((2..=20).contains(&last["belief"]["states"].as_u64().unwrap()), "{last}");
    assert_eq!(last["belief"]["exact"], true);
    server.stop().await;
}
