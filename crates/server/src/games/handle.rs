//! The ways to a table: they lead to seats, by their secrets, and a seat's way carries its side with it.

use nebel_kriegspiel::Color;
use tokio::sync::{mpsc, oneshot};

use super::{
    messages::{Request, Told},
    task::{Command, GameTask},
};
use crate::secret::Fingerprint;

/// Commands that may wait for a table; who sends more waits himself.
const WAITING: usize = 64;

/// The way to a running table. It leads to seats, by their secrets, and nowhere else.
#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    commands: mpsc::Sender<Command>,
    tokens: [Option<Fingerprint>; 2],
}

/// The way to one side of a table.
#[derive(Clone, Debug)]
pub(crate) struct SeatHandle {
    side: Color,
    /// Whether it is only watched.
    watches: bool,
    commands: mpsc::Sender<Command>,
}

impl TableHandle {
    /// Starts the task of a table.
    pub(super) fn of(mut table: GameTask, tokens: [Option<Fingerprint>; 2]) -> TableHandle {
        for (seat, token) in table.seats.iter_mut().zip(tokens) {
            seat.may_be_watched(token.map(Fingerprint::watch_secret));
        }
        let (commands, received) = mpsc::channel(WAITING);
        tokio::spawn(table.run(received));
        TableHandle { commands, tokens }
    }

    /// Whether the table is closed; who wants the game loads it again.
    pub(super) fn is_closed(&self) -> bool {
        self.commands.is_closed()
    }

    /// Has the table write what is not written, and end.
    pub(super) async fn close(&self) {
        let (done, is_done) = oneshot::channel();
        if self.commands.send(Command::Close(done)).await.is_ok() {
            let _ = is_done.await;
        }
    }

    /// The seat that a secret opens: its own side's, never the other's. The secret of those who watch a side opens it for
    /// listening alone.
    pub(crate) fn seat(&self, claimed: &str) -> Option<SeatHandle> {
        let claimed = Fingerprint::of(claimed);
        let opens = |token: Option<Fingerprint>| token.is_some_and(|token| token == claimed);
        let of_watcher = |token: Fingerprint| Fingerprint::of(&token.watch_secret());
        // All are compared whatever the first says, so that time tells nothing.
        let to_play = self.tokens.map(opens);
        let to_watch = self.tokens.map(|token| opens(token.map(of_watcher)));
        let (side, watches) = match (to_play, to_watch) {
            ([true, _], _) => (Color::White, false),
            ([_, true], _) => (Color::Black, false),
            (_, [true, _]) => (Color::White, true),
            (_, [_, true]) => (Color::Black, true),
            _ => return None,
        };
        Some(SeatHandle { side, watches, commands: self.commands.clone() })
    }
}

impl SeatHandle {
    /// Sits down: all that this side hears comes to the listener.
    pub(crate) async fn join(&self, listener: mpsc::Sender<Told>) -> Option<()> {
        let command = if self.watches {
            Command::Watch { side: self.side, listener }
        } else {
            Command::Join { side: self.side, listener }
        };
        self.commands.send(command).await.ok()
    }

    /// Puts a request; `None` when the table is closed.
    pub(crate) async fn request(&self, request: Request, reply: mpsc::Sender<Told>) -> Option<()> {
        if self.watches {
            // Who does not read what he is told will find out otherwise.
            let _ = reply.try_send(Told::Refused { why: "You only watch this game.".to_owned() });
            return Some(());
        }
        self.commands.send(Command::Request { side: self.side, request, reply }).await.ok()
    }

    /// Says that a listener has gone.
    pub(crate) async fn leave(&self) {
        let _ = self.commands.send(Command::Left).await;
    }
}
