//! `nebel convert`: games between JSON Lines and Kriegspiel PGN.

use std::{num::NonZeroUsize, path::PathBuf};

use nebel_kriegspiel::{Rules, json, pgn, side, transcript::Record};

use crate::{
    args::{OutputArg, RulesArg, Side},
    failure::Failure,
    input::{self, Form},
};

/// Convert games between JSON Lines and Kriegspiel PGN, in full or as one side heard them.
#[derive(clap::Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The file to read, in either form; `-` for standard input.
    file: PathBuf,
    /// The form to write [default: the other one].
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,
    /// Write only what this side heard.
    #[arg(long = "as", value_name = "SIDE")]
    view: Option<Side>,
    /// Which game of a file that holds several, from 1; all of them unless told.
    #[arg(long, value_name = "N")]
    game: Option<NonZeroUsize>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    output: OutputArg,
}

/// Reads, filters, writes.
pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let place = input::place(&args.file);
    let (form, games) = input::read_games(&args.file, &args.rules.or(Rules::icc())?)?;
    let form = args.to.unwrap_or(match form {
        Form::Jsonl => Form::Pgn,
        Form::Pgn => Form::Jsonl,
    });
    let mut chosen: Vec<Record> = match args.game {
        None => games,
        Some(number) => vec![input::choose_game(&place, games, number)?],
    };
    if let Some(wanted) = args.view {
        chosen = chosen
            .into_iter()
            .map(|game| {
                let view = game.into_view(wanted.color()).map(|view| Record::View(Box::new(view)));
                let name = side::name(wanted.color());
                view.ok_or_else(|| {
                    Failure::input(&place, format_args!("the other side's view holds no view of {name}"))
                })
            })
            .collect::<Result<_, _>>()?;
    }
    let mut bytes = Vec::new();
    for game in &chosen {
        match form {
            Form::Jsonl => json::write(game, &mut bytes)?,
            Form::Pgn => pgn::write(game, &mut bytes)?,
        }
    }
    args.output.write(&bytes)
}
