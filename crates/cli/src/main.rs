//! `nebel`, the Kriegspiel system on the command line.
//!
//! This crate reads arguments and prints; what is computed, the other crates compute. Data goes to
//! standard output, everything else to standard error. Exit codes: 0 success, 1 a failure at run
//! time, 2 bad usage or bad input. A reader that goes away (a broken pipe) is success.

mod args;
mod commands;
mod failure;
mod input;
mod output;
mod progress;
mod signals;

use std::process::ExitCode;

use clap::Parser;

use crate::{args::Args, failure::Failure};

fn main() -> ExitCode {
    let result = match Args::try_parse() {
        Ok(args) => commands::run(args),
        Err(error) if error.use_stderr() => Err(Failure::usage(&error)),
        Err(help) => {
            // Help and version go to standard output, with the colours clap chooses.
            let _ = help.print();
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
