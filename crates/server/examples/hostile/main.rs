//! A hostile run on loopback: `cargo run --release -p nebel-server --example hostile`.
//!
//! A server with its default limits, in a process of its own, is attacked in all ways at once while people play. In
//! the middle it is killed with signal 9 and started again on the same data. Fails unless 99 of 100 answers to those
//! who play came within 100 ms, the server stayed below 1 GB, and everything went on after the kill and after the
//! attack.
//!
//! `--seconds N` (60), `--games N` (40), `--attack NAME` (all; may be repeated; `none` for comparison),
//! `--same-address` (the attackers come from the address of those who play, and share its quotas).

mod attacks;
#[path = "../load/child.rs"]
mod child;
#[path = "../load/crowd.rs"]
mod crowd;
mod wire;
mod witness;

use std::{
    error::Error,
    net::{IpAddr, Ipv4Addr},
    path::Path,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use nebel_server::ServerLimits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{runtime, task::JoinHandle, time::Instant};

use crate::{
    attacks::{ATTACKS, Attack},
    child::Running,
    crowd::{Against, Report, quantile},
    wire::{Front, Tally},
    witness::Witnesses,
};

/// What 99 of 100 answers must stay below.
const BOUND: Duration = Duration::from_millis(100);
/// What the server's memory must stay below, in kilobytes.
const MEMORY: u64 = 1_000_000;

/// What was asked for.
struct Wanted {
    seconds: u64,
    games: usize,
    attacks: Vec<&'static Attack>,
    same_address: bool,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, folder] = &arguments[..]
        && first == "serve"
    {
        runtime::Runtime::new()?.block_on(child::serve(Path::new(folder), ServerLimits::default()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = Wanted::read(&arguments)?;
    // Thousands of connections need as many file handles.
    let handles = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: handles.maximum, ..handles })?;
    let folder = std::env::temp_dir().join(format!("nebel-hostile-{}", std::process::id()));
    let outcome = runtime::Runtime::new()?.block_on(besiege(&wanted, &folder));
    std::fs::remove_dir_all(&folder)?;
    Ok(if outcome? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Wanted {
    fn read(arguments: &[String]) -> Result<Wanted, Box<dyn Error>> {
        let mut wanted = Wanted { seconds: 60, games: 40, attacks: Vec::new(), same_address: false };
        let mut named = false;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{argument} wants a value"));
            match &**argument {
                "--seconds" => wanted.seconds = value()?.parse()?,
                "--games" => wanted.games = value()?.parse()?,
                "--same-address" => wanted.same_address = true,
                "--attack" => {
                    let name = value()?;
                    named = true;
                    let known = ATTACKS.iter().find(|attack| attack.name == name);
                    if name != "none" {
                        wanted.attacks.push(known.ok_or(format!("no attack {name}: {}", names()))?);
                    }
                }
                _ => return Err(format!("no option {argument}").into()),
            }
        }
        if !named {
            wanted.attacks.extend(&ATTACKS);
        }
        Ok(wanted)
    }
}

fn names() -> String {
    ATTACKS.map(|attack| attack.name).join(", ")
}

/// Both halves of the run with the kill between them, and what is left afterwards; whether all is well.
async fn besiege(wanted: &Wanted, folder: &Path) -> Result<bool, Box<dyn Error>> {
    let mut is_good = true;
    let mut witnesses = Witnesses::default();
    let time = Duration::from_secs(wanted.seconds.div_ceil(2));
    for half in [Half::First, Half::Second] {
        let begun = Instant::now();
        let mut server = Running::start(folder)?;
        println!("{}: listening after {:.1} s", half.name(), begun.elapsed().as_secs_f64());
        witnesses.come_back(server.address).await?;
        let attackers = Attackers::begin(wanted, &server);
        let playing = crowd::play(server.address, Against::People, wanted.games, time);
        let (report, all_answered) = tokio::join!(playing, witnesses.play(server.address, time));
        is_good &= tell(&report, &server) && all_answered && server.is_alive();
        if half == Half::First {
            // Killed with half-sent requests, games and analyses under way.
            drop(server);
            attackers.end().await;
        } else {
            attackers.end().await;
            is_good &= witness::all_goes_on(server.address).await;
        }
    }
    println!("{}", if is_good { "all is well" } else { "NOT GOOD" });
    Ok(is_good)
}

/// Of the run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

impl Half {
    fn name(self) -> &'static str {
        match self {
            Half::First => "before the kill",
            Half::Second => "after the kill",
        }
    }
}

/// All who attack.
struct Attackers {
    is_over: Arc<AtomicBool>,
    clients: Vec<(&'static Attack, JoinHandle<Tally>)>,
}

impl Attackers {
    /// Each attack has an address of its own, unless all are to share that of those who play.
    fn begin(wanted: &Wanted, server: &Running) -> Attackers {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut clients = Vec::new();
        for (number, attack) in wanted.attacks.iter().enumerate() {
            let last = if wanted.same_address { 1 } else { 2 + number as u8 };
            let from = IpAddr::from(Ipv4Addr::new(127, 0, 0, last));
            for _ in 0..attack.clients {
                let front = Front { target: server.address, from, is_over: Arc::clone(&is_over) };
                clients.push((*attack, tokio::spawn((attack.run)(front))));
            }
        }
        Attackers { is_over, clients }
    }

    /// Has them end, and prints what became of what they did.
    async fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut sums: Vec<(&'static Attack, Tally)> = Vec::new();
        for (attack, client) in self.clients {
            let tally = client.await.unwrap_or_else(|error| Tally::from([(error.to_string(), 1)]));
            if sums.last().is_none_or(|(last, _)| last.name != attack.name) {
                sums.push((attack, Tally::new()));
            }
            if let Some((_, sum)) = sums.last_mut() {
                for (outcome, count) in tally {
                    *sum.entry(outcome).or_default() += count;
                }
            }
        }
        for (Attack { name, about, .. }, tally) in sums {
            let outcomes: Vec<String> =
                tally.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
            println!("  {name:<10} {about:<64} {}", outcomes.join(", "));
        }
    }
}

/// Prints what was seen; whether it is good.
fn tell(report: &Report, server: &Running) -> bool {
    let peak = server.kilobytes("VmHWM");
    let milliseconds = |share| quantile(&report.latencies, share).as_secs_f64() * 1000.0;
    println!(
        "  honest attempts: {}, p50 {:.1} ms, p99 {:.1} ms, most {:.1} ms; {} errors",
        report.latencies.len(),
        milliseconds(0.5),
        milliseconds(0.99),
        milliseconds(1.0),
        report.errors.len(),
    );
    println!("  server memory: {} MB at most, {} MB now", peak / 1000, server.kilobytes("VmRSS") / 1000);
    report.errors.iter().take(5).for_each(|error| println!("  error: {error}"));
    let answered = !report.latencies.is_empty() && report.errors.is_empty();
    answered && quantile(&report.latencies, 0.99) < BOUND && peak < MEMORY
}
