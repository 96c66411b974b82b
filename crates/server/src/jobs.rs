//! Jobs.
#[derive(Clone, Default)]
pub(crate) struct Jobs;
