//! Events as small Python classes.

use std::sync::Arc;

use nebel_kriegspiel::{Color, Direction, Event as Happened, Over, Rules, side::name, words};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{
    arguments::{json_object, json_read, json_text, rules, side},
    failure::input,
};

/// One thing that happened in a game: an attempt, a question or an end, in full or as one side heard it.
#[pyclass(frozen, subclass, eq, module = "nebel")]
#[derive(Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) event: Happened,
    pub(crate) rules: Arc<Rules>,
}

/// An attempt and the umpire's answer.
#[pyclass(frozen, extends = Event, module = "nebel")]
pub(crate) struct AttemptEvent;

/// The question "any?" and its answer.
#[pyclass(frozen, extends = Event, module = "nebel")]
pub(crate) struct AskEvent;

/// An end off the board: resignation, time, forfeit, length.
#[pyclass(frozen, extends = Event, module = "nebel")]
pub(crate) struct EndEvent;

/// The Python object of an event.
pub(crate) fn object<'py>(
    py: Python<'py>,
    event: Happened,
    rules: &Arc<Rules>,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = KindOf::of(&event);
    let base = PyClassInitializer::from(Event { event, rules: Arc::clone(rules) });
    Ok(match kind {
        KindOf::Attempt => Bound::new(py, base.add_subclass(AttemptEvent))?.into_any(),
        KindOf::Ask => Bound::new(py, base.add_subclass(AskEvent))?.into_any(),
        KindOf::End => Bound::new(py, base.add_subclass(EndEvent))?.into_any(),
    })
}

enum KindOf {
    Attempt,
    Ask,
    End,
}

impl KindOf {
    fn of(event: &Happened) -> KindOf {
        match event {
            Happened::Attempt { .. } => KindOf::Attempt,
            Happened::Ask { .. } => KindOf::Ask,
            Happened::End { .. } => KindOf::End,
        }
    }
}

/// An event that a caller gives: one of ours, or its dictionary.
pub(crate) fn given(event: &Bound<'_, PyAny>) -> PyResult<Happened> {
    match event.cast::<Event>() {
        Ok(event) => Ok(event.get().event.clone()),
        Err(_) => of_dict(event),
    }
}

fn of_dict(dict: &Bound<'_, PyAny>) -> PyResult<Happened> {
    if !dict.is_instance_of::<PyDict>() {
        return Err(crate::arguments::wrong_type("event", "an event or its dictionary", dict));
    }
    Happened::from_json(&json_text(dict)?).map_err(input)
}

/// How a game ended: `("1-0", "checkmate")`.
pub(crate) fn over_object(py: Python<'_>, over: Option<Over>) -> PyResult<Option<Bound<'_, PyTuple>>> {
    over.map(|over| PyTuple::new(py, [over.result.as_str(), over.reason.as_str()])).transpose()
}

#[pymethods]
impl Event {
    /// An event from its dictionary, which is its JSON in transcripts.
    ///
    /// >>> import nebel
    /// >>> nebel.Event.from_dict({"by": "white", "attempt": "e2e4", "answer": "moved", "tries": {"count": 0}})
    /// AttemptEvent({'by': 'white', 'attempt': 'e2e4', 'answer': 'moved', 'tries': {'count': 0}})
    #[staticmethod]
    #[pyo3(signature = (dict, rules=None))]
    fn from_dict<'py>(
        dict: &Bound<'py, PyAny>,
        rules: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rules = self::rules(rules, Rules::icc)?;
        object(dict.py(), of_dict(dict)?, &rules)
    }

    /// The event as a dictionary: its JSON in transcripts.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_read(py, &self.event.to_json(&self.rules))
    }

    /// What a side hears of it: an event, or None.
    fn heard_by<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = side)] side: Color,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let heard = self.event.heard_by(side, &self.rules);
        heard.map(|heard| object(py, heard.into_event(), &self.rules)).transpose()
    }

    /// Whose event it is.
    #[getter]
    fn by(&self) -> Option<&'static str> {
        self.event.by().map(name)
    }

    /// What was tried, if it was heard.
    #[getter]
    fn attempt(&self) -> Option<String> {
        match &self.event {
            Happened::Attempt { said: Some(said), .. } => Some(said.to_string()),
            _ => None,
        }
    }

    /// Whether it is a move that was made.
    #[getter]
    fn moved(&self) -> bool {
        self.event.announcement().is_some()
    }

    /// Whether something was tried or asked that could not be.
    #[getter]
    fn nonsense(&self) -> bool {
        self.event.is_nonsense()
    }

    /// The umpire's word: moved, illegal, nonsense, yes, no; None for an end off the board.
    #[getter]
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.field(py, "answer")
    }

    /// What was captured: {"square": "d5", "kind": "pawn"}; None for no capture.
    #[getter]
    fn capture<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.field(py, "capture")
    }

    /// Where the check comes from: knight, rank, file, long, short.
    #[getter]
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let check = self.event.announcement().map(|announcement| announcement.check);
        PyTuple::new(py, check.iter().flat_map(|check| check.iter()).map(Direction::name).collect::<Vec<_>>())
    }

    /// The pawn tries of the side to move, as far as the rules tell: {"count": 2}, {"any": True}, {"from": ["e4"]}.
    #[getter]
    fn tries<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.field(py, "tries")
    }

    /// How the game ended with it: ("1-0", "checkmate"); None if it goes on.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        over_object(py, self.event.over())
    }

    /// The event in words, as a referee says it.
    fn words(&self) -> String {
        words::for_referee(&self.event, &self.rules)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let dict = slf.get().to_dict(slf.py())?.repr()?;
        Ok(format!("{}({dict})", slf.get_type().name()?))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.event.to_json(&self.rules).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let class = py.get_type::<Event>();
        let rules = serde_json::to_value(&*slf.get().rules).map_err(input)?;
        Ok((class.getattr("from_dict")?, (slf.get().to_dict(py)?, json_object(py, &rules)?)))
    }
}

/// What makes an event again: a function, and the event's dictionary and rules.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, Bound<'py, PyAny>));

impl Event {
    fn field<'py>(&self, py: Python<'py>, field: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.to_dict(py)?.call_method1("get", (field,))?;
        Ok(if value.is_none() { None } else { Some(value) })
    }
}
