//! What the umpire says of a move, in 64 bits: beliefs compare it with what was heard, provers branch on it.
//!
//! Programs compare announcements millions of times a second and read them never; people read them in strategies. From
//! the low end: 48 bits of pawn tries (a count, a yes, or one bit for each square that a pawn can stand on), 2 of the
//! end, 4 of the directions of check, 1 of promotion, 9 of the capture. Draws by fifty moves and repetition are not in it: they
//! depend on the history.

use nebel_kriegspiel::rules::{CaptureDetail, EnPassant, PromotionAnnounced, TriesAnnounced};
use nebel_kriegspiel::{
    Announcement, Bitboard, Capture, Color, Direction, Directions, Kind, Over, Reason, Role, Rules, Square,
    Tries,
};

use crate::legal::{Legal, Sides};
use crate::side::{Side, is_dead};

/// An announcement, packed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PackedAnnouncement(u64);

/// A man that a move captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    /// Where it stood.
    pub square: Square,
    /// What it was.
    pub role: Role,
    /// Where the capturing pawn landed, if it was captured en passant.
    pub passing: Option<Square>,
}

/// How the game goes on after a move, as far as the board tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It does.
    GoesOn,
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    Material,
}

const END_AT: u32 = 48;
const CHECK_AT: u32 = 50;
const PROMOTION_AT: u32 = 54;
const CAPTURE_AT: u32 = 55;
const TRIES: u64 = (1 << END_AT) - 1;

/// What stands in the field of the end: nothing, mate, stalemate, or something that is told apart in the field of the tries.
const CHECKMATE: u64 = 1 << END_AT;
const STALEMATE: u64 = 2 << END_AT;
const OTHER: u64 = 3 << END_AT;
const MATERIAL: u64 = OTHER | 1 << 47;

impl PackedAnnouncement {
    /// "Any?" "No."
    pub const NO: PackedAnnouncement = PackedAnnouncement(OTHER);
    /// "Any?" "Yes."
    pub const YES: PackedAnnouncement = PackedAnnouncement(OTHER | 1);
    /// The pawn capture that English rules demand after "yes" was tried and refused.
    pub const REFUSED: PackedAnnouncement = PackedAnnouncement(OTHER | 2);

    /// What both sides hear of a move that captured this and led to this position, which ends so.
    #[inline]
    pub fn of_move(
        rules: &Rules,
        captured: Option<Captured>,
        promotes: bool,
        after: &Legal<impl Side, impl Side>,
        end: End,
    ) -> PackedAnnouncement {
        let mut bits = match end {
            End::GoesOn => tries(rules, after),
            ended => ended.bits(),
        };
        bits |= check(after);
        if let Some(captured) = captured {
            bits |= captured.bits(rules);
        }
        if promotes {
            bits |= promotion(rules);
        }
        PackedAnnouncement(bits)
    }

    /// The bits.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The announcement that such bits stand for, after a move of `mover`. Not for answers.
    #[inline]
    pub fn announcement(self, rules: &Rules, mover: Color) -> Announcement {
        let PackedAnnouncement(bits) = self;
        let end = match bits & OTHER {
            0 => End::GoesOn,
            CHECKMATE => End::Checkmate,
            STALEMATE => End::Stalemate,
            _ => End::Material,
        };
        let over = end.over(rules, !mover);
        let capture = (bits >> CAPTURE_AT).checked_sub(1).map(|index| {
            let kind = match index / 64 {
                1 | 4 => Some(Kind::Pawn),
                2 => Some(Kind::Piece),
                _ => None,
            };
            Capture { square: Square::new(index as u32 % 64), kind, en_passant: index / 64 >= 3 }
        });
        Announcement {
            capture,
            promotion: bits >> PROMOTION_AT & 1 == 1,
            check: directions(bits >> CHECK_AT & 15),
            tries: if over.is_some() { None } else { announced_tries(rules, bits & TRIES) },
            over,
        }
    }
}

impl From<PackedAnnouncement> for u64 {
    fn from(packed: PackedAnnouncement) -> u64 {
        packed.0
    }
}

impl From<u64> for PackedAnnouncement {
    fn from(bits: u64) -> PackedAnnouncement {
        PackedAnnouncement(bits)
    }
}

impl End {
    /// How a position ends the game for the side to move, if it does.
    #[inline]
    pub fn of(after: &Legal<impl Side, impl Side>) -> End {
        let Sides { mover, other, .. } = after.sides();
        if !after.has_move() {
            if after.checkers().any() { End::Checkmate } else { End::Stalemate }
        } else if is_dead(mover, other) {
            End::Material
        } else {
            End::GoesOn
        }
    }

    /// The same as result and reason, with this side to move.
    #[inline]
    pub fn over(self, rules: &Rules, to_move: Color) -> Option<Over> {
        match self {
            End::GoesOn => None,
            End::Material => Some(Over::draw(Reason::Material)),
            End::Checkmate | End::Stalemate => {
                Some(Over::without_moves(rules, to_move, self == End::Checkmate))
            }
        }
    }

    #[inline]
    const fn bits(self) -> u64 {
        match self {
            End::GoesOn => 0,
            End::Checkmate => CHECKMATE,
            End::Stalemate => STALEMATE,
            End::Material => MATERIAL,
        }
    }
}

impl Captured {
    #[inline]
    fn bits(self, rules: &Rules) -> u64 {
        let landing = self.passing.filter(|_| rules.en_passant == EnPassant::LandingSquare);
        let kind = match (rules.capture, self.role, landing.is_some()) {
            (CaptureDetail::Square, _, false) => 0,
            (CaptureDetail::Kind, Role::Pawn, false) => 1,
            (CaptureDetail::Kind, _, false) => 2,
            (CaptureDetail::Square, _, true) => 3,
            (CaptureDetail::Kind, _, true) => 4,
        };
        (1 + kind * 64 + u64::from(landing.unwrap_or(self.square))) << CAPTURE_AT
    }
}

