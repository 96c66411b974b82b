//! A program outside that is spoken to in lines.
//!
//! It may hang, crash, flood its output or never read. Its output is read by a thread into a short
//! queue: when the queue is full the thread waits, the pipe fills, and the program waits too, so it
//! cannot fill our memory. What it is told goes through a queue as well, because a program that does
//! not read must not make us wait. It is killed when it is dropped.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// The longest line that is taken from a program.
pub(crate) const LONGEST_LINE: u64 = 1 << 14;
/// How often one who waits for a line looks whether he should.
const LOOK: Duration = Duration::from_millis(2);
/// How many messages may wait to be read by a program.
const UNREAD: usize = 1024;

/// A running program.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    told: SyncSender<String>,
    lines: Receiver<Option<String>>,
}

/// What went wrong with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// It is gone.
    Gone,
    /// It said nothing in time.
    Silent,
    /// Nobody waits any more.
    Stopped,
    /// It does not read what it is told.
    Deaf,
    /// It said a line longer than [`LONGEST_LINE`].
    Flood,
}

impl Program {
    /// Starts a program by its command line, which the shell takes apart.
    pub(crate) fn start(command: &str) -> io::Result<Program> {
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let no_pipe = || io::Error::other("no pipe to the program");
        let stdin = child.stdin.take().ok_or_else(no_pipe)?;
        let stdout = child.stdout.take().ok_or_else(no_pipe)?;
        let (sender, lines) = sync_channel(4);
        thread::spawn(move || read_lines(stdout, &sender));
        let (told, messages) = sync_channel(UNREAD);
        thread::spawn(move || write_lines(stdin, &messages));
        Ok(Program { child, told, lines })
    }

    /// Tells the program a line.
    pub(crate) fn say(&self, line: String) -> Result<(), Trouble> {
        self.told.try_send(line).map_err(|error| match error {
            TrySendError::Full(_) => Trouble::Deaf,
            TrySendError::Disconnected(_) => Trouble::Gone,
        })
    }

    /// The next line that the program says, if it comes in time.
    pub(crate) fn line_before(&self, limit: Instant) -> Result<String, Trouble> {
        self.line_while(limit, || true)
    }

    /// The next line that the program says, if it comes in time and as long as it is waited for.
    pub(crate) fn line_while(&self, limit: Instant, goes_on: impl Fn() -> bool) -> Result<String, Trouble> {
        while goes_on() {
            let left = limit.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return line.ok_or(Trouble::Flood),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(Trouble::Silent),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Gone),
            }
        }
        Err(Trouble::Stopped)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be dead already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, messages: &Receiver<String>) {
    for message in messages {
        if writeln!(stdin, "{message}").is_err() {
            return;
        }
    }
}

/// Sends every line; `None` for one that is too long, and nothing after that.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<Option<String>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(length) if length > 0) {
            return;
        }
        let is_whole = line.last() == Some(&b'\n') || (line.len() as u64) < LONGEST_LINE;
        let text = is_whole.then(|| String::from_utf8_lossy(&line).trim().to_owned());
        if sender.send(text).is_err() || !is_whole {
            return;
        }
    }
}
