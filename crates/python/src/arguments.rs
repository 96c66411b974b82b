//! What a caller may give, and JSON as Python objects.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use nebel_kriegspiel::{Chess, Color, Rules, start};
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyList, PyString},
};
use serde_json::Value;

use crate::failure::input_at;

/// The names of the known rules.
pub(crate) fn known_rules() -> Vec<String> {
    Rules::KNOWN.iter().map(|rules| rules().name.into_owned()).collect()
}

/// A side: `"white"` or `"black"`, or the `chess.WHITE` and `chess.BLACK` of python-chess.
pub(crate) fn side(given: &Bound<'_, PyAny>) -> PyResult<Color> {
    if let Ok(white) = given.extract::<bool>() {
        return Ok(Color::from_white(white));
    }
    let text: &str =
        &given.extract::<String>().map_err(|_| wrong_type("side", "\"white\" or \"black\"", given))?;
    match text {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err(input_at("side", format_args!("`{}` is neither white nor black", start::shortened(text)))),
    }
}

/// Rules: a name, the path of a ruleset in JSON, or such a ruleset as a dictionary; `default` where nothing is given.
pub(crate) fn rules(given: Option<&Bound<'_, PyAny>>, default: fn() -> Rules) -> PyResult<Arc<Rules>> {
    let Some(given) = given else { return Ok(Arc::new(default())) };
    if given.is_instance_of::<PyDict>() {
        return Ok(Arc::new(Rules::from_json(&json_text(given)?).map_err(|error| input_at("rules", error))?));
    }
    let path: PathBuf =
        given.extract().map_err(|_| wrong_type("rules", "a name, a path or a dictionary", given))?;
    let is_file = path.extension().is_some_and(|extension| extension == "json");
    let rules = if is_file {
        let mut text = String::new();
        let read = File::open(&path).and_then(|file| file.take(1 << 20).read_to_string(&mut text));
        read.map_err(|error| input_at(path.display(), error))?;
        Rules::from_json(&text).map_err(|error| input_at(path.display(), error))?
    } else {
        Rules::by_name(&path.to_string_lossy()).map_err(|error| input_at("rules", error))?
    };
    Ok(Arc::new(rules))
}

/// A position: a FEN, or anything with a method `fen`, such as a `chess.Board`.
pub(crate) fn position(given: &Bound<'_, PyAny>) -> PyResult<Chess> {
    let fen: String = match given.extract::<String>() {
        Ok(fen) => fen,
        Err(_) if given.hasattr("fen")? => given.call_method0("fen")?.extract()?,
        Err(_) => return Err(wrong_type("fen", "a FEN or a chess.Board", given)),
    };
    start::position(&fen).map_err(|error| input_at("fen", error))
}

/// Where a game starts.
pub(crate) fn start_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Chess> {
    given.map_or_else(|| Ok(Chess::new()), position)
}

/// A path of the file system.
pub(crate) fn existing_directory(directory: &Path) -> PyResult<()> {
    if directory.is_dir() {
        return Ok(());
    }
    Err(input_at("dir", format_args!("there is no directory {}", directory.display())))
}

/// A number of seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<std::time::Duration> {
    let wrong = |_| input_at(name, format_args!("{seconds} is no number of seconds"));
    std::time::Duration::try_from_secs_f64(seconds).map_err(wrong)
}

/// The exception for an argument of another type.
pub(crate) fn wrong_type(name: &str, wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: {wanted} is wanted, not {kind}"))
}

/// JSON as dictionaries, lists, numbers and text.
pub(crate) fn json_object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            _ => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => Ok(PyString::new(py, text).into_any()),
        Value::Array(values) => {
            let values: Vec<_> =
                values.iter().map(|value| json_object(py, value)).collect::<PyResult<_>>()?;
            Ok(PyList::new(py, values)?.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, json_object(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// Python objects as the text of JSON.
pub(crate) fn json_text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.py().import("json")?.call_method1("dumps", (object,))?.extract()
}

/// The JSON that a library wrote, its fields in the order in which they stand.
pub(crate) fn json_read<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
