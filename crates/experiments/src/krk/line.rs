//! A longest line played out: White by the table, Black and the umpire as bad for White as can be.

use nebel_kriegspiel::Attempt;
use nebel_tablebase::{AttemptEffect, Board, Mask, Placement, Tables, Tie, bit, message, squares_of};

/// One attempt of a line and what the umpire answers.
#[derive(Debug, Clone)]
pub struct LineMove {
    /// The attempt.
    pub attempt: Attempt,
    /// The answer: `refused`, `silent`, a direction of check, `takes on …`, or `mate`.
    pub answer: String,
    /// In how many squares the king may be before the attempt.
    pub squares: u32,
    /// Moves to mate before the attempt.
    pub mate_in: u16,
}

/// The line in which every answer leaves White the most moves to make.
pub fn longest_line(tables: &Tables, placement: &Placement, set: Mask, tie: Tie) -> Vec<LineMove> {
    let mut steps = Vec::new();
    let (mut placement, mut set) = (placement.clone(), set);
    while let Some(advice) = tables.advise(&placement, set, tie) {
        let effect = AttemptEffect::all(Board::CHESS, &placement)
            .into_iter()
            .find(|effect| effect.attempt == advice.attempt);
        let Some(effect) = effect else { break };
        let worst = outcomes(&placement, set, &effect)
            .into_iter()
            .map(|outcome| (moves_after(tables, &outcome), outcome))
            .max_by_key(|(moves, _)| *moves);
        let mut step = LineMove {
            attempt: advice.attempt,
            answer: "mate".to_owned(),
            squares: set.count_ones(),
            mate_in: advice.mate_in,
        };
        let Some((_, (answer, next, left))) = worst else {
            steps.push(step);
            break;
        };
        step.answer = answer;
        steps.push(step);
        (placement, set) = (next, left);
    }
    steps
}

/// An answer in words, the men after it, and the squares left; games that end are left out.
type Outcome = (String, Placement, Mask);

fn outcomes(placement: &Placement, set: Mask, effect: &AttemptEffect) -> Vec<Outcome> {
    let mut list = Vec::new();
    if set & effect.refused != 0 {
        list.push(("refused".to_owned(), placement.clone(), set & effect.refused));
    }
    for &(message, class) in &effect.classes {
        let next = effect.successors(Board::CHESS, set & class);
        if next != 0 {
            list.push((words(message), effect.after.clone(), next));
        }
    }
    for square in squares_of(effect.losses(Board::CHESS, set & !effect.refused)) {
        list.push((format!("takes on {square}"), effect.after.without(square), bit(square)));
    }
    list
}

/// Moves still to make, a refusal costing none of them.
fn moves_after(tables: &Tables, outcome: &Outcome) -> u16 {
    let refused = outcome.0 == "refused";
    let moves = tables.known(&outcome.1, outcome.2).moves();
    moves.map_or(u16::MAX, |moves| moves + u16::from(!refused))
}

fn words(directions: u8) -> String {
    let names: Vec<&str> =
        message::NAMES.iter().filter(|(bit, _)| directions & bit != 0).map(|(_, name)| *name).collect();
    if names.is_empty() { "silent".to_owned() } else { format!("check: {}", names.join(", ")) }
}
