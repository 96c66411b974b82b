//! Players: one short game of each against itself, each choice with a budget of nodes.

use nebel_arena::identity::FixedGame;
use nebel_kriegspiel::{Chess, Rules};
use nebel_players::{kinds, provenance};

use super::{Done, Work, games::seed_of, signature::Signature};
use crate::failure::Failure;

/// Moves of each side.
const MOVES: usize = 20;
/// For each choice.
const NODES: u64 = 300;

pub(super) fn run(work: Work) -> Result<Done, Failure> {
    let (mut signature, mut choices) = (Signature::default(), 0);
    // A program outside is not ours.
    for (number, kind) in kinds().iter().filter(|kind| kind.name != "exec").enumerate() {
        let bad = |error| Failure::input(kind.name, error);
        // Tables that the user happens to have must not decide.
        let Some(spec) = provenance::repeatable(kind.name).map_err(bad)? else { continue };
        let seed = |side: u64| seed_of(work.seed, 3 + side, number as u64, 0);
        let game = FixedGame {
            start: Chess::new(),
            rules: Rules::icc(),
            moves: work.pieces(MOVES) as u32,
            nodes: NODES,
            seeds: [seed(0), seed(1)],
        };
        let played = game.play(&spec).map_err(bad)?;
        signature.text(&spec);
        for event in played.transcript.events() {
            signature.text(&event.to_json(&game.rules));
        }
        choices += played.transcript.events().len() as u64;
    }
    Ok(Done { signature, count: choices, unit: "choices" })
}
