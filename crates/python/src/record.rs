//! Whole games and views of them, and their files.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use nebel_kriegspiel::{
    Color, Event, Header, Role, Rules, Transcript as Game, View as Heard,
    games::{self, Form, without_mark},
    side::name,
    transcript::Record,
    words,
};
use nebel_tablebase::write_whole;
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};

use crate::{
    action::{self, ASK},
    arguments::{rules, side, start_of, wrong_type},
    event,
    failure::{input, input_at, run},
    observation::Known,
    umpire::Umpire,
};

/// A whole game as the umpire knows it: a list of events.
///
/// >>> import nebel
/// >>> umpire = nebel.Umpire("berkeley")
/// >>> _ = umpire.attempt("e2e4"), umpire.attempt("e7d6")
/// >>> print(umpire.transcript.view("white").to_jsonl().splitlines()[-1])
/// {"by":"black","answer":"illegal"}
#[pyclass(frozen, module = "nebel")]
pub(crate) struct Transcript {
    pub(crate) game: Game,
    rules: Arc<Rules>,
}

/// A game as one side heard it: a list of events. A player begins with an empty one and tells it all that it hears.
///
/// >>> import nebel
/// >>> view = nebel.View("white")
/// >>> view.hear({"by": "white", "attempt": "e2e4", "answer": "moved", "tries": {"count": 0}})
/// >>> view.men()["e4"], view.turn
/// ('P', 'black')
#[pyclass(frozen, module = "nebel")]
pub(crate) struct View {
    heard: Mutex<Heard>,
    rules: Arc<Rules>,
    side: Color,
}

impl Transcript {
    pub(crate) fn of(game: Game) -> Transcript {
        Transcript { rules: Arc::new(game.header().rules.clone()), game }
    }

    fn record(&self) -> Record {
        Record::Transcript(Box::new(self.game.clone()))
    }
}

impl View {
    pub(crate) fn of(heard: Heard) -> View {
        View { rules: Arc::new(heard.header().rules.clone()), side: heard.side(), heard: Mutex::new(heard) }
    }

    /// What was heard. It is never held while another thread may run, so nobody waits for it.
    pub(crate) fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self) -> Record {
        Record::View(Box::new(self.heard().clone()))
    }
}

/// What both say of themselves.
fn header_object<'py>(py: Python<'py>, header: &Header) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rules", header.rules.name.as_ref())?;
    dict.set_item("start", &header.start_fen)?;
    dict.set_item("white", header.white.as_deref())?;
    dict.set_item("black", header.black.as_deref())?;
    Ok(dict)
}

fn event_list<'py>(py: Python<'py>, events: &[Event], rules: &Arc<Rules>) -> PyResult<Bound<'py, PyList>> {
    let events: Vec<_> =
        events.iter().map(|event| event::object(py, event.clone(), rules)).collect::<PyResult<_>>()?;
    PyList::new(py, events)
}

fn text_of(record: &Record, form: Form) -> PyResult<String> {
    let mut bytes = Vec::new();
    form.write(record, &mut bytes).map_err(run)?;
    String::from_utf8(bytes).map_err(run)
}

