//! The arrays that a learner holds: made once, written in every step.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{prelude::*, types::PyDict};

use super::rows::Rows;
use crate::{action::ACTIONS, failure::run, observation::CODES};

/// The arrays, made once.
pub(super) struct Arrays {
    own: Py<PyArray3<u8>>,
    events: Py<PyArray3<u8>>,
    mask: Py<PyArray2<bool>>,
    turn: Py<PyArray1<u8>>,
    marginals: Option<Py<PyArray3<f32>>>,
    pub(super) answers: Py<PyArray1<u8>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    /// What was drawn last, which no step writes.
    pub(super) sampled: Py<PyArray1<u32>>,
    pub(super) observations: Py<PyDict>,
}

impl Arrays {
    pub(super) fn new(py: Python<'_>, count: usize, last: usize, with_marginals: bool) -> PyResult<Arrays> {
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

    /// Calls `work` with the memory of all arrays that steps write, without the interpreter's lock.
    pub(super) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Rows<'_>) -> T + Send,
    ) -> PyResult<T> {
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
        };
        Ok(py.detach(|| work(rows)))
    }

    /// What a step returns.
    pub(super) fn stepped<'py>(&self, py: Python<'py>) -> Stepped<'py> {
        (
            self.observations.bind(py).clone(),
            self.rewards.bind(py).clone(),
            self.terminated.bind(py).clone(),
            self.truncated.bind(py).clone(),
        )
    }
}

/// What a step returns: observations, rewards, and which games have ended or were cut.
pub(super) type Stepped<'py> =
    (Bound<'py, PyDict>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);
