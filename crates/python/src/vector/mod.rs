//! Many games at once, for learners: n umpires that are stepped together into arrays that are there from the beginning.

mod lane;

use std::sync::{Arc, Mutex, PoisonError};

use nebel_belief::BeliefLimits;
use nebel_kriegspiel::{Color, Rules, Umpire};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::{prelude::*, sync::MutexExt, types::PyDict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::lane::{Games, Lane, Rows};
use crate::{
    action::{self, ACTIONS},
    arguments::{rules, start_of, wrong_type},
    failure::{input, run},
    observation::CODES,
};

/// The most games: their arrays take some five kilobytes each.
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

struct Lanes {
    lanes: Vec<Lane>,
    /// The threads and the process they belong to: threads do not outlive a fork, so a child makes its own.
    pool: Option<(u32, Arc<ThreadPool>)>,
}

/// The arrays, made once.
struct Arrays {
    own: Py<PyArray3<u8>>,
    events: Py<PyArray3<u8>>,
    mask: Py<PyArray2<bool>>,
    turn: Py<PyArray1<u8>>,
    marginals: Option<Py<PyArray3<f32>>>,
    answers: Py<PyArray1<u8>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    sampled: Py<PyArray1<u32>>,
    observations: Py<PyDict>,
}

impl Arrays {
    fn new(py: Python<'_>, count: usize, last: usize, with_marginals: bool) -> PyResult<Arrays> {
        let observations = PyDict::new(py);
        let own = PyArray3::zeros(py, [count, 6, 64], false);
        let events = PyArray3::zeros(py, [count, last, CODES], false);
        let mask = PyArray2::zeros(py, [count, ACTIONS], false);
        let turn = PyArray1::zeros(py, count, false);
        let marginals = with_marginals.then(|| PyArray3::zeros(py, [count, 6, 64], false));
        observations.set_item("own", &own)?;
        observations.set_item("events", &events)?;
        observations.set_item("action_mask", &mask)?;
        observations.set_item("turn", &turn)?;
        if let Some(marginals) = &marginals {
            observations.set_item("marginals", marginals)?;
        }
        Ok(Arrays {
            own: own.unbind(),
            events: events.unbind(),
            mask: mask.unbind(),
            turn: turn.unbind(),
            marginals: marginals.map(Bound::unbind),
            answers: PyArray1::zeros(py, count, false).unbind(),
            rewards: PyArray2::zeros(py, [count, 2], false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
            sampled: PyArray1::zeros(py, count, false).unbind(),
            observations: observations.unbind(),
        })
    }

    /// Calls `work` with the memory of all arrays, without the interpreter's lock.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(Rows<'_>) -> T + Send) -> PyResult<T> {
        let mut own = self.own.bind(py).try_readwrite().map_err(run)?;
        let mut events = self.events.bind(py).try_readwrite().map_err(run)?;
        let mut mask = self.mask.bind(py).try_readwrite().map_err(run)?;
        let mut turn = self.turn.bind(py).try_readwrite().map_err(run)?;
        let mut marginals =
            self.marginals.as_ref().map(|array| array.bind(py).try_readwrite()).transpose().map_err(run)?;
        let mut answers = self.answers.bind(py).try_readwrite().map_err(run)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(run)?;
        let mut terminated = self.terminated.bind(py).try_readwrite().map_err(run)?;
        let mut truncated = self.truncated.bind(py).try_readwrite().map_err(run)?;
        let mut sampled = self.sampled.bind(py).try_readwrite().map_err(run)?;
        let rows = Rows {
            own: own.as_slice_mut().map_err(run)?,
            events: events.as_slice_mut().map_err(run)?,
            mask: mask.as_slice_mut().map_err(run)?,
            turn: turn.as_slice_mut().map_err(run)?,
            marginals: match &mut marginals {
                Some(marginals) => marginals.as_slice_mut().map_err(run)?,
                None => &mut [],
            },
            answers: answers.as_slice_mut().map_err(run)?,
            rewards: rewards.as_slice_mut().map_err(run)?,
            terminated: terminated.as_slice_mut().map_err(run)?,
            truncated: truncated.as_slice_mut().map_err(run)?,
            sampled: sampled.as_slice_mut().map_err(run)?,
        };
        Ok(py.detach(|| work(rows)))
    }
}

/// What a step returns: observations, rewards, and which games have ended or were cut.
type Stepped<'py> =
    (Bound<'py, PyDict>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

impl VectorUmpire {
    /// Has every game worked on, in equal shares by so many threads.
    fn each(
        &self,
        py: Python<'_>,
        work: impl Fn(&Games, usize, &mut Lane, &mut Rows<'_>) + Sync,
    ) -> PyResult<()> {
        let mut lanes = self.lanes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let lanes: &mut Lanes = &mut lanes;
        let pool = lanes.pool(self.threads)?;
        let share = lanes.lanes.len().div_ceil(self.threads.max(1));
        let (games, lanes) = (&self.games, &mut lanes.lanes);
        self.arrays.with(py, |rows| {
            let run_share = |first: usize, lanes: &mut [Lane], mut rows: Rows<'_>| {
                for (index, lane) in lanes.iter_mut().enumerate() {
                    let (mut row, rest) = rows.split(1, games);
                    work(games, first + index, lane, &mut row);
                    rows = rest;
                }
            };
            let Some(pool) = pool else { return run_share(0, lanes, rows) };
            pool.in_place_scope(|scope| {
                let mut rest = rows;
                for (number, lanes) in lanes.chunks_mut(share).enumerate() {
                    let (rows, others) = rest.split(lanes.len(), games);
                    rest = others;
                    let run_share = &run_share;
                    scope.spawn(move |_| run_share(number * share, lanes, rows));
                }
            });
        })
    }

    fn stepped<'py>(&self, py: Python<'py>) -> Stepped<'py> {
        let arrays = &self.arrays;
        (
            arrays.observations.bind(py).clone(),
            arrays.rewards.bind(py).clone(),
            arrays.terminated.bind(py).clone(),
            arrays.truncated.bind(py).clone(),
        )
    }
}

