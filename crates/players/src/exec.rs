//! `exec:COMMAND`: a program outside, behind the bot protocol.
//!
//! The program may hang, crash, flood its output or lie; here that becomes a [`Fault`]. Its output is
//! read by a thread into a short queue: when the queue is full the thread waits, the pipe fills, and
//! the program waits too, so it cannot fill our memory. What it is told goes through a queue as well,
//! because a program that does not read must not make us wait. A program that failed is killed, and
//! started anew for the next game.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    thread,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Heard, Rules};
use serde_json::{Value, json};

use crate::{
    Budget, Choice, Fault, Game, Player,
    bot::{event_message, go_message, new_message, over_message, read_choice},
};

/// The longest line that is taken from a program.
const LONGEST_LINE: u64 = 4096;
/// How many messages may wait to be read by a program.
const UNREAD: usize = 1024;
/// How long a program may take to begin a game.
const START: Duration = Duration::from_secs(10);
/// How long a program may think when nothing else limits it.
const PATIENCE: Duration = Duration::from_mins(10);

/// A program outside.
#[derive(Debug)]
pub struct Exec {
    command: String,
    running: Option<Running>,
    rules: Rules,
}

#[derive(Debug)]
struct Running {
    child: Child,
    told: SyncSender<String>,
    lines: Receiver<Result<String, Fault>>,
}

impl Exec {
    /// A program by its command line, which the shell takes apart.
    pub fn new(command: &str) -> Exec {
        Exec { command: command.to_owned(), running: None, rules: Rules::default() }
    }

    fn running(&mut self) -> Result<&mut Running, Fault> {
        if self.running.is_none() {
            self.running = Some(Running::start(&self.command)?);
        }
        self.running.as_mut().ok_or(Fault::Died)
    }

    /// Passes a result on; a program that failed is not used again.
    fn keep_if_ok<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.running = None;
        }
        result
    }
}

impl Player for Exec {
    fn spec(&self) -> String {
        format!("exec:{}", self.command)
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.rules = game.rules.clone();
        let begun = self.running().and_then(|program| {
            program.say(&new_message(&game))?;
            let line = program.line_before(Instant::now() + START)?;
            let answer: Value = serde_json::from_str(&line).unwrap_or_default();
            let is_ready = answer["type"] == "ready";
            if is_ready { Ok(()) } else { Err(Fault::Protocol(line.chars().take(100).collect())) }
        });
        self.keep_if_ok(begun)
    }

    fn hear(&mut self, event: &Heard) -> Result<(), Fault> {
        let mut messages = vec![event_message(event, &self.rules)];
        messages.extend(event.over().map(over_message));
        let told =
            self.running().and_then(|program| messages.iter().try_for_each(|message| program.say(message)));
        self.keep_if_ok(told)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let limit = budget.limit.unwrap_or_else(|| Instant::now() + PATIENCE);
        let chosen = self.running().and_then(|program| {
            program.say(&go_message(budget))?;
            read_choice(&program.line_before(limit)?)
        });
        self.keep_if_ok(chosen)
    }
}

impl Running {
    fn start(command: &str) -> Result<Running, Fault> {
        let failed = |error: &dyn std::fmt::Display| Fault::Start(error.to_string());
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(&"no pipes"));
        };
        let (sender, lines) = sync_channel(4);
        thread::spawn(move || read_lines(stdout, &sender));
        let (told, receiver) = sync_channel(UNREAD);
        thread::spawn(move || write_lines(stdin, &receiver));
        Ok(Running { child, told, lines })
    }

    fn say(&self, message: &Value) -> Result<(), Fault> {
        self.told.try_send(message.to_string()).map_err(|error| match error {
            TrySendError::Full(_) => Fault::Protocol("does not read what it is told".to_owned()),
            TrySendError::Disconnected(_) => Fault::Died,
        })
    }

    fn line_before(&self, limit: Instant) -> Result<String, Fault> {
        match self.lines.recv_timeout(limit.saturating_duration_since(Instant::now())) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(Fault::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Died),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A program that listens leaves by itself; one that does not is not waited for.
        let _ = self.say(&json!({"type": "quit"}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, messages: &Receiver<String>) {
    for message in messages {
        if writeln!(stdin, "{message}").is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, sender: &SyncSender<Result<String, Fault>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE => {
                Err(Fault::Protocol(format!("a line longer than {LONGEST_LINE} bytes")))
            }
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let is_over = line.is_err();
        if sender.send(line).is_err() || is_over {
            return;
        }
    }
}
