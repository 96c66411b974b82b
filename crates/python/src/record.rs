//! Whole games as the umpire knows them.

use std::sync::Arc;

use nebel_kriegspiel::{Color, Event, Header, Rules, Transcript as Game, games::Form, transcript::Record};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};

use crate::{
    arguments::side,
    event,
    failure::{input, run},
    umpire::Umpire,
    view::View,
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

impl Transcript {
    pub(crate) fn of(game: Game) -> Transcript {
        Transcript { rules: Arc::new(game.header().rules.clone()), game }
    }

    pub(crate) fn record(&self) -> Record {
        Record::Transcript(Box::new(self.game.clone()))
    }
}

/// What a transcript and a view say of themselves.
pub(crate) fn header_object<'py>(py: Python<'py>, header: &Header) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rules", header.rules.name.as_ref())?;
    dict.set_item("start", &header.start_fen)?;
    dict.set_item("white", header.white.as_deref())?;
    dict.set_item("black", header.black.as_deref())?;
    Ok(dict)
}

pub(crate) fn event_list<'py>(
    py: Python<'py>,
    events: &[Event],
    rules: &Arc<Rules>,
) -> PyResult<Bound<'py, PyList>> {
    let events: Vec<_> =
        events.iter().map(|event| event::object(py, event.clone(), rules)).collect::<PyResult<_>>()?;
    PyList::new(py, events)
}

pub(crate) fn text_of(record: &Record, form: Form) -> PyResult<String> {
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
