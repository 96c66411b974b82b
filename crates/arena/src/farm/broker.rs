//! A broker of one's own: starts the `nats-server` that is on the path.

use std::{
    io,
    path::Path,
    process::{Child, Command, Stdio},
};

/// Starts a broker that keeps its streams in a folder. It ends when it is told to, not with us.
pub fn start(host: &str, port: u16, folder: &Path) -> io::Result<Child> {
    std::fs::create_dir_all(folder)?;
    Command::new("nats-server")
        .args(["-js", "-a", host, "-p", &port.to_string(), "-sd"])
        .arg(folder)
        .stdin(Stdio::null())
        .spawn()
}
