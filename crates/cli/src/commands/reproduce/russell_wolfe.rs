//! `nebel reproduce rw-fig4` and `rw-fig9`: Russell and Wolfe (2005).

use std::{fs, path::PathBuf};

use nebel_experiments::russell_wolfe::{Fig4, Fig9, RowFile, seconds};

use super::write_page;
use crate::{
    commands::{
        farm::FarmArgs,
        problems::{read_entries, show_done},
    },
    failure::Failure,
    input,
    progress::Line,
};

/// All algorithms over mates and near-misses, resumable; a page with both rankings and the curves.
#[derive(clap::Args, Debug)]
pub(crate) struct RwFig4Args {
    /// The collection; the paper's problems were of 5 plies.
    #[arg(long, value_name = "FILE", default_value = "collections/berkeley-5.jsonl")]
    collection: PathBuf,
    /// So many mates and so many near-misses, the first of the collection.
    #[arg(long, value_name = "N", default_value_t = 20)]
    problems: usize,
    /// Give a problem up after so many seconds; the paper gave 2000.
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    time: f64,
    /// Problems at a time. Searches that share a machine slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    farm: FarmArgs,
    /// Three problems of each kind at 0.2 s, to see that it works.
    #[arg(long)]
    quick: bool,
    /// Where to write the page, its data and its figures; data of an earlier run there are gone on with.
    #[arg(long, short, value_name = "DIR", default_value = "rw-fig4")]
    output: PathBuf,
}

/// Estimation and search of the 3-ply problems, one after the other and interleaved.
#[derive(clap::Args, Debug)]
pub(crate) struct RwFig9Args {
    /// The collection; the paper's problems were of 3 plies.
    #[arg(long, value_name = "FILE", default_value = "collections/berkeley-3.jsonl")]
    collection: PathBuf,
    /// So many mates and so many near-misses, the first of the collection.
    #[arg(long, value_name = "N", default_value_t = 500)]
    problems: usize,
    /// Five problems of each kind, to see that it works.
    #[arg(long)]
    quick: bool,
    /// Where to write the page, its data and its figure.
    #[arg(long, short, value_name = "DIR", default_value = "rw-fig9")]
    output: PathBuf,
}

/// Measures Figure 4 and writes the page.
pub(super) fn fig4(args: &RwFig4Args) -> Result<(), Failure> {
    let (problems, time) = if args.quick { (3, 0.2) } else { (args.problems, args.time) };
    // Before a file is touched.
    seconds(time)?;
    let place = input::place(&args.collection);
    let entries = read_entries(&args.collection)?;
    let data = args.output.join(Fig4::DATA);
    let at = args.farm.place(args.jobs.clamp(1, 256), Some(&data))?;
    let experiment = Fig4::new(&place, &entries, problems, time, at)?;
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let table = RowFile::open(&data)?;
    let line = Line::default();
    let page = experiment.run(table, |done, of| show_done(&line, done, of))?;
    drop(line);
    write_page(&args.output, "rw-fig4.md", &page)
}

/// Measures Figure 9 and writes the page.
pub(super) fn fig9(args: &RwFig9Args) -> Result<(), Failure> {
    let problems = if args.quick { 5 } else { args.problems };
    let place = input::place(&args.collection);
    let entries = read_entries(&args.collection)?;
    let line = Line::default();
    let page =
        Fig9 { place: &place, entries: &entries, problems }.run(|done, of| show_done(&line, done, of))?;
    drop(line);
    write_page(&args.output, "rw-fig9.md", &page)
}
