//! The attempts worth a thought, and what most likely comes of each.
//!
//! Attempts are those that may be legal by the metaposition ([`nebel_belief::metaposition::Legality`]). Promotions are to a queen,
//! and to a rook where a queen might stalemate.

use nebel_kriegspiel::{
    Announcement, Attempt, Bitboard, Capture, Kind, Role, Rules, Tries, rules::TriesAnnounced,
};

use nebel_belief::metaposition::Metaposition;

/// Calls `each` with every attempt that may be legal and is worth a thought.
pub(crate) fn for_each(meta: &Metaposition, mut each: impl FnMut(Attempt)) {
    let legality = meta.legality();
    meta.own().for_each_attempt(|attempt| {
        let is_worth_it = !matches!(attempt.promotion, Some(Role::Knight | Role::Bishop));
        if is_worth_it && legality.may_be(attempt) {
            each(attempt);
        }
    });
}

/// What is most likely announced of moves that nothing is known of, by the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likely {
    /// An own move, or the opponent's, of which nothing is said.
    silence: Announcement,
    /// Whether the rules tell the kind of a captured man.
    tells_kind: bool,
}

impl Likely {
    pub(crate) fn new(rules: &Rules) -> Likely {
        let tries = match rules.tries {
            TriesAnnounced::Count => Some(Tries::Count(0)),
            TriesAnnounced::Any => Some(Tries::Any(false)),
            TriesAnnounced::From => Some(Tries::From(Bitboard::EMPTY)),
            TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
        };
        Likely {
            silence: Announcement { tries, ..Announcement::default() },
            tells_kind: rules.capture == nebel_kriegspiel::rules::CaptureDetail::Kind,
        }
    }

    /// The opponent's answer of which nothing is said.
    pub(crate) fn silence(&self) -> &Announcement {
        &self.silence
    }

    /// What comes of an own attempt if it is legal: silence, unless it surely captures. The opponent's tries are left
    /// open: that there are none would be too much to believe.
    pub(crate) fn of(&self, meta: &Metaposition, attempt: Attempt) -> Announcement {
        let is_capture = meta.surely_held().contains(attempt.to) || meta.own().is_pawn_capture(attempt);
        Announcement { capture: is_capture.then(|| self.capture(meta, attempt)), ..Announcement::default() }
    }

    /// The capture that an attempt makes if there is something to capture: of a pawn, if one may stand there.
    pub(crate) fn capture(&self, meta: &Metaposition, attempt: Attempt) -> Capture {
        let at_target = meta.may_hold_other_than_king().contains(attempt.to);
        let passes = meta.own().is_pawn_capture(attempt) && !at_target;
        let square = if passes { nebel_kriegspiel::side::passed_square(attempt) } else { attempt.to };
        let kind = if meta.may_hold(Role::Pawn).contains(square) { Kind::Pawn } else { Kind::Piece };
        Capture { square, kind: self.tells_kind.then_some(kind), en_passant: false }
    }
}
