//! The bot API of kriegspiel.org, as the site's guide for bots documents it: a bearer token, JSON, one request at a time.
//!
//! **Politeness.** Between two requests there is a pause; after a failure it doubles, up to some minutes, and a `Retry-After` is obeyed. Only
//! what the site tells a player of its own game is read (`/state`), never its record of all moves.
//!
//! **Strangers.** An answer is bounded in length and time before it is read, and must have the documented types; fields that are not
//! known are left out. Redirections are not followed, so that the token goes nowhere else.

use std::{
    thread,
    time::{Duration, Instant},
};

use nebel_kriegspiel::start::{in_one_line, shortened};
use serde::{Deserialize as _, de::DeserializeOwned};
use serde_json::{Value, json};
use ureq::http::Uri;

use super::{
    messages::{Games, Listed, Registered, Registration, State, Tried},
    secret::Secret,
    sentences::variants,
};

/// The site's own address.
const KRIEGSPIEL_ORG: &str = "https://api.kriegspiel.org";
/// Between two requests to a site of others; the guide's own bots wait as long after a refused move.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// The longest pause that a site can ask for.
const LONGEST_WISH: Duration = Duration::from_hours(1);
/// A request that takes longer has failed.
const TIMEOUT: Duration = Duration::from_secs(20);
/// No answer is longer: some 300 moves with ten attempts each, told three times over as `/state` does, are 3 MB.
const LONGEST_ANSWER: u64 = 4 << 20;

/// Where a site is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    base: String,
    /// On this machine, which needs no patience and no secrecy on the way.
    pub(super) is_local: bool,
}

impl Address {
    /// Reads `kriegspiel.org` or `https://HOST`; without encryption on this machine alone.
    pub(super) fn parse(site: &str) -> Result<Address, String> {
        let text = if site == "kriegspiel.org" { KRIEGSPIEL_ORG } else { site };
        let wrong = || format!("`{}` is no address (write kriegspiel.org or https://HOST)", shortened(site));
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let host = uri.host().ok_or_else(wrong)?;
        let is_plain = uri.query().is_none() && !uri.authority().is_some_and(|it| it.as_str().contains('@'));
        let is_local = ["127.0.0.1", "localhost", "[::1]"].contains(&host);
        match uri.scheme_str() {
            Some("https") if is_plain => {}
            Some("http") if is_plain && is_local => {}
            Some("http") if is_plain => {
                return Err("a token goes to another machine by https:// alone".to_owned());
            }
            _ => return Err(wrong()),
        }
        Ok(Address { base: text.trim_end_matches('/').to_owned(), is_local })
    }
}

/// A connection to the site.
#[derive(Debug)]
pub(super) struct Site {
    agent: ureq::Agent,
    base: String,
    token: Option<Secret>,
    pace: Pace,
}

/// Why a request brought nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SiteError {
    /// The site refused this request.
    #[error("the site refuses: {0}")]
    Refused(String),
    /// The token is not known there.
    #[error("the site does not know this token")]
    Token,
    /// It cannot be reached or has too much to do: a matter of all requests, and of time.
    #[error("the site cannot be reached: {0}")]
    Away(String),
    /// It says something that its documentation does not.
    #[error("the site's answer is not as documented: {0}")]
    Unreadable(String),
}

/// A request.
#[derive(Clone, Copy, Debug)]
enum Call<'a> {
    Get,
    Post(&'a Value),
}

