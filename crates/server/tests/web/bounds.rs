//! What can be asked for is bounded: players from the list, games of a greatest length, errors in one form, and work
//! off the threads that play.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use crate::common::{Person, generous, get, link_game, post, request, start, start_with, text};
use nebel_server::{Config, ServerLimits};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test(flavor = "multi_thread")]
async fn only_levels_and_players_as_they_come_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let create = async |player: &str| {
        let wanted = json!({"opponent": {"player": player, "move_ms": 20}});
        post(server.address, "/api/games", &wanted).await
    };
    for player in ["hs:threads=2", "hs:depth=255", "hs:k=10", "los:k=51", "c:threads=1", "hs:", "exec:true"] {
        let answer = create(player).await;
        assert_eq!(answer.status, 400, "{player}: {}", answer.text);
        assert!(answer.json()["error"].as_str().unwrap().contains("without options"), "{}", answer.text);
    }
    let meta = get(server.address, "/api/meta").await.json();
    let levels = meta["levels"].as_array().unwrap().iter().map(|level| &level["spec"]);
    let kinds = meta["players"].as_array().unwrap().iter().map(|player| &player["kind"]);
    for spec in levels.chain(kinds) {
        assert_eq!(create(&text(spec)).await.status, 201, "{spec} is in the list");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_error_is_one_sentence_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let host = "Host: localhost\r\n";
    let json = "Host: localhost\r\nContent-Type: application/json\r\n";
    for (method, path, headers, body, status) in [
        ("TRACE", "/", host, "", 405),
        ("TRACE", "/api/meta", host, "", 405),
        ("CONNECT", "localhost:80", host, "", 405),
        ("POST", "/", host, "", 405),
        ("DELETE", "/api/meta", host, "", 405),
        ("PUT", "/api/games", json, "{}", 405),
        ("BREW", "/api/games", json, "{}", 405),
        ("GET", "/nowhere", host, "", 404),
        ("GET", "/api/nowhere", host, "", 404),
        ("GET", "/api/results/one", host, "", 400),
        ("GET", "/api/results/1/games/x", host, "", 400),
        ("GET", "/api/collections/berkeley-3/x", host, "", 400),
        ("GET", "/api/collections/berkeley-3?limit=x", host, "", 400),
        ("GET", "/api/games/%ff", host, "", 400),
        ("POST", "/api/games", host, "{}", 415),
        ("POST", "/api/games", json, "{", 400),
        ("POST", "/api/games", json, "\u{0}", 400),
        ("GET", "/api/games/x/socket", host, "", 400),
        ("GET", "/", "", "", 403),
    ] {
        let answer = request(server.address, method, path, headers, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
        assert!(answer.json()["error"].is_string(), "{method} {path}: {}", answer.text);
    }
    let large = "x".repeat(3 << 20);
    let answer = request(server.address, "POST", "/api/review", json, &large).await;
    assert!(answer.status == 413 && answer.json()["error"].is_string(), "{answer:?}");
    server.stop().await;
}

/// A game whose few bytes say a great deal: refused attempts stand in a list.
fn bomb(events: usize) -> String {
    format!("[Rules \"icc\"]\n\n1. e4 {{(:{})}} *\n", "!x,".repeat(events))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_has_a_greatest_length() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let header =
        r#"{"nebel":1,"rules":"icc","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    let lines = |events: usize| {
        let nonsense = "{\"by\":\"white\",\"attempt\":\"h9\",\"answer\":\"illegal\"}\n";
        format!("{header}\n{}", nonsense.repeat(events))
    };
    let review = async |text: String| post(server.address, "/api/review", &json!({"text": text})).await;
    let longest = review(lines(10_000)).await;
    assert_eq!(longest.status, 200, "{}", longest.text);
    assert_eq!(longest.json()["steps"].as_array().unwrap().len(), 10_000);
    assert_eq!(longest.json()["jsonl"], lines(10_000));
    for text in [lines(10_001), bomb(300_000)] {
        let too_long = review(text.clone()).await;
        assert_eq!(too_long.status, 400, "{} bytes", too_long.text.len());
        assert_eq!(too_long.json()["error"], "A game has at most 10000 events.");
        for (path, asked) in [
            ("/api/belief", json!({"text": text, "as": "white"})),
            ("/api/solve", json!({"view": text, "plies": 3})),
        ] {
            let answer = post(server.address, path, &asked).await;
            assert_eq!((answer.status, &answer.json()["error"]), (400, &too_long.json()["error"]), "{path}");
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_played_ends_at_the_greatest_length() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { game_events: 6, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, white, black) = link_game(server.address, "berkeley", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    let mut black = Person::sit(server.address, &id, &black).await;
    for (attempt, reply) in [("g1f3", "g8f6"), ("f3g1", "f6g8"), ("g1f3", "g8f6")] {
        white.my_turn("white").await;
        white.attempt(attempt).await;
        black.my_turn("black").await;
        black.attempt(reply).await;
    }
    // The last move is told, and then the end.
    while white.now["over"].is_null() {
        white.hear("event").await;
    }
    assert_eq!(
        white.now["over"],
        json!({"result": "1/2-1/2", "reason": "length", "text": "The game grew too long. The game is drawn."})
    );
    let review = get(server.address, &format!("/api/games/{id}/review")).await.json();
    assert_eq!((review["steps"].as_array().unwrap().len(), &review["over"]["reason"]), (7, &json!("length")));
    server.stop().await;
}

/// On one thread whatever is computed there holds up everything else. A machine that is busy with other tests holds up everything too, now
/// and then: so each request has three tries, and what nobody would notice does not count.
#[tokio::test(flavor = "current_thread")]
async fn reading_games_holds_up_nobody() {
    const UNNOTICED: Duration = Duration::from_millis(20);
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let text = format!("[Rules \"berkeley\"]\n\n{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(75_000));
    for (path, asked) in [
        ("/api/solve", json!({"view": text, "plies": 3})),
        ("/api/review", json!({"text": text})),
        ("/api/solve", json!({"positions": vec![MATE; 20_000], "plies": 3})),
    ] {
        let body = asked.to_string();
        let mut tries = Vec::new();
        let held_up = |&(taken, gap): &(Duration, Duration)| gap >= UNNOTICED && gap >= taken / 2;
        while tries.len() < 3 && tries.iter().all(held_up) {
            tries.push(longest_gap_while(send(server.address, path, &body)).await);
        }
        assert!(!tries.iter().all(held_up), "{path} took (and held up everybody for) {tries:?}");
    }
    server.stop().await;
}

/// How long this takes, and the longest time in it in which nothing else had its turn.
async fn longest_gap_while(work: impl Future<Output = ()>) -> (Duration, Duration) {
    let mut work = std::pin::pin!(work);
    let begun = Instant::now();
    let mut gap = Duration::ZERO;
    let mut last = begun;
    loop {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(1)) => {
                gap = gap.max(last.elapsed());
                last = Instant::now();
            }
            () = &mut work => return (begun.elapsed(), gap.max(last.elapsed())),
        }
    }
}

/// Sends a request and waits for the beginning of its answer.
async fn send(address: SocketAddr, path: &str, body: &str) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut beginning = [0; 12];
    stream.read_exact(&mut beginning).await.unwrap();
}

const MATE: &str = "6k1/8/5K2/8/Q7/8/8/8 w - - 0 1";
