//! Small domains: examples of the [`Domain`](crate::Domain) trait, and the ground the solvers are tested on.

pub mod mini_chess;
pub mod table;
pub mod tree;
pub mod vacuum;
