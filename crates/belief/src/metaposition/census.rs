//! How many men the other side has left, and how many pawns on each file, as bounds.
//!
//! The number of men besides the king is always known: every capture is announced. How many of them are pawns is
//! known up to unseen promotions, and under rules that do not tell a captured pawn from a piece, up to those. Darkboard
//! keeps `pawnsLeft` and `piecesLeft` and lets a piece captured when none is left take a promoted pawn off the first; an
//! upper bound that never exceeds the number of men says the same.

use nebel_kriegspiel::{Bitboard, File, Kind};

/// Bounds on the other side's men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Census {
    /// Men besides the king, exactly.
    men: u8,
    /// Pawns in all, at least and at most.
    pawns: Bounds,
    /// Pawns on each file, at least and at most.
    files: [Bounds; 8],
}

/// A number known to lie between two others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least so many.
    pub least: u8,
    /// At most so many.
    pub most: u8,
}

impl Bounds {
    const fn exactly(number: u8) -> Bounds {
        Bounds { least: number, most: number }
    }

    const fn one_less_at_least(&mut self) {
        self.least = self.least.saturating_sub(1);
    }

    const fn one_less(&mut self) {
        self.least = self.least.saturating_sub(1);
        self.most = self.most.saturating_sub(1);
    }

    fn narrow(&mut self, least: u8, most: u8) {
        self.most = self.most.min(most);
        self.least = self.least.max(least).min(self.most);
    }
}

impl Census {
    /// The census of men that are seen.
    pub fn of(men: Bitboard, pawns: Bitboard) -> Census {
        let on = |file| (pawns & Bitboard::from(file)).count() as u8;
        Census {
            men: (men.count() as u8).saturating_sub(1),
            pawns: Bounds::exactly(pawns.count() as u8),
            files: File::ALL.map(|file| Bounds::exactly(on(file))),
        }
    }

    /// Men besides the king.
    #[inline]
    pub const fn men(&self) -> u8 {
        self.men
    }

    /// Pawns.
    #[inline]
    pub const fn pawns(&self) -> Bounds {
        self.pawns
    }

    /// Men that are neither pawns nor the king.
    #[inline]
    pub const fn pieces(&self) -> Bounds {
        Bounds {
            least: self.men.saturating_sub(self.pawns.most),
            most: self.men.saturating_sub(self.pawns.least),
        }
    }

    /// Pawns on a file.
    #[inline]
    pub fn on(&self, file: File) -> Bounds {
        self.files[usize::from(file)]
    }

    /// A man was captured on this file. `kind` is what it was, if that is known.
    pub fn capture(&mut self, file: File, kind: Option<Kind>) {
        self.men = self.men.saturating_sub(1);
        let on_file = &mut self.files[usize::from(file)];
        match kind {
            Some(Kind::Pawn) => {
                on_file.one_less();
                self.pawns.one_less();
            }
            Some(Kind::Piece) => {}
            None => {
                on_file.one_less_at_least();
                self.pawns.one_less_at_least();
            }
        }
    }

    /// A pawn may have been promoted on its way down one of these files.
    pub fn may_promote(&mut self, from: Bitboard) {
        if from.is_empty() {
            return;
        }
        self.pawns.one_less_at_least();
        self.may_leave(from);
    }

    /// A pawn may have left one of these squares for another file.
    pub fn may_leave(&mut self, from: Bitboard) {
        for file in File::ALL {
            if (from & Bitboard::from(file)).any() {
                self.files[usize::from(file)].one_less_at_least();
            }
        }
    }

    /// A pawn may have come to this file.
    pub fn may_come(&mut self, file: File) {
        self.files[usize::from(file)].most += 1;
    }

    /// A pawn surely came to this file from one of these squares; that it [may have](Census::may_come) was said before.
    pub fn came(&mut self, file: File, from: Bitboard) {
        self.files[usize::from(file)].least += 1;
        let mut origins = File::ALL.into_iter().filter(|&file| (from & Bitboard::from(file)).any());
        if let (Some(origin), None) = (origins.next(), origins.next()) {
            let left = &mut self.files[usize::from(origin)];
            left.most = left.most.saturating_sub(1);
        }
    }

    /// Draws the bounds together: pawns are men, files add up to all pawns, and each pawn stands on one of `squares`.
    #[inline]
    pub fn settle(&mut self, squares: Bitboard) {
        self.pawns.narrow(0, self.men);
        for (file, bounds) in File::ALL.into_iter().zip(&mut self.files) {
            bounds.narrow(0, (squares & Bitboard::from(file)).count() as u8);
        }
        let sum = |pick: fn(&Bounds) -> u8, files: &[Bounds; 8]| files.iter().map(pick).sum::<u8>();
        let (least, most) = (sum(|b| b.least, &self.files), sum(|b| b.most, &self.files));
        self.pawns.narrow(least, most);
        for bounds in &mut self.files {
            let (others_least, others_most) = (least - bounds.least, most - bounds.most);
            bounds.narrow(
                self.pawns.least.saturating_sub(others_most),
                self.pawns.most.saturating_sub(others_least),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color, Position};

    use super::*;

    fn start() -> Census {
        let board = Chess::new().board().clone();
        let men = board.by_color(Color::Black);
        Census::of(men, men & board.pawns())
    }

    #[test]
    fn a_piece_captured_when_none_is_left_was_a_pawn_once() {
        let mut census = start();
        for _ in 0..7 {
            census.capture(File::A, Some(Kind::Piece));
        }
        census.settle(Bitboard::FULL);
        assert_eq!((census.men(), census.pawns().most), (8, 8));
        census.capture(File::A, Some(Kind::Piece));
        census.settle(Bitboard::FULL);
        assert_eq!((census.men(), census.pawns().most), (7, 7));
    }

    #[test]
    fn files_add_up_to_all_pawns() {
        let mut census = start();
        census.may_leave(Bitboard::from(File::B));
        census.may_come(File::C);
        census.settle(Bitboard::FULL);
        assert_eq!(census.on(File::C), Bounds { least: 1, most: 2 });
        census.capture(File::C, Some(Kind::Pawn));
        census.capture(File::C, Some(Kind::Pawn));
        census.settle(Bitboard::FULL);
        assert_eq!(census.on(File::B), Bounds { least: 0, most: 0 }, "the second pawn on c came from b");
    }
}
