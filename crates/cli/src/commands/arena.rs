//! `nebel match` and `nebel tournament`.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use nebel_arena::{
    game::MatchTerms,
    runner::{Place, Progress, Run, RunError},
    schedule::{Form, Schedule},
    statistics::{Anchor, EloModel, Sprt, elo},
    store::{Row, Store, StoreError, Versions},
    time::{self, TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules};
use serde_json::{Value, json};

use super::{
    farm::{FarmArgs, farm_failure, queue_failure},
    starts::StartsArgs,
    verdict::{MatchReport, TournamentReport},
};
use crate::{args::RulesArg, failure::Failure, input};

/// How games are played and kept, whatever they are for.
#[derive(clap::Args, Debug)]
pub(crate) struct KeptArgs {
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The seed from which all others come.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep results in this file, and go on where an earlier run was.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Keep results where the web app looks for them: `arena.db` in the user's data folder.
    #[arg(long, conflicts_with = "store")]
    keep: bool,
    /// Count games of the same players in other versions too, and those of an unknown version.
    #[arg(long)]
    mix_versions: bool,
    #[command(flatten)]
    farm: FarmArgs,
}

impl KeptArgs {
    /// Where games are played: on the farm, or here, so many at a time within reason.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        self.farm.place(self.jobs.clamp(1, 256), self.file()?.as_deref())
    }

    /// The file that results are kept in, if they are.
    fn file(&self) -> Result<Option<PathBuf>, Failure> {
        if !self.keep {
            return Ok(self.store.clone());
        }
        let no_home = || Failure::BadInput("--keep: there is no home directory; use --store FILE".to_owned());
        let folder = super::web::data_of_user().ok_or_else(no_home)?;
        fs::create_dir_all(&folder).map_err(|error| Failure::input(&input::place(&folder), error))?;
        Ok(Some(folder.join("arena.db")))
    }

    /// Which games of the store count.
    pub(crate) fn versions(&self) -> Versions {
        if self.mix_versions { Versions::Mixed } else { Versions::Same }
    }

    /// The store, and what to call it in complaints.
    pub(crate) fn open(&self) -> Result<(Store, String), Failure> {
        let file = self.file()?;
        let place = file.as_deref().map_or_else(|| "memory".to_owned(), input::place);
        let store = file.as_deref().map_or_else(Store::in_memory, Store::open);
        Ok((store.map_err(|error| store_failure(&place, error))?, place))
    }
}

/// What a match and a tournament have in common.
#[derive(clap::Args, Debug)]
pub(crate) struct CommonArgs {
    /// Time for a turn, all its attempts together (500ms, 2s).
    #[arg(long, value_name = "TIME", group = "budget")]
    move_time: Option<String>,
    /// Time for each attempt.
    #[arg(long, value_name = "TIME", group = "budget")]
    attempt_time: Option<String>,
    /// A clock for the game, with an increment (3m+0, 60s+1s).
    #[arg(long, value_name = "CLOCK", group = "budget")]
    clock: Option<String>,
    /// Nodes for each choice, by the player's own count: repeats on any machine.
    #[arg(long, value_name = "N", group = "budget")]
    nodes: Option<u64>,
    /// A game is drawn after so many moves of each side.
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_moves: u32,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    starts: StartsArgs,
    #[command(flatten)]
    rules: RulesArg,
    /// Print one JSON object a game, and the result last.
    #[arg(long)]
    json: bool,
}

/// Play a match between two players and say what it shows.
#[derive(clap::Args, Debug)]
pub(crate) struct MatchArgs {
    /// The player that the result is seen from.
    a: String,
    /// Its opponent.
    b: String,
    /// How many games; they are judged in pairs, two from each start.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    #[command(flatten)]
    sprt: SprtArgs,
    #[command(flatten)]
    own: OwnBudgets,
    #[command(flatten)]
    common: CommonArgs,
}

/// The sequential test of a match.
#[derive(clap::Args, Debug)]
struct SprtArgs {
    /// Stop when it is decided between these Elo differences (0,20).
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The risk to accept E1 though E0 holds.
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// The risk to reject E1 though it holds.
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// What an Elo difference of the test means: an expected score, or one in units of its deviation.
    #[arg(long, value_name = "MODEL", default_value = "logistic", requires = "sprt")]
    elo_model: Model,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Model {
    /// 400·log10(s/(1−s)) of the expected score s.
    Logistic,
    /// 800/ln 10 times (s − ½) over the deviation of a game: how well a match can see it.
    Normalized,
}

impl SprtArgs {
    /// The test that is asked for.
    fn test(&self) -> Result<Option<Sprt>, Failure> {
        let Some(text) = &self.sprt else { return Ok(None) };
        let (elo0, elo1) = read_differences(text)?;
        for (option, risk) in [("--alpha", self.alpha), ("--beta", self.beta)] {
            if !(risk > 0.0 && risk < 0.5) {
                return Err(Failure::input(option, format_args!("a risk is between 0 and 0.5, not {risk}")));
            }
        }
        let model = match self.elo_model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalized => EloModel::Normalized,
        };
        Ok(Some(Sprt { elo0, elo1, alpha: self.alpha, beta: self.beta, model }))
    }
}

