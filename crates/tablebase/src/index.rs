//! Numbering of placements up to the symmetries of the board.
//!
//! Every placement of an ending is mapped to a number and to the symmetry that carries it onto the
//! representative of its class. Without pawns there are eight symmetries, with pawns the left–right mirror.

use shakmaty::{Role, Square};

use crate::board::{Board, Symmetry, bit, squares_of};
use crate::material::{Ending, MAX_MEN};
use crate::placement::Placement;

/// The representatives of an ending's placements and the way from any placement to its own.
#[derive(Debug)]
pub struct Index {
    board: Board,
    ending: Ending,
    placements: Vec<Placement>,
    /// By packed squares: eight times the number, plus the symmetry; `NONE` for impossible placements.
    lookup: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Index {
    /// Enumerates the ending's placements; `None` if it has more men than a table can hold.
    pub fn new(board: Board, ending: &Ending) -> Option<Index> {
        if ending.men().len() > MAX_MEN {
            return None;
        }
        let mut index = Index {
            board,
            ending: ending.clone(),
            placements: Vec::new(),
            lookup: vec![NONE; 1 << (6 * (ending.men().len() + 1))],
        };
        for king in squares_of(board.squares()) {
            index.enumerate(king, &mut Vec::new());
        }
        Some(index)
    }

    /// The ending.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The representatives, by number.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The number of a placement's class and the symmetry from the placement to the representative;
    /// `None` if the placement belongs to another ending.
    #[inline]
    pub fn find(&self, placement: &Placement) -> Option<(usize, Symmetry)> {
        if placement.men().len() != self.ending.men().len()
            || placement.men().iter().zip(self.ending.men()).any(|(man, &role)| man.0 != role)
        {
            return None;
        }
        let entry = self.lookup[key(placement)];
        (entry != NONE).then(|| ((entry >> 3) as usize, Symmetry::from_number((entry & 7) as u8)))
    }

    /// Adds every placement with these first men. In ascending order the first member of a class becomes its
    /// representative and names all others.
    fn enumerate(&mut self, king: Square, squares: &mut Vec<Square>) {
        let men = self.ending.men();
        if squares.len() == men.len() {
            let placement =
                Placement::new(self.board, king, men.iter().copied().zip(squares.iter().copied()));
            if let Ok(placement) = placement {
                self.add(placement);
            }
            return;
        }
        let role = men[squares.len()];
        let rank = self.board.squares() & 0xff;
        let last = rank << (8 * (self.board.size() - 1));
        let barred = if role == Role::Pawn { rank | last } else { 0 };
        let taken = squares.iter().fold(bit(king), |set, &square| set | bit(square));
        let smallest = match squares.last() {
            Some(&square) if men[squares.len() - 1] == role => square as u32,
            _ => 0,
        };
        for square in squares_of(self.board.squares() & !taken & !barred & (u64::MAX << smallest)) {
            squares.push(square);
            self.enumerate(king, squares);
            squares.pop();
        }
    }

    fn add(&mut self, placement: Placement) {
        if self.lookup[key(&placement)] != NONE {
            return;
        }
        let number = self.placements.len() as u32;
        let symmetries = if self.ending.has_pawn() { &Symmetry::ALL[..2] } else { &Symmetry::ALL[..] };
        for &symmetry in symmetries {
            let image = key(&placement.transformed(self.board, symmetry));
            if self.lookup[image] == NONE {
                self.lookup[image] = number << 3 | u32::from(symmetry.inverse().number());
            }
        }
        self.placements.push(placement);
    }
}

fn key(placement: &Placement) -> usize {
    placement.men().iter().fold(usize::from(placement.king()), |key, man| key << 6 | usize::from(man.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(ending: &str) -> Index {
        Index::new(Board::CHESS, &ending.parse().unwrap()).unwrap()
    }

    #[test]
    fn classes_are_counted_as_the_symmetries_say() {
        assert_eq!(index("KRK").placements().len(), 518);
        // 64·48 placements less those with the king on the pawn, none of them its own mirror image.
        assert_eq!(index("KPK").placements().len(), (64 * 48 - 48) / 2);
    }

    #[test]
    fn every_placement_reaches_its_representative() {
        for name in ["KRK", "KPK", "KBBK"] {
            let index = index(name);
            for placement in index.placements().iter().step_by(7) {
                for symmetry in Symmetry::ALL.iter().take(if index.ending().has_pawn() { 2 } else { 8 }) {
                    let image = placement.transformed(Board::CHESS, *symmetry);
                    let (number, back) = index.find(&image).unwrap();
                    assert_eq!(&index.placements()[number], placement);
                    assert_eq!(&image.transformed(Board::CHESS, back), placement);
                }
            }
        }
        assert!(index("KRK").find(&Placement::parse(Board::CHESS, "Ka1 Qb2").unwrap()).is_none());
    }
}