impl Site {
    /// The site at this address.
    pub(super) fn new(address: Address, token: Option<Secret>) -> Site {
        let mut config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("nebel/", env!("CARGO_PKG_VERSION"), " (Kriegspiel bot)"))
            .http_status_as_error(false)
            .max_redirects(0);
        if address.is_local {
            config = config.proxy(None);
        }
        let pause = if address.is_local { Duration::ZERO } else { PAUSE };
        Site { agent: config.build().into(), base: address.base, token, pace: Pace::new(pause) }
    }

    /// Registers a bot and returns its token, which is told once.
    pub(super) fn register(&mut self, bot: &Registration<'_>) -> Result<Secret, SiteError> {
        let body = json!({
            "username": bot.username, "display_name": bot.display_name, "owner_email": bot.owner_email,
            "description": "Nebel, a Kriegspiel program", "listed": true, "supported_rule_variants": variants(),
        });
        let key = bot.key.map(|key| ("x-bot-registration-key", key.reveal()));
        let answer: Registered = self.ask("/auth/bots/register", Call::Post(&body), key)?;
        Secret::of(&answer.api_token).ok_or_else(|| SiteError::Unreadable("it sent no token".to_owned()))
    }

    /// Tells which rulesets we play.
    pub(super) fn tell_profile(&mut self) -> Result<(), SiteError> {
        self.post::<Value>("/bots/profile", &json!({"supported_rule_variants": variants()})).map(drop)
    }

    /// Our games that wait or are played, each read by itself, so that one that cannot be read leaves the others alone.
    pub(super) fn games(&mut self) -> Result<Vec<Result<Listed, SiteError>>, SiteError> {
        let found: Games = self.ask("/game/mine/active", Call::Get, None)?;
        Ok(found
            .games
            .into_iter()
            .map(|game| read("a game of the list", Listed::deserialize(game)))
            .collect())
    }

    /// What we may know of a game.
    pub(super) fn state(&mut self, game: &str) -> Result<State, SiteError> {
        self.ask(&format!("/game/{game}/state"), Call::Get, None)
    }

    /// Tries a move; returns whether it was made.
    pub(super) fn attempt(&mut self, game: &str, uci: &str) -> Result<bool, SiteError> {
        let tried: Tried = self.post(&format!("/game/{game}/move"), &json!({"uci": uci}))?;
        Ok(tried.move_done)
    }

    /// Asks "any?".
    pub(super) fn ask_any(&mut self, game: &str) -> Result<(), SiteError> {
        self.post::<Value>(&format!("/game/{game}/ask-any"), &json!({})).map(drop)
    }

    /// Gives up.
    pub(super) fn resign(&mut self, game: &str) -> Result<(), SiteError> {
        self.post::<Value>(&format!("/game/{game}/resign"), &json!({})).map(drop)
    }

    /// Opens a game that anybody may join.
    pub(super) fn offer(&mut self, variant: &str) -> Result<(), SiteError> {
        let body = json!({"rule_variant": variant, "play_as": "random", "time_control": "rapid", "opponent_type": "human"});
        self.post::<Value>("/game/create", &body).map(drop)
    }

    fn post<T: DeserializeOwned>(&mut self, path: &str, body: &Value) -> Result<T, SiteError> {
        self.ask(path, Call::Post(body), None)
    }

    fn ask<T: DeserializeOwned>(
        &mut self,
        path: &str,
        call: Call<'_>,
        header: Option<(&'static str, &str)>,
    ) -> Result<T, SiteError> {
        self.pace.wait();
        let mut wish = None;
        let answer = self.send(path, call, header, &mut wish);
        self.pace.asked(matches!(answer, Err(SiteError::Away(_))), wish);
        read(path, serde_json::from_str(&answer?))
    }

    /// The text of the answer; `wish` is how long the site asks us to wait.
    fn send(
        &self,
        path: &str,
        call: Call<'_>,
        header: Option<(&'static str, &str)>,
        wish: &mut Option<Duration>,
    ) -> Result<String, SiteError> {
        let failed = |error: ureq::Error| match error {
            ureq::Error::BodyExceedsLimit(most) => {
                SiteError::Unreadable(format!("{path}: longer than {most} bytes"))
            }
            error => SiteError::Away(self.clean(&format!("{path}: {error}"))),
        };
        let address = format!("{}{path}", self.base);
        let bearer = self.token.as_ref().map(|token| format!("Bearer {}", token.reveal()));
        let bearer = bearer.as_deref().map(|bearer| ("authorization", bearer));
        let headers = || bearer.into_iter().chain(header);
        let mut answer = match call {
            Call::Get => {
                let request = self.agent.get(&address);
                headers().fold(request, |it, (name, value)| it.header(name, value)).call().map_err(failed)?
            }
            Call::Post(body) => {
                let request = self.agent.post(&address).header("content-type", "application/json");
                let request = headers().fold(request, |it, (name, value)| it.header(name, value));
                request.send(body.to_string()).map_err(failed)?
            }
        };
        let asked = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
        *wish = asked.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string().map_err(failed)?;
        let status = answer.status().as_u16();
        let why = || self.clean(&format!("{path}: {}", reason(&text, status)));
        match status {
            200..=299 => Ok(text),
            401 => Err(SiteError::Token),
            400..=499 if status != 429 => Err(SiteError::Refused(why())),
            _ => Err(SiteError::Away(why())),
        }
    }

    /// What may be shown of a text that others wrote.
    fn clean(&self, text: &str) -> String {
        let hidden = self.token.as_ref().map_or_else(|| text.to_owned(), |token| token.hide_in(text));
        in_one_line(&hidden)
    }
}

/// What was read, or what is wrong with it and where.
fn read<T>(place: &str, found: Result<T, serde_json::Error>) -> Result<T, SiteError> {
    found.map_err(|error| SiteError::Unreadable(format!("{place}: {}", shortened(&error.to_string()))))
}

/// The site's sentence for what it refuses.
fn reason(text: &str, status: u16) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let said = value["error"]["message"].as_str().or(value["detail"].as_str()).unwrap_or_default();
    let said: String = said.chars().take(200).collect();
    if said.is_empty() { format!("status {status}") } else { format!("{said} (status {status})") }
}

