//! What was heard of a move, against what a position would have made the umpire say.

use nebel_kriegspiel::{
    Announcement, Capture, Kind, Over, Reason, Rules, Tries,
    rules::{CaptureDetail, EnPassant, PromotionAnnounced},
};
use shakmaty::{Role, Square};

use crate::{
    legal::{Legal, Sides},
    men::is_dead,
};

/// An announcement that positions have to agree with.
#[derive(Clone, Debug)]
pub struct Announced {
    rules: Rules,
    announcement: Announcement,
    /// The end that the board alone shows. Fifty moves and repetition depend on the history, which a
    /// belief forgets: such ends, and the ends that players bring about, exclude nothing.
    end: Option<Over>,
}

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

impl Announced {
    /// What was announced of a move.
    pub fn new(rules: Rules, announcement: Announcement) -> Announced {
        Announced {
            rules,
            announcement,
            end: announcement.over.filter(|over| {
                matches!(over.reason, Reason::Checkmate | Reason::Stalemate | Reason::Material)
            }),
        }
    }

    /// The announcement.
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether the game ended in a way that the board shows.
    pub(crate) fn ends_on_the_board(&self) -> bool {
        self.end.is_some()
    }

    /// Whether this capture, or none, is what was heard.
    #[inline]
    pub fn fits_capture(&self, captured: Option<Captured>) -> bool {
        captured.map(|captured| captured.announced(&self.rules)) == self.announcement.capture
    }

    /// Whether a promotion, or none, is what was heard.
    #[inline]
    pub fn fits_promotion(&self, promotes: bool) -> bool {
        self.announcement.promotion == (promotes && self.rules.promotion == PromotionAnnounced::Heard)
    }

    /// Whether the position after the move agrees: check, pawn tries, and the end of the game.
    #[inline]
    pub fn fits(&self, after: &Legal<'_>) -> bool {
        after.directions() == self.announcement.check
            && self.fits_tries(after)
            && end_on_the_board(&self.rules, after) == self.end
    }

    /// Whether the pawn tries after the move are those heard.
    #[inline]
    pub fn fits_tries(&self, legal: &Legal<'_>) -> bool {
        match self.announcement.tries {
            None => true,
            Some(Tries::Count(count)) => legal.pawn_captures().count == count,
            Some(Tries::Any(any)) => (legal.pawn_captures().count > 0) == any,
            Some(Tries::From(squares)) => legal.pawn_captures().from == squares,
        }
    }
}

impl Captured {
    /// What the rules say of the capture.
    #[inline]
    pub fn announced(self, rules: &Rules) -> Capture {
        let (square, en_passant) = match (self.passing, rules.en_passant) {
            (Some(to), EnPassant::LandingSquare) => (to, true),
            _ => (self.square, false),
        };
        Capture {
            square,
            kind: (rules.capture == CaptureDetail::Kind).then_some(Kind::of(self.role)),
            en_passant,
        }
    }
}

/// What the umpire says of a move that led to this position, draws by history aside.
pub fn announcement(
    rules: &Rules,
    captured: Option<Captured>,
    promotes: bool,
    after: &Legal<'_>,
) -> Announcement {
    let over = end_on_the_board(rules, after);
    let tries = || after.pawn_captures().announced(rules);
    Announcement {
        capture: captured.map(|captured| captured.announced(rules)),
        promotion: promotes && rules.promotion == PromotionAnnounced::Heard,
        check: after.directions(),
        tries: over.is_none().then(tries).flatten(),
        over,
    }
}

#[inline]
fn end_on_the_board(rules: &Rules, after: &Legal<'_>) -> Option<Over> {
    let Sides { color, mover, other } = after.sides();
    if !after.has_move() {
        Some(Over::without_moves(rules, color, after.checkers().any()))
    } else if is_dead(mover, other) {
        Some(Over::draw(Reason::Material))
    } else {
        None
    }
}
