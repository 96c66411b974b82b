//! Matches between players of ours and players written in Python.

use std::{path::PathBuf, sync::Arc};

use nebel_arena::{
    game::MatchTerms,
    guests::Guests,
    runner::{Place, Run, RunError},
    schedule::Schedule,
    statistics::{elo, elo::likelihood_of_superiority, sprt::normalized_elo},
    store::{Row, Store, Versions},
    time::{TimeControl, Times},
    work::queue::QueueError,
};
use nebel_kriegspiel::{Rules, start};
use pyo3::{
    exceptions::PyKeyboardInterrupt,
    prelude::*,
    types::{PyDict, PyList},
};

use crate::{
    arguments::{rules, seconds, start_of},
    failure::{input, input_at, run},
    guest::{Guest, Trouble},
    interrupt::reporting,
};

/// A contestant: a spec, or the name, the version and the maker of a player written in Python.
#[derive(FromPyObject)]
pub(crate) enum Contestant {
    Spec(String),
    Guest(String, Option<String>, Py<PyAny>),
}

/// Plays a match and returns its score, its statistics and its games. `nebel.match` is the function for people.
#[pyfunction]
#[pyo3(signature = (a, b, *, games, jobs, store, rules, fen, move_time, nodes, max_moves, seed, progress))]
#[expect(clippy::too_many_arguments, reason = "the options of the command, by name")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    a: Contestant,
    b: Contestant,
    games: u32,
    jobs: usize,
    store: Option<PathBuf>,
    rules: Option<&Bound<'py, PyAny>>,
    fen: Option<&Bound<'py, PyAny>>,
    move_time: Option<f64>,
    nodes: Option<u64>,
    max_moves: u32,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let trouble = Trouble::default();
    let mut guests = Guests::default();
    let [a, b] = [a, b].map(|contestant| match contestant {
        Contestant::Spec(spec) => spec,
        Contestant::Guest(name, version, make) => {
            let (maker, trouble, spec) = (Arc::new(make), trouble.clone(), name.clone());
            let seat = move || Box::new(Guest::new(&spec, Arc::clone(&maker), trouble.clone())) as Box<_>;
            guests = std::mem::take(&mut guests).with(&name, version, seat);
            name
        }
    });
    let terms = MatchTerms {
        rules: (*self::rules(rules, Rules::icc)?).clone(),
        start: start_of(fen)?,
        max_moves: Some(max_moves),
    };
    let time = match (move_time, nodes) {
        (Some(_), Some(_)) => return Err(input("move_time and nodes exclude each other")),
        (Some(time), None) => TimeControl::Turn(seconds("move_time", time)?),
        (None, Some(nodes)) => TimeControl::Nodes(nodes),
        (None, None) => TimeControl::Unlimited,
    };
    let match_run = Run {
        schedule: Schedule::of_two(&a, &b, games, vec![terms.start.clone()], seed).with_guests(guests),
        terms,
        times: Times::alike(time),
        place: Place::Until(jobs.clamp(1, 256), trouble.cancel.clone()),
        sprt: None,
        versions: Versions::Same,
    };
    let hear = |py: Python<'_>, (done, of): (u32, u32)| match &progress {
        Some(progress) => progress.call1(py, (done, of)).map(drop),
        None => Ok(()),
    };
    let played = reporting(
        py,
        || trouble.stop(),
        |reports| {
            let store =
                store.as_deref().map_or_else(Store::in_memory, Store::open).map_err(RunError::from)?;
            match_run.play(&store, |progress| {
                // Nobody hears of games that are played after the end of the call.
                let _ = reports.send((progress.done, progress.of));
            })
        },
        hear,
    )?;
    if let Some(error) = trouble.take() {
        return Err(error);
    }
    let rows = played.map_err(|error| failure(store.as_ref(), error))?;
    report(py, &match_run, &rows)
}

fn failure(store: Option<&PathBuf>, error: RunError) -> PyErr {
    let place = store.map_or_else(|| "memory".to_owned(), |path| path.display().to_string());
    match error {
        RunError::Spec(error) => input(error),
        RunError::Identity(error) => input(error),
        RunError::Store(error) => input_at(place, error),
        RunError::Queue(QueueError::Interrupted) => PyKeyboardInterrupt::new_err(()),
        RunError::Farm(error) => run(error),
        RunError::Queue(error) => run(error),
    }
}

fn report<'py>(py: Python<'py>, played: &Run, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    let score = played.table(rows)[0][1].clone();
    let found = elo(&score);
    let report = PyDict::new(py);
    report.set_item("a", &played.schedule.players[0])?;
    report.set_item("b", &played.schedule.players[1])?;
    report.set_item("wins", score.wins)?;
    report.set_item("draws", score.draws)?;
    report.set_item("losses", score.losses)?;
    report.set_item("elo", found.as_ref().map(|elo| elo.difference))?;
    report.set_item("interval", found.as_ref().map(|elo| elo.interval))?;
    report.set_item("los", likelihood_of_superiority(&score))?;
    report.set_item("pentanomial", score.pairs)?;
    report.set_item("normalized_elo", normalized_elo(&score.pairs))?;
    report.set_item("reasons", &score.reasons)?;
    let games = PyList::empty(py);
    for row in rows {
        let game = PyDict::new(py);
        game.set_item("number", row.number)?;
        game.set_item("white", &row.white)?;
        game.set_item("black", &row.black)?;
        game.set_item("result", row.over.result.as_str())?;
        game.set_item("reason", row.over.reason.as_str())?;
        game.set_item("plies", row.plies)?;
        for (side, account) in [("white", &row.white_account), ("black", &row.black_account)] {
            game.set_item(format!("{side}_seconds"), account.time.as_secs_f64())?;
            game.set_item(format!("{side}_refusals"), account.refusals)?;
            game.set_item(format!("{side}_nonsense"), account.nonsense)?;
        }
        game.set_item("start", start::fen(&played.terms.start))?;
        game.set_item("transcript", &row.transcript)?;
        games.append(game)?;
    }
    report.set_item("rows", games)?;
    Ok(report)
}
