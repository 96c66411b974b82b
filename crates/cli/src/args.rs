//! What was typed. What it means is decided in each command's module.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Parser, Subcommand, ValueEnum};
use nebel_kriegspiel::Color;

use crate::commands::{
    arena::{MatchArgs, TournamentArgs},
    belief::BeliefArgs,
    bench::BenchArgs,
    bot::BotArgs,
    convert::ConvertArgs,
    explain::ExplainArgs,
    farm::FarmCommandArgs,
    model::ModelArgs,
    play::PlayArgs,
    players::PlayersArgs,
    problems::ProblemsArgs,
    reproduce::ReproduceArgs,
    results::ResultsArgs,
    serve_bot::ServeBotArgs,
    solve::SolveArgs,
    tablebase::TablebaseArgs,
    train::TrainArgs,
    umpire::UmpireArgs,
    verify::VerifyArgs,
    web::WebArgs,
    worker::WorkerArgs,
};

/// Kriegspiel: chess in which you see only your own men.
///
/// Without a command, `nebel` starts the web app (`nebel play`).
#[derive(Parser, Debug)]
#[command(name = "nebel", version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) web: WebArgs,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play in the browser (or with `--terminal` here), review, analyse.
    Play(PlayArgs),
    /// Referee a game: every line of input is an attempt or `any?` of the side to move.
    Umpire(UmpireArgs),
    /// Convert games between JSON Lines and Kriegspiel PGN, in full or as one side heard them.
    Convert(ConvertArgs),
    /// Play a match between two players and say what it shows.
    Match(MatchArgs),
    /// Play a tournament of many players, with a cross table and ratings.
    Tournament(TournamentArgs),
    /// List, filter and export the games of a store.
    Results(ResultsArgs),
    /// Do the work of a farm: units of matches, tournaments and collections that were begun with `--farm`.
    Worker(WorkerArgs),
    /// A farm of one's own: start a broker, see who works and how far runs are.
    Farm(FarmCommandArgs),
    /// List every player with its options.
    Players(PlayersArgs),
    /// Put any player behind the bot protocol, on standard input and output.
    Bot(BotArgs),
    /// Play on kriegspiel.org (or a server that speaks its bot API) as a bot.
    ServeBot(ServeBotArgs),
    /// Find all positions that agree with what one side has heard.
    Belief(BeliefArgs),
    /// Say what a player believes after a view, and why it chooses what it chooses.
    Explain(ExplainArgs),
    /// Models of opponents, learnt from games.
    Model(ModelArgs),
    /// Learn a value for the champion from its own games.
    Train(TrainArgs),
    /// Ask whether White can force mate from every position that it takes for possible.
    Solve(SolveArgs),
    /// Replay a strategy on every position against every reply.
    Verify(VerifyArgs),
    /// Build, list, verify and probe endgame tables.
    Tablebase(TablebaseArgs),
    /// Reproduce a paper's figures and tables, ours beside theirs.
    Reproduce(ReproduceArgs),
    /// Collections of mate problems: gather, deepen, measure, show.
    Problems(ProblemsArgs),
    /// Run fixed work on one thread: speeds, and a signature of the results that a refactoring keeps.
    Bench(BenchArgs),
}

/// A side, as it is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// The side of the chess library.
    pub(crate) const fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// Rules by name or by file.
#[derive(clap::Args, Debug)]
pub(crate) struct RulesArg {
    /// The rules: berkeley, berkeley-any, icc, cincinnati, rand, english, or a file FILE.json.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
}

/// What one side has heard, out of a file.
#[derive(clap::Args, Debug)]
pub(crate) struct ViewArg {
    /// What one side has heard, or a full game: JSON Lines or Kriegspiel PGN; `-` for standard input.
    #[arg(value_name = "VIEW")]
    pub(crate) view: PathBuf,
    /// Whose view to take of a full transcript (white unless told); a view is its own side's.
    #[arg(long = "as", value_name = "SIDE")]
    pub(crate) side: Option<Side>,
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

/// Which game of a file.
#[derive(clap::Args, Debug)]
pub(crate) struct GameArg {
    /// Which game of a file that holds several, from 1.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) game: NonZeroUsize,
}

/// Where to start.
#[derive(clap::Args, Debug)]
pub(crate) struct StartArg {
    /// The starting position, known to both sides.
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
}

/// A file to write.
#[derive(clap::Args, Debug)]
pub(crate) struct OutputArg {
    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
