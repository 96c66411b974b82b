//! `nebel reproduce endings`: what a player makes of won endings.

use std::{fs, path::PathBuf};

use nebel_experiments::champion::endings::Endings;

use super::{refused, write_page};
use crate::{failure::Failure, input, progress::Line};

/// What a player makes of won endings.
#[derive(clap::Args, Debug)]
pub(crate) struct EndingsArgs {
    /// How many endings.
    #[arg(long, value_name = "N", default_value_t = 200)]
    endings: u32,
    /// Two endings.
    #[arg(long)]
    quick: bool,
    /// Who plays on for the side ahead.
    #[arg(long, value_name = "SPEC", default_value = "nebel")]
    player: String,
    /// Against whom; each ending is played against each.
    #[arg(long, value_name = "SPEC", num_args = 1.., default_values = ["hs:k=50", "minimax"])]
    opponents: Vec<String>,
    /// Nodes for each choice of the opponents, and of those who play up to the ending.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    nodes: u64,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the page.
    #[arg(long, short, value_name = "DIR", default_value = "endings")]
    output: PathBuf,
}

/// Plays the endings and writes the page.
pub(super) fn run(args: &EndingsArgs) -> Result<(), Failure> {
    let experiment = Endings {
        player: args.player.clone(),
        opponents: args.opponents.clone(),
        endings: if args.quick { 2 } else { args.endings },
        nodes: args.nodes,
        seed: args.seed,
    };
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let line = Line::default();
    let page = experiment
        .run(&args.output, |done| line.show(&format!("endings: {done}/{} played", experiment.endings)));
    drop(line);
    write_page(&args.output, "endings.md", &page.map_err(refused)?)
}
