//! `nebel tablebase info` and `nebel tablebase verify`.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use nebel_tablebase::{Ending, Store, Table, Tables, Tie, verify};
use serde_json::json;

use super::DirectoryArg;
use crate::failure::Failure;

/// List the tables at hand, after checking each file.
#[derive(clap::Args, Debug)]
pub(crate) struct InfoArgs {
    /// Only these endings.
    #[arg(value_name = "ENDING")]
    endings: Vec<String>,
    #[command(flatten)]
    directory: DirectoryArg,
    /// Print one JSON object a table.
    #[arg(long)]
    json: bool,
}

/// Replay strategies with a naive referee, and test random sets one move ahead.
#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Only these endings.
    #[arg(value_name = "ENDING")]
    endings: Vec<String>,
    #[command(flatten)]
    directory: DirectoryArg,
    /// Random sets of king squares to test in each ending.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    sets: usize,
    /// The seed of the random sets.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object an ending.
    #[arg(long)]
    json: bool,
}

/// Lists the tables.
pub(crate) fn run(args: &InfoArgs) -> Result<(), Failure> {
    let store = args.directory.existing()?;
    let mut output = io::stdout().lock();
    for path in files(&store, &args.endings)? {
        let table = Table::open(&path).map_err(|error| super::failure(error.into()))?;
        let header = table.header();
        let bytes = std::fs::metadata(&path)?.len();
        let ending = table.index().ending();
        if args.json {
            let value = json!({
                "ending": ending.to_string(), "file": path, "version": header.version, "rules": header.rules(),
                "placements": header.placements, "entries": header.entries, "longest": header.longest,
                "merged": header.merged != 0, "bytes": bytes, "checksum": header.checksum(),
            });
            writeln!(output, "{value}")?;
        } else {
            let merged = if header.merged == 0 { "" } else { ", merged" };
            let each = bytes as f64 / table.len().max(1) as f64;
            writeln!(
                output,
                "{ending}: {} entries over {} placements, longest mate {}, rules {}, {each:.1} bytes an entry{merged}; {}",
                header.entries,
                header.placements,
                header.longest,
                header.rules(),
                path.display()
            )?;
        }
    }
    Ok(())
}

/// Verifies the tables; a fault is a failure at run time, for it is no fault of the input.
pub(crate) fn run_verify(args: &VerifyArgs) -> Result<(), Failure> {
    let store = args.directory.existing()?;
    let mut output = io::stdout().lock();
    for path in files(&store, &args.endings)? {
        let table = Arc::new(Table::open(&path).map_err(|error| super::failure(error.into()))?);
        let ending = table.index().ending().clone();
        if table.header().merged != 0 {
            eprintln!("nebel: {ending} is merged, so its numbers are upper bounds: skipped");
            continue;
        }
        let mut tables = Tables::new();
        for part in ending.closure().iter().filter(|part| **part != ending) {
            tables.add(Arc::new(store.open(part).map_err(super::failure)?));
        }
        tables.add(table);
        let terminal = io::stderr().is_terminal();
        let show = |done: &nebel_tablebase::Verified| {
            if terminal && done.sets.is_multiple_of(100) {
                eprint!("\r\x1b[K{ending}: {} sets, {} replayed", done.sets, done.replayed);
            }
        };
        let done = verify(&tables, &ending, args.sets, args.seed, Tie::FewestSquares, show);
        if terminal {
            eprint!("\r\x1b[K");
        }
        let done =
            done.map_err(|fault| Failure::Run(anyhow::Error::new(fault).context(ending.to_string())))?;
        if args.json {
            writeln!(output, "{}", json!({"ending": ending.to_string(), "ok": true, "verified": done}))?;
        } else {
            writeln!(
                output,
                "{ending}: right. {} random sets ({} won) agree with the best attempt; strategies from {} sets \
                 replayed on {} positions against every reply",
                done.sets, done.won, done.replayed, done.positions
            )?;
        }
    }
    Ok(())
}

/// The files asked for; all if none is named.
fn files(store: &Store, endings: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let endings: Vec<Ending> = endings.iter().map(|text| super::ending(text)).collect::<Result<_, _>>()?;
    let files = match endings.as_slice() {
        [] => store.files(),
        _ => endings.iter().map(|ending| store.path(ending)).collect(),
    };
    if files.is_empty() {
        let cause = format!(
            "there are no tables in {}; build some with `nebel tablebase build`",
            store.directory().display()
        );
        return Err(Failure::BadInput(cause));
    }
    match endings.iter().zip(&files).find(|(_, file)| !file.is_file()) {
        Some((ending, _)) => {
            let missing = nebel_tablebase::StoreError::Missing(ending.clone(), store.directory().to_owned());
            Err(super::failure(missing))
        }
        None => Ok(files),
    }
}
