//! A crowd of scripted people: each game has two, or one and the machine, and whoever is to move makes an attempt every
//! second.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep_until, timeout},
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// What the crowd saw.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The time from each attempt to its answer.
    pub(crate) latencies: Vec<Duration>,
    /// The time from each move to the machine's answer.
    pub(crate) turns: Vec<Duration>,
    /// What the machine had for a turn where it did not have all of its time.
    pub(crate) hurried: Vec<Duration>,
    /// What went wrong.
    pub(crate) errors: Vec<String>,
    /// Games that the server would not begin, having too much to do.
    pub(crate) refused: usize,
    /// Games that came to their end and were begun anew.
    pub(crate) finished: usize,
}

/// Whom the people play against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Against {
    /// One another.
    People,
    /// The machine, at the level that one is offered first.
    Machine,
}

/// The level that one is offered first: a player, and milliseconds for its turn.
pub(crate) const LEVEL: (&str, u64) = ("nebel:level=1", 300);

/// The time that this share of them stayed below.
pub(crate) fn quantile(times: &[Duration], share: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let index = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or_default()
}

impl Report {
    fn add(&mut self, other: Report) {
        self.latencies.extend(other.latencies);
        self.turns.extend(other.turns);
        self.hurried.extend(other.hurried);
        self.errors.extend(other.errors);
        self.refused += other.refused;
        self.finished += other.finished;
    }
}

