//! All boards that a metaposition allows, where they are few.

use nebel_kriegspiel::{Bitboard, File, Role, Square};
use nebel_position::{Key, Men};

use super::Metaposition;

/// Men while they are put on the board.
struct Placing<'a> {
    metaposition: &'a Metaposition,
    /// Where a man other than the king may stand.
    squares: Vec<Square>,
    most: usize,
    /// How many placements may still be looked at.
    looks: usize,
    found: Vec<Key>,
}

/// So many placements are looked at for each board that is wanted at most.
const LOOKS: usize = 20;

impl Metaposition {
    /// Every board that this metaposition allows, or `None` if there are more than so many, or if a right to castle is in
    /// doubt. What was announced last is not asked, and no pawn is marked as capturable en passant.
    pub fn boards(&self, most: usize) -> Option<Vec<Key>> {
        if self.castling.any() {
            return None;
        }
        let squares = self.may_hold_other_than_king().into_iter().collect();
        let mut placing =
            Placing { metaposition: self, squares, most, looks: LOOKS * most, found: Vec::new() };
        placing.place(Men::EMPTY, 0, usize::from(self.census.men()))?;
        Some(placing.found)
    }
}

impl Placing<'_> {
    /// Puts the men that are left on squares from an index on, and then the king.
    fn place(&mut self, men: Men, from: usize, left: usize) -> Option<()> {
        self.looks = self.looks.checked_sub(1)?;
        if left == 0 {
            return self.place_king(men);
        }
        for index in from..self.squares.len().saturating_sub(left - 1) {
            let square = self.squares[index];
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                if self.metaposition.may_hold(role).contains(square) {
                    let mut next = men;
                    next.put(role, square);
                    if role != Role::Pawn || self.has_room_for(next.pawns, square.file()) {
                        self.place(next, index + 1, left - 1)?;
                    }
                }
            }
        }
        Some(())
    }

    fn has_room_for(&self, pawns: Bitboard, file: File) -> bool {
        let census = self.metaposition.census();
        pawns.count() <= usize::from(census.pawns().most)
            && (pawns & Bitboard::from(file)).count() <= usize::from(census.on(file).most)
    }

    fn place_king(&mut self, men: Men) -> Option<()> {
        let meta = self.metaposition;
        let census = meta.census();
        let are_enough = men.pawns.count() >= usize::from(census.pawns().least)
            && File::ALL
                .into_iter()
                .all(|file| (men.pawns & Bitboard::from(file)).count() >= usize::from(census.on(file).least));
        if !are_enough {
            return Some(());
        }
        let bare = meta.surely_held() & !men.all;
        let kings = meta.may_hold(Role::King) & !men.all;
        let kings = match bare.count() {
            0 => kings,
            1 => kings & bare,
            _ => return Some(()),
        };
        for king in kings {
            let mut board = men;
            board.put(Role::King, king);
            self.found.push(Key::pack(&board));
        }
        (self.found.len() <= self.most).then_some(())
    }
}