/// Budgets of one side alone; without them it has the common one.
#[derive(clap::Args, Debug)]
struct OwnBudgets {
    /// Time for a turn of A alone.
    #[arg(long, value_name = "TIME", group = "budget of a")]
    move_time_a: Option<String>,
    /// Nodes for each choice of A alone.
    #[arg(long, value_name = "N", group = "budget of a")]
    nodes_a: Option<u64>,
    /// Time for a turn of B alone.
    #[arg(long, value_name = "TIME", group = "budget of b")]
    move_time_b: Option<String>,
    /// Nodes for each choice of B alone.
    #[arg(long, value_name = "N", group = "budget of b")]
    nodes_b: Option<u64>,
}

impl OwnBudgets {
    /// What each side has in place of the common budget.
    fn times(&self, common: TimeControl) -> Result<Times, Failure> {
        let own = |option, time: &Option<String>, nodes: Option<u64>| {
            let time = time.as_deref().map(|text| turn(option, text)).transpose()?;
            Ok::<_, Failure>(time.or(nodes.map(TimeControl::Nodes)).unwrap_or(common))
        };
        Ok(Times {
            first: own("--move-time-a", &self.move_time_a, self.nodes_a)?,
            second: own("--move-time-b", &self.move_time_b, self.nodes_b)?,
        })
    }
}

