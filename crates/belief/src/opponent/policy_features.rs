//! What a [`Policy`](super::policy::Policy) looks at in a move: its features, one by one.
//!
//! [`policy_turn`](super::policy_turn) has the same as tables, for speed; a test of the policy compares the two.

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Color, Role, Square};
use nebel_position::{Legal, Men, Move, Side, Sides, side::pawn_captures};
use shakmaty::{Bitboard, attacks};

use super::policy::Scene;

/// The features of one move.
pub(super) type Features = ArrayVec<u16, 24>;

/// Groups of features, one after the other; within a group the phase comes first, then the role of the man that moves.
pub(super) const PHASE: u16 = 0;
pub(super) const TO_RANK: u16 = PHASE + 3 * 6;
pub(super) const TO_FILE: u16 = TO_RANK + 3 * 6 * 8;
pub(super) const FROM_RANK: u16 = TO_FILE + 3 * 6 * 4;
pub(super) const RECAPTURE: u16 = FROM_RANK + 3 * 6 * 8;
pub(super) const PROTECTED: u16 = RECAPTURE + 6;
pub(super) const LEAVES_PROTECTION: u16 = PROTECTED + 6;
pub(super) const TRY: u16 = LEAVES_PROTECTION + 6;
pub(super) const CHECKED: u16 = TRY + 3;
pub(super) const PROMOTION: u16 = CHECKED + 2;
pub(super) const CASTLING: u16 = PROMOTION + 2;
pub(super) const FLEES: u16 = CASTLING + 1;
pub(super) const SAME_MAN: u16 = FLEES + 6;
pub(super) const BACK: u16 = SAME_MAN + 3;
pub(super) const DEVELOPS: u16 = BACK + 1;
/// What follows the mover guesses. By the man taken, and whether it is guarded; by the man that takes a guarded one of less worth.
pub(super) const CAPTURE: u16 = DEVELOPS + 1;
pub(super) const OVERPAYS: u16 = CAPTURE + 5 * 2;
pub(super) const PAWN_TAKES: u16 = OVERPAYS + 6;
pub(super) const RECAPTURE_GUARDED: u16 = PAWN_TAKES + 5;
/// To an empty square, and from one, by how it is [guarded](Unseen::guard).
pub(super) const ENTERS: u16 = RECAPTURE_GUARDED + 1;
pub(super) const ESCAPES: u16 = ENTERS + 6 * 3;
pub(super) const CHECKS: u16 = ESCAPES + 6 * 3;
/// To a square beside the other king, or one further.
pub(super) const NEAR_KING: u16 = CHECKS + 6;
/// How many features there are.
pub const FEATURES: usize = NEAR_KING as usize + 6 * 2;

/// What the side to move cannot see and guesses at.
pub(super) struct Unseen {
    king: Square,
    /// What pawns of the other side guard, and what all its men do.
    pawn_guarded: Bitboard,
    guarded: Bitboard,
    /// From where a man of each role but the king checks.
    checking: [Bitboard; 5],
}

