//! `nebel model`: models of opponents, learnt from games.

use std::path::PathBuf;

use nebel_belief::opponent::Fit;
use nebel_kriegspiel::{Color, Rules, transcript::Record};

use crate::{
    args::{OutputArg, RulesArg},
    failure::Failure,
    input,
};

/// Models of opponents.
#[derive(clap::Args, Debug)]
pub(crate) struct ModelArgs {
    /// What to do with them.
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Learn where players have their men by move number, and how they react.
    Fit(FitArgs),
}

/// Learn a model from whole games.
#[derive(clap::Args, Debug)]
struct FitArgs {
    /// Games: transcripts one after the other, as `nebel results --export jsonl` writes them, or Kriegspiel PGN; `-` for
    /// standard input.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Learn only how this player plays; everybody unless told.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    output: OutputArg,
}

/// Does what was asked.
pub(crate) fn run(args: &ModelArgs) -> Result<(), Failure> {
    match &args.what {
        What::Fit(args) => fit(args),
    }
}

fn fit(args: &FitArgs) -> Result<(), Failure> {
    let rules = args.rules.or(Rules::icc())?;
    let mut fit = Fit::default();
    for path in &args.games {
        let (_, games) = input::read_games(path, &rules)?;
        for record in games {
            let Record::Transcript(game) = record else {
                return Err(Failure::input(
                    &input::place(path),
                    "a view shows one side only: give whole games",
                ));
            };
            let header = game.header();
            let is_wanted = |color: Color| {
                let name = color.fold_wb(&header.white, &header.black);
                args.player.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted))
            };
            fit.add(&game, is_wanted);
        }
    }
    let model = fit.finish();
    if model.games == 0 {
        let of = args.player.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
        return Err(Failure::BadInput(format!("there is no game{of} to learn from")));
    }
    args.output.write(model.to_json().as_bytes())
}
