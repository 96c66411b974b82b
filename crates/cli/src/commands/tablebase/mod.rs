//! `nebel tablebase`: builds, lists, verifies and probes endgame tables.

mod build;
mod info;
mod probe;

use std::path::PathBuf;

use clap::Subcommand;
use nebel_tablebase::{Ending, FileError, Progress, Store, StoreError};

use crate::failure::Failure;

/// Endgame tables: White with one or two men against a bare king he cannot see.
#[derive(clap::Args, Debug)]
pub(crate) struct TablebaseArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Solve endings and keep their tables.
    Build(build::BuildArgs),
    /// List the tables at hand, after checking each file.
    Info(info::InfoArgs),
    /// Replay strategies with a naive referee, and test random sets one move ahead.
    Verify(info::VerifyArgs),
    /// The shortest forced mate for a king that may be on any of some squares, and the attempt to make.
    Probe(probe::ProbeArgs),
}

/// Where the tables are.
#[derive(clap::Args, Debug)]
pub(crate) struct DirectoryArg {
    /// The directory of the tables [default: nebel/tablebases in the user's data directory].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Does what was asked.
pub(crate) fn run(args: &TablebaseArgs) -> Result<(), Failure> {
    match &args.action {
        Action::Build(args) => build::run(args),
        Action::Info(args) => info::run(args),
        Action::Verify(args) => info::run_verify(args),
        Action::Probe(args) => probe::run(args),
    }
}

impl DirectoryArg {
    /// The tables, in a directory that need not exist.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        let no_home = || Failure::BadInput("--dir: needed, for there is no home directory".to_owned());
        match &self.dir {
            Some(directory) => Ok(Store::new(directory)),
            None => Store::of_user().ok_or_else(no_home),
        }
    }

    /// Whether a directory was named.
    pub(crate) fn is_given(&self) -> bool {
        self.dir.is_some()
    }

    /// The tables, in a directory that must exist if it was named.
    pub(crate) fn existing(&self) -> Result<Store, Failure> {
        match &self.dir {
            Some(directory) if !directory.is_dir() => {
                Err(Failure::input("--dir", format_args!("there is no directory {}", directory.display())))
            }
            _ => self.store(),
        }
    }
}

/// Reads the name of an ending.
pub(crate) fn ending(text: &str) -> Result<Ending, Failure> {
    text.parse().map_err(|error: nebel_tablebase::EndingError| Failure::BadInput(error.to_string()))
}

/// A file that is missing or damaged is bad input; a disk that fails, is full or forbidden is not.
pub(crate) fn failure(error: StoreError) -> Failure {
    match error {
        StoreError::Directory { .. } | StoreError::File(FileError::Io { .. }) => Failure::Run(error.into()),
        _ => Failure::BadInput(error.to_string()),
    }
}

/// Says on standard error what a build that was not asked for is doing.
pub(crate) fn note(progress: Progress<'_>) {
    match progress {
        Progress::Begin(ending) => eprintln!("nebel: building the table of {ending}, once"),
        Progress::NotKept(ending, error) => {
            eprintln!("nebel: the table of {ending} could not be kept: {error}");
        }
        Progress::Depth(..) | Progress::Done(..) => {}
    }
}
