//! What may be, for one side.

use std::sync::{Arc, Mutex, PoisonError};

use nebel_belief::{
    Belief as Kept, BeliefLimits, Estimate, Man, Marginals, PositionSet, TrackError, particles::HowKnown,
};
use nebel_kriegspiel::{Attempt, Color, Event, Role, Rules, Square, side::name, start};
use nebel_position::{Key, Side as _};
use numpy::{
    PyArray2, PyArrayMethods,
    ndarray::{ArrayView2, s},
};
use pyo3::{prelude::*, sync::MutexExt};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    arguments::{rules, side, start_of},
    event,
    failure::{input, run},
    interrupt::interruptible,
    view::View,
};

/// The most positions that are listed: their text is held in memory to be sorted.
const MOST_LISTED: usize = 10_000_000;
/// Below so many positions an event is heard before anybody could press a key.
const WORTH_WATCHING: usize = 1000;

/// Every position that agrees with what one side has heard; more than `limit` of them are sampled (`exact` is False then).
///
/// >>> import nebel
/// >>> umpire, belief = nebel.Umpire(), nebel.Belief("white")
/// >>> for attempt in ["e2e4", "d7d5"]:
/// ...     belief.hear(umpire.attempt(attempt))
/// >>> len(belief), belief.exact
/// (2, True)
/// >>> belief.odds("e4d5"), belief.marginals().shape
/// (0.5, (12, 64))
#[pyclass(frozen, module = "nebel")]
pub(crate) struct Belief {
    kept: Mutex<Kept>,
    rules: Arc<Rules>,
    color: Color,
}

/// The owner of the memory of an array of keys.
#[pyclass(frozen)]
struct Keys {
    set: Arc<PositionSet>,
}

