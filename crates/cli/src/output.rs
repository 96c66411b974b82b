//! Output files that appear whole or not at all.

use std::io::{self, Write};

use nebel_tablebase::write_whole;

use crate::{args::OutputArg, failure::Failure, input};

impl OutputArg {
    /// Writes to the file that was asked for, or to standard output.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.output {
            None => Ok(io::stdout().lock().write_all(bytes)?),
            Some(path) => write_whole(path, bytes)
                .map_err(|error| Failure::Run(anyhow::Error::new(error).context(input::place(path)))),
        }
    }
}
