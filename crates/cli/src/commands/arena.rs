//! `nebel match` and `nebel tournament`.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use nebel_arena::{
    game::MatchTerms,
    rating::{Elo, Sprt, elo, likelihood_of_superiority, ratings},
    runner::{Place, Progress, Run, RunError},
    schedule::{Form, Schedule},
    score::Score,
    store::{Row, Store, StoreError},
    time::{self, TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules};
use serde_json::{Value, json};

use super::{
    farm::{FarmArgs, farm_failure, queue_failure},
    starts::StartsArgs,
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
    #[command(flatten)]
    farm: FarmArgs,
}

impl KeptArgs {
    /// Where games are played: on the farm, or here, so many at a time within reason.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        self.farm.place(self.jobs.clamp(1, 256), self.store.as_deref())
    }

    /// The store, and what to call it in complaints.
    pub(crate) fn open(&self) -> Result<(Store, String), Failure> {
        let place = self.store.as_deref().map_or_else(|| "memory".to_owned(), input::place);
        let store = self.store.as_deref().map_or_else(Store::in_memory, Store::open);
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
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Stop when it is decided between these Elo differences (0,20).
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Option<String>,
    #[command(flatten)]
    own: OwnBudgets,
    #[command(flatten)]
    common: CommonArgs,
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
    /// Games for each pair.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u32,
    #[command(flatten)]
    common: CommonArgs,
}

/// Plays a match.
pub(crate) fn run_match(args: &MatchArgs) -> Result<(), Failure> {
    let sprt = args.sprt.as_deref().map(read_sprt).transpose()?;
    let seed = args.common.kept.seed;
    let schedule = Schedule::of_two(&args.a, &args.b, args.games, args.common.starts.positions(seed)?, seed);
    let times = args.own.times(args.common.time()?)?;
    let run = args.common.run(schedule, times, sprt)?;
    let rows = play(&run, &args.common)?;
    let score = &run.table(&rows)[0][1];
    let mut out = io::stdout().lock();
    if args.common.json {
        let mut result = json!({
            "a": args.a, "b": args.b, "games": score.games(),
            "wins": score.wins, "draws": score.draws, "losses": score.losses,
            "elo": Value::Null, "interval": [Value::Null, Value::Null],
            "los": likelihood_of_superiority(score),
            "reasons": score.reasons, "bare_king_draws": score.bare_king_draws,
        });
        if let Some(elo) = elo(score) {
            // An infinite difference has no number in JSON: null.
            result["elo"] = json!(elo.difference);
            result["interval"] = json!(elo.interval);
        }
        if let Some(test) = sprt {
            result["sprt"] = json!({"llr": test.log_likelihood_ratio(score), "verdict": test.verdict(score)});
        }
        writeln!(out, "{result}")?;
    } else {
        let [a, b] = if run.times.first == run.times.second {
            [args.a.clone(), args.b.clone()]
        } else {
            [(&args.a, run.times.first), (&args.b, run.times.second)]
                .map(|(spec, time)| format!("{spec} ({time})"))
        };
        writeln!(out, "{}", summary(&a, &b, score))?;
        if let Some(test) = sprt {
            let ratio = test.log_likelihood_ratio(score);
            writeln!(
                out,
                "SPRT {:?}: log-likelihood ratio {ratio:.2} of ±{:.2}",
                test.verdict(score),
                Sprt::BOUND
            )?;
        }
    }
    Ok(())
}

/// Plays a tournament.
pub(crate) fn run_tournament(args: &TournamentArgs) -> Result<(), Failure> {
    let form = if args.gauntlet { Form::Gauntlet } else { Form::RoundRobin };
    let players = args.players.clone();
    let seed = args.common.kept.seed;
    let schedule = Schedule::of_many(players, form, args.games, args.common.starts.positions(seed)?, seed);
    let run = args.common.run(schedule, Times::alike(args.common.time()?), None)?;
    let rows = play(&run, &args.common)?;
    let table = run.table(&rows);
    let ratings = ratings(&table);
    let mut out = io::stdout().lock();
    if args.common.json {
        let cells = |scores: &[Score]| scores.iter().map(|s| [s.wins, s.draws, s.losses]).collect::<Vec<_>>();
        let table: Vec<_> = table.iter().map(|scores| cells(scores)).collect();
        return Ok(writeln!(out, "{}", json!({"players": args.players, "table": table, "elo": ratings}))?);
    }
    let mut order: Vec<usize> = (0..args.players.len()).collect();
    order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
    let width = args.players.iter().map(String::len).max().unwrap_or(0).max(6);
    write!(out, "{:<width$}    Elo  points/games", "player")?;
    for number in 1..=order.len() {
        write!(out, "  {:>11}", format!("{number}"))?;
    }
    writeln!(out)?;
    for &a in &order {
        let points: f64 = table[a].iter().map(Score::points).sum();
        let games: u32 = table[a].iter().map(Score::games).sum();
        write!(out, "{:<width$} {:>6.0}  {:>12}", args.players[a], ratings[a], format!("{points}/{games}"))?;
        for &b in &order {
            let s = &table[a][b];
            let cell = if s.games() == 0 {
                "-".to_owned()
            } else {
                format!("+{} ={} -{}", s.wins, s.draws, s.losses)
            };
            write!(out, "  {cell:>11}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn play(run: &Run, common: &CommonArgs) -> Result<Vec<Row>, Failure> {
    let (store, place) = common.kept.open()?;
    let interactive = io::stderr().is_terminal();
    let mut written: Result<(), Failure> = Ok(());
    let rows = run.play(&store, |progress| {
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
    rows.map_err(|error| run_failure(&place, error))
}

/// A run that failed.
pub(crate) fn run_failure(place: &str, error: RunError) -> Failure {
    match error {
        RunError::Spec(error) => Failure::BadInput(error.to_string()),
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
    let score = progress.score;
    let elo = elo(score).map_or_else(String::new, |elo| format!("  Elo {:+.0}", elo.difference));
    format!(
        "{}/{} games  +{} ={} -{}{elo}   ",
        progress.done, progress.of, score.wins, score.draws, score.losses
    )
}

fn summary(a: &str, b: &str, score: &Score) -> String {
    let Score { wins, draws, losses, reasons, bare_king_draws } = score;
    let mut lines = vec![format!("{a} against {b}: {} games, +{wins} ={draws} -{losses}", score.games())];
    if let Some(Elo { difference, interval: [low, high] }) = elo(score) {
        let superiority = 100.0 * likelihood_of_superiority(score);
        lines.push(format!("Elo difference {difference:+.0} (95%: {low:+.0} to {high:+.0})"));
        lines.push(format!("likelihood of superiority {superiority:.1}%"));
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    lines.push(format!("ended by: {}; draws against a bare king: {bare_king_draws}", reasons.join(", ")));
    lines.join("\n")
}

fn read_sprt(text: &str) -> Result<Sprt, Failure> {
    let numbers = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let numbers =
        numbers.filter(|&(low, high): &(f64, f64)| low.is_finite() && high.is_finite() && low < high);
    let (elo0, elo1) = numbers.ok_or_else(|| {
        Failure::input("--sprt", format_args!("`{text}` is not two Elo differences such as 0,20"))
    })?;
    Ok(Sprt { elo0, elo1 })
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
        Ok(Run { schedule, terms, times, place: self.kept.place()?, sprt })
    }
}

/// The time for a turn that an option gives.
fn turn(option: &'static str, text: &str) -> Result<TimeControl, Failure> {
    time::parse_duration(text).map(TimeControl::Turn).map_err(|error| Failure::input(option, error))
}
