//! Output files that appear whole or not at all.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use crate::{args::OutputArg, failure::Failure, input};

impl OutputArg {
    /// Writes to the file that was asked for, or to standard output.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.output {
            None => Ok(io::stdout().lock().write_all(bytes)?),
            Some(path) => replace(path, bytes)
                .map_err(|error| Failure::Run(anyhow::Error::new(error).context(input::place(path)))),
        }
    }
}

/// Writes beside the file and renames, so that a crash leaves the old file or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.partial", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Nothing useful is left in it; if it cannot be removed either, the first error says why.
        let _ = fs::remove_file(&beside);
    }
    written
}
