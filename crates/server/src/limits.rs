//! What the server allows: how much, how many, how often.
//!
//! An address is an IPv4 address or a /64 of IPv6; see [`crate::quota`]. What one address may do is more than one
//! person, or a class behind one router, comes to; a server behind a proxy sees all its people as one address.

use std::time::Duration;

/// The limits of a server. The default suits one machine and its friends.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Games held in memory: running ones, and finished ones somebody looks at.
    pub games: usize,
    /// Games in memory of which the belief is kept up.
    pub practice_games: usize,
    /// Games in memory that were begun from one address.
    pub games_an_address: usize,
    /// Games begun a minute from one address, in the long run.
    pub games_a_minute: f64,
    /// Games begun at once from one address.
    pub games_at_once: f64,
    /// The events of a game, refusals and nonsense included. Longer games are not read, and a game that is played
    /// ends here, as a draw.
    pub game_events: usize,
    /// Open WebSockets.
    pub connections: usize,
    /// Connections from one address, WebSockets included. Of more, the oldest that the server waits for is closed.
    pub connections_an_address: usize,
    /// WebSockets of one side of one game: windows and phones of one person.
    pub connections_a_seat: usize,
    /// Requests a second from one address, in the long run.
    pub requests_a_second: f64,
    /// Requests at once from one address.
    pub burst: f64,
    /// Requests from one address that are worked on, or whose answers are not taken yet.
    pub requests_at_once: usize,
    /// Messages a second through one WebSocket, in the long run. Ping frames are messages.
    pub messages_a_second: f64,
    /// The longest body of a request, in bytes.
    pub body_bytes: usize,
    /// All bodies of requests in memory, in bytes; a quarter of it for one address.
    pub bodies_bytes: usize,
    /// How long the head of a request may take to come, and how long a connection may wait for the next.
    pub head_time: Duration,
    /// How long the body of a request may take to come.
    pub body_time: Duration,
    /// How long an answer may take to be worked out, and then to be taken.
    pub answer_time: Duration,
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
    /// Proofs from one address that run or wait.
    pub proofs_an_address: usize,
    /// Games of one address that are worked through in the background, and as many of which an opinion is formed.
    pub works_an_address: usize,
    /// What a proof may hold in memory, in bytes.
    pub proof_bytes: usize,
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

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        ServerLimits {
            games: 2000,
            practice_games: 64,
            games_an_address: 200,
            games_a_minute: 60.0,
            games_at_once: 120.0,
            game_events: 10_000,
            connections: 4000,
            connections_an_address: 500,
            connections_a_seat: 4,
            requests_a_second: 50.0,
            burst: 200.0,
            requests_at_once: 32,
            messages_a_second: 20.0,
            body_bytes: 2 << 20,
            bodies_bytes: 64 << 20,
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            answer_time: Duration::from_mins(2),
            message_bytes: 4096,
            queue: 128,
            idle: Duration::from_hours(72),
            hello: Duration::from_secs(10),
            player_threads: processors,
            analysis_threads: processors,
            prover_threads: processors.div_ceil(2),
            waiting_jobs: 1000,
            proofs_an_address: 16,
            works_an_address: 4,
            proof_bytes: 256 << 20,
            belief_positions: 2_000_000,
            analysis_time: Duration::from_mins(10),
            unfinished_games: 20_000,
            finished_games: 20_000,
            finished_age: Duration::from_hours(24 * 90),
            shortest_turn: Duration::from_millis(3),
        }
    }
}
