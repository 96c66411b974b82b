//! Connecting to the broker, with the credentials that NATS has: users, tokens and TLS in the URL, or a file.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use async_nats::{
    ConnectErrorKind, ConnectOptions, Event, ServerAddr,
    jetstream::{self, Context},
};

use nebel_kriegspiel::start::in_one_line;

use super::FarmError;

/// Where a broker is, and who we are to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broker {
    /// `nats://host:4222`, `tls://host`, `nats://user:password@host`, `nats://token@host`; several with commas.
    pub url: String,
    /// A file of credentials as `nsc` writes them.
    pub creds: Option<PathBuf>,
}

impl Broker {
    /// A broker that lets everybody in.
    pub fn at(url: &str) -> Broker {
        Broker { url: url.to_owned(), creds: None }
    }

    /// The URL without what must not be shown.
    pub fn shown(&self) -> String {
        let one = |url: &str| match url.split_once("://") {
            Some((scheme, rest)) => {
                format!("{scheme}://{}", rest.rsplit_once('@').map_or(rest, |(_, host)| host))
            }
            None => url.rsplit_once('@').map_or(url, |(_, host)| host).to_owned(),
        };
        self.url.split(',').map(one).collect::<Vec<_>>().join(",")
    }

    /// Connects. From then on a lost connection is made again, however long that takes.
    pub(super) async fn connect(&self, name: &str, say: fn(&str)) -> Result<Context, Refusal> {
        let was_lost = AtomicBool::new(false);
        let mut options = ConnectOptions::new()
            .name(name)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                std::time::Duration::from_millis((50 << attempts.min(6)).min(2000))
            })
            .event_callback(move |event| {
                match event {
                    Event::Disconnected if !was_lost.swap(true, Ordering::Relaxed) => {
                        say("the broker is gone; waiting for it");
                    }
                    Event::Connected if was_lost.swap(false, Ordering::Relaxed) => {
                        say("the broker is there again");
                    }
                    _ => {}
                }
                async {}
            });
        if let Some(file) = &self.creds {
            options = options
                .credentials_file(file)
                .await
                .map_err(|error| Refusal { is_final: true, cause: format!("{}: {error}", file.display()) })?;
        }
        let servers = self.url.split(',').map(str::parse).collect::<Result<Vec<ServerAddr>, _>>();
        let servers =
            servers.map_err(|error| Refusal { is_final: true, cause: in_one_line(&error.to_string()) })?;
        // The library leaves it to us to say who the URL says we are: a user with a password, or a token.
        let named = servers.iter().find(|server| server.has_user_pass());
        if let Some(user) = named.and_then(ServerAddr::username).map(decoded) {
            options = match named.and_then(ServerAddr::password).map(decoded) {
                Some(password) => options.user_and_password(user, password),
                None => options.token(user),
            };
        }
        let client = options.connect(servers).await.map_err(|error| Refusal {
            is_final: matches!(
                error.kind(),
                ConnectErrorKind::ServerParse
                    | ConnectErrorKind::Authentication
                    | ConnectErrorKind::AuthorizationViolation
                    | ConnectErrorKind::Tls
            ),
            cause: error.to_string(),
        })?;
        Ok(jetstream::new(client))
    }

    pub(super) fn refused(&self, refusal: Refusal) -> FarmError {
        FarmError::Connect { url: self.shown(), cause: refusal.cause }
    }
}

/// What stands for other characters in a URL, such as `%40` for `@`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| str::from_utf8(code).ok());
        let (byte, next) = match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (byte, &after[2..]),
            None => (*first, after),
        };
        bytes.push(byte);
        rest = next;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Why there is no connection.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Whether trying again is in vain.
    pub(super) is_final: bool,
    pub(super) cause: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("nats://me:secret@host:4222", "nats://host:4222"),
            ("token@host", "host"),
            ("tls://a@b@host,nats://other", "tls://host,nats://other"),
            ("host:4222", "host:4222"),
        ] {
            assert_eq!(Broker::at(url).shown(), shown);
        }
    }

    #[test]
    fn what_a_url_cannot_hold_is_decoded() {
        for (text, meant) in
            [("a%40b", "a@b"), ("100%", "100%"), ("%zz%2", "%zz%2"), ("%C3%BC", "ü"), ("", "")]
        {
            assert_eq!(decoded(text), meant);
        }
    }
}
