//! A chess engine outside, behind the Universal Chess Interface: GNU Chess, Stockfish.
//!
//! Parker, Nau and Subrahmanian (2005) valued boards with GNU Chess. An engine that cannot be started at all is a fault
//! of the player. One that dies later is started anew, one that hangs is killed; a position that could not be valued
//! counts as even, so that one bad answer spoils one board and not the game.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Chess, start};

use super::{Evaluate, MATE};
use crate::{Fault, process::Program};

/// How long an engine may take for a position before it is killed.
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
}

impl Uci {
    /// An engine by its command line, searching so many plies.
    pub fn new(command: &str, depth: u8) -> Uci {
        Uci { command: command.to_owned(), depth: depth.max(1), nodes: 0, engine: None }
    }

    /// `None` when the engine failed.
    fn ask(&mut self, position: &Chess) -> Option<f32> {
        if self.engine.is_none() {
            self.engine = Some(start_engine(&self.command)?);
        }
        let engine = self.engine.as_ref()?;
        engine.say(format!("position fen {}", start::fen(position))).ok()?;
        engine.say(format!("go depth {}", self.depth)).ok()?;
        let limit = Instant::now() + PATIENCE;
        let mut value = None;
        loop {
            let line = engine.line_before(limit).ok()?;
            if line.starts_with("bestmove") {
                return value;
            }
            value = score(&line).or(value);
        }
    }
}

impl Evaluate for Uci {
    fn spec(&self) -> String {
        format!("uci/{}", self.command)
    }

    fn ready(&mut self) -> Result<(), Fault> {
        if self.engine.is_none() {
            self.engine = start_engine(&self.command);
        }
        let why = || Fault::Start(format!("`{}` does not answer as a UCI engine", self.command));
        self.engine.is_some().then_some(()).ok_or_else(why)
    }

    fn value(&mut self, position: &Chess) -> f32 {
        self.nodes += 1;
        let value = self.ask(position);
        if value.is_none() {
            self.engine = None;
        }
        value.unwrap_or(0.0)
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
fn start_engine(command: &str) -> Option<Program> {
    let engine = Program::start(command).ok()?;
    let limit = Instant::now() + START;
    for (order, answer) in [("uci", "uciok"), ("isready", "readyok")] {
        engine.say(order.to_owned()).ok()?;
        while engine.line_before(limit).ok()? != answer {}
    }
    Some(engine)
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
            assert!(engine.value(&Chess::new()).abs() < 1e-6);
            assert!(engine.value(&Chess::new()).abs() < 1e-6, "started anew");
            assert!(matches!(engine.ready(), Err(Fault::Start(why)) if why.contains(command)));
        }
    }
}
