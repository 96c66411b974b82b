//! Mates that were certain: what the prover proves of a belief that is known whole.

use nebel_belief::{Belief, particles::HowKnown};
use nebel_kriegspiel::{Chess, Color, Position as _};
use nebel_prover::{Problem, Strategy};
use nebel_search::{Algorithm, Limits, Strategy as SearchStrategy};
use shakmaty::{CastlingMode, EnPassantMode, FromSetup as _};

/// Within so many plies: mates that people see.
const PLIES: u32 = 3;
/// Of so many positions at most; with more, a mate in two is seldom certain and long to search.
const POSITIONS: usize = 400;
/// What a proof may cost, in positions looked at: some tens of milliseconds.
const NODES: u64 = 300_000;
const MEMORY: usize = 64 << 20;

/// A mate that can be forced in every position that may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mate {
    /// Moves of the side that mates.
    pub(super) moves: u32,
    /// What to try first.
    pub(super) attempt: String,
}

/// The mate that the side to move can force, if the belief is known whole and small enough to prove it.
pub(super) fn prove(belief: &Belief) -> Option<Mate> {
    if belief.how_known() != HowKnown::All || belief.len() > POSITIONS {
        return None;
    }
    let view = belief.view();
    let side = view.side();
    let positions: Option<Vec<Chess>> =
        belief.keys().map(|key| as_white(view.position(key)?, side)).collect();
    let rules = view.own().rules().clone();
    let problem = Problem::new(rules.clone(), positions?).ok()?;
    let limits = Limits { nodes: Some(NODES), memory: Some(MEMORY), ..Limits::default() };
    let found = problem.solve(PLIES, Algorithm::Auto, &limits).ok()?.strategy?;
    let moves = SearchStrategy::plies(&found).div_ceil(2);
    match Strategy::of(&found, &rules) {
        Strategy::Try { attempt, .. } => Some(Mate { moves, attempt: from_white(&attempt, side) }),
        Strategy::Ask { .. } => Some(Mate { moves, attempt: "any?".to_owned() }),
    }
}

/// The prover mates with White: Black's positions are turned over.
fn as_white(position: Chess, side: Color) -> Option<Chess> {
    if side == Color::White {
        return Some(position);
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.mirror();
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// An attempt of White as the side itself makes it: Black counts ranks from the other end.
fn from_white(attempt: &str, side: Color) -> String {
    let turned = |letter: char| match letter {
        '1'..='8' if side == Color::Black => char::from(b'1' + b'8' - letter as u8),
        _ => letter,
    };
    attempt.chars().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use nebel_belief::BeliefLimits;
    use nebel_kriegspiel::{Rules, start};

    use super::*;

    fn of(fen: &str, side: Color) -> Option<Mate> {
        let position = start::position(fen).unwrap();
        prove(&Belief::new(Rules::icc(), &position, side, BeliefLimits::default(), 0))
    }

    #[test]
    fn both_sides_see_a_certain_mate_and_no_other() {
        let mate = |attempt: &str| Some(Mate { moves: 1, attempt: attempt.to_owned() });
        assert_eq!(of("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", Color::White), mate("g6g7"));
        assert_eq!(of("8/8/8/8/8/5kq1/8/7K b - - 0 1", Color::Black), mate("g3g2"));
        assert_eq!(of(start::STANDARD, Color::White), None);
    }
}
