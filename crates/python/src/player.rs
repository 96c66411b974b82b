//! Our players, called from Python.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use nebel_kriegspiel::{Color, OwnSide, Rules};
use nebel_players::{Behind, Budget, Cancel, Choice, Game, Player, by_spec, kinds};
use pyo3::{prelude::*, sync::MutexExt, types::PyDict};

use crate::{
    arguments::{json_object, rules, seconds, side, start_of},
    event,
    failure::{input, run},
    interrupt::interruptible,
};

/// A player of ours: `nebel.player("c")`. It is told what its side hears and nothing else.
///
/// >>> import nebel
/// >>> player = nebel.player("greedy")
/// >>> player.start("white", seed=7)
/// >>> player.choose(nodes=100) in nebel.Umpire().sensible()
/// True
#[pyclass(frozen, module = "nebel")]
pub(crate) struct MachinePlayer {
    seat: Mutex<Seat>,
    spec: String,
}

/// A player, and what its side knows of itself once a game has begun.
struct Seat {
    player: Box<dyn Player>,
    own: Option<(OwnSide, Arc<Rules>)>,
}

impl Seat {
    fn own(&self) -> PyResult<&(OwnSide, Arc<Rules>)> {
        self.own.as_ref().ok_or_else(|| input("no game has begun: call start first"))
    }
}

/// What a choice is called in Python.
fn choice_text(choice: Choice) -> String {
    match choice {
        Choice::Try(attempt) => attempt.to_string(),
        Choice::Ask => "any?".to_owned(),
        Choice::Resign => "resign".to_owned(),
    }
}

/// The choice that a text means.
pub(crate) fn choice_of(text: &str) -> Result<Choice, String> {
    match text {
        "any?" => Ok(Choice::Ask),
        "resign" => Ok(Choice::Resign),
        text => text
            .parse()
            .map(Choice::Try)
            .map_err(|error| format!("`{}` is {error}", nebel_kriegspiel::start::shortened(text))),
    }
}

#[pymethods]
impl MachinePlayer {
    #[new]
    pub(crate) fn new(spec: &str) -> PyResult<MachinePlayer> {
        let player = by_spec(spec).map_err(input)?;
        Ok(MachinePlayer { spec: player.spec(), seat: Mutex::new(Seat { player, own: None }) })
    }

    /// Its name and options, as one would write them to get it again.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Begins a game; forgets the last one.
    #[pyo3(signature = (side, rules=None, fen=None, seed=0))]
    fn start(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = side)] side: Color,
        rules: Option<&Bound<'_, PyAny>>,
        fen: Option<&Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<()> {
        let (rules, start) = (self::rules(rules, Rules::icc)?, start_of(fen)?);
        let mut seat = self.seat.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let seat: &mut Seat = &mut seat;
        seat.own = Some((OwnSide::new((*rules).clone(), &start, side), Arc::clone(&rules)));
        let game = Game { side, rules: (*rules).clone(), start, seed };
        py.detach(|| seat.player.start(game)).map_err(run)
    }

    /// Hears an event. Of an event in full it is told its side's share; an event that it does not hear changes nothing.
    fn hear(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<()> {
        let happened = event::given(event)?;
        let mut seat = self.seat.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let seat: &mut Seat = &mut seat;
        let (own, rules) = seat.own()?;
        let Some(heard) = happened.heard_by(own.men().color(), rules) else { return Ok(()) };
        let heard = own.clone().take(heard.into_event()).map_err(input)?;
        if let Some((own, _)) = &mut seat.own {
            own.hear(&heard).map_err(input)?;
        }
        interruptible(py, || {}, || seat.player.hear(&heard))?.map_err(run)
    }

    /// Chooses what to do next, in so many seconds or nodes: an attempt, `any?` or `resign`.
    #[pyo3(signature = (*, time=None, nodes=None))]
    fn choose(&self, py: Python<'_>, time: Option<f64>, nodes: Option<u64>) -> PyResult<String> {
        let time = time.map(|time| seconds("time", time)).transpose()?;
        let mut seat = self.seat.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let seat: &mut Seat = &mut seat;
        if !seat.own()?.0.is_to_move() {
            return Err(input("the other side is to move, or the game is over"));
        }
        let stop = Cancel::default();
        let aim = time.and_then(|time| Instant::now().checked_add(time));
        let budget = Budget { aim, nodes, stop: stop.clone(), ..Budget::unlimited() };
        let choice = interruptible(py, || stop.cancel(), || seat.player.choose(&budget))?;
        choice.map(choice_text).map_err(run)
    }

    /// What it believes and why it chose what it chose last; None for a player that cannot say.
    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let seat = self.seat.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let explanation = seat.player.explain();
        drop(seat);
        explanation.map(|explanation| json_object(py, &explanation.to_json())).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<nebel.MachinePlayer {}>", self.spec)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().spec.clone(),))
    }
}

/// Every player of ours by name: what it does and what it takes.
#[pyfunction]
pub(crate) fn players(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for kind in kinds() {
        let about = PyDict::new(py);
        about.set_item("about", kind.about)?;
        about.set_item("usage", kind.usage())?;
        about.set_item("program", matches!(kind.takes, Behind::Command))?;
        all.set_item(kind.name, about)?;
    }
    Ok(all)
}
