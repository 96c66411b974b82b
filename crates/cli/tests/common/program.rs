//! The program, started by a test in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses its share")]

use std::{
    ffi::OsStr,
    fmt::Debug,
    path::Path,
    process::{Command, Output, Stdio},
};

/// Where the program is.
pub(crate) const NEBEL: &str = env!("CARGO_BIN_EXE_nebel");

/// Runs a command to its end.
pub(crate) fn nebel(folder: &Path, args: &[impl AsRef<OsStr>]) -> Output {
    Command::new(NEBEL).current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap()
}

/// What a command prints that succeeds.
pub(crate) fn printed(folder: &Path, args: &[impl AsRef<OsStr> + Debug]) -> String {
    let output = nebel(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
