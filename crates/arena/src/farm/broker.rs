//! A broker of one's own: starts the `nats-server` that is on the path.

use std::{
    io,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::work::Cancel;

/// Starts a broker that keeps its streams in a folder.
pub fn start(host: &str, port: u16, folder: &Path) -> io::Result<Child> {
    std::fs::create_dir_all(folder)?;
    Command::new("nats-server")
        .args(["-js", "-a", host, "-p", &port.to_string(), "-sd"])
        .arg(folder)
        .stdin(Stdio::null())
        .spawn()
}

/// Waits for the end of a broker; `stop` ends it in order.
pub fn wait(mut broker: Child, stop: &Cancel) -> io::Result<ExitStatus> {
    let mut is_told = false;
    loop {
        if let Some(status) = broker.try_wait()? {
            return Ok(status);
        }
        if stop.is_cancelled() && !std::mem::replace(&mut is_told, true) {
            kill_process(Pid::from_child(&broker), Signal::INT)?;
        }
        thread::sleep(Duration::from_millis(100));
    }
}
