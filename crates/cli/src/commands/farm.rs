//! `nebel farm up|status`, and `--farm URL` of the commands whose work can be done on a farm.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use nebel_arena::{
    farm::{
        Broker, Farm, FarmError, broker,
        status::{self, RunStatus, Status, WorkerStatus},
    },
    runner::Place,
    work::queue::QueueError,
};
use serde_json::json;

use super::web::data_of_user;
use crate::{failure::Failure, signals};

/// Where work is done.
#[derive(clap::Args, Debug)]
pub(crate) struct FarmArgs {
    /// Have the work done by the workers of this farm (`nats://HOST:4222`), which `nebel worker` joins.
    #[arg(long, value_name = "URL")]
    farm: Option<String>,
    #[command(flatten)]
    creds: CredsArg,
    /// Repeat this share of the farm's results here, besides the first of each worker, where repeating can prove them.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "farm")]
    verify: f64,
}

/// Who we are to the broker.
#[derive(clap::Args, Debug)]
pub(crate) struct CredsArg {
    /// A file of credentials for the broker.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
}

impl CredsArg {
    /// The broker at a URL.
    pub(crate) fn broker(&self, url: &str) -> Result<Broker, Failure> {
        if let Some(file) = &self.creds
            && let Err(error) = std::fs::metadata(file)
        {
            return Err(Failure::input(&file.display().to_string(), error));
        }
        Ok(Broker { url: url.to_owned(), creds: self.creds.clone() })
    }
}

impl FarmArgs {
    /// The farm, or so many threads here. `home` is the file in which results are kept.
    pub(crate) fn place(&self, jobs: usize, home: Option<&Path>) -> Result<Place, Failure> {
        let Some(url) = &self.farm else {
            return Ok(Place::Here(jobs));
        };
        if !(0.0..=100.0).contains(&self.verify) {
            return Err(Failure::input(
                "--verify",
                format_args!("{} is no share from 0 to 100", self.verify),
            ));
        }
        Ok(Place::Farm(Farm {
            broker: self.creds.broker(url)?,
            verify: self.verify / 100.0,
            home: home.map(Path::to_owned),
            stop: signals::stop_before_end()?,
            say,
        }))
    }
}

/// Says a line to the user.
pub(crate) fn say(text: &str) {
    eprintln!("nebel: {text}");
}

/// A farm that cannot be used.
pub(crate) fn farm_failure(error: FarmError) -> Failure {
    match error {
        FarmError::TooManySubjects | FarmError::Signature(_) => Failure::input("--farm", error),
        FarmError::Connect { .. } | FarmError::Broker(_) | FarmError::Collected | FarmError::Random(_) => {
            Failure::Run(error.into())
        }
    }
}

/// Work that could not be done.
pub(crate) fn queue_failure(error: QueueError) -> Failure {
    Failure::Run(error.into())
}

/// A farm of one's own: start a broker, see who works.
#[derive(clap::Args, Debug)]
pub(crate) struct FarmCommandArgs {
    #[command(subcommand)]
    command: FarmCommand,
}

#[derive(clap::Subcommand, Debug)]
enum FarmCommand {
    /// Start the broker: the `nats-server` that is on the path, with a store in the data folder.
    Up(UpArgs),
    /// Say who works and how far runs are.
    Status(StatusArgs),
}

#[derive(clap::Args, Debug)]
struct UpArgs {
    /// The port to listen on.
    #[arg(long, value_name = "PORT", default_value_t = 4222)]
    port: u16,
    /// The address to listen on; others than 127.0.0.1 can be reached from outside, by everybody.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// Where streams are kept [default: farm in the user's data directory of nebel].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct StatusArgs {
    /// Where the broker is.
    #[arg(value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    url: String,
    #[command(flatten)]
    creds: CredsArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Does what was asked.
pub(crate) fn run(args: &FarmCommandArgs) -> Result<(), Failure> {
    match &args.command {
        FarmCommand::Up(args) => up(args),
        FarmCommand::Status(args) => show(args),
    }
}

/// Runs the broker until we are told to end.
fn up(args: &UpArgs) -> Result<(), Failure> {
    let folder = match &args.dir {
        Some(folder) => folder.clone(),
        None => data_of_user()
            .map(|data| data.join("farm"))
            .ok_or_else(|| Failure::BadInput("--dir: needed, for there is no home directory".to_owned()))?,
    };
    let started = broker::start(&args.host, args.port, &folder);
    let child = started.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Run(anyhow::anyhow!(
            "there is no `nats-server` on the path (Debian has it in the package nats-server)"
        )),
        _ => Failure::Run(anyhow::Error::new(error).context(folder.display().to_string())),
    })?;
    let host = if args.host == "0.0.0.0" { "THIS-MACHINE" } else { &args.host };
    say(&format!("workers join with `nebel worker --nats nats://{host}:{}`", args.port));
    let stop = signals::stop_before_end()?;
    let status = broker::wait(child, &stop)?;
    if status.success() || stop.is_cancelled() {
        Ok(())
    } else {
        Err(Failure::Run(anyhow::anyhow!("nats-server ended: {status}")))
    }
}

/// How long workers have to answer.
const PATIENCE: Duration = Duration::from_millis(700);

fn show(args: &StatusArgs) -> Result<(), Failure> {
    let status = status::ask(&args.creds.broker(&args.url)?, PATIENCE).map_err(farm_failure)?;
    let mut out = io::stdout().lock();
    if args.json {
        return Ok(writeln!(out, "{}", json!(status))?);
    }
    Ok(out.write_all(text(&status).as_bytes())?)
}

fn text(Status { workers, runs }: &Status) -> String {
    // Writing into a String cannot fail.
    let mut text = String::new();
    let jobs: usize = workers.iter().map(|worker| worker.jobs).sum();
    let _ = writeln!(text, "{} workers, {jobs} units at a time", workers.len());
    for worker in workers {
        let WorkerStatus { name, version, cores, jobs, busy, done, per_minute, refused } = worker;
        let _ = writeln!(
            text,
            "  {name}: version {version}, {busy} of {jobs} at work on {cores} cores, {per_minute} units in the last minute, {done} in all"
        );
        for refused in refused {
            let _ = writeln!(text, "    takes nothing of run {refused}");
        }
    }
    let _ = writeln!(text, "{} runs", runs.len());
    for run in runs {
        let RunStatus {
            run,
            title,
            kind,
            version,
            standing,
            per_minute,
            seconds_left,
            waiting,
            in_hand,
            redelivered,
        } = run;
        let _ = writeln!(text, "  {run}: {title} ({kind}, version {version})");
        match standing {
            None => text.push_str("    its collector is away; "),
            Some(standing) => {
                let of = standing.of.map_or_else(String::new, |of| format!(" of {of}"));
                let _ =
                    write!(text, "    {}{of} done, {:.1} a minute", standing.done, per_minute.unwrap_or(0.0));
                if let Some(left) = seconds_left {
                    let _ = write!(text, ", {} left", time_text(*left));
                }
                let _ = write!(
                    text,
                    "; handed out again {}, results twice {}, thrown away {}, workers banned {}; ",
                    standing.again, standing.doubles, standing.refused, standing.banned
                );
            }
        }
        let _ = writeln!(
            text,
            "{} units wait, {in_hand} are in hand, {redelivered} of them not for the first time",
            waiting.saturating_sub(*in_hand)
        );
    }
    text
}

/// A time such as `2h 05m` or `40s`.
fn time_text(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h {minutes:02}m"),
    }
}
