//! How far long work is: one line that is overwritten, where somebody is looking.

use std::{
    io::{self, IsTerminal},
    sync::atomic::{AtomicBool, Ordering},
};

/// The line. What is written after it is gone begins below it.
#[derive(Debug, Default)]
pub(crate) struct Line {
    is_begun: AtomicBool,
}

impl Line {
    /// Puts this in place of what the line said.
    pub(crate) fn show(&self, text: &str) {
        if io::stderr().is_terminal() {
            self.is_begun.store(true, Ordering::Relaxed);
            eprint!("\r{text}\x1b[K");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.is_begun.load(Ordering::Relaxed) {
            eprintln!();
        }
    }
}
