//! The attacks. Each goes on until its time is over, bounded in how much it sends, and says what became of it.

use std::{pin::Pin, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::tungstenite::Message;

use crate::wire::{Front, Tally, head, post};

type Running = Pin<Box<dyn Future<Output = Tally> + Send>>;

/// An attack: its name, what it does, how many clients do it at once, and what each does.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) clients: usize,
    pub(crate) run: fn(Front) -> Running,
}

macro_rules! attack {
    ($name:literal, $about:literal, $clients:literal, $run:ident) => {
        Attack { name: $name, about: $about, clients: $clients, run: |front| Box::pin($run(front)) }
    };
}

/// All of them.
pub(crate) const ATTACKS: [Attack; 13] = [
    attack!("specs", "players that take all memory, threads and time", 2, specs),
    attack!("machines", "games against machines that think long, which nobody joins", 2, machines),
    attack!("creations", "games as fast as they are begun", 4, creations),
    attack!("solve", "1.2 MB of moves to be solved, answers unread", 10, solve),
    attack!("review", "the longest games to be reviewed, answers unread", 10, review),
    attack!("beliefs", "the largest beliefs", 4, beliefs),
    attack!("proofs", "proofs without end", 4, proofs),
    attack!("heads", "half-sent heads, a byte now and then", 43, heads),
    attack!("bodies", "half-sent bodies of 2 MB", 20, bodies),
    attack!("pipeline", "a thousand requests at once, no answer read", 10, pipeline),
    attack!("nonsense", "nonsense and malformed messages in a game", 10, nonsense),
    attack!("pings", "ping frames as fast as they go", 10, pings),
    attack!("junk", "what is no HTTP, no path, no method", 4, junk),
];

/// Between two requests of one client, so that the attackers leave the processors to the server.
const PAUSE: Duration = Duration::from_millis(20);

async fn specs(front: Front) -> Tally {
    const SPECS: [&str; 8] = [
        "hs:threads=100000",
        "hs:threads=256",
        "c:threads=256",
        "hs:pool=100000,keep=100000",
        "hs:depth=255",
        "a:k=99999",
        "hs:eval=uci/sh",
        "exec:sleep 1000",
    ];
    let mut tally = Tally::new();
    for spec in SPECS.iter().cycle() {
        if !front.goes_on() {
            break;
        }
        let wanted = json!({"as": "black", "opponent": {"player": spec, "move_ms": 100}});
        front.count(&post("/api/games", &wanted), &mut tally).await;
        sleep(PAUSE).await;
    }
    tally
}

async fn machines(front: Front) -> Tally {
    let wanted = json!({"as": "black", "practice": true, "opponent": {"player": "hs", "move_ms": 60_000}});
    repeat(front, &post("/api/games", &wanted)).await
}

async fn creations(front: Front) -> Tally {
    repeat(front, &post("/api/games", &json!({"as": "white", "opponent": {"link": true}}))).await
}

/// Sends the same request again and again, and reads its answers.
async fn repeat(front: Front, bytes: &[u8]) -> Tally {
    let mut tally = Tally::new();
    while front.goes_on() {
        front.count(bytes, &mut tally).await;
        sleep(PAUSE).await;
    }
    tally
}

/// Sends these requests again and again; the last answers stay unread on open connections.
async fn repeat_unread(front: Front, requests: &[Vec<u8>]) -> Tally {
    let mut tally = Tally::new();
    let mut open: Vec<TcpStream> = Vec::new();
    for bytes in requests.iter().cycle() {
        if !front.goes_on() {
            break;
        }
        match front.send(bytes).await {
            Ok(stream) => {
                open.push(stream);
                *tally.entry("sent, unread".to_owned()).or_default() += 1;
            }
            Err(error) => *tally.entry(error.kind().to_string()).or_default() += 1,
        }
        if open.len() > 20 {
            open.remove(0);
        }
        sleep(PAUSE * 5).await;
    }
    tally
}

