//! Hostile clients: refused cleanly, the game unharmed.

use std::time::Duration;

use crate::common::{Person, generous, get, link_game, post, request, start, start_with, text};
use futures_util::SinkExt;
use nebel_server::{Config, ServerLimits};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread")]
async fn wrong_and_stolen_secrets_open_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, black) = link_game(server.address, "icc", None).await;
    let (other, other_white, _) = link_game(server.address, "icc", None).await;
    let wrong = [String::new(), "0".repeat(32), white[..31].to_owned(), format!("{white}0"), other_white];
    for token in wrong {
        let mut thief = Person::connect(server.address, &id).await;
        thief.send(&json!({"type": "hello", "token": token})).await;
        assert_eq!(thief.next().await, None, "closed without a word of the game");
    }
    let mut lost = Person::connect(server.address, "ffffffffffffffff").await;
    lost.send(&json!({"type": "hello", "token": white})).await;
    assert_eq!(lost.next().await, None);
    for rude in [json!({"type": "try", "attempt": "e2e4", "seen": 0}), json!({"type": "resign"}), json!(7)] {
        let mut rude_one = Person::connect(server.address, &id).await;
        rude_one.send(&rude).await;
        assert_eq!(rude_one.next().await, None);
    }
    // The other side's secret gives the other side, and only that.
    let mut black = Person::sit(server.address, &id, &black).await;
    assert_eq!(black.now["men"]["e8"], "k");
    assert!(!black.stream[0].contains("\"K\""), "no white man is in Black's state");
    let refused = black.attempt("e2e4").await;
    assert_eq!((&refused["type"], &refused["why"]), (&json!("refused"), &json!("It is not your turn.")));
    let mut white = Person::sit(server.address, &id, &white).await;
    assert_eq!(white.attempt("e2e4").await["event"]["answer"], "moved");
    assert_eq!(get(server.address, &format!("/api/games/{other}")).await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_and_oversized_messages_harm_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, _) = link_game(server.address, "icc", None).await;
    let mut person = Person::sit(server.address, &id, &white).await;
    let malformed = [
        "",
        "{",
        "[]",
        "null",
        "{\"type\":\"fly\"}",
        "{\"type\":\"try\"}",
        "{\"type\":\"try\",\"attempt\":3,\"seen\":0}",
    ];
    for text in malformed {
        person.send_text(text).await;
        assert_eq!(person.hear("refused").await["why"], "This message cannot be understood.");
    }
    let long = person.attempt("e2e4e2e4e2e4e2e4e2e4").await;
    assert_eq!(long["type"], "refused");
    let stale = json!({"type": "try", "attempt": "e2e4", "seen": 5});
    person.send(&stale).await;
    assert_eq!(person.hear("refused").await["why"], "Something has happened since: look again.");
    // Nonsense is the umpire's business, but not for ever.
    for _ in 0..100 {
        assert_eq!(person.attempt("h9h9").await["event"]["answer"], "illegal");
    }
    assert_eq!(person.attempt("h9h9").await["type"], "refused");
    let mut large = Person::sit(server.address, &id, &white).await;
    large.send_text(&"x".repeat(100_000)).await;
    assert_eq!(
        large.next().await.map(|message| message["type"].clone()).filter(|kind| kind != "opponent"),
        None
    );
    let mut binary = Person::sit(server.address, &id, &white).await;
    binary.socket.send(Message::binary(vec![0; 10])).await.unwrap();
    while binary.next().await.is_some() {}
    let mut again = Person::sit(server.address, &id, &white).await;
    assert_eq!(again.seen, 100, "what was acknowledged is there after a reconnect");
    assert_eq!(again.attempt("h9h9").await["type"], "refused", "the nonsense is refused, not the game");
    assert_eq!(again.attempt("e2e4").await["event"]["answer"], "moved");
    again.send(&json!({"type": "resign"})).await;
    assert_eq!(again.hear("event").await["event"]["over"]["result"], "0-1");
    assert_eq!(again.attempt("e2e4").await["why"], "The game is over.");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resend_after_a_reconnect_in_the_middle_of_a_turn_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, black) = link_game(server.address, "berkeley", None).await;
    let mut first = Person::sit(server.address, &id, &white).await;
    first.attempt("e2d3").await;
    first.send(&json!({"type": "try", "attempt": "e2e4", "seen": 1})).await;
    // Gone before the answer came; the same message again finds that it was heard.
    drop(first);
    let mut black = Person::sit(server.address, &id, &black).await;
    black.my_turn("black").await;
    let mut second = Person::sit(server.address, &id, &white).await;
    assert_eq!((second.seen, &second.now["turn"]), (2, &json!("black")));
    second.send(&json!({"type": "try", "attempt": "e2e4", "seen": 1})).await;
    assert_eq!(second.hear("refused").await["type"], "refused");
    assert_eq!(black.attempt("e7e5").await["event"]["answer"], "moved");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_slow_reader() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { queue: 8, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, white, black) = link_game(server.address, "berkeley", None).await;
    // It sits down and never reads: its messages pile up in the kernel and then in the queue.
    let slow = Person::sit(server.address, &id, &white).await;
    let mut person = Person::sit(server.address, &id, &white).await;
    let begun = std::time::Instant::now();
    for _ in 0..90 {
        assert_eq!(person.attempt("a1a1").await["event"]["answer"], "nonsense");
    }
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    assert!(begun.elapsed() < Duration::from_secs(30));
    drop(slow);
    let mut other = Person::sit(server.address, &id, &black).await;
    assert_eq!(other.attempt("e7e5").await["event"]["answer"], "moved");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits {
        games: 3,
        connections: 3,
        connections_a_seat: 2,
        messages_a_second: 2.0,
        body_bytes: 1000,
        hello: Duration::from_millis(300),
        ..generous()
    };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(link_game(server.address, "icc", None).await);
    }
    let fourth = post(server.address, "/api/games", &json!({"opponent": {"link": true}})).await;
    assert_eq!((fourth.status, fourth.json()["error"].is_string()), (503, true));
    let large = post(server.address, "/api/review", &json!({"text": "x".repeat(2000)})).await;
    assert_eq!(large.status, 413);
    let (id, white, _) = &games[0];
    let mut one = Person::sit(server.address, id, white).await;
    let two = Person::sit(server.address, id, white).await;
    let silent = Person::connect(server.address, id).await;
    assert_eq!(get(server.address, &format!("/api/games/{id}/socket")).await.status, 400, "no WebSocket");
    let url = format!("ws://{}/api/games/{id}/socket", server.address);
    assert!(tokio_tungstenite::connect_async(url).await.is_err(), "one connection too many");
    drop(silent);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut three = Person::connect(server.address, id).await;
    three.send(&json!({"type": "hello", "token": white})).await;
    assert_eq!(three.next().await.unwrap()["why"], "Too many windows show this game.");
    drop((two, three));
    for _ in 0..6 {
        one.send(&json!({"type": "ping"})).await;
    }
    while one.next().await.is_some() {}
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut silent = Person::connect(server.address, id).await;
    assert_eq!(silent.next().await, None, "who says nothing is not kept");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_and_too_many_requests_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { requests_a_second: 0.001, burst: 8.0, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let body = json!({"opponent": {"link": true}}).to_string();
    let json_type = "Content-Type: application/json\r\n";
    let from = |host: &str, origin: &str| format!("Host: {host}\r\nOrigin: {origin}\r\n{json_type}");
    for (headers, status) in [
        (from("localhost:1", "http://localhost:1"), 201),
        (from("localhost", "http://evil.example"), 403),
        (from("evil.example", "http://evil.example"), 403),
        (format!("Host: localhost\r\nSec-Fetch-Site: cross-site\r\n{json_type}"), 403),
        ("Host: localhost\r\nContent-Type: text/plain\r\n".to_owned(), 415),
    ] {
        assert_eq!(
            request(server.address, "POST", "/api/games", &headers, &body).await.status,
            status,
            "{headers}"
        );
    }
    let page = get(server.address, "/").await;
    assert!(page.headers.contains("content-security-policy: default-src 'none'"), "{}", page.headers);
    assert_eq!(get(server.address, "/../../etc/passwd").await.status, 404);
    assert_eq!(get(server.address, "/api/meta").await.status, 200);
    let last = get(server.address, "/api/meta").await;
    assert_eq!(
        (last.status, text(&last.json()["error"])),
        (429, "Too many requests: wait a moment.".to_owned())
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_starts_programs_reads_files_or_asks_for_huge_players_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    for player in [
        "exec:true",
        "c:model=Cargo.toml",
        "hs:eval=uci/sh",
        "hs:k=99999999",
        "hs:pool=18446744073709551615",
        "deep-blue",
        "",
    ] {
        let answer = post(server.address, "/api/games", &json!({"opponent": {"player": player}})).await;
        assert_eq!(answer.status, 400, "{player}: {}", answer.text);
    }
    for wanted in [
        json!({"opponent": {"player": "random", "move_ms": 0}}),
        json!({"opponent": {"player": "random"}, "rules": "checkers"}),
        json!({"opponent": {"player": "random"}, "start": "8/8/8/8/8/8/8/8 w - - 0 1"}),
        json!({"opponent": {"player": "random"}, "start": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}),
        json!({"opponent": {"link": true}, "clock": {"initial_ms": 0}}),
        json!({"opponent": {"link": true}, "practice": true}),
        json!({"opponent": {"link": false}}),
        json!({"opponent": {"link": true}, "cheat": true}),
        json!([]),
    ] {
        let answer = post(server.address, "/api/games", &wanted).await;
        assert!(answer.status == 400 && answer.json()["error"].is_string(), "{wanted}: {}", answer.text);
    }
    server.stop().await;
}