/// Plays so many games at once for so long.
pub(crate) async fn play(address: SocketAddr, against: Against, games: usize, time: Duration) -> Report {
    // Sitting down takes a while for a crowd; nobody moves before all are there.
    let mut tables = Vec::new();
    let mut report = Report::default();
    for number in 0..games {
        match Game::begin(address, against).await {
            Ok(Some(game)) => tables.push((number, game)),
            Ok(None) => report.refused += 1,
            Err(error) => report.errors.push(error),
        }
    }
    let begin = tokio::time::Instant::now() + Duration::from_millis(200);
    let tasks: Vec<_> = tables
        .into_iter()
        .map(|(number, game)| {
            // The attempts of the crowd are spread over the second.
            let first = begin + Duration::from_millis((number * 1000 / games.max(1)) as u64);
            tokio::spawn(game.play(address, number, first, begin + time))
        })
        .collect();
    for task in tasks {
        match task.await {
            Ok(one) => report.add(one),
            Err(error) => report.errors.push(error.to_string()),
        }
    }
    report
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The people at one game: both sides, or White alone.
pub(crate) struct Game {
    pub(crate) white: Person,
    pub(crate) black: Option<Person>,
}

/// One side of a game, and how to come back to it.
pub(crate) struct Person {
    socket: Socket,
    id: String,
    token: String,
    /// The events that were told.
    pub(crate) seen: usize,
    pub(crate) now: Value,
}

impl Game {
    /// Begins a game; none when the server has too much to do.
    pub(crate) async fn begin(address: SocketAddr, against: Against) -> Result<Option<Game>, String> {
        let (player, move_ms) = LEVEL;
        let opponent = match against {
            Against::People => json!({"link": true}),
            Against::Machine => json!({"player": player, "move_ms": move_ms}),
        };
        let wanted = json!({"as": "white", "opponent": opponent});
        let Some(game) = new_game(address, &wanted).await? else { return Ok(None) };
        let id = game["id"].as_str().unwrap_or_default();
        let white = Person::sit(address, id, game["token"].as_str().unwrap_or_default()).await?;
        let black = match game["invite"].as_str().and_then(|link| link.rsplit_once('/')) {
            Some((_, secret)) => Some(Person::sit(address, id, secret).await?),
            None => None,
        };
        Ok(Some(Game { white, black }))
    }

    async fn play(
        mut self,
        address: SocketAddr,
        number: usize,
        first: tokio::time::Instant,
        end: tokio::time::Instant,
    ) -> Report {
        let mut report = Report::default();
        let mut next = first;
        let mut choice = number;
        while next < end {
            sleep_until(next).await;
            next += Duration::from_secs(1);
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if let Err(error) = self.step(choice >> 33, &mut report).await {
                report.errors.push(error);
                return report;
            }
            if !self.white.now["over"].is_null() {
                report.finished += 1;
                let against = if self.black.is_some() { Against::People } else { Against::Machine };
                match Game::begin(address, against).await {
                    Ok(Some(game)) => self = game,
                    Ok(None) => {
                        report.refused += 1;
                        return report;
                    }
                    Err(error) => report.errors.push(error),
                }
            }
        }
        report
    }

    /// An attempt of whoever is to move; if it is a move, the other side hears it, or the machine answers.
    pub(crate) async fn step(&mut self, choice: usize, report: &mut Report) -> Result<(), String> {
        let (mover, other) = match &mut self.black {
            Some(black) if self.white.now["turn"] == "black" => (black, Some(&mut self.white)),
            black => (&mut self.white, black.as_mut()),
        };
        let turn = mover.now["turn"].clone();
        let asked = Instant::now();
        report.latencies.push(mover.attempt(choice).await?);
        let has_moved = mover.now["turn"] != turn;
        let is_over = !mover.now["over"].is_null();
        match other {
            Some(other) if has_moved || is_over => other.hear("event").await?,
            None if has_moved && !is_over => {
                // Until the answer all that can come is what is heard of the machine's refusals.
                while mover.now["turn"] != turn && mover.now["over"].is_null() {
                    mover.hear("event").await?;
                }
                report.turns.push(asked.elapsed());
                report.hurried.extend(mover.now["machine_ms"].as_u64().map(Duration::from_millis));
            }
            _ => {}
        }
        Ok(())
    }
}

impl Person {
    pub(crate) async fn sit(address: SocketAddr, id: &str, token: &str) -> Result<Person, String> {
        let (socket, _) = connect_async(format!("ws://{address}/api/games/{id}/socket"))
            .await
            .map_err(|error| error.to_string())?;
        let (id, token) = (id.to_owned(), token.to_owned());
        let mut person = Person { socket, id, token, seen: 0, now: Value::Null };
        let hello = json!({"type": "hello", "token": person.token});
        person.send(&hello).await?;
        person.hear("state").await?;
        Ok(person)
    }

    /// Comes back to the same side.
    #[allow(dead_code, reason = "in the load test nobody goes")]
    pub(crate) async fn sit_again(&self, address: SocketAddr) -> Result<Person, String> {
        Person::sit(address, &self.id, &self.token).await
    }

    async fn send(&mut self, message: &Value) -> Result<(), String> {
        self.socket.send(Message::text(message.to_string())).await.map_err(|error| error.to_string())
    }

    /// Makes one of the attempts that make sense; the time until its answer.
    pub(crate) async fn attempt(&mut self, choice: usize) -> Result<Duration, String> {
        let attempts = self.now["attempts"].as_array().map(Vec::as_slice).unwrap_or_default();
        let attempt = attempts.get(choice % attempts.len().max(1)).cloned().unwrap_or_else(|| json!("a1a1"));
        let begun = Instant::now();
        self.send(&json!({"type": "try", "attempt": attempt, "seen": self.seen})).await?;
        self.hear("event").await?;
        Ok(begun.elapsed())
    }

    pub(crate) async fn hear(&mut self, kind: &str) -> Result<(), String> {
        loop {
            let next = timeout(Duration::from_secs(30), self.socket.next()).await;
            let message = match next.map_err(|_| format!("no {kind} in 30 s"))? {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                other => return Err(format!("{other:?} instead of {kind}")),
            };
            let message: Value = serde_json::from_str(&message).map_err(|error| error.to_string())?;
            if message["type"] == "refused" {
                return Err(message["why"].to_string());
            }
            if message["type"] == kind {
                // A state tells all events, an event how many there are now.
                let told = message["events"].as_array().map(|events| events.len() as u64);
                self.seen = told.or(message["seen"].as_u64()).unwrap_or(0) as usize;
                self.now = message["now"].clone();
                return Ok(());
            }
        }
    }
}

/// A new game; none when the server has too much to do.
pub(crate) async fn new_game(address: SocketAddr, wanted: &Value) -> Result<Option<Value>, String> {
    let wrong = |error: std::io::Error| error.to_string();
    let body = wanted.to_string();
    let request = format!(
        "POST /api/games HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.map_err(wrong)?;
    stream.write_all(request.as_bytes()).await.map_err(wrong)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.map_err(wrong)?;
    if answer.starts_with("HTTP/1.1 503") {
        return Ok(None);
    }
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).map(Some).map_err(|error| format!("{error}: {answer}"))
}
