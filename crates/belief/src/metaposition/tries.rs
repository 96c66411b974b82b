//! What pawn tries say: captures that pawns of the side to move can legally make.
//!
//! A try that is missing says that a square is free, one that is announced says that one of a few is not. Neither counts
//! for a pawn that may be pinned or for a king in check, whose tries may be missing though there is something to
//! capture; there nothing is inferred (Darkboard makes the same exception for own pawns).

use nebel_kriegspiel::{Bitboard, Directions, Rank, Role, Square, Tries};
use nebel_position::side::pawn_captures;
use shakmaty::attacks;

use super::Metaposition;

/// One capture that may be possible.
struct Pair {
    to: Square,
    /// Whether the capture may be made en passant, so that `to` is free.
    may_pass: bool,
}

impl Metaposition {
    /// The tries of the own pawns, heard after the opponent's move or from the answer to "any?".
    pub(super) fn hear_own_tries(&mut self, tries: Tries, check: Directions) {
        if check.is_empty() {
            for from in self.own.by_role(Role::Pawn) {
                if says_none(tries, from) && !self.may_be_pinned(from) {
                    let targets = attacks::pawn_attacks(self.own.color(), from) & !self.own.squares();
                    self.clear(targets);
                }
            }
        }
        let count = match tries {
            Tries::Count(count) => count,
            Tries::Any(any) => u8::from(any),
            Tries::From(squares) => {
                for from in squares {
                    self.hear_certain(&self.pairs(from), 1);
                }
                return;
            }
        };
        if count > 0 {
            let pawns = self.own.by_role(Role::Pawn);
            let pairs: Vec<Pair> = pawns.into_iter().flat_map(|from| self.pairs(from)).collect();
            self.hear_certain(&pairs, count);
        }
    }

    /// Of these captures at least so many are possible: if there are no more, all are.
    fn hear_certain(&mut self, pairs: &[Pair], count: u8) {
        if pairs.len() == usize::from(count) {
            for pair in pairs.iter().filter(|pair| !pair.may_pass) {
                self.empty.discard(pair.to);
            }
        }
    }

    /// The captures that a pawn may perhaps make.
    fn pairs(&self, from: Square) -> Vec<Pair> {
        let color = self.own.color();
        let targets = attacks::pawn_attacks(color, from) & !self.own.squares();
        let sixth = color.fold_wb(Rank::Sixth, Rank::Third);
        let pair = |to: Square| {
            let beside = Square::from_coords(to.file(), from.rank());
            let may_pass = to.rank() == sixth && self.may.pawn.contains(beside) && self.empty.contains(to);
            (may_pass || self.may_hold_other_than_king().contains(to)).then_some(Pair { to, may_pass })
        };
        targets.into_iter().filter_map(pair).collect()
    }

    /// The tries of the opponent's pawns, heard after an own move or from his question. `check` is the check he is in.
    pub(super) fn hear_other_tries(&mut self, tries: Tries, check: Directions) {
        let color = self.own.color();
        if let Tries::From(squares) = tries {
            self.settle_as(squares & self.may.pawn, Role::Pawn);
        }
        let attacking = pawn_captures(self.own.squares(), color) & self.may.pawn;
        if check.is_empty() && attacking.any() {
            let may_be_pinned = self.perhaps_attacked_by_lines();
            let is_none = |&from: &Square| says_none(tries, from);
            let free: Bitboard = (attacking & !may_be_pinned).into_iter().filter(is_none).collect();
            self.may.pawn &= !free;
        }
        let count = match tries {
            Tries::Count(count) => count,
            Tries::Any(any) => u8::from(any),
            Tries::From(_) => return,
        };
        let men = self.own.squares() & !self.own.by_role(Role::King);
        let sources = |to: Square| attacks::pawn_attacks(color, to) & self.may.pawn;
        let landing = self.passed.and_then(|pawn| pawn.offset(color.fold_wb(-8, 8)));
        let (mut pairs, mut from) = (0, Bitboard::EMPTY);
        for to in men.into_iter().chain(landing) {
            pairs += sources(to).count();
            from |= sources(to);
        }
        if pairs == usize::from(count) {
            self.settle_as(from, Role::Pawn);
        }
    }
}

/// Whether the announcement says that there is no try from this square.
pub(super) fn says_none(tries: Tries, from: Square) -> bool {
    match tries {
        Tries::From(squares) => !squares.contains(from),
        Tries::Count(_) | Tries::Any(_) => !tries.are_there(),
    }
}
