//! Long calls: without the interpreter's lock, and ended by Ctrl-C within a fraction of a second.
//!
//! Python handles signals in the main thread between its own instructions, so a call that computes for an hour must ask from time to time
//! whether one came. The work is done by a thread of its own; the caller's looks for signals meanwhile, and hands on what the work
//! reports.

use std::{
    panic::resume_unwind,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use pyo3::prelude::*;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Does the work while signals are looked for. When one comes, `stop` asks the work to end, which it should soon do; what it returns
/// is dropped then.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    reporting(py, stop, |_: Sender<()>| work(), |_, ()| Ok(()))
}

/// The same for work that reports on its way. An exception of `hear` stops it too.
pub(crate) fn reporting<T: Send, M: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce(Sender<M>) -> T + Send,
    mut hear: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, reports) = mpsc::channel();
            let worker = scope.spawn(|| work(sender));
            let watched = loop {
                // The end of the work ends the channel.
                let report = match reports.recv_timeout(LOOK) {
                    Ok(report) => Some(report),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                let looked = Python::attach(|py| {
                    report.map_or(Ok(()), |report| hear(py, report))?;
                    py.check_signals()
                });
                if looked.is_err() {
                    stop();
                    break looked;
                }
            };
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            watched.map(|()| done)
        })
    })
}
