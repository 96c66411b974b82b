//! One module a command: what was typed becomes what it means, and is done.

pub(crate) mod convert;
pub(crate) mod play;
pub(crate) mod reproduce;
pub(crate) mod tablebase;
pub(crate) mod umpire;

use clap::Parser;

use crate::{
    args::{Args, Command},
    failure::Failure,
};

/// Does what was asked.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        None => play::run(&play::PlayArgs::parse_from(["play"])),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Umpire(args)) => umpire::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Tablebase(args)) => tablebase::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
    }
}
