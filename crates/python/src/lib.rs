//! `import nebel`: the umpire, beliefs, prover, tables, players and environments in Python.
//!
//! A thin layer: every piece of Kriegspiel is in the crates below, and what is written here turns arguments into their types and
//! their results into Python objects and numpy arrays. The part of the package that is written in Python is under `python/nebel`.
//!
//! | concept | module |
//! |---|---|
//! | what a caller may give: sides, rules, positions, attempts; JSON as Python objects | [`arguments`] |
//! | exceptions, and calls that Ctrl-C ends | [`failure`], [`interrupt`] |
//! | the referee, events, whole games, views of them, and their files | [`umpire`], [`event`], [`record`], [`view`], [`files`] |
//! | what may be | [`belief`] |
//! | guaranteed mates and tables | [`prover`], [`tables`] |
//! | players of ours, players written in Python, matches between both | [`player`], [`guest`], [`contest`] |
//! | attempts as numbers, what a side may know as numbers, many games at once; what they are compared with | [`action`], [`observation`], [`vector`], [`peer`] |
//!
//! Everything that may take long runs without the interpreter's lock. Objects that change hold their state in a mutex that is never
//! held while the interpreter is waited for, so threads can share them.

#![allow(
    clippy::needless_pass_by_value,
    reason = "arguments come from Python, which hands over what was made for the call"
)]
#![allow(
    clippy::doc_link_with_quotes,
    clippy::doc_markdown,
    reason = "Python shows the documentation as it stands"
)]

mod action;
mod arguments;
mod belief;
mod contest;
mod event;
mod failure;
mod files;
mod guest;
mod interrupt;
mod observation;
mod peer;
mod player;
mod prover;
mod record;
mod tables;
mod umpire;
mod vector;
mod view;

use pyo3::prelude::*;

/// The part of the package `nebel` that is written in Rust.
#[pymodule]
mod _nebel {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::action::{action_of, attempt_of};
    #[pymodule_export]
    use super::belief::Belief;
    #[pymodule_export]
    use super::contest::play_match;
    #[pymodule_export]
    use super::event::{AskEvent, AttemptEvent, EndEvent, Event};
    #[pymodule_export]
    use super::failure::{InputError, RunError};
    #[pymodule_export]
    use super::files::{read, write};
    #[pymodule_export]
    use super::peer::umpire_attempts;
    #[pymodule_export]
    use super::player::{MachinePlayer, players};
    #[pymodule_export]
    use super::prover::{Strategy, solve, verify};
    #[pymodule_export]
    use super::record::Transcript;
    #[pymodule_export]
    use super::tables::{build_tables, probe_tables};
    #[pymodule_export]
    use super::umpire::Umpire;
    #[pymodule_export]
    use super::vector::VectorUmpire;
    #[pymodule_export]
    use super::view::View;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("ACTIONS", super::action::ACTIONS)?;
        module.add("ASK", super::action::ASK)?;
        module.add("EVENT_CODES", super::observation::CODES)?;
        module.add("RULES", super::arguments::known_rules())
    }
}