/// Play a tournament of many players, with a cross table and ratings.
#[derive(clap::Args, Debug)]
pub(crate) struct TournamentArgs {
    /// The players.
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,
    /// Only the first meets the others.
    #[arg(long)]
    gauntlet: bool,
    /// Games for each two players; they are judged in pairs, two from each start.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u32,
    /// Whose rating is given, and the others in relation to it (random=0); the mean is 0 otherwise.
    #[arg(long, value_name = "SPEC=ELO")]
    anchor: Option<String>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Plays a match.
pub(crate) fn run_match(args: &MatchArgs) -> Result<(), Failure> {
    let sprt = args.sprt.test()?;
    let seed = args.common.kept.seed;
    let schedule = Schedule::of_two(&args.a, &args.b, args.games, args.common.starts.positions(seed)?, seed);
    let times = args.own.times(args.common.time()?)?;
    let run = args.common.run(schedule, times, sprt)?;
    let (rows, contestants) = play(&run, &args.common)?;
    let report = MatchReport::of(&run, &rows, contestants);
    let mut out = io::stdout().lock();
    Ok(if args.common.json { writeln!(out, "{}", report.json()) } else { write!(out, "{}", report.text()) }?)
}

/// Plays a tournament.
pub(crate) fn run_tournament(args: &TournamentArgs) -> Result<(), Failure> {
    let form = if args.gauntlet { Form::Gauntlet } else { Form::RoundRobin };
    let anchor = args.anchor.as_deref().map(|text| read_anchor(text, &args.players)).transpose()?;
    let players = args.players.clone();
    let seed = args.common.kept.seed;
    let schedule = Schedule::of_many(players, form, args.games, args.common.starts.positions(seed)?, seed);
    let run = args.common.run(schedule, Times::alike(args.common.time()?), None)?;
    let (rows, contestants) = play(&run, &args.common)?;
    let report = TournamentReport::of(&run, &rows, contestants, anchor);
    let mut out = io::stdout().lock();
    Ok(if args.common.json { writeln!(out, "{}", report.json()) } else { write!(out, "{}", report.text()) }?)
}

/// Plays a run, and says who played.
fn play(run: &Run, common: &CommonArgs) -> Result<(Vec<Row>, Value), Failure> {
    let (store, place) = common.kept.open()?;
    let fail = |error| run_failure(&place, error);
    let match_id = run.begin(&store).map_err(fail)?;
    let interactive = io::stderr().is_terminal();
    let mut written: Result<(), Failure> = Ok(());
    let rows = run.play_match(match_id, &store, |progress| {
        if common.json && written.is_ok() {
            written = writeln!(io::stdout(), "{}", game_line(&progress)).map_err(Failure::from);
        }
        if interactive {
            eprint!("\r{}", progress_line(&progress));
        }
    });
    if interactive {
        eprintln!();
    }
    written?;
    let matches = store.matches().map_err(|error| store_failure(&place, error))?;
    let contestants = matches.into_iter().find(|kept| kept.id == match_id).and_then(|kept| kept.contestants);
    Ok((rows.map_err(fail)?, json!(contestants)))
}

/// A run that failed.
pub(crate) fn run_failure(place: &str, error: RunError) -> Failure {
    match error {
        RunError::Spec(error) => Failure::BadInput(error.to_string()),
        RunError::Identity(error) => Failure::BadInput(error.to_string()),
        RunError::Store(error) => store_failure(place, error),
        RunError::Farm(error) => farm_failure(error),
        RunError::Queue(error) => queue_failure(error),
    }
}

/// A store that cannot be used is bad input; one that fails later is not.
pub(crate) fn store_failure(place: &str, error: StoreError) -> Failure {
    match error {
        StoreError::Version(_) | StoreError::Damaged(_) | StoreError::NoStore => Failure::input(place, error),
        StoreError::Sqlite(error) if is_wrong_file(&error) => Failure::input(place, error),
        StoreError::Sqlite(error) => Failure::Run(anyhow::Error::new(error).context(place.to_owned())),
    }
}

fn is_wrong_file(error: &nebel_arena::store::SqliteError) -> bool {
    use nebel_arena::store::SqliteErrorCode::{CannotOpen, DatabaseCorrupt, NotADatabase, PermissionDenied};
    matches!(error.sqlite_error_code(), Some(CannotOpen | DatabaseCorrupt | NotADatabase | PermissionDenied))
}

fn game_line(progress: &Progress<'_>) -> Value {
    let row = progress.row;
    json!({
        "game": row.number, "white": row.white, "black": row.black,
        "result": row.over.result, "reason": row.over.reason, "plies": row.plies,
        "refusals": [row.white_account.refusals, row.black_account.refusals],
        "ms": [row.white_account.time.as_millis() as u64, row.black_account.time.as_millis() as u64],
    })
}

fn progress_line(progress: &Progress<'_>) -> String {
    let elo = elo(progress.score).map_or_else(String::new, |elo| format!("  Elo {elo}"));
    format!("{}/{} games  {}{elo}   ", progress.done, progress.of, progress.score)
}

fn read_differences(text: &str) -> Result<(f64, f64), Failure> {
    let numbers = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let in_order = |&(low, high): &(f64, f64)| low.is_finite() && high.is_finite() && low < high;
    numbers.filter(in_order).ok_or_else(|| {
        Failure::input("--sprt", format_args!("`{text}` is not two Elo differences such as 0,20"))
    })
}

/// A player of the tournament and its rating. The spec may hold equals signs itself.
fn read_anchor(text: &str, players: &[String]) -> Result<Anchor, Failure> {
    let parts = text.rsplit_once('=').and_then(|(spec, elo)| Some((spec, elo.parse::<f64>().ok()?)));
    let (spec, elo) = parts.filter(|(_, elo)| elo.is_finite()).ok_or_else(|| {
        Failure::input("--anchor", format_args!("`{text}` is not a player and its rating such as random=0"))
    })?;
    let player = players.iter().position(|player| player == spec);
    let player = player.ok_or_else(|| {
        Failure::input("--anchor", format_args!("`{spec}` does not play in this tournament"))
    })?;
    Ok(Anchor { player, elo })
}

impl CommonArgs {
    fn time(&self) -> Result<TimeControl, Failure> {
        let wrong = |option: &'static str| move |error: time::ParseTimeError| Failure::input(option, error);
        Ok(match (&self.move_time, &self.attempt_time, &self.clock, self.nodes) {
            (Some(text), ..) => turn("--move-time", text)?,
            (_, Some(text), ..) => {
                TimeControl::Attempt(time::parse_duration(text).map_err(wrong("--attempt-time"))?)
            }
            (_, _, Some(text), _) => time::parse_clock(text).map_err(wrong("--clock"))?,
            (.., Some(nodes)) => TimeControl::Nodes(nodes),
            _ => TimeControl::Unlimited,
        })
    }

    fn run(&self, schedule: Schedule, times: Times, sprt: Option<Sprt>) -> Result<Run, Failure> {
        let terms = MatchTerms {
            rules: self.rules.or(Rules::icc())?,
            start: Chess::new(),
            max_moves: Some(self.max_moves),
        };
        let (place, versions) = (self.kept.place()?, self.kept.versions());
        Ok(Run { schedule, terms, times, place, sprt, versions })
    }
}

/// The time for a turn that an option gives.
fn turn(option: &'static str, text: &str) -> Result<TimeControl, Failure> {
    time::parse_duration(text).map(TimeControl::Turn).map_err(|error| Failure::input(option, error))
}
