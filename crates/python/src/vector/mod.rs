//! Many games at once, for learners: n umpires that are stepped together into arrays that are there from the beginning.

mod arrays;
mod lane;
mod lanes;
mod rows;

use std::sync::{Mutex, PoisonError};

use nebel_belief::BeliefLimits;
use nebel_kriegspiel::{Color, Rules};
use nebel_position::Game;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::{prelude::*, sync::MutexExt, types::PyDict};

use self::{
    arrays::{Arrays, Stepped},
    lane::{Games, Lane},
    lanes::Lanes,
    rows::{Brought, Row},
};
use crate::{
    action,
    arguments::{rules, start_of, wrong_type},
    failure::{input, run},
};

/// The most games: each takes some seven kilobytes, most of them in arrays.
const MOST_GAMES: usize = 1 << 20;

/// n games of Kriegspiel that are stepped at once. Arrays are made once and written in every step; a game that ends begins anew in the same
/// step. What is observed is what the side to move of each game may know, and nothing else.
///
/// >>> import nebel
/// >>> games = nebel.VectorUmpire(8, seed=1)
/// >>> observations, rewards, terminated, truncated = games.step(games.sample())
/// >>> observations["own"].shape, observations["action_mask"].shape, rewards.shape
/// ((8, 6, 64), (8, 4193), (8, 2))
#[pyclass(frozen, module = "nebel")]
pub(crate) struct VectorUmpire {
    lanes: Mutex<Lanes>,
    games: Games,
    threads: usize,
    arrays: Arrays,
}

impl VectorUmpire {
    /// Has every game worked on.
    fn each(&self, py: Python<'_>, work: impl Fn(usize, &mut Lane, &mut Row<'_, '_>) + Sync) -> PyResult<()> {
        let mut lanes = self.lanes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let pool = lanes.pool(self.threads)?;
        let lanes: &mut Lanes = &mut lanes;
        self.arrays.with(py, |rows| lanes.each(pool.as_deref(), &self.games, rows, &work))
    }
}

#[pymethods]
impl VectorUmpire {
    #[new]
    #[pyo3(signature = (n, threads=1, *, rules=None, fen=None, last=4, marginals=false, max_attempts=10_000, seed=0, limit=10_000))]
    #[expect(clippy::too_many_arguments, reason = "options by name")]
    fn new(
        py: Python<'_>,
        n: usize,
        threads: usize,
        rules: Option<&Bound<'_, PyAny>>,
        fen: Option<&Bound<'_, PyAny>>,
        last: usize,
        marginals: bool,
        max_attempts: u32,
        seed: u64,
        limit: usize,
    ) -> PyResult<VectorUmpire> {
        for (name, number, most) in [("n", n, MOST_GAMES), ("last", last, 4096), ("threads", threads, 1024)] {
            if number == 0 && name != "last" || number > most {
                return Err(input(format_args!("{name}: {number} is not between 1 and {most}")));
            }
        }
        let start = start_of(fen)?;
        let game = Game::at((*self::rules(rules, Rules::icc)?).clone(), &start);
        if game.over().is_some() {
            return Err(input("fen: the game is over before it begins"));
        }
        let limits = BeliefLimits { exact: limit, ..BeliefLimits::default() };
        let games =
            Games { start: game, position: start, last, max_attempts, beliefs: marginals.then_some(limits) };
        let lanes = (0..n as u64).map(|number| Lane::new(&games, seed, number)).collect();
        let arrays = Arrays::new(py, n, last, marginals)?;
        let vector = VectorUmpire { lanes: Mutex::new(Lanes::new(lanes)), games, threads, arrays };
        vector.each(py, |_, lane, row| lane.show(&vector.games, row))?;
        Ok(vector)
    }

    /// Begins all games anew; with a seed, `sample` begins anew as well.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Bound<'py, PyDict>> {
        self.each(py, |number, lane, row| {
            if let Some(seed) = seed {
                lane.seed(seed, number as u64);
            }
            lane.reset(&self.games);
            row.bring(Brought::default());
            lane.show(&self.games, row);
        })?;
        Ok(self.arrays.observations.bind(py).clone())
    }

    /// Puts an action to each umpire, for the side to move there. Returns observations, rewards (n, 2) of White and Black, and which games ended
    /// (terminated) or were cut after `max_attempts` (truncated). These are the same arrays every time.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let given: Vec<i64> = integers(actions)?;
        let count = self.__len__(py);
        if given.len() != count {
            return Err(input(format_args!("actions: {} of them for {count} games", given.len())));
        }
        let number = |number: i64| {
            u32::try_from(number).ok().filter(|&n| action::of_number(n, Color::White).is_some())
        };
        if let Some(game) = given.iter().position(|&action| number(action).is_none()) {
            return Err(input(format_args!("actions: {} in game {game} is no action", given[game])));
        }
        let actions: Vec<u32> = given.into_iter().filter_map(number).collect();
        self.each(py, |number, lane, row| lane.step(&self.games, actions[number], row))?;
        Ok(self.arrays.stepped(py))
    }

    /// A random action for each game, each that makes sense equally likely.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let mut lanes = self.lanes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let lanes: &mut Lanes = &mut lanes;
        let array = self.arrays.sampled.bind(py);
        let mut sampled = array.try_readwrite().map_err(run)?;
        let sampled = sampled.as_slice_mut().map_err(run)?;
        py.detach(|| sampled.iter_mut().zip(&mut lanes.lanes).for_each(|(to, lane)| *to = lane.sample()));
        Ok(array.clone())
    }

    /// What is observed now: `own` (n, 6, 64), `events` (n, last, 20), `action_mask` (n, 4193), `turn` (n,): 0 for White, 1 for Black;
    /// and `marginals` (n, 6, 64) of the hidden men, where they were asked for.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.arrays.observations.bind(py).clone()
    }

    /// What the umpires answered in the last step: the second byte of an event.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.arrays.answers.bind(py).clone()
    }

    /// The positions of all games, which no player may see.
    fn fens(&self, py: Python<'_>) -> Vec<String> {
        let lanes = self.lanes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        lanes.lanes.iter().map(Lane::fen).collect()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lanes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).lanes.len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<nebel.VectorUmpire {} games, {} threads>", self.__len__(py), self.threads)
    }
}

/// Whole numbers, of whatever type; nothing else is rounded to one.
fn integers(given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(numbers) = given.extract::<PyReadonlyArray1<'_, u32>>() {
        return Ok(numbers.as_array().iter().map(|&number| i64::from(number)).collect());
    }
    let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let wrong = || wrong_type("actions", "one whole number for each game", given);
    if kind != "i" && kind != "u" {
        return Err(wrong());
    }
    let numbers = array.call_method1("astype", ("int64",))?;
    let numbers: PyReadonlyArray1<'_, i64> = numbers.extract().map_err(|_| wrong())?;
    Ok(numbers.as_array().to_vec())
}