/// An announcement that was heard, to be compared part by part: what is cheap to know first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeardAnnouncement {
    bits: u64,
    /// Whether something was said of pawn tries, be it that there are none. Nothing is when the game ends.
    tells_tries: bool,
    /// Whether any position can be announced so: three directions of check, or a pawn on the first rank, cannot.
    is_possible: bool,
}

impl HeardAnnouncement {
    /// What was heard. Ends that the board does not show, by fifty moves, repetition or a player's doing, say nothing of it.
    pub fn new(announcement: &Announcement) -> HeardAnnouncement {
        let end = match announcement.over.map(|over| over.reason) {
            Some(Reason::Checkmate) => End::Checkmate,
            Some(Reason::Stalemate) => End::Stalemate,
            Some(Reason::Material) => End::Material,
            _ => End::GoesOn,
        };
        let capture = announcement.capture.map_or(0, |Capture { square, kind, en_passant }| {
            let kind = match (kind, en_passant) {
                (None, false) => 0,
                (Some(Kind::Pawn), false) => 1,
                (Some(Kind::Piece), false) => 2,
                (None, true) => 3,
                (Some(_), true) => 4,
            };
            (1 + kind * 64 + u64::from(square)) << CAPTURE_AT
        });
        let tries = match announcement.tries {
            None => 0,
            Some(Tries::Count(count)) => u64::from(count),
            Some(Tries::Any(any)) => u64::from(any),
            Some(Tries::From(squares)) => squares.0 >> 8 & TRIES,
        };
        let backranks =
            matches!(announcement.tries, Some(Tries::From(squares)) if (squares & Bitboard::BACKRANKS).any());
        let set: usize = announcement.check.iter().fold(0, |set, direction| set | 1 << direction as usize);
        HeardAnnouncement {
            bits: tries
                | end.bits()
                | u64::from(CHECK_INDEX[set]) << CHECK_AT
                | u64::from(announcement.promotion) << PROMOTION_AT
                | capture,
            tells_tries: announcement.tries.is_some(),
            is_possible: !backranks && set.count_ones() <= 2,
        }
    }

    /// Whether this capture, or none, is what was heard.
    #[inline]
    pub fn fits_capture(&self, rules: &Rules, captured: Option<Captured>) -> bool {
        captured.map_or(0, |captured| captured.bits(rules)) == self.bits >> CAPTURE_AT << CAPTURE_AT
    }

    /// Whether a promotion, or none, is what was heard.
    #[inline]
    pub fn fits_promotion(&self, rules: &Rules, promotes: bool) -> bool {
        (if promotes { promotion(rules) } else { 0 }) == self.bits & 1 << PROMOTION_AT
    }

    /// Whether the position after the move agrees: check, pawn tries, and the end of the game.
    #[inline]
    pub fn fits(&self, rules: &Rules, after: &Legal<impl Side, impl Side>) -> bool {
        let end = if self.bits & OTHER == OTHER { MATERIAL } else { self.bits & OTHER };
        self.is_possible
            && check(after) == self.bits & 15 << CHECK_AT
            && self.fits_tries(rules, after)
            && End::of(after).bits() == end
    }

    /// Whether the pawn tries after the move are those heard.
    #[inline]
    pub fn fits_tries(&self, rules: &Rules, after: &Legal<impl Side, impl Side>) -> bool {
        !self.tells_tries || (self.is_possible && tries(rules, after) == self.bits & TRIES)
    }
}

#[inline]
fn promotion(rules: &Rules) -> u64 {
    u64::from(rules.promotion == PromotionAnnounced::Heard) << PROMOTION_AT
}

#[inline]
fn tries(rules: &Rules, after: &Legal<impl Side, impl Side>) -> u64 {
    match rules.tries {
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => 0,
        TriesAnnounced::Count => u64::from(after.pawn_captures().count),
        TriesAnnounced::Any => u64::from(after.pawn_captures().count > 0),
        TriesAnnounced::From => after.pawn_captures().from.0 >> 8,
    }
}

/// Sixteen sets of at most two directions, numbered: none, the five single ones, the ten pairs.
#[inline]
fn check(after: &Legal<impl Side, impl Side>) -> u64 {
    let Sides { mover, other, .. } = after.sides();
    let mut set = 0usize;
    for checker in after.checkers() {
        let role = if other.knights().contains(checker) { Role::Knight } else { Role::Queen };
        set |= 1 << Direction::of_check(mover.king(), checker, role) as usize;
    }
    u64::from(CHECK_INDEX[set]) << CHECK_AT
}

/// From five bits to a number below 16; sets of three do not occur and share a number with none.
const CHECK_INDEX: [u8; 32] = {
    let mut index = [0; 32];
    let mut next = 0;
    let mut set = 0;
    while set < 32u32 {
        if set.count_ones() <= 2 {
            index[set as usize] = next;
            next += 1;
        }
        set += 1;
    }
    index
};

fn directions(index: u64) -> Directions {
    let set =
        (0..32usize).find(|&set| set.count_ones() <= 2 && u64::from(CHECK_INDEX[set]) == index).unwrap_or(0);
    Direction::ALL.into_iter().filter(|&direction| set >> direction as usize & 1 == 1).collect()
}

fn announced_tries(rules: &Rules, told: u64) -> Option<Tries> {
    match rules.tries {
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
        TriesAnnounced::Count => Some(Tries::Count(told as u8)),
        TriesAnnounced::Any => Some(Tries::Any(told != 0)),
        TriesAnnounced::From => Some(Tries::From(Bitboard(told << 8))),
    }
}
