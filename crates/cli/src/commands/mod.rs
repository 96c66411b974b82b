//! One module a command: what was typed becomes what it means, and is done.

pub(crate) mod arena;
pub(crate) mod belief;
pub(crate) mod bench;
pub(crate) mod bot;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod farm;
pub(crate) mod model;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod problems;
pub(crate) mod reproduce;
pub(crate) mod results;
pub(crate) mod serve_bot;
pub(crate) mod solve;
mod starts;
pub(crate) mod tablebase;
pub(crate) mod train;
mod typed;
pub(crate) mod umpire;
mod verdict;
pub(crate) mod verify;
pub(crate) mod web;
pub(crate) mod worker;

use crate::{
    args::{Args, Command},
    failure::Failure,
    signals,
};

/// Does what was asked.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    if args.command.as_ref().is_some_and(plays) {
        signals::end_programs_with_us()?;
    }
    match args.command {
        None => web::run(&args.web),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Umpire(args)) => umpire::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Match(args)) => arena::run_match(&args),
        Some(Command::Tournament(args)) => arena::run_tournament(&args),
        Some(Command::Results(args)) => results::run(&args),
        Some(Command::Worker(args)) => worker::run(&args),
        Some(Command::Farm(args)) => farm::run(&args),
        Some(Command::Players(args)) => players::run(&args),
        Some(Command::Bot(args)) => bot::run(&args),
        Some(Command::ServeBot(args)) => serve_bot::run(&args),
        Some(Command::Problems(args)) => problems::run(&args),
        Some(Command::Belief(args)) => belief::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Model(args)) => model::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Tablebase(args)) => tablebase::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
    }
}

/// Whether players of any spec may be at work, who may be programs outside.
fn plays(command: &Command) -> bool {
    match command {
        Command::Match(_)
        | Command::Tournament(_)
        | Command::Reproduce(_)
        | Command::Explain(_)
        | Command::Bot(_)
        | Command::ServeBot(_) => true,
        Command::Play(args) => args.terminal,
        _ => false,
    }
}
