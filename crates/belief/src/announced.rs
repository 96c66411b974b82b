//! What was heard of a move, against what a position would have made the umpire say.

use nebel_kriegspiel::{Announcement, Reason, Rules};
use nebel_position::{Captured, Legal, Side, announced::HeardAnnouncement};

/// An announcement that positions have to agree with.
#[derive(Clone, Debug)]
pub struct Announced {
    rules: Rules,
    announcement: Announcement,
    packed: HeardAnnouncement,
}

impl Announced {
    /// What was announced of a move.
    pub fn new(rules: Rules, announcement: Announcement) -> Announced {
        Announced { rules, announcement, packed: HeardAnnouncement::new(&announcement) }
    }

    /// The announcement.
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether the game ended in a way that the board shows. Fifty moves and repetition depend on the history, which a
    /// belief forgets: such ends, and the ends that players bring about, exclude nothing.
    pub(crate) fn ends_on_the_board(&self) -> bool {
        self.announcement.over.is_some_and(|over| {
            matches!(over.reason, Reason::Checkmate | Reason::Stalemate | Reason::Material)
        })
    }

    /// Whether this capture, or none, is what was heard.
    #[inline]
    pub fn fits_capture(&self, captured: Option<Captured>) -> bool {
        self.packed.fits_capture(&self.rules, captured)
    }

    /// Whether a promotion, or none, is what was heard.
    #[inline]
    pub fn fits_promotion(&self, promotes: bool) -> bool {
        self.packed.fits_promotion(&self.rules, promotes)
    }

    /// Whether the position after the move agrees: check, pawn tries, and the end of the game.
    #[inline]
    pub fn fits(&self, after: &Legal<impl Side, impl Side>) -> bool {
        self.packed.fits(&self.rules, after)
    }

    /// Whether the pawn tries after the move are those heard.
    #[inline]
    pub fn fits_tries(&self, after: &Legal<impl Side, impl Side>) -> bool {
        self.packed.fits_tries(&self.rules, after)
    }
}
