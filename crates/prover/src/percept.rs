//! Announcements as 64-bit percepts, and back.
//!
//! The solver compares percepts millions of times a second and reads them never; people read them in strategies. From
//! the low end: 48 bits of pawn tries (a count, a yes, or one bit for each square that a pawn can stand on), 2 of the
//! end, 4 of the directions of check, 1 of promotion, 9 of the capture.

use nebel_kriegspiel::rules::{CaptureDetail, EnPassant, PromotionAnnounced, TriesAnnounced};
use nebel_kriegspiel::{
    Announcement, Bitboard, Capture, Color, Direction, Directions, Kind, Over, Role, Rules, Square, Tries,
};
use nebel_search::Percept;

use crate::moves::{Captured, Move};
use crate::position::Position;

const END_AT: u32 = 48;
const CHECK_AT: u32 = 50;
const PROMOTION_AT: u32 = 54;
const CAPTURE_AT: u32 = 55;

/// What stands in the field of the end.
const NO_MOVES: u64 = 1;
const STALEMATE: u64 = 2;
const ANSWER: u64 = 3;

/// "Any?" "No."
pub(crate) const ANSWER_NO: Percept = ANSWER << END_AT;
/// "Any?" "Yes."
pub(crate) const ANSWER_YES: Percept = ANSWER << END_AT | 1;
/// The pawn capture that English rules demand after "yes" was tried and refused.
pub(crate) const ANSWER_REFUSED: Percept = ANSWER << END_AT | 2;

/// How the game goes on after a move, as far as the announcement tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    GoesOn,
    Checkmate,
    Stalemate,
}

/// What both sides hear of a move of `mover` that led to `next`.
#[inline]
pub(crate) fn of_move(
    rules: &Rules,
    mover: Color,
    m: Move,
    captured: Option<Captured>,
    next: &Position,
    checkers: Bitboard,
    end: End,
) -> Percept {
    let mut percept = match end {
        End::GoesOn => tries(rules, next, !mover),
        End::Checkmate => NO_MOVES << END_AT,
        End::Stalemate => STALEMATE << END_AT,
    };
    if checkers.any() {
        percept |= check_index(next, !mover, checkers) << CHECK_AT;
    }
    if let Some((square, role)) = captured {
        percept |= capture_index(rules, m, square, role) << CAPTURE_AT;
    }
    if m.promotion.is_some() && rules.promotion == PromotionAnnounced::Heard {
        percept |= 1 << PROMOTION_AT;
    }
    percept
}

#[inline]
fn tries(rules: &Rules, position: &Position, color: Color) -> u64 {
    match rules.tries {
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => 0,
        TriesAnnounced::Count => u64::from(position.legal_pawn_captures(color).0),
        TriesAnnounced::Any => u64::from(position.legal_pawn_captures(color).0 > 0),
        TriesAnnounced::From => position.legal_pawn_captures(color).1.0 >> 8,
    }
}

/// Sixteen sets of at most two directions, numbered: none, the five single ones, the ten pairs.
#[inline]
fn check_index(position: &Position, color: Color, checkers: Bitboard) -> u64 {
    let king = position.king(color);
    let mut set = 0usize;
    for checker in checkers {
        let role = position.role_at(checker).unwrap_or(Role::Queen);
        set |= 1 << Direction::of_check(king, checker, role) as usize;
    }
    u64::from(CHECK_INDEX[set])
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

fn capture_index(rules: &Rules, m: Move, square: Square, role: Role) -> u64 {
    let en_passant = square != m.to && rules.en_passant == EnPassant::LandingSquare;
    let named = if en_passant { m.to } else { square };
    let kind = match (rules.capture, role, en_passant) {
        (CaptureDetail::Square, _, false) => 0,
        (CaptureDetail::Kind, Role::Pawn, false) => 1,
        (CaptureDetail::Kind, _, false) => 2,
        (CaptureDetail::Square, _, true) => 3,
        (CaptureDetail::Kind, _, true) => 4,
    };
    1 + kind * 64 + u64::from(named)
}

/// The announcement that a percept stands for. Not for answers.
pub(crate) fn announcement(rules: &Rules, mover: Color, percept: Percept) -> Announcement {
    let end = percept >> END_AT & 3;
    let over = (end != 0).then(|| Over::without_moves(rules, !mover, end == NO_MOVES));
    let told = percept & ((1 << END_AT) - 1);
    let capture = (percept >> CAPTURE_AT).checked_sub(1).map(|index| {
        let kind = match index / 64 {
            1 | 4 => Some(Kind::Pawn),
            2 => Some(Kind::Piece),
            _ => None,
        };
        Capture { square: Square::new(index as u32 % 64), kind, en_passant: index / 64 >= 3 }
    });
    Announcement {
        capture,
        promotion: percept >> PROMOTION_AT & 1 == 1,
        check: directions(percept >> CHECK_AT & 15),
        tries: if over.is_some() { None } else { announced_tries(rules, told) },
        over,
    }
}

fn announced_tries(rules: &Rules, told: u64) -> Option<Tries> {
    match rules.tries {
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
        TriesAnnounced::Count => Some(Tries::Count(told as u8)),
        TriesAnnounced::Any => Some(Tries::Any(told != 0)),
        TriesAnnounced::From => Some(Tries::From(Bitboard(told << 8))),
    }
}
