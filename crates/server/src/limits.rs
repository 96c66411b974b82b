//! What the server allows: how much, how many, how often.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The limits of a server. The default suits one machine and its friends.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Games held in memory: running ones, and finished ones somebody looks at.
    pub games: usize,
    /// Games in memory of which the belief is kept up.
    pub practice_games: usize,
    /// Open WebSockets.
    pub connections: usize,
    /// WebSockets of one side of one game: windows and phones of one person.
    pub connections_a_seat: usize,
    /// Requests a second from one address, in the long run.
    pub requests_a_second: f64,
    /// Requests at once from one address.
    pub burst: f64,
    /// Messages a second through one WebSocket, in the long run.
    pub messages_a_second: f64,
    /// The longest body of a request, in bytes.
    pub body_bytes: usize,
    /// The longest message through a WebSocket, in bytes.
    pub message_bytes: usize,
    /// Messages that may wait for a slow reader before it is dropped.
    pub queue: usize,
    /// A game that nobody touched for so long is forgotten unless it is finished.
    pub idle: Duration,
    /// How long a WebSocket may take to say who it is.
    pub hello: Duration,
    /// Threads for players.
    pub player_threads: usize,
    /// Threads for beliefs, reviews, problems and tables, which somebody waits for.
    pub analysis_threads: usize,
    /// Threads for provers, which may take minutes.
    pub prover_threads: usize,
    /// Work that may wait for each of them.
    pub waiting_jobs: usize,
    /// The most positions of a belief that is computed exactly.
    pub belief_positions: usize,
    /// The longest time for one analysis.
    pub analysis_time: Duration,
    /// Games on the disk that are not over.
    pub unfinished_games: usize,
    /// Finished games on the disk; those finished longest ago are forgotten first.
    pub finished_games: usize,
    /// A finished game is forgotten after so long.
    pub finished_age: Duration,
    /// No game against the machine begins when its turns could not have as much as this.
    pub shortest_turn: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Limits {
            games: 2000,
            practice_games: 64,
            connections: 4000,
            connections_a_seat: 4,
            requests_a_second: 50.0,
            burst: 200.0,
            messages_a_second: 20.0,
            body_bytes: 2 << 20,
            message_bytes: 4096,
            queue: 128,
            idle: Duration::from_hours(72),
            hello: Duration::from_secs(10),
            player_threads: processors,
            analysis_threads: processors,
            prover_threads: processors.div_ceil(2),
            waiting_jobs: 1000,
            belief_positions: 2_000_000,
            analysis_time: Duration::from_mins(10),
            unfinished_games: 20_000,
            finished_games: 20_000,
            finished_age: Duration::from_hours(24 * 90),
            shortest_turn: Duration::from_millis(3),
        }
    }
}

/// A token bucket: so many at once, so many a second in the long run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    since: Instant,
}

impl Bucket {
    pub(crate) fn full(burst: f64, now: Instant) -> Bucket {
        Bucket { left: burst, since: now }
    }

    /// Takes one; `false` when there is none.
    pub(crate) fn take(&mut self, rate: f64, burst: f64, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.since).as_secs_f64() * rate;
        self.left = (self.left + gained).min(burst);
        self.since = now;
        let has_one = self.left >= 1.0;
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }
}

/// The buckets of all addresses.
#[derive(Debug)]
pub(crate) struct Rates {
    rate: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<IpAddr, Bucket>>,
}

/// So many addresses are remembered; a bucket that is full again says nothing and goes first.
const MOST_ADDRESSES: usize = 10_000;

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        Rates { rate: limits.requests_a_second, burst: limits.burst, buckets: Mutex::default() }
    }

    /// Whether this address may ask now.
    pub(crate) fn allow(&self, address: IpAddr, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ADDRESSES && !buckets.contains_key(&address) {
            let full_after = Duration::from_secs_f64((self.burst / self.rate).clamp(0.0, 3600.0));
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.since) < full_after);
            if buckets.len() >= MOST_ADDRESSES {
                return false;
            }
        }
        let bucket = buckets.entry(address).or_insert_with(|| Bucket::full(self.burst, now));
        bucket.take(self.rate, self.burst, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_allows_the_burst_and_then_the_rate() {
        let begin = Instant::now();
        let rates = Rates::new(&Limits { requests_a_second: 2.0, burst: 3.0, ..Limits::default() });
        let address = IpAddr::from([127, 0, 0, 1]);
        let allowed = (0..10).filter(|_| rates.allow(address, begin)).count();
        assert_eq!(allowed, 3);
        assert!(!rates.allow(address, begin + Duration::from_millis(400)));
        assert!(rates.allow(address, begin + Duration::from_secs(1)));
        assert!(rates.allow(IpAddr::from([127, 0, 0, 2]), begin), "another address has its own");
    }
}
