//! What was acknowledged survives a restart, and the game goes on: machine, clocks, secrets.

use std::time::Duration;

use crate::common::{Person, link_game, new_game, start, text};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn games_and_clocks_are_restored() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted = json!({"as": "white", "opponent": {"link": true}, "clock": {"initial_ms": 60000, "increment_ms": 1000}});
    let game = new_game(server.address, &wanted).await;
    let (id, token) = (text(&game["id"]), text(&game["token"]));
    let black_token = text(&game["invite"]).rsplit_once('/').unwrap().1.to_owned();
    let mut white = Person::sit(server.address, &id, &token).await;
    let mut black = Person::sit(server.address, &id, &black_token).await;
    white.attempt("e2e4").await;
    black.my_turn("black").await;
    black.attempt("d7e6").await;
    let before = black.now.clone();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    server.stop().await;

    tokio::time::sleep(Duration::from_secs(2)).await;
    let server = start(folder.path()).await;
    let mut black = Person::sit(server.address, &id, &black_token).await;
    assert_eq!((black.seen, &black.now["refused"]), (2, &json!(["d7e6"])));
    assert_eq!(black.now["clock"]["running"], json!(null), "it waits for the other");
    let left = |now: &serde_json::Value| now["clock"]["black_ms"].as_u64().unwrap();
    let charged = left(&before) - left(&black.now);
    assert!((1100..3000).contains(&charged), "the time before the stop, not the time of it: {charged} ms");
    let _white = Person::sit(server.address, &id, &token).await;
    let moved = black.attempt("d7d5").await;
    assert_eq!(
        (&moved["event"]["answer"], &moved["now"]["clock"]["running"]),
        (&json!("moved"), &json!("white"))
    );
    assert!(charged < 3000 && left(&moved["now"]) > 57_000);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_machine_goes_on_with_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let wanted = json!({"as": "white", "opponent": {"player": "hs", "move_ms": 5000}});
    let game = new_game(server.address, &wanted).await;
    let (id, token) = (text(&game["id"]), text(&game["token"]));
    let mut person = Person::sit(server.address, &id, &token).await;
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    assert_eq!(person.now["thinking"], true);
    server.stop().await;
    let server = start(folder.path()).await;
    let mut person = Person::sit(server.address, &id, &token).await;
    assert!(person.my_turn("white").await, "the machine has moved");
    assert_eq!(person.attempt("d2d4").await["event"]["answer"], "moved");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_stay_and_abandoned_ones_go() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (done, white, _) = link_game(server.address, "icc", None).await;
    let (left, ..) = link_game(server.address, "icc", None).await;
    let mut person = Person::sit(server.address, &done, &white).await;
    person.send(&json!({"type": "resign"})).await;
    person.hear("event").await;
    server.stop().await;
    let limits = nebel_server::ServerLimits { idle: Duration::ZERO, ..crate::common::generous() };
    let server = crate::common::start_with(nebel_server::Config {
        limits,
        ..nebel_server::Config::new(folder.path())
    })
    .await;
    let over = crate::common::get(server.address, &format!("/api/games/{done}")).await.json();
    assert_eq!(
        over["over"],
        json!({"result": "0-1", "reason": "resignation", "text": "Resignation. Black wins."})
    );
    assert_eq!(crate::common::get(server.address, &format!("/api/games/{done}/review")).await.status, 200);
    assert_eq!(crate::common::get(server.address, &format!("/api/games/{left}")).await.status, 404);
    server.stop().await;
}
