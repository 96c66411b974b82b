//! A server on a free port, and scripted people who talk to it through real sockets.

use std::{net::SocketAddr, path::Path, time::Duration};

use futures_util::{SinkExt, StreamExt};
use nebel_server::{Config, Server, ServerLimits};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// A server in this process.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<std::io::Result<()>>,
}

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Limits that no test reaches by accident.
pub(crate) fn generous() -> ServerLimits {
    ServerLimits {
        requests_a_second: 1e6,
        burst: 1e6,
        requests_at_once: 1000,
        messages_a_second: 1e6,
        games_a_minute: 1e6,
        games_at_once: 1e6,
        games_an_address: 1000,
        ..ServerLimits::default()
    }
}

/// Starts a server with its data in this folder.
pub(crate) async fn start(folder: &Path) -> Running {
    start_with(Config { limits: generous(), ..Config::new(folder) }).await
}

/// Starts a server.
pub(crate) async fn start_with(config: Config) -> Running {
    let server = Server::bind("127.0.0.1:0", config).await.unwrap();
    let address = server.address().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let done = tokio::spawn(server.run(async {
        let _ = stopped.await;
    }));
    Running { address, stop, done }
}

impl Running {
    /// Stops it as a person would.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        timeout(PATIENCE, self.done).await.unwrap().unwrap().unwrap();
    }
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) text: String,
}

impl HttpAnswer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// A request with its own headers, sent as it stands.
pub(crate) async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> HttpAnswer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(text.as_bytes()).await;
    let mut bytes = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (headers, body) = text.split_once("\r\n\r\n").unwrap();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    let text = if headers.to_lowercase().contains("transfer-encoding: chunked") {
        unchunk(body)
    } else {
        body.to_owned()
    };
    HttpAnswer { status, headers: headers.to_owned(), text }
}

fn unchunk(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        text.push_str(&rest[..length]);
        body = rest[length..].trim_start_matches("\r\n");
    }
    text
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> HttpAnswer {
    request(address, "GET", path, "Host: localhost\r\n", "").await
}

pub(crate) async fn post(address: SocketAddr, path: &str, body: &Value) -> HttpAnswer {
    let headers = "Host: localhost\r\nContent-Type: application/json\r\n";
    request(address, "POST", path, headers, &body.to_string()).await
}

/// A new game: its name and the secret of the side that asked.
pub(crate) async fn new_game(address: SocketAddr, wanted: &Value) -> Value {
    let answer = post(address, "/api/games", wanted).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

/// A game between two people: its name, and the secrets of White and Black.
pub(crate) async fn link_game(
    address: SocketAddr,
    rules: &str,
    start: Option<&str>,
) -> (String, String, String) {
    let wanted = json!({"rules": rules, "as": "white", "opponent": {"link": true}, "start": start});
    let game = new_game(address, &wanted).await;
    let black = game["invite"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
    (text(&game["id"]), text(&game["token"]), black)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A person at one side.
pub(crate) struct Person {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Events heard.
    pub(crate) seen: usize,
    /// All messages, as they came.
    pub(crate) stream: Vec<String>,
    /// The last state of things.
    pub(crate) now: Value,
}

impl Person {
    /// Connects without a word.
    pub(crate) async fn connect(address: SocketAddr, id: &str) -> Person {
        let (socket, _) = connect_async(format!("ws://{address}/api/games/{id}/socket")).await.unwrap();
        Person { socket, seen: 0, stream: Vec::new(), now: Value::Null }
    }

    /// Sits down and hears the state of things.
    pub(crate) async fn sit(address: SocketAddr, id: &str, token: &str) -> Person {
        let mut person = Person::connect(address, id).await;
        person.send(&json!({"type": "hello", "token": token})).await;
        let state = person.hear("state").await;
        person.seen = state["events"].as_array().unwrap().len();
        person
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message; `None` when the server has closed the connection.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.unwrap() {
                Some(Ok(Message::Text(text))) => {
                    self.stream.push(text.to_string());
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if let Some(seen) = message["seen"].as_u64().filter(|_| message["type"] == "event") {
                        self.seen = seen as usize;
                    }
                    if message["now"].is_object() {
                        self.now = message["now"].clone();
                    }
                    return Some(message);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(_) | Err(_)) | None => return None,
            }
        }
    }

    /// The next message of this type; others are passed over.
    pub(crate) async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed while waiting for {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Puts an attempt and hears the answer: an event of one's own, or a refusal.
    pub(crate) async fn attempt(&mut self, attempt: &str) -> Value {
        self.send(&json!({"type": "try", "attempt": attempt, "seen": self.seen})).await;
        loop {
            let message = self.next().await.unwrap();
            if message["type"] == "refused" || message["type"] == "event" {
                return message;
            }
        }
    }

    /// Waits until it is this side's turn or the game is over.
    pub(crate) async fn my_turn(&mut self, side: &str) -> bool {
        while self.now["turn"] != side || !self.now["over"].is_null() {
            if !self.now["over"].is_null() {
                return false;
            }
            self.hear("event").await;
        }
        true
    }
}
