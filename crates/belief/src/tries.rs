//! Which moves of the opponent leave the own side with the pawn tries that were heard: masks over
//! landing squares.
//!
//! A hidden man adds a try for each own pawn that attacks its square. Pins spoil this, but few own pawns
//! can be pinned at all, and fewer are by the men of a given position.

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Color, Tries};
use nebel_position::{
    Men, Side,
    side::{east_captures, pawn_captures, west_captures},
};
use shakmaty::{Bitboard, Square, attacks};

/// The own pawns, as far as all positions share them.
#[derive(Clone, Debug)]
pub(crate) struct OwnPawns {
    color: Color,
    /// Those that no hidden man can pin.
    free: Bitboard,
    /// The others, each the first own man on its line from the king.
    lined: ArrayVec<Lined, 8>,
    /// All own men.
    own: Bitboard,
}

/// An own pawn that may be pinned.
#[derive(Clone, Copy, Debug)]
struct Lined {
    pawn: Square,
    /// The squares behind it, seen from the king, from which it may be pinned.
    beyond: Bitboard,
    on_diagonal: bool,
}

/// The own pawns in one position: where their victims stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Victims {
    /// Squares attacked towards the a-file by pawns that are not pinned.
    west: Bitboard,
    /// Squares attacked towards the h-file by pawns that are not pinned.
    east: Bitboard,
    /// Squares attacked by pawns that are pinned: one has to look.
    unsure: Bitboard,
    /// Men without whom a pawn would be pinned.
    blockers: Bitboard,
    /// From where a bishop, rook or queen would pin a pawn that has somebody to capture.
    lines: Bitboard,
    /// How often hidden men are attacked by pawns that are not pinned.
    attacked: usize,
}

impl OwnPawns {
    /// The pawns of these men.
    pub(crate) fn new(men: &Men, unpinnable: Bitboard, color: Color) -> OwnPawns {
        let lined = men.pawns & !unpinnable;
        OwnPawns {
            color,
            free: men.pawns & unpinnable,
            lined: lined.into_iter().take(8).map(|pawn| Lined::new(pawn, men.king)).collect(),
            own: men.all,
        }
    }

    /// Where the victims of the pawns may stand, against these hidden men.
    #[inline]
    pub(crate) fn victims(&self, hidden: &Men) -> Victims {
        let (mut free, mut pinnable, mut pinned) = (self.free, Bitboard::EMPTY, Bitboard::EMPTY);
        let (mut lines, mut blockers) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for lined in &self.lined {
            let pinning = if lined.on_diagonal { hidden.diagonal() } else { hidden.orthogonal() };
            let pinning = lined.beyond & pinning;
            let has_victim = (attacks::pawn_attacks(self.color, lined.pawn) & hidden.all).any();
            if pinning.any() || has_victim {
                let seen = lined.seen(hidden.all | self.own);
                if (seen & pinning).any() {
                    pinned.add(lined.pawn);
                    continue;
                }
                if pinning.any() {
                    blockers |= seen & hidden.all;
                }
                if has_victim {
                    lines |= seen;
                }
            }
            pinnable.add(lined.pawn);
        }
        free |= pinnable;
        let attacked = |pawns| pawn_captures(pawns, self.color);
        let (west, east) = (west_captures(free, self.color), east_captures(free, self.color));
        Victims {
            attacked: (hidden.all & west).count() + (hidden.all & east).count(),
            west,
            east,
            unsure: attacked(pinned),
            blockers,
            lines,
        }
    }
}

impl Lined {
    fn new(pawn: Square, king: Square) -> Lined {
        let line = attacks::ray(king, pawn);
        let near = attacks::between(king, pawn) | Bitboard::from_square(pawn) | Bitboard::from_square(king);
        // Of the rest of the line, the part on the pawn's side of the king.
        let beyond = (line & !near)
            .into_iter()
            .filter(|&square| attacks::between(king, square).contains(pawn))
            .fold(Bitboard::EMPTY, |all, square| all | Bitboard::from_square(square));
        Lined { pawn, beyond, on_diagonal: king.file() != pawn.file() && king.rank() != pawn.rank() }
    }

    /// The squares behind it up to the next man.
    #[inline]
    fn seen(&self, occupied: Bitboard) -> Bitboard {
        let seen = if self.on_diagonal {
            attacks::bishop_attacks(self.pawn, occupied)
        } else {
            attacks::rook_attacks(self.pawn, occupied)
        };
        seen & self.beyond
    }
}

impl Victims {
    /// Where a hidden man may land so that the tries are those heard: surely, and perhaps. He comes
    /// from `from`, the other hidden men stand on `rest`, the own king is not in check, and `slides` says of the man that it may
    /// pin.
    #[inline]
    pub(crate) fn agreeing(
        &self,
        tries: Option<Tries>,
        from: Square,
        rest: Bitboard,
        slides: Slides,
    ) -> (Bitboard, Bitboard) {
        let Victims { west, east, .. } = *self;
        let agreeing = match tries {
            None => return (Bitboard::FULL, Bitboard::EMPTY),
            Some(Tries::From(_)) => return (Bitboard::EMPTY, Bitboard::FULL),
            _ if (rest & self.unsure).any() || self.blockers.contains(from) => {
                return (Bitboard::EMPTY, Bitboard::FULL);
            }
            Some(Tries::Count(count)) => {
                let already =
                    self.attacked - usize::from(west.contains(from)) - usize::from(east.contains(from));
                match usize::from(count).checked_sub(already) {
                    Some(0) => !(west | east),
                    Some(1) => west ^ east,
                    Some(2) => west & east,
                    _ => Bitboard::EMPTY,
                }
            }
            Some(Tries::Any(any)) => match ((rest & (west | east)).any(), any) {
                (true, true) => Bitboard::FULL,
                (true, false) => Bitboard::EMPTY,
                (false, true) => west | east,
                (false, false) => !(west | east),
            },
        };
        let unsure = if slides == Slides::Yes { self.unsure | self.lines } else { self.unsure };
        (agreeing & !unsure, unsure)
    }
}

/// Whether a man moves along lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slides {
    Yes,
    No,
}
