//! Board evaluation: what a full position is worth, with full information.
//!
//! Sampling players ask for the value of many positions; who answers is a choice: the built-in
//! [`AlphaBeta`], or a chess engine outside ([`Uci`]).

mod alpha_beta;
mod uci;

use nebel_kriegspiel::Chess;

use crate::{Budget, Fault};

pub use alpha_beta::AlphaBeta;
pub use uci::Uci;

/// The value of a mate, in pawns. Finite and not much above a queen's worth of everything, so that one
/// board in a hundred on which a move happens to mate does not decide alone.
pub const MATE: f32 = 100.0;

/// Something that values positions.
pub trait Evaluate: Send {
    /// As one would write it in a player's options.
    fn spec(&self) -> String;

    /// Makes ready before a game, outside the time of a turn. A program outside may fail to start.
    fn ready(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// The value of a position for the side to move, in pawns, between −[`MATE`] and [`MATE`]; `None` if the budget was
    /// over before it was known.
    fn value(&mut self, position: &Chess, until: &Budget) -> Option<f32>;

    /// Positions looked at so far, by its own count.
    fn nodes(&self) -> u64;
}

/// The value of a position at a glance: some captures are followed, which takes a fraction of a millisecond.
pub fn glance(position: &Chess) -> f32 {
    AlphaBeta::new(0).glance(position)
}

/// The evaluator that an option names: `ab`, or `uci/COMMAND`.
pub fn by_spec(spec: &str, depth: u8) -> Option<Box<dyn Evaluate>> {
    match spec.split_once('/') {
        None if spec == "ab" => Some(Box::new(AlphaBeta::new(depth))),
        Some(("uci", command)) if !command.is_empty() => Some(Box::new(Uci::new(command, depth))),
        _ => None,
    }
}
