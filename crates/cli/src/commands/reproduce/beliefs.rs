//! `nebel reproduce beliefs`: how well beliefs live through long games.

use std::{fs, path::PathBuf};

use nebel_experiments::beliefs::Beliefs;
use nebel_kriegspiel::Rules;

use super::{refused, show, write_page};
use crate::{failure::Failure, input, progress::Line};

/// How well beliefs live through long games, and how near to the truth they are.
#[derive(clap::Args, Debug)]
pub(crate) struct BeliefsArgs {
    /// Games of sixty moves and more under each of `icc` and `berkeley`.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u32,
    /// One game under each.
    #[arg(long)]
    quick: bool,
    /// Nodes for each choice.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the page.
    #[arg(long, short, value_name = "DIR", default_value = "beliefs")]
    output: PathBuf,
}

/// Plays the games, listens to them and writes the page.
pub(super) fn run(args: &BeliefsArgs) -> Result<(), Failure> {
    let rules = vec![Rules::icc(), Rules::berkeley()];
    let games = if args.quick { 1 } else { args.games };
    let of = games * rules.len() as u32;
    let experiment = Beliefs { games, nodes: args.nodes, rules, limits: Beliefs::limits(), seed: args.seed };
    fs::create_dir_all(&args.output).map_err(|error| Failure::input(&input::place(&args.output), error))?;
    let line = Line::default();
    let journal = args.output.join("beliefs.journal");
    let page = experiment.run(&journal, |done| show(&line, "beliefs", done, of));
    drop(line);
    write_page(&args.output, "beliefs.md", &page.map_err(refused)?)
}