impl Unseen {
    pub(super) fn of(legal: &Legal<&Men, &Men>) -> Unseen {
        let Sides { color, other, .. } = legal.sides();
        let occupied = legal.occupied();
        let king = other.king;
        let (diagonal, straight) =
            (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));
        Unseen {
            king,
            pawn_guarded: pawn_captures(other.pawns, !color),
            guarded: other.steady_attacks(!color) | other.sliding_attacks(occupied),
            checking: [
                attacks::pawn_attacks(!color, king),
                attacks::knight_attacks(king),
                diagonal,
                straight,
                diagonal | straight,
            ],
        }
    }

    /// How a square is guarded: by a pawn, or by others while own men protect it or not.
    #[inline]
    pub(super) fn guard(&self, square: Square, is_protected: bool) -> Option<u16> {
        if self.pawn_guarded.contains(square) {
            return Some(0);
        }
        self.guarded.contains(square).then(|| 1 + u16::from(is_protected))
    }

    /// Calls `each` with the features of what a move meets where it goes. A man that promotes checks as the pawn that it was.
    #[inline]
    pub(super) fn met(
        &self,
        m: Move,
        is_recapture: bool,
        is_protected: bool,
        victim: Option<Role>,
        mut each: impl FnMut(u16),
    ) {
        let of_role = m.role as u16 - 1;
        if is_recapture {
            if self.guarded.contains(m.to) {
                each(RECAPTURE_GUARDED);
            }
        } else if m.is_pawn_capture() {
            each(PAWN_TAKES + victim.map_or(0, |victim| victim as u16 - 1));
        } else if let Some(victim) = victim {
            let is_guarded = self.guarded.contains(m.to);
            each(CAPTURE + (victim as u16 - 1) * 2 + u16::from(is_guarded));
            // Knight and bishop are worth the same.
            if is_guarded && m.role > victim && (m.role, victim) != (Role::Bishop, Role::Knight) {
                each(OVERPAYS + of_role);
            }
        } else if let Some(guard) = self.guard(m.to, is_protected) {
            each(ENTERS + of_role * 3 + guard);
        }
        if m.role != Role::King && self.checking[usize::from(of_role)].contains(m.to) {
            each(CHECKS + of_role);
        }
        let distance = m.to.distance(self.king);
        if distance <= 2 {
            each(NEAR_KING + of_role * 2 + u16::from(distance == 2));
        }
    }
}

/// The features that a move has.
pub(super) fn features(scene: &Scene<'_>, m: Move) -> Features {
    let sides = scene.legal.sides();
    let (color, men) = (sides.color, sides.mover);
    let Move { from, to, role, promotion } = m;
    let of_role = role as u16 - 1;
    let mut features = Features::new();
    let phase = phase(men);
    let rank = |square: Square| seen_from(color, square).rank() as u16;
    let file = to.file() as u16;
    let of_phase = phase * 6 + of_role;
    features.push(PHASE + of_phase);
    features.push(TO_RANK + of_phase * 8 + rank(to));
    features.push(TO_FILE + of_phase * 4 + file.min(7 - file));
    features.push(FROM_RANK + of_phase * 8 + rank(from));
    if m.is_castling() {
        features.push(CASTLING);
    }
    if let Some(promotion) = promotion {
        features.push(PROMOTION + u16::from(promotion != Role::Queen));
    }
    // The mover sees its own men only: lines are open as far as it knows.
    let others = men.all & !Bitboard::from_square(from);
    let is_protected = (men.attackers(color, to, others) & others).any();
    if is_protected {
        features.push(PROTECTED + of_role);
    }
    let was_protected = role != Role::King && (men.attackers(color, from, men.all) & others).any();
    if was_protected {
        features.push(LEAVES_PROTECTION + of_role);
    }
    let is_recapture = scene.sight.lost == Some(to);
    if is_recapture {
        features.push(RECAPTURE + of_role);
    } else if let Some(lost) = scene.sight.lost
        && (attacks::queen_attacks(from, men.all) | attacks::knight_attacks(from)).contains(lost)
    {
        features.push(FLEES + of_role);
    }
    if m.is_pawn_capture() && !is_recapture {
        features.push(TRY + scene.sight.tries.map_or(2, u16::from));
    }
    if scene.sight.check {
        features.push(CHECKED + u16::from(role == Role::King));
    }
    if let Some(last) = scene.last
        && last.to() == from
    {
        features.push(SAME_MAN + phase);
        if last.from() == to {
            features.push(BACK);
        }
    }
    if phase == 0 && matches!(role, Role::Knight | Role::Bishop) && rank(from) == 0 {
        features.push(DEVELOPS);
    }
    let unseen = Unseen::of(scene.legal);
    unseen.met(m, is_recapture, is_protected, sides.other.role_at(to), |met| features.push(met));
    features.extend(unseen.guard(from, was_protected).map(|guard| ESCAPES + of_role * 3 + guard));
    features
}

/// How far the game has come, by the mover's own men.
pub(super) fn phase(men: &Men) -> u16 {
    match men.all.count() {
        13.. => 0,
        7..13 => 1,
        _ => 2,
    }
}

/// A square as White would see it.
pub(super) fn seen_from(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}
