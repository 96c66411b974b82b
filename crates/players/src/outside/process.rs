//! A program outside that is spoken to in lines.
//!
//! It may hang, crash, flood its output or never read. Its output is read by a thread into a short
//! queue: when the queue is full the thread waits, the pipe fills, and the program waits too, so it
//! cannot fill our memory. What it is told goes through a queue as well, because a program that does
//! not read must not make us wait.
//!
//! A program has a process group of its own, which holds whatever it starts: a shell in front of it, say.
//! The whole group is ended when the program is dropped, and by [`end_programs`] when we are ended
//! ourselves; [`Program::dismiss`] lets it leave by itself first.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    mem,
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, test_kill_process_group, waitid,
    waitpid,
};

/// The longest line that is taken from a program.
pub(crate) const LONGEST_LINE: u64 = 1 << 14;
/// How many messages may wait to be read by a program.
const UNREAD: usize = 1024;
/// How long a program may take to leave by itself.
const LEAVE: Duration = Duration::from_secs(1);
/// How often it is looked whether it has left, or whether its answer is still waited for.
const LOOK: Duration = Duration::from_millis(2);

/// The process groups of all programs that run. It is held while one is started or ended, so that nobody ends a group
/// whose number already belongs to somebody else.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A running program.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    /// Its process group; the child is its leader.
    group: Pid,
    /// `None` when there is nothing more to tell it.
    told: Option<SyncSender<String>>,
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
        let mut running = running();
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&child);
        running.push(group);
        drop(running);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = sync_channel(4);
        let (told, messages) = sync_channel(UNREAD);
        let program = Program { child, group, told: Some(told), lines };
        let no_pipe = || io::Error::other("no pipe to the program");
        let (stdin, stdout) = (stdin.ok_or_else(no_pipe)?, stdout.ok_or_else(no_pipe)?);
        thread::spawn(move || read_lines(stdout, &sender));
        thread::spawn(move || write_lines(stdin, &messages));
        Ok(program)
    }

    /// Tells the program a line.
    pub(crate) fn say(&self, line: String) -> Result<(), Trouble> {
        self.told.as_ref().ok_or(Trouble::Gone)?.try_send(line).map_err(|error| match error {
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

    /// Tells the program a last line and closes its input, waits a second at most until it has left, and ends what is
    /// there of it then.
    pub(crate) fn dismiss(mut self, farewell: String) {
        let limit = Instant::now() + LEAVE;
        // One that does not listen is ended all the same.
        let _ = self.say(farewell);
        self.told = None;
        // What it still says is taken from it, or it could not go on to leave.
        while Instant::now() < limit && self.line_before(limit).is_ok() {}
        while Instant::now() < limit && !self.has_left() {
            thread::sleep(LOOK);
        }
    }

    /// Whether the leader of its group has ended. It stays there to be waited for, which keeps the number of the group.
    fn has_left(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), look), Ok(None))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let mut running = running();
        running.retain(|group| *group != self.group);
        // All of it may be gone already, which is what is wanted.
        let _ = kill_process_group(self.group, Signal::KILL);
        drop(running);
        let _ = self.child.wait();
    }
}

/// Ends every program outside that runs, with whatever it has started: asks it to end, and a second later leaves it no
/// choice. For the last moments of this process: none can be started after it.
pub fn end_programs() {
    let mut running = running();
    for group in &*running {
        let _ = kill_process_group(*group, Signal::TERM);
    }
    let limit = Instant::now() + LEAVE;
    loop {
        running.retain(|group| !is_gone(*group));
        if running.is_empty() || Instant::now() >= limit {
            break;
        }
        thread::sleep(LOOK);
    }
    for group in &*running {
        let _ = kill_process_group(*group, Signal::KILL);
    }
    // Whoever wants to start or drop a program now waits until this process has ended.
    mem::forget(running);
}

/// Whether nothing is left of a group. Its leader is waited for, since it counts until then.
fn is_gone(group: Pid) -> bool {
    let _ = waitpid(Some(group), WaitOptions::NOHANG);
    test_kill_process_group(group).is_err()
}

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
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