/// How often we ask.
#[derive(Debug)]
struct Pace {
    /// The least time between two requests.
    pause: Duration,
    next: Instant,
    failures: u32,
}

impl Pace {
    fn new(pause: Duration) -> Pace {
        Pace { pause, next: Instant::now(), failures: 0 }
    }

    fn wait(&self) {
        thread::sleep(self.next.saturating_duration_since(Instant::now()));
    }

    fn asked(&mut self, is_failure: bool, wish: Option<Duration>) {
        self.failures = if is_failure { self.failures + 1 } else { 0 };
        self.next = Instant::now() + self.due(wish);
    }

    /// How long to wait after the last request.
    fn due(&self, wish: Option<Duration>) -> Duration {
        let doubled = self.pause.max(Duration::from_millis(1)).saturating_mul(1 << self.failures.min(16));
        let pause = if self.failures == 0 { self.pause } else { doubled.min(LONGEST_PAUSE) };
        pause.max(wish.unwrap_or_default().min(LONGEST_WISH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_goes_by_encryption_or_nowhere() {
        assert_eq!(Address::parse("kriegspiel.org").unwrap().base, "https://api.kriegspiel.org");
        assert!(!Address::parse("https://localhost.example/").unwrap().is_local);
        assert!(Address::parse("http://127.0.0.1:8000/").unwrap().is_local);
        assert!(Address::parse("http://[::1]:8000").unwrap().is_local);
        for wrong in [
            "",
            "x y",
            "ftp://a.b",
            "chess.example",
            "http://a.b",
            "http://127.0.0.1:80@a.b",
            "https://u@a.b",
            "https://a.b/?x",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn failures_double_the_pause_and_wishes_are_granted() {
        let mut pace = Pace::new(PAUSE);
        assert_eq!(pace.due(None), PAUSE);
        let pauses: Vec<u64> = (1..=12)
            .map(|failures| {
                pace.failures = failures;
                pace.due(None).as_secs()
            })
            .collect();
        assert_eq!(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
        assert_eq!(pace.due(Some(Duration::from_mins(15))).as_secs(), 900);
        assert_eq!(pace.due(Some(Duration::from_secs(u64::MAX))), LONGEST_WISH);
        pace.asked(false, None);
        assert_eq!(pace.due(Some(Duration::from_secs(7))).as_secs(), 7);
    }

    #[test]
    fn reasons_are_short() {
        assert_eq!(reason(r#"{"error":{"message":"Not your turn"}}"#, 409), "Not your turn (status 409)");
        assert_eq!(reason("<html>", 502), "status 502");
        assert!(reason(&json!({"detail": "x".repeat(9000)}).to_string(), 400).len() < 250);
    }
}