impl Lanes {
    fn pool(&mut self, threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
        if threads < 2 {
            return Ok(None);
        }
        let process = std::process::id();
        if let Some((owner, pool)) = &self.pool
            && *owner == process
        {
            return Ok(Some(Arc::clone(pool)));
        }
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().map_err(run)?);
        // A pool of the parent's process has no threads here, and would wait for them if it were dropped.
        std::mem::forget(self.pool.replace((process, Arc::clone(&pool))));
        Ok(Some(pool))
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
        let umpire = Umpire::at((*self::rules(rules, Rules::icc)?).clone(), start.clone());
        if umpire.over().is_some() {
            return Err(input("fen: the game is over before it begins"));
        }
        let limits = BeliefLimits { exact: limit, ..BeliefLimits::default() };
        let games = Games {
            start: umpire,
            position: start,
            last,
            max_attempts,
            beliefs: marginals.then_some(limits),
        };
        let lanes = (0..n as u64).map(|number| Lane::new(&games, seed, number)).collect();
        let arrays = Arrays::new(py, n, last, marginals)?;
        let vector = VectorUmpire { lanes: Mutex::new(Lanes { lanes, pool: None }), games, threads, arrays };
        vector.each(py, |games, _, lane, row| lane.show(games, row))?;
        Ok(vector)
    }

    /// Begins all games anew; with a seed, `sample` begins anew as well.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Bound<'py, PyDict>> {
        self.each(py, |games, number, lane, row| {
            if let Some(seed) = seed {
                lane.seed(seed, number as u64);
            }
            lane.reset(games);
            row.clear();
            lane.show(games, row);
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
        self.each(py, |games, number, lane, row| lane.step(games, actions[number], row))?;
        Ok(self.stepped(py))
    }

    /// A random action for each game, each that makes sense equally likely.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.each(py, |_, _, lane, row| row.sampled[0] = lane.sample())?;
        Ok(self.arrays.sampled.bind(py).clone())
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

/// Plays random games with the umpire of the Rust library and nothing else, until so many attempts were made; returns how many games
/// ended. What benchmarks compare with.
#[pyfunction]
#[pyo3(signature = (attempts, seed=0))]
pub(crate) fn umpire_attempts(py: Python<'_>, attempts: u64, seed: u64) -> u64 {
    py.detach(|| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut games, mut made) = (0, 0);
        while made < attempts {
            let mut umpire = Umpire::new(Rules::icc());
            while umpire.over().is_none() && made < attempts {
                let mut sensible = umpire.sensible_attempts();
                // One list a turn: a refused attempt is taken out of it, as a player would.
                while made < attempts {
                    let attempt = sensible.swap_remove(random.random_range(0..sensible.len()));
                    made += 1;
                    let Ok(event) = umpire.attempt(attempt) else { break };
                    std::hint::black_box(Color::ALL.map(|side| event.heard_by(side, umpire.rules())));
                    if event.announcement().is_some() {
                        break;
                    }
                }
            }
            games += 1;
        }
        games
    })
}
