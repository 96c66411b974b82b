//! `nebel reproduce krk`: Ciancarini and Favini (2009), and the other endings.

use std::path::PathBuf;

use nebel_experiments::krk::{Extent, Krk, KrkError, News, readings};

use super::write_page;
use crate::commands::tablebase::{self, DirectoryArg};
use crate::failure::Failure;
use crate::progress::Line;

/// King and rook against king, and the other endings.
#[derive(clap::Args, Debug)]
pub(crate) struct KrkArgs {
    /// Only what takes seconds: KRK itself, without the games and without other endings that are not built yet.
    #[arg(long)]
    quick: bool,
    /// Instead, the paper's Figure 2 by the letter, in readings of what it leaves open: some minutes; two of them with `--quick`.
    #[arg(long)]
    readings: bool,
    /// Where to write the page and its figures.
    #[arg(long, short, value_name = "DIR", default_value = "krk")]
    output: PathBuf,
    #[command(flatten)]
    directory: DirectoryArg,
}

/// Writes the page.
pub(super) fn run(args: &KrkArgs) -> Result<(), Failure> {
    let extent = if args.quick { Extent::Quick } else { Extent::Whole };
    if args.readings {
        let line = Line::default();
        let page = readings(extent, |name| line.show(name));
        drop(line);
        let page = page.ok_or_else(|| Failure::Run(KrkError::TooMany.into()))?;
        return write_page(&args.output, "figure-2.md", &page);
    }
    let store = args.directory.existing()?;
    let page = Krk { store: &store, extent }.run(|news| match news {
        News::LeftOut(ending) => {
            eprintln!("nebel: {ending} is left out; `nebel tablebase build {ending}` adds it");
        }
        News::Building(progress) => tablebase::note(progress),
    });
    let page = page.map_err(|error| match error {
        KrkError::TooMany => Failure::Run(error.into()),
        KrkError::Store(error) => tablebase::failure(error),
    });
    write_page(&args.output, "krk.md", &page?)
}
