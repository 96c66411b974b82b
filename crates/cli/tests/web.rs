//! The web app as people start it: the real program, killed in the middle of things.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

/// The program, with its data in a folder.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn start(data: &Path) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nebel"))
            .args(["--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Program { child, address }
    }

    /// `kill -9`: no chance to write anything.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A person at a side.
struct Person {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    now: Value,
    /// The events of the view, as they were acknowledged.
    events: Vec<Value>,
}

impl Person {
    fn sit(program: &Program, game: &Value) -> Person {
        let id = game["id"].as_str().unwrap();
        let (socket, _) =
            tungstenite::connect(format!("ws://{}/api/games/{id}/socket", program.address)).unwrap();
        let mut person = Person { socket, now: Value::Null, events: Vec::new() };
        person.send(&json!({"type": "hello", "token": game["token"]}));
        let state = person.hear("state").unwrap();
        person.events.clone_from(state["events"].as_array().unwrap());
        person
    }

    fn send(&mut self, message: &Value) {
        // The program may be dead already.
        let _ = self.socket.send(Message::text(message.to_string()));
    }

    /// The next message of this type; `None` when the program is gone.
    fn hear(&mut self, kind: &str) -> Option<Value> {
        loop {
            let text = match self.socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(Message::Ping(_) | Message::Pong(_)) => continue,
                Ok(_) | Err(_) => return None,
            };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["now"].is_object() {
                self.now = message["now"].clone();
            }
            if message["type"] == "event" {
                self.events.push(message["event"].clone());
            }
            if message["type"] == kind {
                return Some(message);
            }
        }
    }

    /// Plays on until the program dies or the game is over.
    fn play(&mut self, mut choice: usize) {
        while self.now["over"].is_null() {
            if self.now["turn"] == "white" {
                let attempts = self.now["attempts"].as_array().unwrap();
                choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let attempt = attempts[(choice >> 33) % attempts.len()].clone();
                self.send(&json!({"type": "try", "attempt": attempt, "seen": self.events.len()}));
            }
            if self.hear("event").is_none() {
                return;
            }
        }
    }
}

#[test]
fn nothing_that_was_acknowledged_is_lost_when_the_program_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let wanted = json!({"as": "white", "opponent": {"player": "greedy", "move_ms": 20}});
    let games: Vec<Value> = (0..8).map(|_| program.post("/api/games", &wanted)).collect();
    let people: Vec<_> = games.iter().map(|game| Person::sit(&program, game)).collect();
    let playing: Vec<_> = people
        .into_iter()
        .enumerate()
        .map(|(number, mut person)| {
            thread::spawn(move || {
                person.play(number + 1);
                person
            })
        })
        .collect();
    thread::sleep(Duration::from_secs(2));
    program.kill();
    let acknowledged: Vec<Vec<Value>> =
        playing.into_iter().map(|player| player.join().unwrap().events).collect();
    assert!(acknowledged.iter().map(Vec::len).sum::<usize>() > 40, "they were in the middle of things");

    let program = Program::start(folder.path());
    for (game, heard) in games.iter().zip(&acknowledged) {
        let mut person = Person::sit(&program, game);
        assert_eq!(person.events[..heard.len()], heard[..], "what was heard is still so");
        // One answer may have been committed and not heard of; no more can have been on the way.
        assert!(person.events.len() <= heard.len() + 2);
        // The machine's turn goes on by itself.
        while person.now["over"].is_null() && person.now["turn"] == "black" {
            person.hear("event").unwrap();
        }
        person.send(&json!({"type": "resign"}));
        while person.now["over"].is_null() {
            person.hear("event").unwrap();
        }
    }
    program.kill();
}

#[test]
fn a_port_that_is_taken_is_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let port = program.address.rsplit_once(':').unwrap().1;
    let other = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .args(["play", "--port", port, "--data"])
        .arg(other.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.lines().count() == 1 && error.contains(&format!("cannot listen on 127.0.0.1:{port}")),
        "{error}"
    );
}

#[test]
fn a_folder_that_another_server_uses_is_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .args(["play", "--port", "0", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("nebel: {}: another server uses this folder\n", folder.path().display()));
    // However the first one ended, the folder is free then.
    program.kill();
    Program::start(folder.path()).kill();
}
