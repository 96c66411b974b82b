//! `nebel belief`: every position that agrees with what one side has heard.

mod spilled;

use std::{
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use nebel_belief::{
    History, HistorySampler, Limit, PositionSet, Progress, Stream, TrackError, Tracker, ViewState, sample,
};
use nebel_kriegspiel::{Chess, View, start};
use serde_json::{Value, json};

use crate::{args::ViewArg, failure::Failure, input};

/// The most positions of a belief in memory, unless told.
const MOST_POSITIONS: usize = 200_000_000;
/// The most positions that are listed: their text is held in memory to be sorted.
const MOST_LISTED: usize = 10_000_000;
/// How often a random walk may get stuck before sampling is given up.
const WALKS: u64 = 1_000_000;
/// The most steps that all random walks take together: some ten seconds.
const MOST_STEPS: u64 = 5_000_000;
/// The most random walks: their ends are held in memory as text.
const MOST_WALKS: usize = 1_000_000;

/// Find all positions that agree with what one side has heard.
#[derive(clap::Args, Debug)]
pub(crate) struct BeliefArgs {
    #[command(flatten)]
    heard: ViewArg,
    /// How to search: event by event, or history by history.
    #[arg(long, value_enum, default_value = "breadth")]
    order: Order,
    /// List the positions.
    #[arg(long)]
    list: bool,
    /// List so many positions, drawn at random: with equal chances (breadth), or by random walks
    /// without computing the belief, which then carry weights (depth; a million of them and five million steps at most).
    #[arg(long, value_name = "N", conflicts_with = "list")]
    sample: Option<usize>,
    /// Give up when the belief holds more than so many positions: 200 million unless told, and with --spill as many as the
    /// disk takes.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Keep positions that memory does not hold in files in this folder, which must exist (breadth). They have no names and
    /// are gone with the program.
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// With --spill, the memory for positions in mebibytes (1024 unless told), beyond which they go to disk; else give up
    /// there.
    #[arg(long, value_name = "MIB")]
    memory: Option<usize>,
    /// Threads to use (breadth); all processors unless told.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The seed of a sample.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Order {
    /// The whole belief after every event.
    Breadth,
    /// One history after another, each to its end.
    Depth,
}

/// What is printed.
struct Report {
    /// How many positions there are and the most there were, unless only a sample was drawn.
    sizes: Option<(usize, usize)>,
    positions: Option<Vec<String>>,
    log_weights: Option<Vec<f64>>,
    /// Positions constructed on the way.
    constructed: u64,
    /// The most bytes that files took, if they were asked for.
    on_disk: Option<u64>,
}

/// Tracks and prints.
pub(crate) fn run(args: &BeliefArgs) -> Result<(), Failure> {
    let place = input::place(&args.heard.view);
    let view = args.heard.read()?;
    let begun = Instant::now();
    let report = match (args.order, args.sample) {
        (Order::Breadth, _) => match &args.spill {
            Some(folder) => args.spilled(&place, &view, folder)?,
            None => args.breadth_first(&place, &view)?,
        },
        (Order::Depth, _) if args.spill.is_some() => {
            return Err(Failure::input(
                "--spill",
                "only --order breadth keeps positions that could go to disk",
            ));
        }
        (Order::Depth, None) => args.depth_first(&place, &view)?,
        (Order::Depth, Some(count)) => args.walks(&place, &view, count)?,
    };
    let mut output = io::stdout().lock();
    if args.json {
        writeln!(output, "{}", report.in_json())?;
    } else {
        report.in_words(&mut output, begun.elapsed())?;
    }
    Ok(())
}

impl BeliefArgs {
    fn breadth_first(&self, place: &str, view: &View) -> Result<Report, Failure> {
        let header = view.header();
        let mut tracker = Tracker::new(header.rules.clone(), &header.start, view.side(), self.limit())
            .with_threads(self.threads());
        let progress = tracker.progress();
        with_progress_bar(&progress, || {
            for (index, event) in view.events().iter().enumerate() {
                tracker.hear(event).map_err(|error| failure(place, view, index, &error))?;
            }
            Ok::<(), Failure>(())
        })?;
        let positions = if let Some(count) = self.sample {
            let drawn = sample::uniform(tracker.set(), count.min(MOST_LISTED), self.seed);
            Some(sorted(drawn.into_iter().filter_map(|key| tracker.hearing().position_or_start(key))))
        } else if self.lists(tracker.len())? {
            Some(listed(tracker.set(), tracker.hearing()))
        } else {
            None
        };
        Ok(Report {
            sizes: Some((tracker.len(), tracker.peak())),
            positions,
            log_weights: None,
            constructed: tracker.successors(),
            on_disk: None,
        })
    }

    fn depth_first(&self, place: &str, view: &View) -> Result<Report, Failure> {
        let history = history(place, view)?;
        let mut stream = history.stream(Stream::CACHE);
        let collected = stream.collect_set(self.limit());
        let reached = history.event_of(stream.reached_steps());
        let last = view.events().len().saturating_sub(1);
        let set = match collected {
            Ok(set) if set.is_empty() => Err((reached.unwrap_or(last), TrackError::NoPosition)),
            Ok(set) => Ok(set),
            Err(error) => Err((last, error)),
        };
        let set = set.map_err(|(index, error)| failure(place, view, index, &error))?;
        Ok(Report {
            sizes: Some((set.len(), stream.peak().max(set.len()))),
            positions: self.lists(set.len())?.then(|| listed(&set, history.hearing())),
            log_weights: None,
            constructed: stream.walked(),
            on_disk: None,
        })
    }

    fn walks(&self, place: &str, view: &View, count: usize) -> Result<Report, Failure> {
        let history = history(place, view)?;
        let mut walks = HistorySampler::new(&history, self.seed, WALKS);
        let mut walked = Vec::new();
        while walked.len() < count.min(MOST_WALKS) && walks.steps() < MOST_STEPS {
            let Some(end) = walks.next() else { break };
            walked.push(end);
        }
        if walked.is_empty() && count > 0 {
            let cause = format_args!("no position found in {WALKS} random walks: try without --sample");
            return Err(Failure::Run(anyhow::anyhow!("{place}: {cause}")));
        }
        if walked.len() < count {
            eprintln!("{} of {count} positions drawn, in {} steps", walked.len(), walks.steps());
        }
        let fens = walked.iter().filter_map(|walked| history.hearing().position_or_start(walked.key));
        Ok(Report {
            sizes: None,
            positions: Some(fens.map(|position| start::fen_without_counters(&position)).collect()),
            log_weights: Some(walked.iter().map(|walked| walked.log_weight).collect()),
            constructed: walks.steps(),
            on_disk: None,
        })
    }

    /// What a belief may hold in memory.
    fn limit(&self) -> Limit {
        let bytes = self.memory.map_or(usize::MAX, |mebibytes| mebibytes.saturating_mul(1 << 20));
        Limit { positions: self.limit.unwrap_or(MOST_POSITIONS), bytes }
    }

    fn threads(&self) -> usize {
        self.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Whether so many positions are to be listed.
    fn lists(&self, positions: usize) -> Result<bool, Failure> {
        if self.list && positions > MOST_LISTED {
            let cause = format!("{positions} positions are too many to list: draw some with --sample");
            return Err(Failure::Run(anyhow::anyhow!(cause)));
        }
        Ok(self.list)
    }
}

fn listed(set: &PositionSet, hearing: &ViewState) -> Vec<String> {
    sorted(set.iter().filter_map(|key| hearing.position_or_start(key)))
}

fn history(place: &str, view: &View) -> Result<History, Failure> {
    History::of_view(view).map_err(|(index, error)| failure(place, view, index, &error))
}

/// The positions as text, in the order of text.
fn sorted(positions: impl Iterator<Item = Chess>) -> Vec<String> {
    let mut fens: Vec<String> = positions.map(|position| start::fen_without_counters(&position)).collect();
    fens.sort_unstable();
    fens
}

/// A view that contradicts itself is bad input; a limit that is reached is a failure at run time.
fn failure(place: &str, view: &View, index: usize, error: &TrackError) -> Failure {
    let event = view.events().get(index).map(|event| event.to_json(&view.header().rules));
    let sentence = format!("event {} ({}): {error}", index + 1, event.unwrap_or_default());
    match error {
        TrackError::Contradiction(_) | TrackError::NoPosition => Failure::input(place, sentence),
        TrackError::Positions(_) | TrackError::Bytes(_) | TrackError::Memory | TrackError::Stopped => {
            Failure::Run(anyhow::anyhow!("{place}: {sentence}"))
        }
    }
}

/// Does the work while another thread shows how far it has come, on a terminal.
fn with_progress_bar<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| show(progress, &done));
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

fn show(progress: &Progress, done: &AtomicBool) {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {msg}") {
        bar.set_style(style);
    }
    let begun = Instant::now();
    while !done.load(Relaxed) {
        thread::sleep(Duration::from_millis(100));
        // Most beliefs are done before anybody could read a bar.
        if begun.elapsed() > Duration::from_secs(1) {
            bar.set_length(progress.total() as u64);
            bar.set_position(progress.done() as u64);
            bar.set_message(format!("{} found", progress.found()));
        }
    }
    bar.finish_and_clear();
}

