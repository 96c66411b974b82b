//! What happens when we are told to end: work that can be given back is, and programs outside that were started are ended.
//!
//! They have process groups of their own, so that Ctrl-C reaches us alone. After that the signal does what it does
//! to any program. The web app starts none and ends in its own way.

use std::{
    io,
    sync::{Mutex, Once, PoisonError},
    thread,
    time::Duration,
};

use nebel_players::{Cancel, end_programs};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

/// Raised first, if somebody wants to end in order.
static STOP: Mutex<Option<Cancel>> = Mutex::new(None);
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// From now on, being ended by Ctrl-C or SIGTERM ends the programs that were started here too.
pub(crate) fn end_programs_with_us() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut result = Ok(());
    ONCE.call_once(|| result = listen());
    result
}

/// From now on, being told to end raises this flag, and ends the program only if it does not end by itself.
pub(crate) fn stop_before_end() -> io::Result<Cancel> {
    end_programs_with_us()?;
    Ok(STOP.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().clone())
}

fn listen() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            if let Some(stop) = &*STOP.lock().unwrap_or_else(PoisonError::into_inner) {
                stop.cancel();
                thread::sleep(PATIENCE);
            }
            end_programs();
            // If it cannot be done in the signal's own way, it is done in another.
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}
