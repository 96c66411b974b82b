//! Beliefs.
/// Cache.
#[derive(Default)]
pub struct Cache;
