//! What a side knows of its own pawn captures in a turn.

use nebel_kriegspiel::{Bitboard, Chess, Color, Position, Square, Tries, announcement::PawnCaptures};

/// What a side knows of its own pawn captures in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnTries {
    /// The umpire says nothing of them.
    Unknown,
    /// There are none.
    None,
    /// There are so many.
    Count(u8),
    /// There are some, from these squares only.
    From(Bitboard),
}

impl OwnTries {
    /// At the start of a game, which both sides see.
    pub fn at_start(start: &Chess, side: Color) -> OwnTries {
        if start.turn() != side {
            return OwnTries::Unknown;
        }
        match PawnCaptures::among(&start.legal_moves()).count {
            0 => OwnTries::None,
            count => OwnTries::Count(count),
        }
    }

    /// By what was announced with the other side's move. That there are any at all counts as one.
    pub fn heard(tries: Option<Tries>) -> OwnTries {
        match tries {
            None => OwnTries::Unknown,
            Some(tries) if !tries.are_there() => OwnTries::None,
            Some(Tries::Count(count)) => OwnTries::Count(count),
            Some(Tries::Any(_)) => OwnTries::Count(1),
            Some(Tries::From(squares)) => OwnTries::From(squares),
        }
    }

    /// By the answer to "any?".
    pub const fn answered(yes: bool) -> OwnTries {
        if yes { OwnTries::Count(1) } else { OwnTries::None }
    }

    /// Whether there are some for sure.
    #[inline]
    pub const fn are_there(self) -> bool {
        matches!(self, OwnTries::Count(_) | OwnTries::From(_))
    }

    /// Whether the pawn on this square may have one.
    #[inline]
    pub fn allow(self, from: Square) -> bool {
        match self {
            OwnTries::Unknown | OwnTries::Count(_) => true,
            OwnTries::None => false,
            OwnTries::From(squares) => squares.contains(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::start;

    use super::*;

    #[test]
    fn the_start_is_seen_and_later_announcements_count() {
        let at = |fen: &str| OwnTries::at_start(&start::position(fen).unwrap(), Color::White);
        assert_eq!(at(start::STANDARD), OwnTries::None);
        assert_eq!(at("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"), OwnTries::Count(2));
        assert_eq!(at("4k3/8/8/3p1p2/4P3/8/8/4K3 b - - 0 1"), OwnTries::Unknown);
        let from = OwnTries::heard(Some(Tries::From(Bitboard::from_square(Square::E4))));
        assert!(from.are_there() && from.allow(Square::E4) && !from.allow(Square::A2));
        assert!(!OwnTries::heard(Some(Tries::Any(false))).allow(Square::E4));
        assert!(OwnTries::heard(None).allow(Square::E4) && !OwnTries::heard(None).are_there());
        assert!(OwnTries::answered(true).are_there() && !OwnTries::answered(false).allow(Square::E4));
    }
}
