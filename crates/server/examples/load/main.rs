//! A load test on loopback: `cargo run --release -p nebel-server --example load -- --games 500 --seconds 60`.
//!
//! The server runs in a process of its own, so that its memory is its own. Everything goes through real sockets and
//! is committed to a real file. Fails unless there was no error and 99 of 100 answers came within 100 ms. With
//! `--machine` each game is one person's against the machine, and half of its turns must be shown on their tick.

mod crowd;

use std::{
    error::Error,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    time::Duration,
};

use crowd::{Against, LEVEL, quantile};
use nebel_server::{Config, Limits, Server};
use tokio::runtime;

/// What 99 of 100 answers must stay below.
const BOUND: Duration = Duration::from_millis(100);
/// How much later than its tick a turn may be seen: it goes through the disk and a socket as everything else does.
const LATE: Duration = Duration::from_millis(100);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|argument| argument == "serve") {
        let folder = arguments.get(2).ok_or("serve DIR")?;
        runtime::Runtime::new()?.block_on(serve(Path::new(folder)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).map_or(Ok(default), |text| text.parse())
    };
    let (games, seconds) = (number("--games", 500)?, number("--seconds", 60)?);
    let folder = std::env::temp_dir().join(format!("nebel-load-{}", std::process::id()));
    let mut server = Command::new(std::env::current_exe()?)
        .args(["serve".as_ref(), folder.as_os_str()])
        .stdout(Stdio::piped())
        .spawn()?;
    let is_machine = arguments.iter().any(|argument| argument == "--machine");
    let against = if is_machine { Against::Machine } else { Against::People };
    let outcome = measure(&mut server, against, games, seconds);
    server.kill()?;
    server.wait()?;
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn measure(
    server: &mut Child,
    against: Against,
    games: usize,
    seconds: usize,
) -> Result<ExitCode, Box<dyn Error>> {
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("no output of the server")?).read_line(&mut line)?;
    let address: SocketAddr = line.trim().parse()?;
    let before = memory(server.id());
    let time = Duration::from_secs(seconds as u64);
    let report = runtime::Runtime::new()?.block_on(crowd::play(address, against, games, time));
    let after = memory(server.id());
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
    println!("server memory      {before} before, {after} after");
    report.errors.iter().take(5).for_each(|error| println!("error: {error}"));
    let tick = Duration::from_millis(LEVEL.1);
    let is_good = report.errors.is_empty()
        && quantile(&report.latencies, 0.99) < BOUND
        && quantile(&report.turns, 0.5) < tick + LATE;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn serve(folder: &Path) -> Result<(), Box<dyn Error>> {
    // One address is the whole crowd here; everything else is as it always is.
    let limits = Limits { requests_a_second: 1e6, burst: 1e6, ..Limits::default() };
    let server = Server::bind("127.0.0.1:0", Config { limits, ..Config::new(folder) }).await?;
    println!("{}", server.address()?);
    server.run(std::future::pending()).await?;
    Ok(())
}

/// The memory of a process that is in use, as the kernel says it.
fn memory(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
