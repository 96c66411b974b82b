//! Guaranteed mates: `nebel.solve` and `nebel.verify`.

use std::{
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Chess, Rules};
use nebel_prover::{
    Kriegspiel, MaterialWins, Position, Problem, Strategy as Plan, ViewBelief, WithTables, verify_until,
};
use nebel_search::{
    Algorithm, Cancel, Limits, Listed, Meter, Report, SolveError, Source, Verdict, solve_from,
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    arguments::{self, json_object, json_text, rules, seconds},
    failure::{InputError, input, input_at, run},
    interrupt::interruptible,
    tables,
    view::View,
};

/// What to try, and what to do for each answer: a tree that wins from every position of a belief.
#[pyclass(frozen, eq, module = "nebel")]
#[derive(Clone, PartialEq)]
pub(crate) struct Strategy {
    plan: Plan,
}

#[pymethods]
impl Strategy {
    /// A strategy from its dictionary, or from its JSON.
    #[staticmethod]
    fn from_dict(dict: &Bound<'_, PyAny>) -> PyResult<Strategy> {
        let text = match dict.extract::<String>() {
            Ok(text) => text,
            Err(_) => json_text(dict)?,
        };
        Ok(Strategy { plan: Plan::from_json(&text).map_err(|error| input_at("strategy", error))? })
    }

    /// The strategy as a dictionary: {"try": ..., "legal": {...}, "illegal": ...}.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_object(py, &serde_json::to_value(&self.plan).map_err(run)?)
    }

    /// What to do first: an attempt, or `any?`.
    #[getter]
    fn first(&self) -> &str {
        match &self.plan {
            Plan::Try { attempt, .. } => attempt,
            Plan::Ask { .. } => "any?",
        }
    }

    /// The strategy for people, indented by what has been heard.
    fn __str__(&self) -> String {
        self.plan.to_text()
    }

    fn __repr__(&self) -> String {
        format!("<nebel.Strategy {}>", self.first())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let class = slf.py().get_type::<Strategy>();
        Ok((class.getattr("from_dict")?, (slf.get().to_dict(slf.py())?,)))
    }
}

/// The belief that a caller asks about.
enum Asked {
    Listed(Problem),
    View(Box<ViewBelief>),
}

/// Whether White can force mate from every position of a belief within so many plies: a list of FENs, a `View` of White, or his `Belief`.
/// Returns a dictionary with the fields of `nebel solve --json`; `strategy` is a `Strategy` or None, `guaranteed` None when a limit was reached.
///
/// >>> import nebel
/// >>> report = nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], plies=1)
/// >>> report["guaranteed"], report["strategy"].first
/// (True, 'g6g7')
#[pyfunction]
#[pyo3(signature = (belief, plies, *, rules=None, algorithm="auto", time=None, nodes=None, memory=None, threads=1, tables=None))]
#[expect(clippy::too_many_arguments, reason = "the options of the command, by name")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    belief: &Bound<'py, PyAny>,
    plies: u32,
    rules: Option<&Bound<'py, PyAny>>,
    algorithm: &str,
    time: Option<f64>,
    nodes: Option<u64>,
    memory: Option<usize>,
    threads: usize,
    tables: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm: Algorithm = algorithm.parse().map_err(|error| input_at("algorithm", error))?;
    let limits = Limits {
        time: time.map(|time| seconds("time", time)).transpose()?,
        nodes,
        memory: memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
        threads,
        ..Limits::default()
    };
    let (rules, asked) = asked(belief, rules)?;
    let store = tables.map(tables::material_store).transpose()?;
    let stop_flag = store.as_ref().map(|store| store.stop_flag().clone());
    let stop = || {
        limits.cancel.cancel();
        if let Some(flag) = &stop_flag {
            flag.store(true, Relaxed);
        }
    };
    let found = interruptible(py, stop, || {
        let wins = store.map(|store| MaterialWins::new(store, |_| {}));
        let (begun, mut meter) = (Instant::now(), Meter::new(&limits));
        let question = Question { rules: &rules, plies, algorithm, tables: wins.as_ref() };
        let report = match asked {
            Asked::Listed(problem) => question.search(&mut Listed(problem.belief()), &mut meter),
            Asked::View(mut view) => question.search(&mut *view, &mut meter),
        };
        let error = wins.as_ref().and_then(MaterialWins::take_error);
        let plan = report
            .as_ref()
            .ok()
            .and_then(|report| report.strategy.as_ref())
            .map(|plan| Plan::of(plan, &rules));
        (report, plan, error, begun.elapsed())
    })?;
    let (report, plan, error, taken) = found;
    if let Some(error) = error {
        return Err(tables::failure(&error));
    }
    let report = report.map_err(|error| match error {
        SolveError::EmptyBelief => input("no position agrees with all that was heard"),
        SolveError::TooManyPlies(_) => input_at("plies", error),
    })?;
    report_object(py, &report, plan, plies, taken)
}

