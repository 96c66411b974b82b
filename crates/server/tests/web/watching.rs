//! Those who watch a side: they hear what it hears, and can neither play nor learn anything else; and what two sides agree on.

use serde_json::json;

use crate::common::{Person, get, link_game, new_game, start, text};

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_hears_the_side_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white_token, black_token) = link_game(server.address, "icc", None).await;
    let mut white = Person::sit(server.address, &id, &white_token).await;
    let state: serde_json::Value = serde_json::from_str(&white.stream[0]).unwrap();
    let watch = text(&state["game"]["watch"]);
    assert_eq!(state["game"]["watching"], false);
    let mut watcher = Person::sit(server.address, &id, &watch).await;
    let state: serde_json::Value = serde_json::from_str(&watcher.stream[0]).unwrap();
    assert_eq!((&state["game"]["watch"], &state["game"]["watching"]), (&json!(null), &json!(true)));
    assert_eq!(state["game"]["side"], "white");
    assert_eq!(white.hear("opponent").await["connected"], false, "who watches is no opponent");
    let mut black = Person::sit(server.address, &id, &black_token).await;
    // He cannot play, offer or resign.
    for message in [
        json!({"type": "try", "attempt": "e2e4", "seen": 0}),
        json!({"type": "resign"}),
        json!({"type": "draw"}),
        json!({"type": "rematch"}),
        json!({"type": "takeback", "seen": 0}),
    ] {
        watcher.send(&message).await;
        assert_eq!(watcher.hear("refused").await["why"], "You only watch this game.");
    }
    let mut shares = Vec::new();
    white.attempt("e2d3").await;
    shares.push(watcher.hear("event").await);
    white.attempt("e2e4").await;
    shares.push(watcher.hear("event").await);
    black.hear("event").await;
    black.attempt("d7e6").await;
    black.attempt("d7d5").await;
    shares.push(watcher.hear("event").await);
    white.hear("event").await;
    let told = |person: &Person| -> Vec<serde_json::Value> {
        let all = person.stream.iter().map(|text| serde_json::from_str(text).unwrap());
        all.filter(|message: &serde_json::Value| message["type"] == "event").collect()
    };
    assert_eq!(told(&white), shares, "all that White hears, and in the same words");
    assert!(!shares.iter().any(|share| share.to_string().contains("d7")), "nothing of Black");
    // An agreed end, and another game: its secrets are for those who play.
    black.send(&json!({"type": "draw"})).await;
    assert_eq!(white.hear("draw").await, json!({"type": "draw", "offered_by": "black", "declined": false}));
    white.send(&json!({"type": "draw"})).await;
    let end = watcher.hear("event").await;
    assert_eq!(end["event"]["over"], json!({"result": "1/2-1/2", "reason": "agreement"}));
    white.hear("event").await;
    black.hear("event").await;
    white.send(&json!({"type": "rematch"})).await;
    black.hear("rematch").await;
    black.send(&json!({"type": "rematch"})).await;
    let rematch = white.hear("rematch").await;
    let rematch = if rematch["game"].is_null() { white.hear("rematch").await } else { rematch };
    let secret = text(&rematch["game"]["token"]);
    watcher.send(&json!({"type": "ping"})).await;
    watcher.hear("pong").await;
    assert!(!watcher.stream.iter().any(|message| message.contains(&secret)), "no seat for who watches");
    let review = get(server.address, &format!("/api/games/{id}/review")).await;
    assert!(review.status == 200 && review.text.contains("d7d5"), "after the game all is shown");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_that_was_offered_lapses_when_the_other_moves() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, black) = link_game(server.address, "icc", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    let mut black = Person::sit(server.address, &id, &black).await;
    white.attempt("e2e4").await;
    black.hear("event").await;
    white.send(&json!({"type": "draw"})).await;
    white.hear("draw").await;
    white.send(&json!({"type": "draw"})).await;
    assert!(text(&white.hear("refused").await["why"]).contains("stands"));
    black.hear("draw").await;
    black.attempt("e7e5").await;
    white.hear("event").await;
    black.send(&json!({"type": "draw"})).await;
    assert_eq!(black.hear("draw").await["offered_by"], "black", "White's offer is gone: this is a new one");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_taken_back_in_practice_and_stays_so_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted = json!({"as": "white", "opponent": {"player": "random", "move_ms": 50}, "practice": true});
    let game = new_game(server.address, &wanted).await;
    let (id, token) = (text(&game["id"]), text(&game["token"]));
    let mut person = Person::sit(server.address, &id, &token).await;
    person.send(&json!({"type": "takeback", "seen": 0})).await;
    assert_eq!(person.hear("refused").await["why"], "You have not moved yet.");
    person.attempt("e2d3").await;
    person.attempt("e2e4").await;
    person.my_turn("white").await;
    person.attempt("a2b3").await;
    let seen = person.seen;
    person.send(&json!({"type": "takeback", "seen": seen - 1})).await;
    assert!(text(&person.hear("refused").await["why"]).contains("since"), "asked for twice it happens once");
    person.send(&json!({"type": "takeback", "seen": seen})).await;
    let state = person.hear("state").await;
    let events = state["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "the refusal before the move stays: {events:?}");
    assert_eq!(state["now"]["men"]["e2"], "P");
    assert!(!state["game"]["watch"].is_null());
    person.seen = 1;
    assert_eq!(person.attempt("d2d4").await["event"]["answer"], "moved");
    person.my_turn("white").await;
    let heard = person.seen;
    drop(person);
    server.stop().await;
    let server = start(folder.path()).await;
    let person = Person::sit(server.address, &id, &token).await;
    assert_eq!(person.seen, heard, "nothing that was taken back comes again");
    let facts = get(server.address, &format!("/api/games/{id}")).await.json();
    assert_eq!(facts["turn"], "white");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_taken_back_in_earnest() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, _) = link_game(server.address, "icc", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    white.attempt("e2e4").await;
    white.send(&json!({"type": "takeback", "seen": 1})).await;
    assert!(text(&white.hear("refused").await["why"]).contains("practice"));
    server.stop().await;
}
