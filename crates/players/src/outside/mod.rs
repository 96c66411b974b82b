//! Programs outside: the bot protocol at both its ends, and the processes behind it.
//!
//! | part | module |
//! |---|---|
//! | the messages, as JSON Lines | `message` |
//! | a player of ours behind the protocol: [`serve`] | `bot` |
//! | a program outside as a player: [`Exec`] | `exec` |
//! | the process itself, which may hang, crash or flood | `process` |

mod bot;
mod exec;
mod message;
pub(crate) mod process;

pub use self::{
    bot::{ServeError, serve},
    exec::{Exec, Introduction},
    process::end_programs,
};
