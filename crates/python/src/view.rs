//! Games as one side heard them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nebel_kriegspiel::{
    Color, Header, Role, Rules, View as Heard, games::Form, side::name, transcript::Record, words,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};

use crate::{
    action::{self, ASK},
    arguments::{rules, side, start_of},
    event,
    failure::input,
    observation::Known,
    record::{event_list, header_object, text_of},
};

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

impl View {
    pub(crate) fn of(heard: Heard) -> View {
        View { rules: Arc::new(heard.header().rules.clone()), side: heard.side(), heard: Mutex::new(heard) }
    }

    /// What was heard. It is never held while another thread may run, so nobody waits for it.
    pub(crate) fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn record(&self) -> Record {
        Record::View(Box::new(self.heard().clone()))
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
