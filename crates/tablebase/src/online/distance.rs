//! Distances to mate with the black king in sight: no mate in the dark is faster.
//!
//! Squares won in d form one mask a placement, and one step back is a few operations on masks, so the endings
//! with one man take some milliseconds.

use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, Symmetry};
use crate::index::Index;
use crate::material::Ending;
use crate::placement::Placement;

/// For each placement the squares won in 1, 2, 3… moves when White sees the king.
#[derive(Debug)]
pub(super) struct Distances {
    index: Index,
    /// By placement, then by number of moves less one: squares won within that number.
    within: Vec<Vec<Mask>>,
}

struct Transition {
    to: usize,
    back: Symmetry,
    legal: Mask,
    replies: Mask,
}

impl Distances {
    /// `None` for an ending that leads into others, or with more than one man: too slow to do in passing.
    pub(super) fn new(board: Board, ending: &Ending) -> Option<Distances> {
        if ending.men().len() != 1 || ending.has_pawn() {
            return None;
        }
        let index = Index::new(board, ending)?;
        let steps: Vec<Vec<Transition>> = index
            .placements()
            .iter()
            .map(|placement| {
                let step = |effect: AttemptEffect| {
                    let (to, symmetry) = index.find(&effect.after)?;
                    // A king who can take the man is not won.
                    let legal = effect.classes.iter().fold(0, |set, class| set | class.1);
                    let legal = legal & !board.neighbours(effect.loose);
                    Some(Transition { to, back: symmetry.inverse(), legal, replies: effect.replies })
                };
                AttemptEffect::all(board, placement).into_iter().filter_map(step).collect()
            })
            .collect();
        let mut within: Vec<Vec<Mask>> = vec![Vec::new(); steps.len()];
        let mut last: Vec<Mask> = vec![0; steps.len()];
        loop {
            let won = |step: &Transition| {
                step.legal & !board.neighbours(step.replies & !step.back.apply(board, last[step.to]))
            };
            let next: Vec<Mask> =
                steps.iter().map(|steps| steps.iter().fold(0, |set, step| set | won(step))).collect();
            if next == last {
                return Some(Distances { index, within });
            }
            within.iter_mut().zip(&next).for_each(|(within, &mask)| within.push(mask));
            last = next;
        }
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// The distance of the worst square of `set`; [`u16::MAX`] if one is not won at all, `None` for another ending.
    pub(super) fn worst(&self, placement: &Placement, set: Mask) -> Option<u16> {
        let (number, symmetry) = self.index.find(placement)?;
        let set = symmetry.apply(self.index.board(), set);
        let moves = self.within[number].iter().position(|&mask| set & !mask == 0);
        Some(moves.map_or(u16::MAX, |moves| moves as u16 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_distances_are_those_of_chess() {
        for (name, moves) in [("KRK", 16), ("KQK", 10)] {
            let distances = Distances::new(Board::CHESS, &name.parse().unwrap()).unwrap();
            assert_eq!(distances.within.iter().map(Vec::len).max(), Some(moves), "{name}");
        }
    }
}
