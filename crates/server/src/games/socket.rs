//! The WebSocket of a side: says who it is, then carries requests one way and what is heard the other.
//!
//! The handler holds a [`SeatHandle`] and nothing else of the game.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use governor::{DefaultDirectRateLimiter, RateLimiter};
use tokio::{
    sync::{OwnedSemaphorePermit, mpsc},
    time::{MissedTickBehavior, interval, timeout},
};

use super::{
    Games,
    handle::SeatHandle,
    messages::{Request, Told},
};
use crate::quota::steady;

/// A client that does not take a message for so long is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a silent client is asked whether it is there.
const PING: Duration = Duration::from_secs(20);
/// What is said to those who exceed their rate.
const TOO_MANY: &str = "Too many messages.";
/// Malformed messages that are answered before the connection is closed.
const MOST_MALFORMED: u32 = 10;

/// Serves one connection to its end. The permit counts it among all connections.
pub(crate) async fn serve(mut socket: WebSocket, games: Games, id: String, permit: OwnedSemaphorePermit) {
    let limits = games.limits();
    // Frames that only ask whether anybody is there count as well: each is answered.
    let rate = RateLimiter::direct(steady(limits.messages_a_second, limits.messages_a_second * 2.0));
    let seat = match timeout(limits.hello, hello(&mut socket, &rate, &games, &id)).await {
        Ok(Ok(seat)) => seat,
        Ok(Err(why)) => return close(socket, close_code::POLICY, &why).await,
        Err(_) => return close(socket, close_code::POLICY, "No hello came in time.").await,
    };
    let (listener, told) = mpsc::channel(limits.queue);
    if seat.join(listener.clone()).await.is_none() {
        return close(socket, close_code::RESTART, "The game is being closed: connect again.").await;
    }
    let end = Connection { socket, seat: seat.clone(), replies: listener.downgrade(), told, malformed: 0 };
    drop(listener);
    end.run(&rate).await;
    seat.leave().await;
    drop(permit);
}

/// The seat that the first message opens, or why none.
async fn hello(
    socket: &mut WebSocket,
    rate: &DefaultDirectRateLimiter,
    games: &Games,
    id: &str,
) -> Result<SeatHandle, String> {
    let token = loop {
        let received = socket.recv().await;
        if rate.check().is_err() {
            return Err(TOO_MANY.to_owned());
        }
        match received {
            Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                Ok(Request::Hello { token }) => break token,
                _ => return Err("The first message is hello.".to_owned()),
            },
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            _ => return Err("The first message is hello.".to_owned()),
        }
    };
    // Whether the game exists is no secret, but one answer for both cases gives guessers nothing to do.
    let no_seat = || "There is no such game, or this is not the secret of a side of it.".to_owned();
    let table = games.table(id).await.map_err(|error| match error {
        super::GameError::Unknown => no_seat(),
        other => format!("{other}."),
    })?;
    table.seat(&token).ok_or_else(no_seat)
}

struct Connection {
    socket: WebSocket,
    seat: SeatHandle,
    /// Weak, so that the channel closes when the table drops this listener for being slow.
    replies: mpsc::WeakSender<Told>,
    told: mpsc::Receiver<Told>,
    malformed: u32,
}

/// The connection goes on, or ends with this code and sentence; without one the client is gone.
type ConnectionFlow = Result<(), Option<(u16, &'static str)>>;

impl Connection {
    async fn run(mut self, rate: &DefaultDirectRateLimiter) {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            let step = tokio::select! {
                told = self.told.recv() => match told {
                    Some(told) => self.say(Message::Text(told.to_text().into())).await,
                    None => Err(Some((close_code::AGAIN, "Too slow, or the game was closed: connect again."))),
                },
                received = self.socket.recv() => match received {
                    Some(Ok(_)) if rate.check().is_err() => Err(Some((close_code::POLICY, TOO_MANY))),
                    Some(Ok(Message::Text(text))) => self.request(&text).await,
                    Some(Ok(Message::Binary(_))) => Err(Some((close_code::UNSUPPORTED, "Only text is understood."))),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                    Some(Ok(Message::Close(_))) | None => Err(None),
                    Some(Err(_)) => Err(Some((close_code::SIZE, "A message is too long or broken."))),
                },
                _ = ping.tick() => self.say(Message::Ping(axum::body::Bytes::new())).await,
            };
            if let Err(end) = step {
                break end;
            }
        };
        if let Some((code, why)) = end {
            close(self.socket, code, why).await;
        }
    }

    async fn request(&mut self, text: &Utf8Bytes) -> ConnectionFlow {
        let gone = Some((close_code::RESTART, "The game is being closed: connect again."));
        match serde_json::from_str::<Request>(text) {
            Ok(Request::Ping) => self.say(Message::Text(Told::Pong.to_text().into())).await,
            Ok(Request::Hello { .. }) => self.refuse("You have said hello already.").await,
            Ok(request) => {
                let reply = self.replies.upgrade().ok_or(gone)?;
                self.seat.request(request, reply).await.ok_or(gone)
            }
            Err(_) if self.malformed >= MOST_MALFORMED => {
                Err(Some((close_code::POLICY, "Too many malformed messages.")))
            }
            Err(_) => {
                self.malformed += 1;
                self.refuse("This message cannot be understood.").await
            }
        }
    }

    async fn refuse(&mut self, why: &str) -> ConnectionFlow {
        self.say(Message::Text(Told::Refused { why: why.to_owned() }.to_text().into())).await
    }

    async fn say(&mut self, message: Message) -> ConnectionFlow {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(None),
        }
    }
}

async fn close(mut socket: WebSocket, code: u16, why: &str) {
    let frame = CloseFrame { code, reason: why.into() };
    // Nobody need be there to read it.
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
}
