//! Conversion.

pub(crate) mod convert;
pub(crate) mod endings;
pub(crate) mod finish;
pub(crate) mod past;
pub(crate) mod veto;
