//! Particles: positions that agree with everything heard, some of them where there are too many to keep.

pub mod pool;

pub use pool::{Pool, PoolLimits};
