//! `nebel reproduce`: the papers' figures and tables, ours beside theirs.

mod beliefs;
mod bounds;
mod endings;
mod favini;
mod krk;
mod parker;
mod russell_wolfe;
mod watched;

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use nebel_experiments::{ExperimentError, Page};

use crate::{commands::arena::KeptArgs, failure::Failure, progress::Line};

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
    RwFig4(russell_wolfe::RwFig4Args),
    /// Russell & Wolfe 2005: estimation interleaved with search, Figure 9.
    #[command(name = "rw-fig9")]
    RwFig9(russell_wolfe::RwFig9Args),
    /// Ciancarini & Favini 2010: approaches A, B and C against minimax, Figure 10.
    #[command(name = "cf-fig10")]
    CfFig10(favini::Fig10Args),
    /// Ciancarini & Favini 2010: all players against all, and how games went beside those of people.
    #[command(name = "cf-table")]
    CfTable(favini::TableArgs),
    /// Ciancarini & Favini 2010: simulated message probabilities against observed frequencies.
    #[command(name = "cf-calibration")]
    CfCalibration(favini::CalibrationArgs),
    /// Our own: how well beliefs live through long games, and how near to the truth they are.
    Beliefs(beliefs::BeliefsArgs),
    /// Our own: what the champion would win with knowledge that it cannot have.
    Bounds(bounds::BoundsArgs),
    /// Our own: what a player makes of won endings.
    Endings(endings::EndingsArgs),
    /// Our own: whether the champion's chance to win comes true, whether its belief lives, and by what it loses.
    Watched(watched::WatchedArgs),
}

/// Writes the page.
pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    match &args.figure {
        Figure::Krk(args) => krk::run(args),
        Figure::Parker(args) => parker::run(args),
        Figure::RwFig4(args) => russell_wolfe::fig4(args),
        Figure::RwFig9(args) => russell_wolfe::fig9(args),
        Figure::CfFig10(args) => favini::fig10(args),
        Figure::CfTable(args) => favini::table(args),
        Figure::CfCalibration(args) => favini::calibration(args),
        Figure::Beliefs(args) => beliefs::run(args),
        Figure::Bounds(args) => bounds::run(args),
        Figure::Endings(args) => endings::run(args),
        Figure::Watched(args) => watched::run(args),
    }
}

/// What the experiments that keep games have in common.
#[derive(clap::Args, Debug)]
struct Kept {
    /// A game is drawn after so many moves of each side.
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_moves: u32,
    #[command(flatten)]
    games: KeptArgs,
}

/// Shows how many games are done.
fn show(line: &Line, what: &str, done: u32, of: u32) {
    line.show(&format!("{what}: {done}/{of} games"));
}

/// Bad input, unless it was the disk.
pub(crate) fn refused(error: ExperimentError) -> Failure {
    match error {
        ExperimentError::Io(error) => error.into(),
        error => Failure::BadInput(error.to_string()),
    }
}

/// Writes a page into a folder, its files first, and says where it is.
fn write_page(folder: &Path, name: &str, page: &Page) -> Result<(), Failure> {
    let at = |path: &Path| {
        let place = path.display().to_string();
        move |error: io::Error| Failure::Run(anyhow::Error::new(error).context(place))
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    let files = page.files.iter().map(|(name, text)| (&**name, &**text));
    for (name, text) in files.chain([(name, &*page.markdown)]) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(at(&path))?;
    }
    Ok(writeln!(io::stdout(), "{}", folder.join(name).display())?)
}
