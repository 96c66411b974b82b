//! Endgame tables: `nebel.tables`.

use std::{path::PathBuf, sync::atomic::Ordering::Relaxed};

use nebel_tablebase::{
    Board, Ending, FileError, KingSquares, Mask, Placement, Store, StoreError, Tie, pool, probe,
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    arguments::{existing_directory, seconds, wrong_type},
    failure::{input, input_at, run},
    interrupt::interruptible,
};

/// The tables in a directory, or the user's own.
fn store(directory: Option<PathBuf>) -> PyResult<Store> {
    match directory {
        Some(directory) => Ok(Store::new(directory)),
        None => Store::of_user().ok_or_else(|| input("dir: needed, for there is no home directory")),
    }
}

/// The tables that end a search: True for the user's own, or a directory that must exist.
pub(crate) fn material_store(given: &Bound<'_, PyAny>) -> PyResult<Store> {
    if given.extract::<bool>().is_ok_and(|wanted| wanted) {
        return store(None);
    }
    let directory: PathBuf =
        given.extract().map_err(|_| wrong_type("tables", "True or a directory", given))?;
    existing_directory(&directory)?;
    store(Some(directory))
}

/// A file that is missing or damaged is bad input; a disk that fails, is full or forbidden is not.
pub(crate) fn failure(error: &StoreError) -> PyErr {
    match error {
        StoreError::Directory { .. } | StoreError::File(FileError::Io { .. }) => run(error),
        _ => input(error),
    }
}

/// Builds the tables of endings such as KRK, and of those they lead to, where they are missing; returns a dictionary for each ending.
#[pyfunction]
#[pyo3(signature = (*endings, dir=None, threads=None))]
pub(crate) fn build_tables(
    py: Python<'_>,
    endings: Vec<String>,
    dir: Option<PathBuf>,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'_, PyDict>>> {
    if threads == Some(0) {
        return Err(input("threads: at least 1"));
    }
    let endings: Vec<Ending> = endings
        .iter()
        .map(|text| text.parse().map_err(|error: nebel_tablebase::EndingError| input(error)))
        .collect::<PyResult<_>>()?;
    let store = store(dir)?;
    let stop = || store.stop_flag().store(true, Relaxed);
    let built = interruptible(py, stop, || -> Result<Vec<_>, PyErr> {
        let pool = pool(threads).map_err(run)?;
        pool.install(|| {
            endings
                .iter()
                .map(|ending| {
                    let tables = store.open_or_build(ending, &mut |_| {}).map_err(|error| failure(&error))?;
                    let table = tables.get(ending);
                    Ok((ending.to_string(), table.map_or((0, 0), |table| (table.len(), table.longest()))))
                })
                .collect()
        })
    })??;
    let row = |(ending, (entries, longest)): (String, (usize, u16))| {
        let dict = PyDict::new(py);
        dict.set_item("ending", &ending)?;
        dict.set_item("entries", entries)?;
        dict.set_item("longest", longest)?;
        dict.set_item("path", store.directory().join(store.path(&ending.parse().map_err(input)?)))?;
        Ok(dict)
    };
    built.into_iter().map(row).collect()
}

/// The shortest forced mate for a king that may be on any of some squares: {"mate_in": 25, "attempt": "a1a4"}, `mate_in` None when no mate
/// can be forced. Where there is no table, searches for `time` seconds; what is not proved has `exact` False.
#[pyfunction]
#[pyo3(signature = (men, king, *, dir=None, tie="fewest", time=10.0))]
#[expect(clippy::similar_names, reason = "the options of the command, by name")]
pub(crate) fn probe_tables<'py>(
    py: Python<'py>,
    men: &str,
    king: &Bound<'py, PyAny>,
    dir: Option<PathBuf>,
    tie: &str,
    time: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let placement = Placement::parse(Board::CHESS, men).map_err(|error| input_at("men", error))?;
    let set = king_squares(&placement, king)?;
    let choice = match tie {
        "fewest" => Tie::FewestSquares,
        "average" => Tie::AverageDefender,
        _ => return Err(input_at("tie", format_args!("`{tie}` is neither fewest nor average"))),
    };
    let limit = seconds("time", time)?;
    dir.as_deref().map_or(Ok(()), existing_directory)?;
    let store = store(dir)?;
    let stop = || store.stop_flag().store(true, Relaxed);
    let answer = interruptible(py, stop, || -> Result<_, PyErr> {
        // A pool of its own: the threads of a common one do not outlive a fork.
        let pool = pool(None).map_err(run)?;
        pool.install(|| probe(&store, &placement, set, choice, limit, &mut |_| {}))
            .map_err(|error| failure(&error))
    })??;
    let dict = PyDict::new(py);
    dict.set_item("mate_in", answer.mate.map(|mate| mate.0))?;
    dict.set_item("attempt", answer.mate.map(|mate| mate.1.to_string()))?;
    dict.set_item("exact", answer.is_exact())?;
    if !answer.is_exact() {
        dict.set_item("not_within", answer.not_within)?;
    }
    Ok(dict)
}

/// The squares where the king may be: `all`, text such as e5,e6, or a list of squares. Those where he cannot be are dropped.
fn king_squares(placement: &Placement, given: &Bound<'_, PyAny>) -> PyResult<Mask> {
    let listed = |_| given.extract::<Vec<String>>().map(|squares| squares.join(","));
    let text = given.extract::<String>().or_else(listed).map_err(|_| wrong_type("king", "squares", given))?;
    let squares = KingSquares::parse(placement, &text).map_err(|error| input_at("king", error))?;
    Ok(squares.possible)
}
