//! What happens when we are told to end: programs outside that were started are ended first.
//!
//! They have process groups of their own, so that Ctrl-C reaches us alone. After that the signal does what it does
//! to any program. The web app starts none and ends in its own way.

use std::{io, thread};

use nebel_players::end_programs;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

/// From now on, being ended by Ctrl-C or SIGTERM ends the programs that were started here too.
pub(crate) fn end_programs_with_us() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end_programs();
            // If it cannot be done in the signal's own way, it is done in another.
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}
