//! `nebel model`: models of opponents, learnt from games.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use nebel_belief::opponent::{Fit, Foretold, Model};
use nebel_experiments::favini::Densities;
use nebel_kriegspiel::{Color, Rules, Transcript, transcript::Record};
use serde_json::json;

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
    /// Learn where players have their men by move number, how they react, and which moves they make.
    Fit(FitArgs),
    /// Tell how well a model foretells the moves of games.
    Eval(EvalArgs),
}

/// Which games, and of whom.
#[derive(clap::Args, Debug)]
struct GamesArgs {
    /// Games: transcripts one after the other, as `nebel results --export jsonl` writes them, or Kriegspiel PGN; `-` for
    /// standard input.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Only how this player plays; everybody unless told.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Not how this player plays; may be given more than once.
    #[arg(long, value_name = "NAME")]
    except: Vec<String>,
    #[command(flatten)]
    rules: RulesArg,
}

/// Learn a model from whole games.
#[derive(clap::Args, Debug)]
struct FitArgs {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArg,
}

/// Tell how well a model foretells the moves of games.
#[derive(clap::Args, Debug)]
struct EvalArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// The model, as `nebel model fit` writes it; the one that comes with the program unless told.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Tell how well the belief matrices know where those players' men stand, with the model's densities and without.
    #[arg(long)]
    densities: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Does what was asked.
pub(crate) fn run(args: &ModelArgs) -> Result<(), Failure> {
    match &args.what {
        What::Fit(args) => fit(args),
        What::Eval(args) => eval(args),
    }
}

impl GamesArgs {
    /// All games, whole.
    fn read(&self) -> Result<Vec<Transcript>, Failure> {
        let rules = self.rules.or(Rules::icc())?;
        let mut games = Vec::new();
        for path in &self.games {
            let (_, records) = input::read_games(path, &rules)?;
            for record in records {
                let Record::Transcript(game) = record else {
                    return Err(Failure::input(
                        &input::place(path),
                        "a view shows one side only: give whole games",
                    ));
                };
                games.push(*game);
            }
        }
        Ok(games)
    }

    /// Whether a side of a game is asked for.
    fn wants(&self, game: &Transcript, color: Color) -> bool {
        let header = game.header();
        let name = color.fold_wb(&header.white, &header.black);
        self.player.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted))
            && !name.as_ref().is_some_and(|name| self.except.contains(name))
    }

    fn none(&self, what: &str) -> Failure {
        let of = self.player.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
        Failure::BadInput(format!("there is no {what}{of} to learn from"))
    }
}

fn fit(args: &FitArgs) -> Result<(), Failure> {
    let mut fit = Fit::default();
    for game in args.games.read()? {
        fit.add(&game, |color| args.games.wants(&game, color));
    }
    let model = fit.finish();
    if model.games == 0 {
        return Err(args.games.none("game"));
    }
    args.output.write(model.to_json().as_bytes())
}

fn eval(args: &EvalArgs) -> Result<(), Failure> {
    let model = match &args.model {
        None => Model::standard(),
        Some(path) => {
            let bad = |error| Failure::input(&input::place(path), error);
            Arc::new(Model::read(path).map_err(bad)?)
        }
    };
    let games = args.games.read()?;
    let wanted = |game: &Transcript, color| args.games.wants(game, color);
    if args.densities {
        return densities(args, &model, &games);
    }
    let Foretold { moves, nats, even } = model.policy.foretell(games.iter(), wanted);
    if moves == 0 {
        return Err(args.games.none("move"));
    }
    let mut out = io::stdout().lock();
    let games = games.len();
    if args.json {
        writeln!(out, "{}", json!({"games": games, "moves": moves, "nats": nats, "uniform": even}))?;
    } else {
        writeln!(
            out,
            "{moves} moves of {games} games: {nats:.3} nats a move; all legal moves alike {even:.3}"
        )?;
    }
    Ok(())
}

fn densities(args: &EvalArgs, model: &Model, games: &[Transcript]) -> Result<(), Failure> {
    let found = Densities::of(model, games.iter(), |game, color| args.games.wants(game, color));
    if found.turns == 0 {
        return Err(args.games.none("turn"));
    }
    let mut out = io::stdout().lock();
    if args.json {
        let with: serde_json::Map<String, serde_json::Value> =
            found.with.iter().map(|&(name, nats)| (name.to_owned(), json!(nats))).collect();
        writeln!(out, "{}", json!({"turns": found.turns, "without": found.without, "with": with}))?;
    } else {
        write!(out, "{}", found.text())?;
    }
    Ok(())
}