#[pymethods]
impl Transcript {
    /// Rules, start and players.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        header_object(py, self.game.header())
    }

    /// All that happened.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        event_list(py, self.game.events(), &self.rules)
    }

    /// How the game ended: ("1-0", "checkmate"); None if it goes on.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        event::over_object(py, self.game.umpire().over())
    }

    /// The game as one side heard it.
    fn view(&self, #[pyo3(from_py_with = side)] side: Color) -> View {
        View::of(self.game.view(side))
    }

    /// An umpire at the end of the game, who goes on from there.
    fn umpire(&self) -> Umpire {
        Umpire::of(self.game.clone())
    }

    /// The game in JSON Lines.
    pub(crate) fn to_jsonl(&self) -> PyResult<String> {
        text_of(&self.record(), Form::Jsonl)
    }

    /// The game in Kriegspiel PGN.
    fn to_pgn(&self) -> PyResult<String> {
        text_of(&self.record(), Form::Pgn)
    }

    /// A transcript in JSON Lines.
    #[staticmethod]
    pub(crate) fn of_jsonl(text: &str) -> PyResult<Transcript> {
        match nebel_kriegspiel::json::read(text.as_bytes()).map_err(input)? {
            Record::Transcript(game) => Ok(Transcript::of(*game)),
            Record::View(_) => Err(input("the text is one side's view and no transcript")),
        }
    }

    fn __len__(&self) -> usize {
        self.game.events().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.events(py)?.into_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.events(py)?.try_iter()?.into_any())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.py().get_type::<Transcript>().getattr("of_jsonl")?, (slf.get().to_jsonl()?,)))
    }

    fn __repr__(&self) -> String {
        format!("<nebel.Transcript {}, {} events>", self.rules.name, self.game.events().len())
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nebel.drawing")?.call_method1("umpire_svg", (slf.call_method0("umpire")?,))
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (side, rules=None, fen=None))]
    fn new(
        #[pyo3(from_py_with = side)] side: Color,
        rules: Option<&Bound<'_, PyAny>>,
        fen: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<View> {
        let rules = self::rules(rules, Rules::icc)?;
        Ok(View::of(Heard::new(Header::at((*rules).clone(), start_of(fen)?), side)))
    }

    /// Adds an event, if it fits. Of an event in full only this side's share is heard.
    fn hear(&self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        match event::given(event)?.heard_by(self.side, &self.rules) {
            Some(heard) => self.heard().add(heard.into_event()).map_err(input),
            None => Ok(()),
        }
    }

    /// Rules, start and players.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let header = self.heard().header().clone();
        header_object(py, &header)
    }

    /// Whose view it is.
    #[getter]
    fn side(&self) -> &'static str {
        name(self.side)
    }

    /// All that this side heard.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let events = self.heard().events().to_vec();
        event_list(py, &events, &self.rules)
    }

    /// How the game ended; None if it goes on.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let over = self.heard().own().over();
        event::over_object(py, over)
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> &'static str {
        name(self.heard().own().to_move())
    }

    /// The own men by square: {"e1": "K", ...}, black ones in small letters.
    fn men<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (own, dict) = (self.heard().own().men().clone(), PyDict::new(py));
        for square in own.squares() {
            let letter = own.role_at(square).map_or('?', Role::char);
            let letter = if own.color() == Color::White { letter.to_ascii_uppercase() } else { letter };
            dict.set_item(square.to_string(), letter.to_string())?;
        }
        Ok(dict)
    }

    /// All attempts that make sense for this side; none when it is not to move.
    fn sensible<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let attempts = self.heard().own().sensible_attempts();
        PyList::new(py, attempts.into_iter().map(|attempt| PyString::new(py, &attempt.to_string())))
    }

    /// What this side heard last, in words.
    fn words(&self) -> String {
        self.heard().events().last().map_or_else(String::new, |event| words::for_referee(event, &self.rules))
    }

    /// What this side may know, as arrays: see `Umpire.observation`.
    #[pyo3(signature = (last=4))]
    fn observation<'py>(&self, py: Python<'py>, last: usize) -> PyResult<Bound<'py, PyDict>> {
        let known = {
            let heard = self.heard();
            let own = heard.own();
            let mut known = Known::new(own.men(), last);
            known.hear(
                heard.events().iter().rev().filter_map(|event| event.heard_by(self.side, &self.rules)),
                self.side,
            );
            own.sensible_attempts().into_iter().for_each(|attempt| known.allow(action::number(attempt)));
            if own.may_ask() {
                known.allow(ASK);
            }
            known
        };
        known.object(py)
    }

    /// The view in JSON Lines.
    fn to_jsonl(&self) -> PyResult<String> {
        text_of(&self.record(), Form::Jsonl)
    }

    /// The view in Kriegspiel PGN.
    fn to_pgn(&self) -> PyResult<String> {
        text_of(&self.record(), Form::Pgn)
    }

    /// A view in JSON Lines.
    #[staticmethod]
    fn of_jsonl(text: &str) -> PyResult<View> {
        match nebel_kriegspiel::json::read(text.as_bytes()).map_err(input)? {
            Record::View(heard) => Ok(View::of(*heard)),
            Record::Transcript(_) => Err(input("the text is a full transcript: take the view of a side")),
        }
    }

    fn __len__(&self) -> usize {
        self.heard().events().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.events(py)?.into_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.events(py)?.try_iter()?.into_any())
    }

    /// A view that goes its own way from here.
    fn copy(&self) -> View {
        View::of(self.heard().clone())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.py().get_type::<View>().getattr("of_jsonl")?, (slf.get().to_jsonl()?,)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<nebel.View of {}, {}, {} events>",
            self.side(),
            self.rules.name,
            self.heard().events().len()
        )
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nebel.drawing")?.call_method1("view_svg", (slf,))
    }
}

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
