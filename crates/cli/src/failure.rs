//! How a command fails, and what the shell is told.

use std::{io, process::ExitCode};

use nebel_experiments::russell_wolfe::WorkError;
use nebel_kriegspiel::start::in_one_line;
use thiserror::Error;

use crate::commands::farm::{farm_failure, queue_failure};

/// A command's failure: one sentence and an exit code.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The input or the usage is wrong: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// Something failed at run time: exit code 1.
    #[error("{0:#}")]
    Run(anyhow::Error),
    /// The reader of our output went away, which is nobody's fault.
    #[error("the reader went away")]
    BrokenPipe,
}

impl Failure {
    /// Bad input in a named place. The cause may quote what it likes: it is told in one line.
    pub(crate) fn input(place: &str, cause: impl std::fmt::Display) -> Failure {
        Failure::BadInput(format!("{place}: {}", in_one_line(&cause.to_string())))
    }

    /// Bad usage, in one line.
    pub(crate) fn usage(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        let first_paragraph = text.lines().take_while(|line| !line.trim().is_empty());
        let sentence = first_paragraph.map(str::trim).collect::<Vec<_>>().join(" ");
        let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence).to_owned();
        Failure::BadInput(format!("{sentence} (see `nebel --help`)"))
    }

    /// Says what failed on standard error and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::BrokenPipe => ExitCode::SUCCESS,
            Failure::BadInput(_) => {
                eprintln!("nebel: {self}");
                ExitCode::from(2)
            }
            Failure::Run(_) => {
                eprintln!("nebel: {self}");
                ExitCode::from(1)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Run(error.into()),
        }
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Failure {
        match error {
            WorkError::Input { .. } | WorkError::Journal(_) => Failure::BadInput(error.to_string()),
            WorkError::Seconds(_) => Failure::input("--time", error),
            WorkError::Io(error) => error.into(),
            WorkError::Farm(error) => farm_failure(error),
            WorkError::Queue(error) => queue_failure(error),
            WorkError::Disagrees { .. } | WorkError::Differ(_) | WorkError::Undrawn(_) => {
                Failure::Run(error.into())
            }
        }
    }
}
