//! The referee of one game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nebel_kriegspiel::{
    Attempt, Color, GameResult, Header, Input, Over, OwnMen, Reason, Rules, Transcript as Game, side::name,
    start, umpire::GameOver,
};
use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyList, PyString},
};

use crate::{
    action::{self, Action, Said},
    arguments::{rules, side, start_of},
    event,
    failure::input,
    observation::{self, Known},
    record::Transcript,
    view::View,
};

/// The umpire of one game: the only holder of the position.
///
/// >>> import nebel
/// >>> umpire = nebel.Umpire()
/// >>> len(umpire.sensible())
/// 34
/// >>> umpire.attempt("e2e4").to_dict()
/// {'by': 'white', 'attempt': 'e2e4', 'answer': 'moved', 'tries': {'count': 0}}
/// >>> umpire.turn
/// 'black'
#[pyclass(frozen, module = "nebel")]
pub(crate) struct Umpire {
    game: Mutex<Game>,
    rules: Arc<Rules>,
}

impl Umpire {
    pub(crate) fn of(game: Game) -> Umpire {
        Umpire { rules: Arc::new(game.header().rules.clone()), game: Mutex::new(game) }
    }

    /// The game. It is never held while another thread may run, so nobody waits for it.
    fn game(&self) -> MutexGuard<'_, Game> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told<'py>(
        &self,
        py: Python<'py>,
        put: impl FnOnce(&mut Game) -> Result<nebel_kriegspiel::Event, GameOver>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let happened = put(&mut self.game()).map_err(input)?;
        event::object(py, happened, &self.rules)
    }
}

#[pymethods]
impl Umpire {
    #[new]
    #[pyo3(signature = (rules=None, fen=None, *, white=None, black=None))]
    fn new(
        rules: Option<&Bound<'_, PyAny>>,
        fen: Option<&Bound<'_, PyAny>>,
        white: Option<String>,
        black: Option<String>,
    ) -> PyResult<Umpire> {
        let rules = self::rules(rules, Rules::icc)?;
        let mut header = Header::at((*rules).clone(), start_of(fen)?);
        (header.white, header.black) = (white, black);
        Ok(Umpire { rules, game: Mutex::new(Game::new(header)) })
    }

    /// Puts an attempt to the umpire: text such as e2e4, a number (`action_of`), or a `chess.Move`; `any?` asks.
    fn attempt<'py>(&self, attempt: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = attempt.py();
        let color = self.game().umpire().to_move();
        match action::said(attempt, color)? {
            Said::Action(Action::Try(attempt)) => {
                self.told(py, |game| game.put(Input::Attempt(attempt)).cloned())
            }
            Said::Action(Action::Ask) => self.ask(py),
            Said::Text(text) => self.told(py, |game| game.hear(&text).cloned()),
        }
    }

    /// Asks "any?": is there a pawn capture?
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.told(py, |game| game.hear("any?").cloned())
    }

    /// Gives the game up for the side to move, or for the side that is named.
    #[pyo3(signature = (side=None))]
    fn resign<'py>(&self, py: Python<'py>, side: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let loser = side.map(self::side).transpose()?.unwrap_or_else(|| self.game().umpire().to_move());
        self.told(py, |game| game.end(Some(loser), Over::lost_by(loser, Reason::Resignation)).cloned())
    }

    /// Ends the game as drawn, because it is long enough.
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.told(py, |game| {
            game.end(None, Over { result: GameResult::Draw, reason: Reason::Length }).cloned()
        })
    }

    /// All attempts that make sense for the side to move, in the order of squares; none after the end.
    fn sensible<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let attempts = self.game().umpire().sensible_attempts();
        PyList::new(py, attempts.into_iter().map(|attempt| attempt_text(py, attempt)))
    }

    /// Whether asking "any?" makes sense now.
    fn may_ask(&self) -> bool {
        let game = self.game();
        let umpire = game.umpire();
        umpire.over().is_none() && umpire.turn().may_ask(umpire.rules())
    }

    /// The numbers of all that makes sense now, "any?" included, in rising order.
    fn actions(&self) -> Vec<u32> {
        let game = self.game();
        let umpire = game.umpire();
        let mut numbers = Vec::new();
        observation::for_each_action(umpire, |number| numbers.push(number));
        numbers.sort_unstable();
        numbers
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> &'static str {
        name(self.game().umpire().to_move())
    }

    /// How the game ended: ("1-0", "checkmate"); None while it goes on.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, pyo3::types::PyTuple>>> {
        let over = self.game().umpire().over();
        event::over_object(py, over)
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> String {
        self.rules.name.to_string()
    }

    /// The position, which neither side may see.
    #[getter]
    fn fen(&self) -> String {
        start::fen(self.game().umpire().position())
    }

    /// How many moves were made.
    #[getter]
    fn plies(&self) -> usize {
        self.game().events().iter().filter(|event| event.announcement().is_some()).count()
    }

    /// How many attempts and questions were put.
    fn __len__(&self) -> usize {
        self.game().events().len()
    }

    /// The game as one side heard it.
    fn view(&self, #[pyo3(from_py_with = side)] side: Color) -> View {
        View::of(self.game().view(side))
    }

    /// All that happened.
    #[getter]
    fn transcript(&self) -> Transcript {
        Transcript::of(self.game().clone())
    }

    /// What happened last; None before the first attempt.
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let last = self.game().events().last().cloned();
        last.map(|last| event::object(py, last, &self.rules)).transpose()
    }

    /// What a side may know, as arrays: `own` (6, 64), `events` (last, codes), `turn`, and `action_mask`, which is empty
    /// when the other side is to move.
    #[pyo3(signature = (side, last=4))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = side)] side: Color,
        last: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let known = {
            let game = self.game();
            let umpire = game.umpire();
            let mut known = Known::new(&OwnMen::of(umpire.position(), side), last);
            let heard = game.events().iter().rev().filter_map(|event| event.heard_by(side, &self.rules));
            known.hear(heard, side);
            if umpire.to_move() == side {
                observation::for_each_action(umpire, |number| known.allow(number));
            }
            known
        };
        known.object(py)
    }

    /// The same game once more, which goes its own way from here.
    fn copy(&self) -> Umpire {
        Umpire { game: Mutex::new(self.game().clone()), rules: Arc::clone(&self.rules) }
    }

    fn __copy__(&self) -> Umpire {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Umpire {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = slf.get().transcript().to_jsonl()?;
        Ok((slf.py().get_type::<Umpire>().getattr("of_jsonl")?, (text,)))
    }

    /// The umpire at the end of a transcript in JSON Lines.
    #[staticmethod]
    fn of_jsonl(text: &str) -> PyResult<Umpire> {
        Ok(Umpire::of(Transcript::of_jsonl(text)?.game))
    }

    fn __repr__(&self) -> String {
        format!("<nebel.Umpire {} {}>", self.rules.name, self.fen())
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nebel.drawing")?.call_method1("umpire_svg", (slf,))
    }
}

/// The text of an attempt, made once: players list the same attempts again and again.
fn attempt_text(py: Python<'_>, attempt: Attempt) -> Bound<'_, PyString> {
    static TEXTS: [PyOnceLock<Py<PyString>>; 64 * 64] = [const { PyOnceLock::new() }; 64 * 64];
    let make = || PyString::new(py, &attempt.to_string()).unbind();
    match attempt.promotion {
        None => {
            let number = action::number(attempt) as usize;
            TEXTS[number].get_or_init(py, make).bind(py).clone()
        }
        Some(_) => make().into_bound(py),
    }
}
