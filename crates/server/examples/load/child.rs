//! A server in a process of its own, so that its memory is its own and it can be killed.

use std::{
    error::Error,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
};

use nebel_server::{Config, Server, ServerLimits};

/// A server that runs; it ends with this value.
pub(crate) struct Running {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Running {
    /// Starts this program once more, as a server with its data in this folder.
    pub(crate) fn start(folder: &Path) -> Result<Running, Box<dyn Error>> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve".as_ref(), folder.as_os_str()])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let output = process.stdout.take().ok_or("no output of the server")?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().parse().map_err(|_| "the server did not start");
        match address {
            Ok(address) => Ok(Running { process, address }),
            Err(error) => {
                process.kill()?;
                process.wait()?;
                Err(error.into())
            }
        }
    }

    /// What the kernel says of its memory, in kilobytes: `VmRSS` now, `VmHWM` at most.
    pub(crate) fn kilobytes(&self, what: &str) -> u64 {
        let file = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }

    /// Whether it still runs.
    #[allow(dead_code, reason = "the load test stops at the first error anyway")]
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }
}

/// Killed as by signal 9: nothing of it is asked.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves until killed, and says where.
pub(crate) async fn serve(folder: &Path, limits: ServerLimits) -> Result<(), Box<dyn Error>> {
    let server = Server::bind("127.0.0.1:0", Config { limits, ..Config::new(folder) }).await?;
    println!("{}", server.address()?);
    server.run(std::future::pending()).await?;
    Ok(())
}