struct Question<'a> {
    rules: &'a Rules,
    plies: u32,
    algorithm: Algorithm,
    tables: Option<&'a MaterialWins>,
}

impl Question<'_> {
    fn search(
        &self,
        belief: &mut impl Source<State = Position>,
        meter: &mut Meter,
    ) -> Result<Report, SolveError> {
        let game = Kriegspiel::new(self.rules.clone());
        match self.tables {
            None => solve_from(&game, belief, self.plies, self.algorithm, meter),
            Some(tables) => {
                solve_from(&WithTables::new(game, tables), belief, self.plies, self.algorithm, meter)
            }
        }
    }
}

fn report_object<'py>(
    py: Python<'py>,
    report: &Report,
    plan: Option<Plan>,
    plies: u32,
    taken: Duration,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let guaranteed = match report.verdict {
        Verdict::Guaranteed => Some(true),
        Verdict::Refuted => Some(false),
        Verdict::Unknown(stop) => {
            dict.set_item("stopped", stop.to_string())?;
            None
        }
    };
    // Only White's own moves mate, so an even number is one less.
    let asked = plies.saturating_sub(u32::from(plies.is_multiple_of(2)));
    dict.set_item("guaranteed", guaranteed)?;
    dict.set_item("plies", report.strategy.as_ref().map_or(asked, nebel_search::Strategy::plies))?;
    dict.set_item("states", report.states)?;
    dict.set_item("whole", report.whole)?;
    dict.set_item("expanded", report.counters.expanded)?;
    dict.set_item("constructed", report.counters.constructed)?;
    dict.set_item("seconds", taken.as_secs_f64())?;
    dict.set_item("strategy", plan.map(|plan| Bound::new(py, Strategy { plan })).transpose()?)?;
    Ok(dict)
}

/// The positions of a list; bad ones are named by their place.
fn positions(given: &Bound<'_, PyAny>) -> PyResult<Vec<Chess>> {
    let given = if given.hasattr("fens")? { given.call_method0("fens")? } else { given.clone() };
    if given.is_instance_of::<pyo3::types::PyString>() {
        return Err(arguments::wrong_type("positions", "a list of FENs", &given));
    }
    let position = |(index, fen): (usize, PyResult<Bound<'_, PyAny>>)| {
        arguments::position(&fen?).map_err(|error| {
            if error.is_instance_of::<InputError>(given.py()) {
                input(format_args!("position {}: {}", index + 1, error.value(given.py())))
            } else {
                error
            }
        })
    };
    given.try_iter()?.enumerate().map(position).collect()
}

fn asked(belief: &Bound<'_, PyAny>, given: Option<&Bound<'_, PyAny>>) -> PyResult<(Rules, Asked)> {
    if let Ok(view) = belief.cast::<View>() {
        let heard = view.get().heard().clone();
        let asked = ViewBelief::new(&heard).map_err(|error| input_at("view", error))?;
        return Ok((heard.header().rules.clone(), Asked::View(Box::new(asked))));
    }
    let rules = rules(given, Rules::berkeley)?;
    let problem =
        Problem::new((*rules).clone(), positions(belief)?).map_err(|error| input_at("positions", error))?;
    Ok(((*rules).clone(), Asked::Listed(problem)))
}

/// Replays a strategy on every position against every reply: {"ok": True}, or the position, the line and the flaw.
#[pyfunction]
#[pyo3(signature = (strategy, positions, plies, *, rules=None, tables=None))]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    strategy: &Bound<'py, PyAny>,
    positions: &Bound<'py, PyAny>,
    plies: u32,
    rules: Option<&Bound<'py, PyAny>>,
    tables: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let plan = match strategy.cast::<Strategy>() {
        Ok(strategy) => strategy.get().plan.clone(),
        Err(_) => Strategy::from_dict(strategy)?.plan,
    };
    let rules = self::rules(rules, Rules::berkeley)?;
    let problem = Problem::new((*rules).clone(), self::positions(positions)?);
    let problem = problem.map_err(|error| input_at("positions", error))?;
    let store = tables.map(tables::material_store).transpose()?;
    let cancel = Cancel::default();
    let (result, error) = interruptible(
        py,
        || cancel.cancel(),
        || {
            let wins = store.map(|store| MaterialWins::new(store, |_| {}));
            let result = verify_until(&rules, problem.positions(), &plan, plies, wins.as_ref(), &cancel);
            (result, wins.as_ref().and_then(MaterialWins::take_error))
        },
    )?;
    if let Some(error) = error {
        return Err(tables::failure(&error));
    }
    let report = match result {
        Ok(()) => serde_json::json!({ "ok": true }),
        Err(flaw) => serde_json::json!({
            "ok": false, "position": flaw.position, "line": flaw.line, "error": flaw.kind.to_string(),
        }),
    };
    json_object(py, &report)
}