impl Belief {
    /// Asks the belief something, without the interpreter's lock.
    fn ask<T: Send>(&self, py: Python<'_>, question: impl FnOnce(&mut Kept) -> T + Send) -> T {
        py.detach(|| question(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Whatever a caller says was heard, as this side hears it: an event in full is filtered first.
    fn share(&self, event: &Event) -> Option<Event> {
        match event {
            // Only this side's own events show what was tried.
            Event::Attempt { by, said: Some(_), .. } if *by != self.color => {
                event.heard_by(self.color, &self.rules).map(nebel_kriegspiel::ViewEvent::into_event)
            }
            Event::Attempt { by, said: None, .. } if *by != self.color => Some(event.clone()),
            _ => event.heard_by(self.color, &self.rules).map(nebel_kriegspiel::ViewEvent::into_event),
        }
    }

    fn hear_all(&self, py: Python<'_>, events: &[Event]) -> PyResult<()> {
        let mut guard = self.kept.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let kept: &mut Kept = &mut guard;
        let progress = kept.progress();
        let hear = |kept: &mut Kept| -> Result<(), (usize, TrackError)> {
            events
                .iter()
                .enumerate()
                .try_for_each(|(index, event)| kept.hear(event).map_err(|error| (index, error)))
        };
        let heard = if kept.len() < WORTH_WATCHING && events.len() == 1 {
            py.detach(|| hear(kept))
        } else {
            let stop = || {
                if let Some(progress) = &progress {
                    progress.stop();
                }
            };
            let heard = interruptible(py, stop, || hear(kept));
            if let Some(progress) = &progress {
                progress.go_on();
            }
            heard?
        };
        heard.map_err(|(index, error)| {
            let told = events[index].to_json(&self.rules);
            let sentence = format!("event {} ({told}): {error}", index + 1);
            match error {
                TrackError::Contradiction(_) | TrackError::NoPosition => input(sentence),
                _ => run(sentence),
            }
        })
    }
}

#[pymethods]
impl Belief {
    #[new]
    #[pyo3(signature = (side, rules=None, fen=None, *, limit=1_000_000, particles=None, seed=0))]
    fn new(
        #[pyo3(from_py_with = side)] side: Color,
        rules: Option<&Bound<'_, PyAny>>,
        fen: Option<&Bound<'_, PyAny>>,
        limit: usize,
        particles: Option<usize>,
        seed: u64,
    ) -> PyResult<Belief> {
        let rules = self::rules(rules, Rules::icc)?;
        let mut limits = BeliefLimits { exact: limit, ..BeliefLimits::default() };
        if let Some(particles) = particles {
            if particles == 0 {
                return Err(input("particles: at least 1"));
            }
            limits.particles.most = particles;
            limits.particles.keep = limits.particles.keep.min(particles);
        }
        let kept = Kept::new((*rules).clone(), &start_of(fen)?, side, limits, seed);
        Ok(Belief { kept: Mutex::new(kept), rules, color: side })
    }

    /// The belief at the end of a view.
    #[staticmethod]
    #[pyo3(signature = (view, *, limit=1_000_000, seed=0))]
    fn of_view(py: Python<'_>, view: &Bound<'_, View>, limit: usize, seed: u64) -> PyResult<Belief> {
        let heard = view.get().heard().clone();
        let limits = BeliefLimits { exact: limit, ..BeliefLimits::default() };
        let (rules, color) = (heard.header().rules.clone(), heard.side());
        let kept = Kept::new(rules.clone(), &heard.header().start, color, limits, seed);
        let belief = Belief { kept: Mutex::new(kept), rules: Arc::new(rules), color };
        belief.hear_all(py, heard.events())?;
        Ok(belief)
    }

    /// Takes in an event: as the umpire gave it, as this side heard it, or as a dictionary. Of an event in full only this side's share is
    /// used. On an exception nothing has changed.
    fn hear(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<()> {
        match self.share(&event::given(event)?) {
            Some(event) => self.hear_all(py, &[event]),
            None => Ok(()),
        }
    }

    /// Whose belief it is.
    #[getter]
    fn side(&self) -> &'static str {
        name(self.color)
    }

    /// Whether it holds every position that agrees with all that was heard, and no other.
    #[getter]
    fn exact(&self, py: Python<'_>) -> bool {
        self.ask(py, |kept| kept.how_known() == HowKnown::All)
    }

    /// How well the positions are known: all, some, since (an earlier turn), or last-event.
    #[getter]
    fn how_known(&self, py: Python<'_>) -> &'static str {
        match self.ask(py, |kept| kept.how_known()) {
            HowKnown::All => "all",
            HowKnown::Some => "some",
            HowKnown::Since => "since",
            HowKnown::LastEvent => "last-event",
        }
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.ask(py, |kept| kept.len())
    }

    /// How probable each man is on each square: an array (12, 64), white pawn, knight, bishop, rook, queen, king, then black ones;
    /// a1 is 0, h8 is 63. Own men are known.
    fn marginals<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let (hidden, own) = self.ask(py, |kept| (kept.marginals(), *kept.view().men()));
        let array = PyArray2::zeros(py, [12, 64], false);
        {
            let mut planes = array.readwrite();
            let mut planes = planes.as_array_mut();
            let (ours, theirs) = if self.color == Color::White { (0, 6) } else { (6, 0) };
            for (plane, role) in Role::ALL.into_iter().enumerate() {
                for square in own.by_role(role) {
                    planes[[ours + plane, usize::from(square)]] = 1.0;
                }
            }
            planes.slice_mut(s![theirs..theirs + 6, ..]).assign(&hidden_planes(&hidden));
        }
        array
    }

    /// How likely an attempt is legal; zero for one that makes no sense.
    fn odds(&self, py: Python<'_>, attempt: &Bound<'_, PyAny>) -> PyResult<f64> {
        let attempt: Attempt = match crate::action::said(attempt, self.color)? {
            crate::action::Said::Action(crate::action::Action::Try(attempt)) => attempt,
            _ => {
                return Err(input(
                    "attempt: not an attempt (write squares as in e2e4, promotions as in e7e8q)",
                ));
            }
        };
        Ok(self.ask(py, |kept| Estimate::odds(kept, attempt)))
    }

    /// So many positions drawn at random, or all if there are fewer, as FENs; with `weights` as pairs of FEN and weight, which add up to one.
    #[pyo3(signature = (n, seed=0, *, weights=false))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
        weights: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let drawn: Vec<(String, f64)> = self.ask(py, |kept| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let drawn = Estimate::sample(kept, n, &mut random);
            drawn.into_iter().filter_map(|(key, weight)| Some((fen(kept, key)?, weight))).collect()
        });
        if weights {
            drawn.into_pyobject(py)
        } else {
            drawn.into_iter().map(|(fen, _)| fen).collect::<Vec<_>>().into_pyobject(py)
        }
    }

    /// All positions as FENs, in the order of text; counters are `0 1`.
    fn fens(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let fens = self.ask(py, |kept| {
            let count = kept.len();
            if count > MOST_LISTED {
                return Err(count);
            }
            let mut fens: Vec<String> = kept.keys().filter_map(|key| fen(kept, key)).collect();
            fens.sort_unstable();
            Ok(fens)
        });
        fens.map_err(|count| {
            run(format_args!("{count} positions are too many to list: draw some with sample"))
        })
    }

    /// The positions packed, an array of uint64 (n, 2) in no particular order: what the hidden men are, three bits each in the order of
    /// squares, and the squares they stand on. Of an exact belief it is the belief's own memory, not a copy; it stays as it is when the
    /// belief goes on.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let set = self.ask(py, Kept::share);
        let owner = Bound::new(py, Keys { set })?;
        let bits = owner.get().set.as_list().unwrap_or_default();
        // SAFETY: a u128 is two u64 next to each other, aligned more strictly than they need. The memory belongs to the set, which is never
        // changed and lives as long as `owner`, which the array keeps alive.
        let array = unsafe {
            let view = ArrayView2::from_shape_ptr([bits.len(), 2], bits.as_ptr().cast::<u64>());
            PyArray2::borrow_from_array(&view, owner.into_any())
        };
        let flags = pyo3::types::PyDict::new(py);
        flags.set_item("write", false)?;
        array.call_method("setflags", (), Some(&flags))?;
        Ok(array)
    }

    /// A belief that goes its own way from here.
    fn copy(&self, py: Python<'_>) -> Belief {
        let kept = self.ask(py, |kept| kept.clone());
        Belief { kept: Mutex::new(kept), rules: Arc::clone(&self.rules), color: self.color }
    }

    /// Draws the marginals with matplotlib, one board for all hidden men and one for each kind; returns the figure.
    fn plot<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nebel.drawing")?.call_method1("belief_plot", (slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (count, exact) = (self.__len__(py), if self.exact(py) { "exact" } else { self.how_known(py) });
        format!("<nebel.Belief of {}, {count} positions, {exact}>", name(self.color))
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nebel.drawing")?.call_method1("belief_svg", (slf,))
    }
}

/// The planes of the hidden men.
pub(crate) fn hidden_planes(marginals: &Marginals) -> numpy::ndarray::Array2<f64> {
    numpy::ndarray::Array2::from_shape_fn([6, 64], |(plane, square)| {
        marginals.get(Square::new(square as u32), Man::Of(Role::ALL[plane]))
    })
}

fn fen(kept: &Kept, key: Key) -> Option<String> {
    kept.view().position_or_start(key).map(|position| start::fen_without_counters(&position))
}
