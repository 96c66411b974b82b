//! A load test on loopback: `cargo run --release -p nebel-server --example load -- --games 500 --seconds 60`.
//!
//! The server runs in a process of its own, so that its memory is its own. Everything goes through real sockets and
//! is committed to a real file. Fails unless there was no error and 99 of 100 answers came within 100 ms. With
//! `--machine` each game is one person's against the machine, and half of its turns must be shown on their tick.

mod child;
mod crowd;

use std::{error::Error, path::Path, process::ExitCode, time::Duration};

use nebel_server::ServerLimits;
use tokio::runtime;

use crate::{
    child::Running,
    crowd::{Against, LEVEL, quantile},
};

/// What 99 of 100 answers must stay below.
const BOUND: Duration = Duration::from_millis(100);
/// How much later than its tick a turn may be seen: it goes through the disk and a socket as everything else does.
const LATE: Duration = Duration::from_millis(100);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|argument| argument == "serve") {
        let folder = arguments.get(2).ok_or("serve DIR")?;
        runtime::Runtime::new()?.block_on(child::serve(Path::new(folder), limits()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).map_or(Ok(default), |text| text.parse())
    };
    let (games, seconds) = (number("--games", 500)?, number("--seconds", 60)?);
    let folder = std::env::temp_dir().join(format!("nebel-load-{}", std::process::id()));
    let is_machine = arguments.iter().any(|argument| argument == "--machine");
    let against = if is_machine { Against::Machine } else { Against::People };
    let outcome = Running::start(&folder).and_then(|server| measure(&server, against, games, seconds));
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn measure(
    server: &Running,
    against: Against,
    games: usize,
    seconds: usize,
) -> Result<ExitCode, Box<dyn Error>> {
    let before = server.kilobytes("VmRSS");
    let time = Duration::from_secs(seconds as u64);
    let report = runtime::Runtime::new()?.block_on(crowd::play(server.address, against, games, time));
    let after = server.kilobytes("VmRSS");
    println!("games at once      {games}");
    println!("attempts answered  {} in {seconds} s", report.latencies.len());
    println!("games finished     {}", report.finished);
    println!("games refused      {}", report.refused);
    println!("errors             {}", report.errors.len());
    for (what, times) in
        [("latency", &report.latencies), ("turn   ", &report.turns), ("hurried", &report.hurried)]
    {
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)] {
            if !times.is_empty() {
                println!("{what} {name}        {:.1} ms", quantile(times, share).as_secs_f64() * 1000.0);
            }
        }
    }
    if against == Against::Machine {
        println!("turns of machine   {}, {} of them hurried", report.turns.len(), report.hurried.len());
    }
    println!("server memory      {before} kB before, {after} kB after");
    report.errors.iter().take(5).for_each(|error| println!("error: {error}"));
    let tick = Duration::from_millis(LEVEL.1);
    let is_good = report.errors.is_empty()
        && quantile(&report.latencies, 0.99) < BOUND
        && quantile(&report.turns, 0.5) < tick + LATE;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One address is the whole crowd here; everything else is as it always is.
fn limits() -> ServerLimits {
    ServerLimits {
        requests_a_second: 1e6,
        burst: 1e6,
        games_a_minute: 1e6,
        games_at_once: 1e6,
        games_an_address: usize::MAX,
        connections_an_address: usize::MAX,
        ..ServerLimits::default()
    }
}
