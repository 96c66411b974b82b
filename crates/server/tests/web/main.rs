//! The server through real sockets: games, hostile clients, leaks, restarts, and the rest of the API.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod api;
mod bounds;
mod common;
mod games;
mod hostile;
mod keeping;
mod leaks;
mod load;
mod machines;
mod restart;
mod siege;
mod studies;
mod watching;
