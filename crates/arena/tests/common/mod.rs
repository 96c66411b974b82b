//! A broker of a test's own, on a free port, with its store in a folder that goes with it.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::{
    io::Write,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// A running `nats-server`.
pub(crate) struct Nats {
    folder: tempfile::TempDir,
    port: u16,
    server: Option<Child>,
    /// What else it is told.
    options: &'static [&'static str],
}

impl Nats {
    /// Starts a broker; where there is none to start, the test is skipped and says so.
    pub(crate) fn start() -> Option<Nats> {
        Nats::start_with(&[])
    }

    /// The same with more options.
    pub(crate) fn start_with(options: &'static [&'static str]) -> Option<Nats> {
        if Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_err() {
            // Past the test harness, which shows nothing of a test that passes.
            let _ = writeln!(std::io::stderr(), "skipped: nats-server is not on the path");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Nats { folder: tempfile::tempdir().unwrap(), port, server: None, options };
        nats.restart();
        Some(nats)
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Where its streams are.
    pub(crate) fn store(&self) -> &Path {
        self.folder.path()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Starts it again, with what is in its store.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let server = Command::new("nats-server")
            .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
            .arg(self.folder.path())
            .args(self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.server = Some(server.unwrap());
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("nats-server does not answer");
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
