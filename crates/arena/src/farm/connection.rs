//! Connecting to the broker, with the credentials that NATS has: users, tokens and TLS in the URL, or a file.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use async_nats::{
    ConnectErrorKind, ConnectOptions, Event,
    jetstream::{self, Context},
};

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
        let servers: Vec<&str> = self.url.split(',').collect();
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
}
