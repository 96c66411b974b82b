//! What one address can do to the others: little. Heads and bodies must come in time, half-sent requests give way,
//! pings count, and each address has its share of games and proofs.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use crate::common::{Person, generous, get, link_game, post, request, start_with, text};
use futures_util::SinkExt;
use nebel_server::{Config, ServerLimits};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread")]
async fn ping_frames_count_as_messages() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { messages_a_second: 2.0, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, white, _) = link_game(server.address, "icc", None).await;
    let mut seated = Person::sit(server.address, &id, &white).await;
    let mut silent = Person::connect(server.address, &id).await;
    for person in [&mut seated, &mut silent] {
        for _ in 0..50 {
            // Once the server has closed the connection, sending fails.
            let _ = person.socket.send(Message::Ping(vec![1].into())).await;
        }
        let end = async { while person.next().await.is_some() {} };
        assert!(timeout(Duration::from_secs(5), end).await.is_ok(), "still open after 50 pings at once");
    }
    server.stop().await;
}

/// The beginning of a request, on a connection that stays open.
async fn half_sent(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

/// Whether the server ends this connection; one that is cut off is ended as well.
async fn is_ended(stream: &mut TcpStream) -> bool {
    timeout(Duration::from_secs(10), stream.read_to_end(&mut Vec::new())).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_do_not_come_in_time_are_ended_though_bytes_trickle() {
    let folder = tempfile::tempdir().unwrap();
    let short = Duration::from_millis(600);
    let limits = ServerLimits { head_time: short, body_time: short, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let head = "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let late = "The request did not arrive in time.";
    for (beginning, more, said) in [
        ("GET / HTTP/1.1\r\nHost: local".to_owned(), "x", ""),
        (format!("{head}Content-Length: 1000\r\n\r\n{{"), " ", late),
        (format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"), "1\r\n \r\n", late),
    ] {
        let stream = half_sent(server.address, &beginning).await;
        let (mut read, mut write) = stream.into_split();
        let trickle = tokio::spawn(async move {
            for _ in 0..50 {
                tokio::time::sleep(Duration::from_millis(100)).await;
                if write.write_all(more.as_bytes()).await.is_err() {
                    break;
                }
            }
            write
        });
        let mut answer = Vec::new();
        let begun = Instant::now();
        let end = timeout(Duration::from_secs(4), read.read_to_end(&mut answer)).await;
        assert!(end.is_ok(), "{beginning:?} is still open after {:?}", begun.elapsed());
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.contains(said), "{beginning:?}: {answer}");
        trickle.abort();
    }
    assert_eq!(get(server.address, "/api/meta").await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_requests_lock_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { connections_an_address: 20, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, white, black) = link_game(server.address, "icc", None).await;
    let mut white = Person::sit(server.address, &id, &white).await;
    let mut half = Vec::new();
    for number in 0..60 {
        let text = match number % 3 {
            0 => "",
            1 => "GET / HTTP/1.1\r\nHost: localhost\r\n",
            _ => {
                "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
            }
        };
        half.push(half_sent(server.address, text).await);
    }
    // From the same address, which has three times as many connections as it may.
    assert_eq!(get(server.address, "/api/meta").await.status, 200);
    let mut black = Person::sit(server.address, &id, &black).await;
    assert!(is_ended(&mut half[0]).await, "the oldest gives way");
    assert_eq!(white.attempt("e2e4").await["event"]["answer"], "moved", "who plays does not");
    black.my_turn("black").await;
    assert_eq!(black.attempt("e7e5").await["event"]["answer"], "moved");
    let still_open = timeout(Duration::from_millis(300), half[59].read(&mut [0; 9])).await.is_err();
    assert!(still_open, "the newest still has its time");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_its_share_of_everything() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { games_an_address: 3, proofs_an_address: 2, prover_threads: 1, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let wanted = json!({"as": "white", "opponent": {"link": true}});
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(link_game(server.address, "icc", None).await);
    }
    let refused = post(server.address, "/api/games", &wanted).await;
    assert_eq!((refused.status, refused.json()["error"].is_string()), (429, true), "{}", refused.text);
    let elsewhere = from_elsewhere(server.address, &wanted.to_string()).await;
    assert!(elsewhere.starts_with("HTTP/1.1 201"), "another address has its own share: {elsewhere}");
    let long = json!({"plies": 15, "positions": ["4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"]});
    let mut jobs = Vec::new();
    for _ in 0..2 {
        let begun = post(server.address, "/api/solve", &long).await;
        assert_eq!(begun.status, 202, "{}", begun.text);
        jobs.push(text(&begun.json()["job"]));
    }
    let refused = post(server.address, "/api/solve", &long).await;
    assert_eq!((refused.status, refused.json()["error"].is_string()), (429, true), "{}", refused.text);
    for job in jobs {
        request(server.address, "DELETE", &format!("/api/jobs/{job}"), "Host: localhost\r\n", "").await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_not_begun_faster_than_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { games_a_minute: 0.01, games_at_once: 2.0, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let wanted = json!({"as": "white", "opponent": {"link": true}});
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(post(server.address, "/api/games", &wanted).await.status);
    }
    assert_eq!(statuses, [201, 201, 429]);
    server.stop().await;
}

/// Begins a game from another address of this machine.
async fn from_elsewhere(address: SocketAddr, body: &str) -> String {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let text = format!(
        "POST /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}
