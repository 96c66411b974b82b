//! An own attempt, put to a position whose hidden men are known.
//!
//! What depends on the own men alone is worked out once, in [`OwnAttempt::new`]; each position then
//! costs a few masks.

use nebel_kriegspiel::{Announcement, Attempt, Color, OwnMen, Rules};
use nebel_position::{Captured, Demand, Key, Men, PackedAnnouncement, Side, Sides, announced::End};
use shakmaty::{Bitboard, Role};

use crate::{announced::Announced, exact::skeleton::Skeleton};

/// An own attempt that makes sense.
#[derive(Clone, Debug)]
pub struct OwnAttempt {
    color: Color,
    attempt: Attempt,
    demand: Demand,
    after: Men,
}

impl OwnAttempt {
    /// An attempt with these men; `None` if it makes no sense.
    pub fn new(men: &OwnMen, attempt: Attempt) -> Option<OwnAttempt> {
        if !men.could_make(attempt) {
            return None;
        }
        let Attempt { from, to, .. } = attempt;
        let color = men.color();
        let role = men.role_at(from)?;
        let demand = Demand::new(&Men::own(men), role, from, to)?;
        let mut moved = men.clone();
        moved.make(attempt);
        let mut after = Men::own(&moved);
        if role == Role::Pawn && from.distance(to) == 2 {
            after.passed = Bitboard::from_square(to);
        }
        Some(OwnAttempt { color, attempt, demand, after })
    }

    /// The attempt.
    pub fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// The side that tries it.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The own men after the move.
    pub fn after(&self) -> &Men {
        &self.after
    }

    /// Makes the move in the position with these hidden men: what it captures, if it is legal.
    #[inline]
    pub fn make(&self, hidden: &mut Men) -> Option<Option<Captured>> {
        let occupied = hidden.all | self.after.all;
        let captured = self.demand.met_by(&*hidden, !self.color, self.attempt.to, occupied)?;
        if let Some(captured) = captured {
            hidden.lift(captured.square);
        }
        hidden.passed = Bitboard::EMPTY;
        self.is_safe(hidden).then_some(captured)
    }

    /// Whether the attempt is legal in this position.
    #[inline]
    pub fn is_legal(&self, key: Key) -> bool {
        self.make(&mut key.unpack()).is_some()
    }

    /// What the umpire says of the attempt in this position, if it is legal.
    pub fn announcement(&self, key: Key, rules: &Rules) -> Option<Announcement> {
        let mut hidden = key.unpack();
        let captured = self.make(&mut hidden)?;
        let promotes = self.attempt.promotion.is_some();
        let after = self.reply(&hidden).legal();
        let packed = PackedAnnouncement::of_move(rules, captured, promotes, &after, End::of(&after));
        Some(packed.announcement(rules, self.color))
    }

    /// The position after the move and its skeleton, if the move is legal and announced as heard.
    #[inline]
    pub fn advance(&self, key: Key, heard: &Announced) -> Option<(Key, Skeleton)> {
        let mut hidden = key.unpack();
        let captured = self.make(&mut hidden)?;
        let fits = heard.fits_capture(captured)
            && heard.fits_promotion(self.attempt.promotion.is_some())
            && heard.fits(&self.reply(&hidden).legal());
        if !fits {
            return None;
        }
        let key = captured.map_or(key, |captured| key.without(captured.square));
        Some((key.without_passed(), Skeleton::of(&hidden)))
    }

    /// The position as the opponent meets it, once the attempt was [made](OwnAttempt::make) in it.
    #[inline]
    pub fn reply<'a>(&'a self, hidden: &'a Men) -> Sides<&'a Men, &'a Men> {
        Sides { color: !self.color, mover: hidden, other: &self.after }
    }

    #[inline]
    fn is_safe(&self, hidden: &Men) -> bool {
        let occupied = hidden.all | self.after.all;
        hidden.attackers(!self.color, self.after.king, occupied).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::start;

    use super::*;

    /// Some referees let a game begin with the waiting side in check, where a king seems to be there for the taking.
    #[test]
    fn a_king_cannot_be_captured() {
        let men = |fen: &str| start::position(fen).unwrap();
        let white = OwnMen::of(&men("8/8/7k/1p6/8/1P6/1K6/6B1 w - - 0 1"), Color::White);
        let key = |fen: &str| Key::pack(&Men::of(&men(fen), Color::Black));
        let attempt = OwnAttempt::new(&white, "g1b6".parse().unwrap()).unwrap();
        assert!(!attempt.is_legal(key("8/8/1k6/1p6/8/1P6/1K6/8 w - - 0 1")));
        assert!(attempt.is_legal(key("8/8/1r5k/1p6/8/1P6/1K6/8 w - - 0 1")));
    }
}
