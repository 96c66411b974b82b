//! `exec:COMMAND`: a program outside, behind the bot protocol.
//!
//! The program may hang, crash, flood its output or lie; here that becomes a [`Fault`]. A program that
//! failed is killed, and started anew for the next game. So is one whose answer nobody waits for any more: the protocol has
//! no word to stop it, it would go on thinking, and its late answer would be taken for the next one.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Heard, Rules};
use serde_json::{Value, json};

use crate::{
    Budget, Choice, Fault, Game, Player,
    bot::{event_message, go_message, new_message, over_message, read_choice},
    process::{LONGEST_LINE, Program, Trouble},
};

/// How long a program may take to begin a game.
const START: Duration = Duration::from_secs(10);
/// How long a program may think when nothing else limits it.
const PATIENCE: Duration = Duration::from_mins(10);

/// A program outside.
#[derive(Debug)]
pub struct Exec {
    command: String,
    program: Option<Program>,
    rules: Rules,
}

impl Exec {
    /// A program by its command line, which the shell takes apart.
    pub fn new(command: &str) -> Exec {
        Exec { command: command.to_owned(), program: None, rules: Rules::default() }
    }

    fn program(&mut self) -> Result<&Program, Fault> {
        if self.program.is_none() {
            let started = Program::start(&self.command).map_err(|error| Fault::Start(error.to_string()))?;
            self.program = Some(started);
        }
        self.program.as_ref().ok_or(Fault::Died)
    }

    /// Passes a result on; a program that failed is not used again.
    fn keep_if_ok<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.program = None;
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
        let begun = self.program().and_then(|program| {
            program.say(new_message(&game).to_string())?;
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
        let told = self.program().and_then(|program| {
            messages.iter().try_for_each(|message| Ok(program.say(message.to_string())?))
        });
        self.keep_if_ok(told)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let limit = budget.limit.unwrap_or_else(|| Instant::now() + PATIENCE);
        let chosen = self.program().and_then(|program| {
            program.say(go_message(budget).to_string())?;
            read_choice(&program.line_while(limit, || !budget.stop.is_cancelled())?)
        });
        self.keep_if_ok(chosen)
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        if let Some(program) = &self.program {
            // A program that listens may leave by itself; it is not waited for.
            let _ = program.say(json!({"type": "quit"}).to_string());
        }
    }
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Fault {
        match trouble {
            Trouble::Gone => Fault::Died,
            Trouble::Silent => Fault::Silent,
            Trouble::Stopped => Fault::Stopped,
            Trouble::Deaf => Fault::Protocol("does not read what it is told".to_owned()),
            Trouble::Flood => Fault::Protocol(format!("a line longer than {LONGEST_LINE} bytes")),
        }
    }
}
