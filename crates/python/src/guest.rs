//! A player written in Python, at a table of the arena.
//!
//! It plays in a thread of the arena, which takes the interpreter's lock for each call. Its first exception ends the match and is raised to
//! whoever asked for it: a mistake in one's own player is to be seen, not lost as a forfeit.

use std::{
    collections::BTreeSet,
    ffi::c_long,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use nebel_kriegspiel::{Rules, ViewEvent, side::name, start};
use nebel_players::{Budget, Cancel, Choice, Fault, Game, Player};
use pyo3::{exceptions::PyKeyboardInterrupt, ffi, prelude::*, types::PyDict};

use crate::{arguments::json_object, event, player::choice_of};

/// What the threads of a match share: the first exception, the flag that ends the match, and which threads are in the code of a player.
#[derive(Clone, Default)]
pub(crate) struct Trouble {
    pub(crate) cancel: Cancel,
    first: Arc<Mutex<Option<PyErr>>>,
    inside: Arc<Mutex<BTreeSet<c_long>>>,
}

impl Trouble {
    fn raise(&self, error: PyErr) -> Fault {
        let said = error.to_string();
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.cancel.cancel();
        Fault::Protocol(said)
    }

    /// Ends the match: raises `KeyboardInterrupt` in players that are thinking, who would not look at any flag.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
        Python::attach(|py| {
            let interrupt = py.get_type::<PyKeyboardInterrupt>();
            for &thread in &*self.inside.lock().unwrap_or_else(PoisonError::into_inner) {
                // SAFETY: the interpreter's lock is held, the exception is a live type, and a thread that is unknown is passed over.
                unsafe { ffi::PyThreadState_SetAsyncExc(thread, interrupt.as_ptr()) };
            }
        });
    }

    /// Calls a player, known to be inside meanwhile. The set is only touched with the interpreter's lock held, so nobody waits for it.
    fn watch<T>(&self, py: Python<'_>, call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let thread: c_long = py.import("threading")?.call_method0("get_ident")?.extract::<u64>()? as c_long;
        self.inside.lock().unwrap_or_else(PoisonError::into_inner).insert(thread);
        let answer = call();
        self.inside.lock().unwrap_or_else(PoisonError::into_inner).remove(&thread);
        answer
    }

    /// The first exception of a player.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A player written in Python.
pub(crate) struct Guest {
    spec: String,
    /// What makes the player, called before its first game.
    make: Arc<Py<PyAny>>,
    player: Option<Py<PyAny>>,
    rules: Arc<Rules>,
    trouble: Trouble,
}

impl Guest {
    pub(crate) fn new(spec: &str, make: Arc<Py<PyAny>>, trouble: Trouble) -> Guest {
        Guest { spec: spec.to_owned(), make, player: None, rules: Arc::default(), trouble }
    }

    fn call<T>(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, Fault> {
        let answer = Python::attach(|py| match &self.player {
            Some(player) => self.trouble.watch(py, || call(py, player.bind(py))),
            None => Err(crate::failure::run("no game has begun")),
        });
        answer.map_err(|error| self.trouble.raise(error))
    }
}

impl Player for Guest {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        if self.player.is_none() {
            let made = Python::attach(|py| self.trouble.watch(py, || self.make.call0(py)));
            self.player = Some(made.map_err(|error| self.trouble.raise(error))?);
        }
        self.rules = Arc::new(game.rules);
        let rules = serde_json::to_value(&*self.rules).map_err(|error| Fault::Start(error.to_string()))?;
        self.call(|py, player| {
            let given = PyDict::new(py);
            if self.rules.is_known() {
                given.set_item("rules", self.rules.name.as_ref())?;
            } else {
                given.set_item("rules", json_object(py, &rules)?)?;
            }
            given.set_item("fen", start::fen(&game.start))?;
            given.set_item("seed", game.seed)?;
            player.call_method("start", (name(game.side),), Some(&given)).map(drop)
        })
    }

    fn hear(&mut self, heard: &ViewEvent) -> Result<(), Fault> {
        self.call(|py, player| {
            let event = event::object(py, heard.clone().into_event(), &self.rules)?;
            player.call_method1("hear", (event,)).map(drop)
        })
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let time = budget
            .limit
            .or(budget.aim)
            .map(|limit| limit.saturating_duration_since(Instant::now()).as_secs_f64());
        let said: String = self.call(|py, player| {
            let given = PyDict::new(py);
            given.set_item("time", time)?;
            given.set_item("nodes", budget.nodes)?;
            player.call_method("choose", (), Some(&given))?.extract()
        })?;
        choice_of(&said).map_err(|cause| {
            self.trouble.raise(crate::failure::input(format_args!("{}: {cause}", self.spec)))
        })
    }
}
