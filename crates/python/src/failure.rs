//! Exceptions: the sentences of the command line, as Python raises them.

use std::fmt::Display;

use nebel_kriegspiel::start::in_one_line;
use pyo3::{
    PyErr, create_exception,
    exceptions::{PyRuntimeError, PyValueError},
};

create_exception!(
    nebel,
    InputError,
    PyValueError,
    "What was given is wrong; the message says what and where."
);
create_exception!(
    nebel,
    RunError,
    PyRuntimeError,
    "Something failed at run time: a limit, a file, a program."
);

/// Bad input.
pub(crate) fn input(cause: impl Display) -> PyErr {
    InputError::new_err(in_one_line(&cause.to_string()))
}

/// Bad input in a named place.
pub(crate) fn input_at(place: impl Display, cause: impl Display) -> PyErr {
    input(format_args!("{place}: {cause}"))
}

/// A failure at run time.
pub(crate) fn run(cause: impl Display) -> PyErr {
    RunError::new_err(in_one_line(&cause.to_string()))
}