async fn solve(front: Front) -> Tally {
    let game = format!("[Rules \"berkeley\"]\n\n{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(75_000));
    repeat_unread(front, &[post("/api/solve", &json!({"view": game, "plies": 3}))]).await
}

async fn review(front: Front) -> Tally {
    // A few bytes for each of very many events, and as many events as a game may have.
    let bomb = format!("[Rules \"icc\"]\n\n1. e4 {{(:{})}} *\n", "!x,".repeat(630_000));
    let requests = [bomb, longest_game(10_000)].map(|text| post("/api/review", &json!({"text": text})));
    repeat_unread(front, &requests).await
}

/// A game of so many events, all of them nonsense.
fn longest_game(events: usize) -> String {
    let nonsense = "{\"by\":\"white\",\"attempt\":\"h9\",\"answer\":\"illegal\"}\n";
    format!("{{\"nebel\":1,\"rules\":\"icc\"}}\n{}", nonsense.repeat(events))
}

async fn beliefs(front: Front) -> Tally {
    // Black hears little of forty quiet moves, so that all there could be is very much.
    let quiet = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 Nd2 Nd7 Be2 Be7 Bb2 Bb7";
    let game = format!("[Rules \"icc\"]\n\n{quiet} *\n");
    repeat(front, &post("/api/belief", &json!({"text": game, "as": "black", "limit": 2_000_000}))).await
}

async fn proofs(front: Front) -> Tally {
    let mut tally = Tally::new();
    let start = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    for algorithm in ["auto", "pns", "ipns", "dfs"].iter().cycle() {
        if !front.goes_on() {
            break;
        }
        let asked = json!({"plies": 15, "positions": [start], "algorithm": algorithm});
        front.count(&post("/api/solve", &asked), &mut tally).await;
        sleep(PAUSE * 10).await;
    }
    tally
}

/// Each client keeps a hundred connections with half a request on each.
async fn heads(front: Front) -> Tally {
    trickle(front, 100, b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\nX-", b"x").await
}

async fn bodies(front: Front) -> Tally {
    let length = 2_000_000;
    let mut beginning = head("POST", "/api/review", length).into_bytes();
    beginning.resize(beginning.len() + length - 1000, b' ');
    trickle(front, 10, &beginning, b" ").await
}

/// Keeps connections open on which a byte comes now and then; those that the server ends are opened anew.
async fn trickle(front: Front, connections: usize, beginning: &[u8], byte: &[u8]) -> Tally {
    let mut tally = Tally::new();
    let mut open: Vec<TcpStream> = Vec::new();
    while front.goes_on() {
        while open.len() < connections && front.goes_on() {
            match front.send(beginning).await {
                Ok(stream) => {
                    open.push(stream);
                    *tally.entry("opened".to_owned()).or_default() += 1;
                }
                Err(error) => {
                    *tally.entry(error.kind().to_string()).or_default() += 1;
                    sleep(PAUSE).await;
                }
            }
        }
        sleep(Duration::from_secs(1)).await;
        let mut kept = Vec::new();
        for mut stream in open {
            let written = timeout(PAUSE, stream.write_all(byte)).await;
            match written {
                Ok(Ok(())) => kept.push(stream),
                _ => *tally.entry("ended by the server".to_owned()).or_default() += 1,
            }
        }
        open = kept;
    }
    tally
}

async fn pipeline(front: Front) -> Tally {
    let one = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    repeat_unread(front, &[one.repeat(1000).into_bytes()]).await
}

async fn nonsense(front: Front) -> Tally {
    let words = ["h9h9", "a1a1", "e2e5", "", "\u{0}", "e2e4e2e4"];
    let mut number = 0;
    chatter(front, PAUSE, move |seen| {
        number += 1;
        let attempt = words[number % words.len()];
        let message = json!({"type": "try", "attempt": attempt, "seen": seen});
        Message::text(if number % 7 == 0 { "{\"type\":".to_owned() } else { message.to_string() })
    })
    .await
}

async fn pings(front: Front) -> Tally {
    chatter(front, Duration::ZERO, |_| Message::Ping(vec![7; 100].into())).await
}

/// Sits down at a game of its own, again and again, and talks without end; what comes back is read as far as it comes
/// at once.
async fn chatter(front: Front, pause: Duration, mut say: impl FnMut(usize) -> Message) -> Tally {
    let mut tally = Tally::new();
    let mut game = None;
    while front.goes_on() {
        if game.is_none() {
            game = front.new_game().await;
        }
        let socket = match &game {
            Some((id, token)) => front.socket(id).await.map(|socket| (socket, token)),
            None => None,
        };
        let Some((mut socket, token)) = socket else {
            *tally.entry("turned away".to_owned()).or_default() += 1;
            sleep(PAUSE * 5).await;
            continue;
        };
        let hello = json!({"type": "hello", "token": token}).to_string();
        let mut ends = socket.send(Message::text(hello)).await.is_err();
        let mut seen = 0;
        while !ends && front.goes_on() {
            ends = !matches!(timeout(Duration::from_secs(2), socket.send(say(seen))).await, Ok(Ok(())));
            *tally.entry("messages".to_owned()).or_default() += 1;
            while let Ok(heard) = timeout(Duration::from_millis(1), socket.next()).await {
                match heard {
                    Some(Ok(Message::Text(text))) => {
                        let heard: Value = serde_json::from_str(&text).unwrap_or_default();
                        let told = heard["events"].as_array().map(|events| events.len() as u64);
                        seen = told.or(heard["seen"].as_u64()).map_or(seen, |seen| seen as usize);
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => {
                        ends = true;
                        break;
                    }
                }
            }
            sleep(pause).await;
        }
        *tally.entry("ended".to_owned()).or_default() += 1;
        sleep(PAUSE * 5).await;
    }
    tally
}

async fn junk(front: Front) -> Tally {
    let long_head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    let requests: Vec<Vec<u8>> = vec![
        vec![0x16, 3, 1, 2, 0, 1, 0, 1],
        b"\r\n\r\n\r\n\r\n".to_vec(),
        long_head.into_bytes(),
        head("TRACE", "/", 0).into_bytes(),
        head("CONNECT", "localhost:22", 0).into_bytes(),
        head("GET", "/api/games/%ff%00/review", 0).into_bytes(),
        head("GET", "/api/results/99999999999999999999", 0).into_bytes(),
        [head("POST", "/api/strategy/node", deep.len()).as_bytes(), deep.as_bytes()].concat(),
        post("/api/tables/probe", &json!({"men": "Ka1 Qb2 Rc3 Nd4", "king": "all"})),
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n".to_vec(),
    ];
    let mut tally = Tally::new();
    for request in requests.iter().cycle() {
        if !front.goes_on() {
            break;
        }
        // Some of it is only answered by the end of the time for requests.
        if timeout(PAUSE * 25, front.count(request, &mut tally)).await.is_err() {
            *tally.entry("no answer yet".to_owned()).or_default() += 1;
        }
        sleep(PAUSE).await;
    }
    tally
}
