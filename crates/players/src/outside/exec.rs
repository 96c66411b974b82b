//! `exec:COMMAND`: a program outside, behind the bot protocol.
//!
//! The program may hang, crash, flood its output or lie; here that becomes a [`Fault`]. A program that
//! failed is still told how its game ended, as far as it listens; then it is ended, and another is started for the next
//! game, which hears nothing of the last one. One whose answer nobody waits for any more counts as failed: the protocol has
//! no word to stop it, it would go on thinking, and its late answer would be taken for the next one.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Rules, ViewEvent, start::shortened};

use super::{
    message::{FromBot, NewGame, ToBot, line},
    process::{LONGEST_LINE, Program, Trouble},
};
use crate::{Budget, Choice, Fault, Game, Player, TimeControl};

/// How long a program may take to begin a game.
const START: Duration = Duration::from_secs(10);
/// How long a program may think when nothing else limits it.
const PATIENCE: Duration = Duration::from_mins(10);

/// Who a program says it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Introduction {
    /// Its name; empty if it gives none.
    pub name: String,
    /// Its version, if it tells one apart from its name.
    pub version: Option<String>,
}

/// A program outside.
#[derive(Debug)]
pub struct Exec {
    command: String,
    program: Option<Program>,
    /// Whether the program failed in the game that is going on.
    has_failed: bool,
    time: TimeControl,
    rules: Rules,
    introduction: Introduction,
}

impl Exec {
    /// A program by its command line, which the shell takes apart.
    pub fn new(command: &str) -> Exec {
        Exec {
            command: command.to_owned(),
            program: None,
            has_failed: false,
            time: TimeControl::Unlimited,
            rules: Rules::default(),
            introduction: Introduction::default(),
        }
    }

    /// Who it said it was when its last game began.
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// Starts the program unless it runs.
    fn run(&mut self) -> Result<(), Fault> {
        if self.program.is_none() {
            let started = Program::start(&self.command).map_err(|error| Fault::Start(error.to_string()))?;
            self.program = Some(started);
        }
        Ok(())
    }

    /// Does something with the program. One that fails is not asked again in this game.
    fn with<T>(&mut self, act: impl FnOnce(&Program) -> Result<T, Fault>) -> Result<T, Fault> {
        let done = self.program.as_ref().ok_or(Fault::Died).and_then(act);
        self.has_failed |= done.is_err();
        done
    }

    /// Ends the program, which may leave by itself first.
    fn dismiss(&mut self) {
        if let Some(program) = self.program.take() {
            program.dismiss(line(&ToBot::Quit));
        }
        self.has_failed = false;
    }
}

impl Player for Exec {
    fn spec(&self) -> String {
        format!("exec:{}", self.command)
    }

    fn allow(&mut self, time: TimeControl) {
        self.time = time;
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        if self.has_failed {
            self.dismiss();
        }
        self.rules = game.rules.clone();
        self.run()?;
        let message = line(&ToBot::New(NewGame::of(&game, self.time)));
        self.introduction = self.with(|program| {
            program.say(message)?;
            let said = program.line_before(Instant::now() + START)?;
            match read(&said)? {
                FromBot::Ready { name, version } => {
                    Ok(Introduction { name: shortened(&name), version: version.as_deref().map(shortened) })
                }
                _ => Err(broken(&said)),
            }
        })?;
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let was_failed = self.has_failed;
        let mut messages = vec![ToBot::event(event, &self.rules)];
        messages.extend(event.over().map(ToBot::over));
        let told =
            self.with(|program| messages.iter().try_for_each(|message| Ok(program.say(line(message))?)));
        if self.has_failed && event.over().is_some() {
            self.dismiss();
        }
        // That it failed is known already.
        if was_failed { Ok(()) } else { told }
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let limit = budget.limit.unwrap_or_else(|| Instant::now() + PATIENCE);
        self.with(|program| {
            program.say(line(&ToBot::Go { clock: budget.into() }))?;
            let said = program.line_while(limit, || !budget.stop.is_cancelled())?;
            read(&said)?.choice().ok_or_else(|| broken(&said))
        })
    }
}

/// What a program said.
fn read(said: &str) -> Result<FromBot, Fault> {
    serde_json::from_str(said).map_err(|_| broken(said))
}

/// It said something that is no answer here.
fn broken(said: &str) -> Fault {
    Fault::Protocol(shortened(said))
}

impl Drop for Exec {
    fn drop(&mut self) {
        self.dismiss();
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
