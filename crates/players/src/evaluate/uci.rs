//! A chess engine outside, behind the Universal Chess Interface: GNU Chess, Stockfish.
//!
//! Parker, Nau and Subrahmanian (2005) valued boards with GNU Chess. An engine that cannot be started at all is a fault
//! of the player. One that dies later is started anew, one that hangs is killed; a position that could not be valued
//! counts as even, so that one bad answer spoils one board and not the game.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{
    Chess,
    start::{self, shortened},
};

use super::{Evaluate, MATE};
use crate::{
    Budget, Fault,
    outside::process::{Program, Trouble},
};

/// How long an engine may take for a position, and to obey `stop`, before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it may take to start: some read large files first.
const START: Duration = Duration::from_secs(30);

/// A chess engine outside.
#[derive(Debug)]
pub struct Uci {
    command: String,
    depth: u8,
    nodes: u64,
    engine: Option<Program>,
    /// When the engine was told to stop, if it has not answered since.
    stopped: Option<Instant>,
}

/// Why there is no value.
enum Failure {
    /// The engine failed, and is not to be used again.
    Engine,
    /// The budget is over.
    Over,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        if trouble == Trouble::Stopped { Failure::Over } else { Failure::Engine }
    }
}

impl Uci {
    /// An engine by its command line, searching so many plies.
    pub fn new(command: &str, depth: u8) -> Uci {
        Uci { command: command.to_owned(), depth: depth.max(1), nodes: 0, engine: None, stopped: None }
    }

    /// Starts an engine and returns the name that it gives itself, which usually holds its version; empty if it gives none.
    pub(crate) fn introduce(command: &str, patience: Duration) -> Result<String, Fault> {
        let (limit, mut name) = (Instant::now() + patience, String::new());
        let engine = Program::start(command).map_err(|error| Fault::Start(error.to_string()))?;
        engine.say("uci".to_owned())?;
        loop {
            let line = engine.line_before(limit)?;
            if line == "uciok" {
                return Ok(name);
            }
            if let Some(given) = line.strip_prefix("id name ") {
                name = shortened(given.trim());
            }
        }
    }

    /// The engine's value, as far as it came to one.
    fn ask(&mut self, position: &Chess, until: &Budget) -> Result<Option<f32>, Failure> {
        let goes_on = || !until.is_over();
        if self.engine.is_none() {
            self.engine = Some(start_engine(&self.command, goes_on)?);
            self.stopped = None;
        }
        let engine = self.engine.as_ref().ok_or(Failure::Engine)?;
        // What is still said of a position that was given up is not waited for longer than one of today's.
        if let Some(since) = self.stopped {
            last_words(engine, since + PATIENCE, goes_on)?;
            self.stopped = None;
        }
        engine.say(format!("position fen {}", start::fen(position)))?;
        engine.say(format!("go depth {}", self.depth))?;
        let value = last_words(engine, Instant::now() + PATIENCE, goes_on);
        if matches!(value, Err(Trouble::Stopped)) {
            engine.say("stop".to_owned())?;
            self.stopped = Some(Instant::now());
        }
        Ok(value?)
    }
}

/// Waits for the engine's move; the last value that it gave before.
fn last_words(engine: &Program, limit: Instant, goes_on: impl Fn() -> bool) -> Result<Option<f32>, Trouble> {
    let mut value = None;
    loop {
        let line = engine.line_while(limit, &goes_on)?;
        if line.starts_with("bestmove") {
            return Ok(value);
        }
        value = score(&line).or(value);
    }
}

impl Evaluate for Uci {
    fn spec(&self) -> String {
        format!("uci/{}", self.command)
    }

    fn ready(&mut self) -> Result<(), Fault> {
        if self.engine.is_none() {
            self.engine = start_engine(&self.command, || true).ok();
            self.stopped = None;
        }
        let why = || Fault::Start(format!("`{}` does not answer as a UCI engine", self.command));
        self.engine.is_some().then_some(()).ok_or_else(why)
    }

    fn value(&mut self, position: &Chess, until: &Budget) -> Option<f32> {
        if until.is_over() {
            return None;
        }
        self.nodes += 1;
        match self.ask(position, until) {
            Ok(Some(value)) => Some(value),
            Err(Failure::Over) => None,
            // An engine that gives no value is not trusted either.
            Ok(None) | Err(Failure::Engine) => {
                self.engine = None;
                Some(0.0)
            }
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The value in an `info … score cp 35` or `score mate -2` line, in pawns.
fn score(line: &str) -> Option<f32> {
    let mut words = line.split_ascii_whitespace().skip_while(|word| *word != "score").skip(1);
    let (unit, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    match unit {
        "cp" => Some((number as f32 / 100.0).clamp(-MATE, MATE)),
        "mate" => Some(if number > 0 { MATE } else { -MATE }),
        _ => None,
    }
}

/// Starts an engine and waits until it is ready.
fn start_engine(command: &str, goes_on: impl Fn() -> bool) -> Result<Program, Trouble> {
    let engine = Program::start(command).map_err(|_| Trouble::Gone)?;
    let limit = Instant::now() + START;
    for (order, answer) in [("uci", "uciok"), ("isready", "readyok")] {
        engine.say(order.to_owned())?;
        while engine.line_while(limit, &goes_on)? != answer {}
    }
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_info_lines() {
        let value = |line| score(line).unwrap();
        assert!((value("info depth 1 score cp -35 nodes 20") + 0.35).abs() < 1e-6);
        assert!((value("info score mate 3") - MATE).abs() < 1e-6);
        assert!((value("info score mate -1 pv e2e4") + MATE).abs() < 1e-6);
        assert!(score("info depth 1").is_none() && score("bestmove e2e4").is_none());
    }

    #[test]
    fn an_engine_that_fails_gives_an_even_value_and_no_panic() {
        for command in ["false", "/no/such/engine", "echo uciok"] {
            let mut engine = Uci::new(command, 1);
            let mut value = || engine.value(&Chess::new(), &Budget::unlimited()).unwrap();
            assert!(value().abs() < 1e-6);
            assert!(value().abs() < 1e-6, "started anew");
            assert!(matches!(engine.ready(), Err(Fault::Start(why)) if why.contains(command)));
        }
    }
}
