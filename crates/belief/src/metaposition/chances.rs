//! Rough chances: what stands on a square if every square that may hold a man is as likely as any other.
//!
//! A metaposition says what is possible, not what is likely. Where a number is needed all the same, the men left are
//! spread evenly over their squares, pawns within their files.

use nebel_kriegspiel::{Bitboard, Role, Square};

use super::Metaposition;
use crate::marginals::{Man, Marginals};

/// What may stand on a square, and how likely that is, roughly.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Chances {
    /// A pawn.
    pub pawn: f32,
    /// A knight, bishop, rook or queen.
    pub piece: f32,
    /// The king.
    pub king: f32,
}

impl Metaposition {
    /// How much a square weighs when boards are drawn: it may hold such a man, or not.
    pub(crate) fn weight(&self, role: Role, square: Square) -> f32 {
        f32::from(u8::from(self.may_hold(role).contains(square)))
    }

    /// The rough chances of all squares.
    pub fn marginals(&self) -> Marginals {
        let mut marginals = Marginals::default();
        for square in Square::ALL {
            let Chances { pawn, piece, king } = self.chances(square);
            marginals.set(square, Man::Of(Role::Pawn), pawn.into());
            marginals.set(square, Man::Piece, piece.into());
            marginals.set(square, Man::Of(Role::King), king.into());
        }
        marginals
    }

    /// The rough chances of a square.
    pub fn chances(&self, square: Square) -> Chances {
        let file = square.file();
        let bounds = self.census.on(file);
        let pawns = f32::from(bounds.least + bounds.most) / 2.0;
        let pieces = self.may.knight | self.may.bishop | self.may.rook | self.may.queen;
        let share = |squares: Bitboard, number: f32| {
            if squares.contains(square) { (number / squares.count() as f32).min(1.0) } else { 0.0 }
        };
        Chances {
            pawn: share(self.may_hold(Role::Pawn) & Bitboard::from(file), pawns),
            piece: share(pieces, f32::from(self.census.pieces().least)),
            king: share(self.may.king, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color, Rules};

    use super::*;

    #[test]
    fn what_is_seen_is_certain_and_what_may_have_moved_is_shared() {
        let mut meta = Metaposition::new(&Rules::icc(), &Chess::new(), Color::Black);
        assert_eq!(meta.chances(Square::E2), Chances { pawn: 1.0, ..Chances::default() });
        assert_eq!(meta.chances(Square::E1), Chances { king: 1.0, ..Chances::default() });
        meta.other_moved_silently();
        let on_file = [Square::E2, Square::E3, Square::E4].map(|square| meta.chances(square).pawn);
        assert!(on_file.iter().all(|chance| (chance - 1.0 / 3.0).abs() < 1e-6));
    }
}
