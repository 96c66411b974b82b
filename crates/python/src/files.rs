//! Files of games.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use nebel_kriegspiel::{
    Rules,
    games::{self, Form, without_mark},
    transcript::Record,
};
use nebel_tablebase::write_whole;
use pyo3::{prelude::*, types::PyList};

use crate::{
    arguments::{rules, wrong_type},
    failure::{input_at, run},
    record::Transcript,
    umpire::Umpire,
    view::View,
};

/// All games of a file, JSON Lines or Kriegspiel PGN: transcripts and views. `rules` are those of games that do not name theirs.
#[pyfunction]
#[pyo3(signature = (path, rules=None))]
pub(crate) fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    rules: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let rules = self::rules(rules, Rules::icc)?;
    let games = py.detach(|| {
        let opened = File::open(&path).and_then(|file| without_mark(BufReader::new(file)));
        let read =
            opened.map_err(games::GamesError::Io).and_then(|file| games::read(file, usize::MAX, &rules));
        read.map_err(|error| input_at(path.display(), error))
    })?;
    let list = PyList::empty(py);
    for game in games.1 {
        match game {
            Record::Transcript(game) => list.append(Transcript::of(*game))?,
            Record::View(heard) => list.append(View::of(*heard))?,
        }
    }
    Ok(list)
}

/// Writes games, one transcript or view or a list of them. A path that ends in `.pgn` gets Kriegspiel PGN, any other JSON Lines. The
/// file appears whole or not at all.
#[pyfunction]
pub(crate) fn write(path: PathBuf, games: &Bound<'_, PyAny>) -> PyResult<()> {
    let form = if is_pgn(&path) { Form::Pgn } else { Form::Jsonl };
    let single = record_of(games)?;
    let records: Vec<Record> = match single {
        Some(record) => vec![record],
        None => games
            .try_iter()?
            .map(|game| record_of(&game?)?.ok_or_else(|| wrong_type("games", "transcripts and views", games)))
            .collect::<PyResult<_>>()?,
    };
    let mut bytes = Vec::new();
    for record in &records {
        form.write(record, &mut bytes).map_err(run)?;
    }
    games.py().detach(|| write_whole(&path, &bytes)).map_err(|error| input_at(path.display(), error))
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

fn record_of(given: &Bound<'_, PyAny>) -> PyResult<Option<Record>> {
    if let Ok(game) = given.cast::<Transcript>() {
        return Ok(Some(game.get().record()));
    }
    if let Ok(view) = given.cast::<View>() {
        return Ok(Some(view.get().record()));
    }
    if given.is_instance_of::<Umpire>() {
        return record_of(&given.getattr("transcript")?);
    }
    Ok(None)
}