impl Report {
    fn in_json(&self) -> Value {
        let mut value = json!({
            "states": self.sizes.map(|(states, _)| states),
            "peak": self.sizes.map(|(_, peak)| peak),
        });
        if let Some(positions) = &self.positions {
            value["positions"] = json!(positions);
        }
        if let Some(weights) = &self.log_weights {
            value["log_weights"] = json!(weights);
        }
        value
    }

    fn in_words(&self, output: &mut impl Write, taken: Duration) -> io::Result<()> {
        if let Some((states, peak)) = self.sizes {
            writeln!(output, "{}, at the peak {peak}", counted(states as u64))?;
        }
        let rate = self.constructed as f64 / taken.as_secs_f64().max(1e-6);
        let seconds = taken.as_secs_f64();
        writeln!(output, "{} constructed in {seconds:.1} s, {rate:.0} a second", counted(self.constructed))?;
        if let Some(bytes) = self.on_disk {
            writeln!(output, "{:.3} GB on disk at the peak", bytes as f64 / 1e9)?;
        }
        let weights = self.log_weights.iter().flatten();
        let weights = weights.map(|weight| format!("  log weight {weight:.3}"));
        let positions = self.positions.iter().flatten();
        for (fen, weight) in positions.zip(weights.map(Some).chain(std::iter::repeat(None))) {
            writeln!(output, "{fen}{}", weight.unwrap_or_default())?;
        }
        Ok(())
    }
}

fn counted(positions: u64) -> String {
    format!("{positions} position{}", if positions == 1 { "" } else { "s" })
}
