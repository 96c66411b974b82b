//! `nebel umpire`: referees the game that comes in on standard input, line by line.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use nebel_kriegspiel::{Rules, Umpire, words};
use serde_json::json;

use crate::{
    args::{RulesArg, StartArg},
    failure::Failure,
    input,
};

/// The longest line that is taken for an attempt.
const LONGEST_LINE: usize = 64;

/// Referee a game: every line of input is an attempt (e2e4, e7e8q) or `any?` of the side to move.
#[derive(clap::Args, Debug)]
pub(crate) struct UmpireArgs {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    start: StartArg,
    /// Print transcript events, one JSON object for each line of input.
    #[arg(long)]
    json: bool,
}

/// Answers every line.
pub(crate) fn run(args: &UmpireArgs) -> Result<(), Failure> {
    let mut umpire = Umpire::at(args.rules.or(Rules::icc())?, args.start.position()?);
    let mut input = input::open(Path::new("-"))?;
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        // Two more than the longest line, for its end; a longer one is not read into memory.
        let limit = LONGEST_LINE as u64 + 2;
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() > LONGEST_LINE {
            let cause = format_args!("line {number}: longer than {LONGEST_LINE} bytes, so no attempt");
            return Err(Failure::input("standard input", cause));
        }
        match (umpire.hear(&String::from_utf8_lossy(text)), args.json) {
            (Ok(event), true) => writeln!(output, "{}", event.to_json(umpire.rules()))?,
            (Ok(event), false) => writeln!(output, "{}", words::for_referee(&event, umpire.rules()))?,
            (Err(error), true) => writeln!(output, "{}", json!({ "error": error.to_string() }))?,
            (Err(error), false) => {
                return Err(Failure::input("standard input", format_args!("line {number}: {error}")));
            }
        }
        output.flush()?;
    }
    Ok(())
}
