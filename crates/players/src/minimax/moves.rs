//! The attempts worth a thought, and what most likely comes of each.
//!
//! Attempts are those that may be legal by the metaposition: line pieces stop at squares that surely hold a man, pawns
//! capture only where something may stand (and only if a try was announced, where tries are), checks are answered on
//! their line. Promotions are to a queen, and to a rook where a queen might stalemate.

use nebel_kriegspiel::{
    Announcement, Attempt, Bitboard, Capture, Direction, Kind, Rank, Role, Rules, Square, Tries,
    rules::TriesAnnounced,
};
use shakmaty::attacks;

use crate::metaposition::Metaposition;

/// Calls `each` with every attempt that may be legal.
pub(crate) fn for_each(meta: &Metaposition, mut each: impl FnMut(Attempt)) {
    let answers = answers(meta);
    meta.own().for_each_attempt(|attempt| {
        let is_king = meta.own().by_role(Role::King).contains(attempt.from);
        if (is_king || answers.contains(attempt.to)) && may_be_legal(meta, attempt) {
            each(attempt);
        }
    });
}

/// Where men other than the king may go so that an announced check is answered; everywhere without check.
fn answers(meta: &Metaposition) -> Bitboard {
    let Some(king) = meta.own().by_role(Role::King).first() else { return Bitboard::FULL };
    let mut directions = meta.check().iter();
    let Some(direction) = directions.next() else { return Bitboard::FULL };
    if directions.next().is_some() {
        return Bitboard::EMPTY;
    }
    // A pawn that checks can also be captured en passant, beside which the line does not lead: let it pass.
    let blocks = !meta.may_be_empty();
    match direction {
        Direction::Knight => attacks::knight_attacks(king),
        Direction::Rank => attacks::rook_attacks(king, blocks) & Bitboard::from(king.rank()),
        Direction::File => attacks::rook_attacks(king, blocks) & Bitboard::from(king.file()),
        Direction::Long | Direction::Short => attacks::bishop_attacks(king, blocks),
    }
}

/// Whether the attempt, which makes sense, may be legal and is worth a thought.
pub(crate) fn may_be_legal(meta: &Metaposition, attempt: Attempt) -> bool {
    let Attempt { from, to, promotion } = attempt;
    let held = meta.surely_held();
    let path = attacks::between(from, to);
    match meta.own().role_at(from) {
        Some(Role::Pawn) => {
            if matches!(promotion, Some(Role::Knight | Role::Bishop)) {
                return false;
            }
            if from.file() == to.file() {
                return (held & (path | Bitboard::from_square(to))).is_empty();
            }
            may_capture(meta, from, to)
        }
        Some(Role::Knight) => true,
        Some(Role::King) => {
            let others = meta.may_hold(Role::King);
            let is_castling = from.distance(to) > 1;
            let next_to_king = others.single_square().is_some_and(|king| king.distance(to) <= 1);
            !next_to_king
                && !(is_castling && ((held & path).any() || !meta.check().is_empty() || held.contains(to)))
        }
        Some(_) => (held & path).is_empty(),
        None => false,
    }
}

fn may_capture(meta: &Metaposition, from: Square, to: Square) -> bool {
    let announced = match meta.tries() {
        Some(Tries::Count(count)) => count > 0,
        Some(Tries::Any(any)) => any,
        Some(Tries::From(squares)) => squares.contains(from),
        None => true,
    };
    let sixth = meta.own().color().fold_wb(Rank::Sixth, Rank::Third);
    let beside = Square::from_coords(to.file(), from.rank());
    let passes = to.rank() == sixth && meta.may_hold(Role::Pawn).contains(beside);
    announced && (passes || meta.may_hold_other_than_king().contains(to))
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
