//! Players: one short game of each against itself, each choice with a budget of nodes.

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    time::TimeControl,
};
use nebel_kriegspiel::{Chess, Rules};
use nebel_players::{by_spec, kinds};

use super::{Done, Work, games::seed_of, signature::Signature};
use crate::failure::Failure;

/// Moves of each side.
const MOVES: usize = 20;
/// For each choice.
const NODES: u64 = 300;

pub(super) fn run(work: Work) -> Result<Done, Failure> {
    let (mut signature, mut choices) = (Signature::default(), 0);
    let terms =
        MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(work.pieces(MOVES) as u32) };
    // A program outside is not ours.
    for (number, kind) in kinds().iter().filter(|kind| kind.name != "exec").enumerate() {
        // Tables that the user happens to have must not decide.
        let time = TimeControl::Nodes(NODES);
        let takes_tables = kind.options().iter().any(|option| option.name == "tables");
        let spec = if takes_tables { format!("{}:tables=off", kind.name) } else { kind.name.to_owned() };
        let bad = |error| Failure::input(&spec, error);
        let (mut white, mut black) = (by_spec(&spec).map_err(bad)?, by_spec(&spec).map_err(bad)?);
        let seed = |side: u64| seed_of(work.seed, 3 + side, number as u64, 0);
        let played = play(
            &terms,
            Contestant { player: &mut *white, seed: seed(0), time },
            Contestant { player: &mut *black, seed: seed(1), time },
            |_| {},
        );
        signature.text(&spec);
        for event in played.transcript.events() {
            signature.text(&event.to_json(&terms.rules));
        }
        choices += played.transcript.events().len() as u64;
    }
    Ok(Done { signature, count: choices, unit: "choices" })
}
