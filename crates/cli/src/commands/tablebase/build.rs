//! `nebel tablebase build`.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    sync::Arc,
    time::Instant,
};

use nebel_tablebase::{Depth, Ending, Progress, Store, Table, Tables};
use serde_json::json;

use super::DirectoryArg;
use crate::failure::Failure;

/// Solve endings and keep their tables. Endings that a capture or a promotion leads to are built if missing.
#[derive(clap::Args, Debug)]
pub(crate) struct BuildArgs {
    /// Endings such as KRK, KQK, KPK, KBBK, KBNK, KRRK: one or two men besides the king.
    #[arg(required = true, value_name = "ENDING")]
    endings: Vec<String>,
    #[command(flatten)]
    directory: DirectoryArg,
    /// Number of threads [default: all].
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Store one entry for a set and a superset with the same attempt: smaller, but numbers become upper bounds.
    #[arg(long)]
    merge: bool,
    /// Print what each depth added: entries, passes and growth.
    #[arg(long)]
    depths: bool,
    /// Print one JSON object an ending.
    #[arg(long)]
    json: bool,
}

/// What became of an ending.
struct Built {
    ending: Ending,
    depths: Vec<Depth>,
    seconds: f64,
}

/// Builds every ending.
pub(crate) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let endings: Vec<Ending> =
        args.endings.iter().map(|text| super::ending(text)).collect::<Result<_, _>>()?;
    let store = args.directory.store()?;
    with_threads(args.threads, || build(args, &store, &endings))?
}

/// Runs on this number of threads.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads == Some(0) {
        return Err(Failure::BadInput("--threads: at least 1".to_owned()));
    }
    let pool = nebel_tablebase::pool(threads).map_err(|error| Failure::Run(error.into()))?;
    Ok(pool.install(work))
}

fn build(args: &BuildArgs, store: &Store, endings: &[Ending]) -> Result<(), Failure> {
    let mut tables = Tables::new();
    for ending in endings.iter().flat_map(Ending::closure) {
        if tables.get(&ending).is_some() {
            continue;
        }
        // What was named is built anew; what it only leads to is taken as it is.
        let kept = if endings.contains(&ending) { None } else { store.open(&ending).ok() };
        let table = match kept {
            Some(table) => table,
            None => build_one(args, store, &ending, &tables)?,
        };
        tables.add(Arc::new(table));
    }
    Ok(())
}

fn build_one(args: &BuildArgs, store: &Store, ending: &Ending, tables: &Tables) -> Result<Table, Failure> {
    let mut built = Built { ending: ending.clone(), depths: Vec::new(), seconds: 0.0 };
    let start = Instant::now();
    let table = store.solve(ending, tables, &mut |progress| match progress {
        Progress::Depth(_, depth) => {
            built.depths.push(depth);
            show_progress(ending, depth);
        }
        Progress::Done(..) => built.seconds = start.elapsed().as_secs_f64(),
        Progress::Begin(_) | Progress::NotKept(..) => {}
    });
    let table = table.map_err(super::failure)?;
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    if args.merge {
        let merged = table.merged().ok_or_else(|| Failure::Run(anyhow::anyhow!("too many entries")))?;
        built.report(args, &store.keep(&merged).map_err(super::failure)?, &merged)?;
    } else {
        built.report(args, &store.keep(&table).map_err(super::failure)?, &table)?;
    }
    Ok(table)
}

impl Built {
    fn report(&self, args: &BuildArgs, path: &Path, table: &Table) -> Result<(), Failure> {
        let mut output = io::stdout().lock();
        let bytes = std::fs::metadata(path)?.len();
        if args.json {
            let depths = self.depths.iter();
            let depths: Vec<_> =
                depths.map(|d| json!({"depth": d.depth, "entries": d.entries, "passes": d.passes})).collect();
            let value = json!({
                "ending": self.ending.to_string(), "entries": table.len(), "longest": table.longest(),
                "placements": table.index().placements().len(), "seconds": self.seconds, "bytes": bytes,
                "peak_bytes": peak_memory(), "merged": table.header().merged != 0, "depths": depths,
            });
            return Ok(writeln!(output, "{value}")?);
        }
        let peak =
            peak_memory().map_or(String::new(), |bytes| format!(", {} MB of memory at most", bytes >> 20));
        let longest = match table.longest() {
            0 => "nothing is won".to_owned(),
            moves => format!("longest mate {moves}"),
        };
        writeln!(
            output,
            "{}: {} entries, {longest}, {:.2} s{peak}; {} ({:.1} bytes an entry)",
            self.ending,
            table.len(),
            self.seconds,
            path.display(),
            bytes as f64 / table.len().max(1) as f64
        )?;
        if args.depths {
            writeln!(output, "depth    entries  passes  growth")?;
            let mut before = 0;
            for depth in &self.depths {
                let growth = if before == 0 {
                    String::new()
                } else {
                    format!("{:.2}", depth.entries as f64 / f64::from(before))
                };
                writeln!(output, "{:5} {:10} {:7} {growth:>7}", depth.depth, depth.entries, depth.passes)?;
                before = u32::try_from(depth.entries).unwrap_or(u32::MAX);
            }
        }
        Ok(())
    }
}

fn show_progress(ending: &Ending, depth: Depth) {
    let mut error = io::stderr();
    if error.is_terminal() {
        // A line that cannot be shown is no reason to stop.
        let _ = write!(error, "\r\x1b[K{ending}: mate in {}, {} entries", depth.depth, depth.entries);
        let _ = error.flush();
    }
}

/// The most memory this process has held, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
