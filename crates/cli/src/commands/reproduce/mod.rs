//! `nebel reproduce`: the papers' figures and tables, ours beside theirs.

mod krk;
mod parker;
mod rw_fig4;
mod rw_fig9;

use std::{fs, io::Write, path::Path};

use crate::failure::Failure;

/// The papers' figures and tables: data, drawings, and a page that puts ours beside theirs.
#[derive(clap::Args, Debug)]
pub(crate) struct ReproduceArgs {
    /// What to reproduce.
    #[command(subcommand)]
    figure: Figure,
}

#[derive(Debug, clap::Subcommand)]
enum Figure {
    /// Ciancarini & Favini 2009: king and rook against king, and the other endings.
    Krk(krk::KrkArgs),
    /// Parker, Nau & Subrahmanian 2005: the six pairings of Figures 2 and 3, and material by move.
    Parker(parker::ParkerArgs),
    /// Russell & Wolfe 2005: the rankings of Figure 4, and the table of section 6.4.
    #[command(name = "rw-fig4")]
    RwFig4(rw_fig4::RwFig4Args),
    /// Russell & Wolfe 2005: estimation interleaved with search, Figure 9.
    #[command(name = "rw-fig9")]
    RwFig9(rw_fig9::RwFig9Args),
}

/// Writes the page.
pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    match &args.figure {
        Figure::Krk(args) => krk::run(args),
        Figure::Parker(args) => parker::run(args),
        Figure::RwFig4(args) => rw_fig4::run(args),
        Figure::RwFig9(args) => rw_fig9::run(args),
    }
}

/// Writes the files of a page into a folder, the page last, and says where it is.
fn write_page<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    page: (&'a str, &'a str),
) -> Result<(), Failure> {
    let at = |path: &Path| {
        let place = path.display().to_string();
        move |error: std::io::Error| Failure::Run(anyhow::Error::new(error).context(place))
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    for (name, text) in files.into_iter().chain([page]) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(at(&path))?;
    }
    Ok(writeln!(std::io::stdout(), "{}", folder.join(page.0).display())?)
}
