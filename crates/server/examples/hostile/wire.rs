//! Clients that do as they like: raw bytes over TCP, from an address of one's choice.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Where an attack goes, whence it comes, and whether it goes on.
#[derive(Clone)]
pub(crate) struct Front {
    pub(crate) target: SocketAddr,
    pub(crate) from: IpAddr,
    pub(crate) is_over: Arc<AtomicBool>,
}

/// What became of the attempts of an attack: how many had each outcome.
pub(crate) type Tally = BTreeMap<String, usize>;

/// Nobody waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(10);

impl Front {
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    /// A connection from the attack's address.
    pub(crate) async fn connect(&self) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::new(self.from, 0))?;
        timeout(PATIENCE, socket.connect(self.target)).await?
    }

    /// Sends bytes on a connection of their own, and leaves it open with whatever is answered unread.
    pub(crate) async fn send(&self, bytes: &[u8]) -> io::Result<TcpStream> {
        let mut stream = self.connect().await?;
        timeout(PATIENCE, stream.write_all(bytes)).await??;
        Ok(stream)
    }

    /// Sends a request and reads the answer: its status and its body.
    pub(crate) async fn ask(&self, bytes: &[u8]) -> io::Result<(String, String)> {
        let mut stream = self.send(bytes).await?;
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await??;
        let answer = String::from_utf8_lossy(&answer);
        let status = answer.split(' ').nth(1).unwrap_or("nothing").to_owned();
        Ok((status, answer.split_once("\r\n\r\n").unwrap_or_default().1.to_owned()))
    }

    /// The status of the answer to a request, or what went wrong, counted.
    pub(crate) async fn count(&self, bytes: &[u8], tally: &mut Tally) {
        let outcome = match self.ask(bytes).await {
            Ok((status, _)) => status,
            Err(error) => error.kind().to_string(),
        };
        *tally.entry(outcome).or_default() += 1;
    }

    /// A game of the attacker's own: its name, and the secret of one side.
    pub(crate) async fn new_game(&self) -> Option<(String, String)> {
        let wanted = serde_json::json!({"as": "white", "opponent": {"link": true}});
        let (_, body) = self.ask(&post("/api/games", &wanted)).await.ok()?;
        let game: Value = serde_json::from_str(&body).ok()?;
        Some((game["id"].as_str()?.to_owned(), game["token"].as_str()?.to_owned()))
    }

    /// A WebSocket to a game.
    pub(crate) async fn socket(&self, id: &str) -> Option<WebSocketStream<TcpStream>> {
        let url = format!("ws://{}/api/games/{id}/socket", self.target);
        let stream = self.connect().await.ok()?;
        Some(timeout(PATIENCE, client_async(url, stream)).await.ok()?.ok()?.0)
    }
}

/// The bytes of a request with a JSON body.
pub(crate) fn post(path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let head = head("POST", path, body.len());
    [head.as_bytes(), body.as_bytes()].concat()
}

/// The head of a request whose body has this length.
pub(crate) fn head(method: &str, path: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
}
